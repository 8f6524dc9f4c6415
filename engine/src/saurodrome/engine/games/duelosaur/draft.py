"""The draft: who picks when, what can be picked, and what it brings."""

from functools import lru_cache
from typing import Final, NamedTuple

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import gains, rival
from saurodrome.engine.games.duelosaur.components import Components, Effect, Gain, Token
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    AI,
    NEXT_PICK,
    NOTHING,
    OPEN_BUILD,
    PICK,
    Company,
    Draft,
    Position,
)
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.games.duelosaur.words import ADVANCED, letters

DIE: Final = 0
KEEP: Final = 1
SWAP: Final = 2
THROW: Final = 3
NO_EFFECT: Final = Effect(1, ())


class Pick(NamedTuple):
    """One way to pick an item.

    Attributes:
        kind: DIE, or what happens to a specialist: KEEP, SWAP, THROW.
        item: The slot of the die, or the specialist.
        option: The option of a choice token, NOTHING where there is no choice.
        out: The specialist that leaves for it, NOTHING if none.
        colours: The colours of wild units, see `gains.colourings`.
    """

    kind: int
    item: int
    option: int = NOTHING
    out: int = NOTHING
    colours: tuple[int, ...] = ()


def picker(position: Position) -> int:
    """Return whose turn it is: the second player begins, in solo who the AI card says."""
    turn = position.draft.picks % 2
    if position.setting.ai:
        return AI if position.setting.ai.draft_first == (turn == 0) else 0
    return position.first if turn else 1 - position.first


def is_over(position: Position) -> bool:
    """Return whether all picks are made; one item always stays over (V4)."""
    most = 2 * position.setting.components.levels.picks_per_player
    return position.draft.picks >= most or _items(position.draft) <= 1


def _items(draft: Draft) -> int:
    return len(draft.offer) + sum(face != NOTHING for face in draft.slots)


def undrafted_threat(components: Components, draft: Draft) -> int:
    """Return the threat icons of what nobody picked."""
    dice = sum(components.faces[face].threat for face in draft.slots if face != NOTHING)
    return dice + sum(components.specialists[one].threat for one in draft.offer)


def effects(token: Token | None) -> tuple[tuple[int, Effect], ...]:
    """Return the options of a token with their effects; NOTHING where there is no choice."""
    if token is None:
        return ((NOTHING, NO_EFFECT),)
    if len(token.effects) == 1:
        return ((NOTHING, token.effects[0]),)
    return tuple(enumerate(token.effects))


def die_gain(gain: Gain, effect: Effect) -> Gain:
    """Return what a die gives on a token: only its own DNA is multiplied (R7)."""
    own = tuple((key, n * effect.mult if is_dna(key) else n) for key, n in gain)
    return own + effect.gain


def is_dna(key: int) -> bool:
    """Return whether a gain key is DNA, of a colour or wild."""
    return key <= ADVANCED


def next_pick(position: Position) -> Position:
    """Let the next one pick, or end the draft."""
    if is_over(position):
        return position._replace(stage=OPEN_BUILD)
    seat = picker(position)
    if seat < len(position.companies):
        return position._replace(stage=PICK, queue=(seat,))
    return _ai_pick(position)


def _ai_pick(position: Position) -> Position:
    """Let the AI take what its card likes best; it throws specialists away at once."""
    candidates = ai_candidates(position)
    chosen = rival.best_item(position, [(gain, threat) for _, gain, threat in candidates])
    pick, gain, _ = candidates[chosen]
    return taken(position._replace(agenda=gains.due(AI, gain)), pick)


def ai_candidates(position: Position) -> list[tuple[Pick, Gain, int]]:
    """Return what the AI can pick, each with its gain and its threat icons, in order."""
    parts, found = position.setting.components, []
    for slot, token, face in _dice(parts, position.tokens, position.draft.slots):
        for option, effect in effects(token):
            gain = die_gain(parts.faces[face].gain, effect)
            found.append((Pick(DIE, slot, option), gain, parts.faces[face].threat))
    for one in position.draft.offer:
        specialist = parts.specialists[one]
        found.append((Pick(THROW, one), specialist.discard, specialist.threat))
    return found


def _dice(
    components: Components, tokens: tuple[int, ...], slots: tuple[int, ...]
) -> list[tuple[int, Token | None, int]]:
    """Return slot, plot twist and face of the dice that are left."""
    under = [components.tokens[one] for one in tokens]
    padded = [*under, *[None] * (len(slots) - len(under))]
    return [(slot, padded[slot], face) for slot, face in enumerate(slots) if face != NOTHING]


