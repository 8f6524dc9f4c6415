"""Cards, dice, plot twists, specialists and gains in a few words."""

from saurodrome.engine.games.duelosaur.components import (
    AiCard,
    Components,
    Effect,
    Gain,
    Order,
    Token,
)
from saurodrome.engine.games.duelosaur.words import (
    ATTRACTION_TYPES,
    BASIC,
    COINS,
    KEYS,
    LETTERS,
    letters,
)


def gain(parts: Gain) -> str:
    """Return a gain, such as "cc, 2 basic, $1"; letters are colours of DNA."""
    return ", ".join(_part(key, amount) for key, amount in parts)


def _part(key: int, amount: int) -> str:
    if key < BASIC:
        return letters([key] * amount)
    return f"${amount}" if key == COINS else f"{amount} {KEYS[key]}"


def units(dna: tuple[int, ...]) -> str:
    """Return DNA counts, such as "c2 p0 b1 | g1 k0 y0"."""
    counted = [f"{letter}{count}" for letter, count in zip(LETTERS, dna, strict=True)]
    return f"{' '.join(counted[:3])} | {' '.join(counted[3:])}"


def card(components: Components, number: int) -> tuple[str, str, str]:
    """Return a card's id, its dinosaur and its attraction, each as text."""
    found = components.cards[number]
    dinosaur, attraction = found.dinosaur, found.attraction
    cost = letters(colour for colour, count in enumerate(dinosaur.cost) for _ in range(count))
    alive = f"{dinosaur.name:<19.19} {cost:<9} {dinosaur.excitement}e {dinosaur.threat}t"
    kind = f"{ATTRACTION_TYPES[attraction.type]} {attraction.icons}"
    built = f"{attraction.name:<14.14} {kind:<7} ${attraction.cost} {attraction.visitors}v"
    return found.id, f"{alive} {dinosaur.visitors}v", built


def face(components: Components, number: int) -> str:
    """Return the face of a die, such as "cc t1"."""
    found = components.faces[number]
    return f"{gain(found.gain)} t{found.threat}"


def token(found: Token) -> str:
    """Return a plot twist, such as "T04 x2, $1" or "T13 x2 or $2"."""
    return f"{found.id} {' or '.join(map(_effect, found.effects))}"


def _effect(effect: Effect) -> str:
    words = [f"x{effect.mult}"] if effect.mult > 1 else []
    return ", ".join([*words, *([gain(effect.gain)] if effect.gain else [])])


def specialist(components: Components, number: int) -> str:
    """Return a specialist, such as "X04 Chef"."""
    found = components.specialists[number]
    return f"{found.id} {found.name}"


def ai_lines(found: AiCard, number: int) -> list[str]:
    """Return what an AI card says, the plan of the round marked.

    Args:
        found: The card.
        number: The round, from 1; 0 before the first.
    """
    plans = [" then ".join(map(_order, plan)) for plan in found.build]
    now = (number - 1) % len(plans) if number else -1
    marked = [f"> {plan}" if index == now else plan for index, plan in enumerate(plans)]
    scored = [*found.categories, *(f"{n} per {every} {per}" for per, every, n in found.extra)]
    return [
        f"{found.id} {found.name}, difficulty {found.difficulty}",
        f"draws {found.draw}: {', '.join(found.draw_priority)}",
        f"picks: {', '.join(found.draft_priority)}",
        *(f"builds: {plan}" for plan in marked),
        f"loses {found.loss_per_threat} {found.loss_what} per threat left over",
        f"PR: {', '.join(found.pr_priority)}",
        f"scores visitors, {', '.join(scored)}",
    ]


def _order(order: Order) -> str:
    return f"{'attraction' if order.attraction else 'dinosaur'} by {', '.join(order.by)}"
