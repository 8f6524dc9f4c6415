"""Simple players of Duelosaur Island: one that plays at random, one that takes what looks best."""

import random
from collections.abc import Callable

from saurodrome.engine.chance import Chance, FastChance
from saurodrome.engine.games.duelosaur import build, draft, parks, steps
from saurodrome.engine.games.duelosaur.components import Components, Gain
from saurodrome.engine.games.duelosaur.position import Company, Step, Work
from saurodrome.engine.games.duelosaur.state import GAME, Duelosaur, DuelosaurState
from saurodrome.engine.games.duelosaur.words import (
    ADVANCED,
    ADVANCED_COLOURS,
    CARD,
    COINS,
    SECURITY,
    VISITORS,
)

Player = Callable[[DuelosaurState, int], int]


def at_random(seed: int) -> Player:
    """Return a player who chooses any legal action."""
    choose = random.Random(seed).choice
    return lambda state, seat: choose(state.legal_actions(seat))


def play(
    variant: str, players: list[Player], chance: Chance, game: Duelosaur = GAME
) -> DuelosaurState:
    """Play a match to its end and return the last state."""
    state = game.initial_state(variant, len(players), chance)
    while deciders := state.deciders():
        state = state.apply({seat: players[seat](state, seat) for seat in deciders}, chance)
    return state


def play_seeded(variant: str, kind: Callable[[int], Player], seed: int) -> DuelosaurState:
    """Play a match among players of one kind."""
    seats = GAME.setting(variant).players
    return play(variant, [kind(2 * seed + seat) for seat in range(seats)], FastChance(seed))


def greedy(seed: int = 0) -> Player:
    """Return a player who looks at the present decision only."""
    return _greedy


def _greedy(state: DuelosaurState, seat: int) -> int:
    known = {"pick": _pick, "build": _build, "pr": _pr, "draw": _draw}
    return known.get(state.phase, _usual)(state, seat)


def _usual(state: DuelosaurState, seat: int) -> int:
    return state.default_action(seat)


def worth(gain: Gain) -> float:
    """Return about how many points a gain is worth."""
    return sum(amount * _VALUE.get(key, 0.8) for key, amount in gain)


_VALUE = {
    **dict.fromkeys((ADVANCED, *ADVANCED_COLOURS), 1.8),
    COINS: 1.0,
    VISITORS: 1.0,
    SECURITY: 1.5,
    CARD: 0.9,
}


def _pick(state: DuelosaurState, seat: int) -> int:
    options = draft.picks(state, seat)
    return max(range(len(options)), key=lambda n: (_pick_worth(state, seat, options[n]), -n))


def _pick_worth(state: DuelosaurState, seat: int, pick: draft.Pick) -> float:
    if pick.kind == draft.KEEP:
        return 2.5
    if pick.kind == draft.SWAP:
        return 0
    wanted = state.companies[seat].dna
    balance = sum(0.05 * wanted[colour] for colour in pick.colours)
    return worth(draft.pick_gain(state, pick)) - balance


def _pr(state: DuelosaurState, seat: int) -> int:
    spaces = state.setting.components.tracks.pr_spaces
    return max(state.legal_actions(seat), key=lambda n: (worth(spaces[n]), -n))


def _draw(state: DuelosaurState, seat: int) -> int:
    cards, company = state.setting.components, state.companies[seat]
    slots = range(len(state.market.row))
    best = max(slots, key=lambda n: _card_worth(cards, company, state.market.row[n]), default=-1)
    if best < 0 or _card_worth(cards, company, state.market.row[best]) < 3:
        return state.default_action(seat)
    return best


def _card_worth(components: Components, company: Company, card: int) -> float:
    """Return how much a card would bring soon, as a dinosaur or an attraction."""
    dinosaur = components.cards[card].dinosaur
    missing = sum(max(0, cost - own) for cost, own in zip(dinosaur.cost, company.dna, strict=True))
    alive = dinosaur.visitors + 2 * dinosaur.excitement - 1.5 * missing
    return max(alive, _attraction_worth(components, company, card))


def _attraction_worth(components: Components, company: Company, card: int) -> float:
    attraction = components.cards[card].attraction
    owned = parks.icons(components, company.attractions)
    scarce = owned[attraction.type] == min(owned)
    return attraction.visitors + attraction.icons * (2.5 if scarce else 1)


def _build(state: DuelosaurState, seat: int) -> int:
    work, setting = state.works[seat], state.setting
    if work.due:
        return build.default_step(work)
    danger = draft.undrafted_threat(setting.components, state.draft)
    options = steps.steps(setting, work)
    values = [_step_worth(setting.components, work, step, danger) for step in options]
    return max(range(len(options)), key=lambda n: (values[n], -n))


def _step_worth(components: Components, work: Work, step: Step, danger: int) -> float:
    """Return how good a step is; DONE is worth nothing, so it comes when no other is."""
    company = work.company
    if step.kind == steps.CREATE:
        dinosaur = components.cards[step.item].dinosaur
        return dinosaur.visitors + 3 * dinosaur.excitement
    if step.kind == steps.RAISE:
        short = company.threat + danger - company.security
        return 20 if short > 0 else -1
    if step.kind == steps.BUILD_ATTRACTION:
        spare = company.coins - steps.attraction_price(components, company, step.item)
        return _attraction_worth(components, company, step.item) if spare >= 0 else -1
    if step.kind == steps.SELL:
        short = company.threat + danger - company.security
        price = steps.security_price(components, company)
        rich = max(company.dna[colour] for colour in step.spent)
        return rich / 10 if short > 0 and company.coins == price - 1 and rich > 1 else -1
    return -1 if step.kind in (steps.MIX_UP, steps.MIX_DOWN, steps.ACT) else 0