def taken(position: Position, pick: Pick) -> Position:
    """Return the position after an item has left the draft board."""
    draft, staff = position.draft, position.staff
    if pick.kind == DIE:
        slots = (*draft.slots[: pick.item], NOTHING, *draft.slots[pick.item + 1 :])
        draft = draft._replace(slots=slots)
    else:
        draft = draft._replace(offer=tuple(one for one in draft.offer if one != pick.item))
    gone = pick.item if pick.kind == THROW else pick.out
    if gone != NOTHING:
        staff = staff._replace(discards=staff.discards | 1 << gone)
    draft = draft._replace(picks=draft.picks + 1)
    return position._replace(draft=draft, staff=staff, stage=NEXT_PICK, queue=())


def picks(position: Position, seat: int) -> tuple[Pick, ...]:
    """Return what a player can pick, in canonical order: dice by slot, then specialists."""
    draft, own = position.draft, position.companies[seat].specialists
    return all_picks(position.setting, position.tokens, draft.slots, draft.offer, own)


@lru_cache(maxsize=64)
def all_picks(
    setting: Setting,
    tokens: tuple[int, ...],
    slots: tuple[int, ...],
    offer: tuple[int, ...],
    own: tuple[int, ...],
) -> tuple[Pick, ...]:
    """Return what can be picked, in canonical order; an action id is the place in it.

    Args:
        setting: The variant.
        tokens: The plot twists in play, by slot.
        slots: The face on each slot.
        offer: The specialists that can be picked.
        own: The specialists that the picker holds.
    """
    parts, found = setting.components, []
    for slot, token, face in _dice(parts, tokens, slots):
        for option, effect in effects(token):
            units = gains.wild_units(die_gain(parts.faces[face].gain, effect))
            found += [Pick(DIE, slot, option, NOTHING, c) for c in gains.colourings(*units)]
    for one in offer:
        if len(own) < parts.levels.specialist_limit:
            found.append(Pick(KEEP, one))
        else:
            found += [Pick(SWAP, one, NOTHING, out) for out in own]
        units = gains.wild_units(parts.specialists[one].discard)
        found += [Pick(THROW, one, NOTHING, NOTHING, c) for c in gains.colourings(*units)]
    return tuple(found)


def pick_gain(position: Position, pick: Pick) -> Gain:
    """Return what a pick gains, wild units still wild."""
    parts = position.setting.components
    if pick.kind == DIE:
        own = parts.faces[position.draft.slots[pick.item]].gain
        tokens = position.tokens
        token = parts.tokens[tokens[pick.item]] if pick.item < len(tokens) else None
        return die_gain(own, dict(effects(token))[pick.option])
    return parts.specialists[pick.item].discard if pick.kind == THROW else ()


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(range(len(picks(position, seat))))


def _default(position: Position, seat: int) -> int:
    """Return the first die, or if there is none the first specialist, thrown away (V12)."""
    components, company = position.setting.components, position.companies[seat]
    options = picks(position, seat)
    first = next(pick for pick in options if pick.kind in (DIE, THROW))
    colours = gains.default_colours(components, company, pick_gain(position, first))
    return options.index(first._replace(colours=colours))


def _act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    pick = picks(position, seat)[action]
    gain = gains.coloured(pick_gain(position, pick), pick.colours)
    company = with_specialist(position.companies[seat], pick)
    position = position._replace(agenda=gains.due(seat, gain)).with_company(seat, company)
    return taken(position, pick)


def with_specialist(company: Company, pick: Pick) -> Company:
    """Return a company after it kept a specialist or swapped it in; else unchanged."""
    if pick.kind not in (KEEP, SWAP):
        return company
    own = tuple(one for one in company.specialists if one != pick.out)
    return company._replace(specialists=(*own, pick.item))


def _text(position: Position, seat: int, action: int) -> str:
    known = position.setting.components.specialists
    pick = picks(position, seat)[action]
    if pick.kind == DIE:
        words = ["die", str(pick.item)]
        words += [] if pick.option == NOTHING else ["option", str(pick.option)]
    else:
        words = [("", "keep", "swap", "discard")[pick.kind], known[pick.item].id]
        words += [] if pick.out == NOTHING else ["for", known[pick.out].id]
    words += ["as", letters(pick.colours)] if pick.colours else []
    return " ".join(words)


PICK_PHASE: Final = Phase("pick", _legal, _default, _act, _text)
