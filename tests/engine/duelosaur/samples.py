"""Positions made by hand: the first one of a variant, changed where a test wants it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from saurodrome.engine.chance import Chance, FastChance
from saurodrome.engine.games.duelosaur import flow
from saurodrome.engine.games.duelosaur.components import Gain
from saurodrome.engine.games.duelosaur.loading import shipped
from saurodrome.engine.games.duelosaur.position import (
    Company,
    Draft,
    Market,
    Position,
    Rival,
    Work,
    mask,
)
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from saurodrome.engine.games.duelosaur.words import COLOURS, KEYS

PARTS = shipped()
DATA = Path(__file__).parents[2] / "data" / "duelosaur.json"
CARDS = {card.id: number for number, card in enumerate(PARTS.cards)}
SPECIALISTS = {one.id: number for number, one in enumerate(PARTS.specialists)}
TOKENS = {token.id: number for number, token in enumerate(PARTS.tokens)}
VARIANTS = ("short", "medium", "long")
SOLO = {
    "A1": "solo-sima-saurus",
    "A2": "solo-herb-e-vore",
    "A3": "solo-dino-mike",
    "A4": "solo-dnaidan",
    "A5": "solo-sara-tops",
    "A6": "solo-ptera-byte",
}


@cache
def cases() -> list[dict[str, Any]]:
    """Return the worked examples that came with the rules."""
    found: list[dict[str, Any]] = json.loads(DATA.read_text())["cases"]
    return found


def setting(variant: str = "medium") -> Setting:
    return GAME.setting(variant)


def cards(*ids: str) -> int:
    """Return the bit mask of some cards."""
    return mask(CARDS[one] for one in ids)


def names(members: int) -> list[str]:
    """Return the ids of the cards of a bit mask."""
    return [card.id for number, card in enumerate(PARTS.cards) if members >> number & 1]


def specialists(*ids: str) -> tuple[int, ...]:
    return tuple(SPECIALISTS[one] for one in ids)


def dna(counts: dict[str, int] | None = None, **colours: int) -> tuple[int, ...]:
    """Return DNA counts by colour; those not named are 0."""
    return tuple((counts or colours).get(colour, 0) for colour in COLOURS)


def gain(amounts: dict[str, int]) -> Gain:
    return tuple((KEYS.index(key), amount) for key, amount in amounts.items())


def plain(amounts: Gain) -> dict[str, int]:
    """Return a gain as the files write it."""
    return {KEYS[key]: amount for key, amount in amounts}


def company(**changes: Any) -> Company:
    """Return a company with an empty hand and park, changed where it is said."""
    blank = Company(0, (0,) * 6, 1, 1, 1, 5, 0, 0, 0, 0, 0, ())
    return blank._replace(**changes)


def rival(**changes: Any) -> Rival:
    """Return an AI with an empty hand and park, changed where it is said."""
    return Rival(0, 0, 0, 1, 5, 0, 0, 0)._replace(**changes)


def start(variant: str = "medium", seed: int = 1) -> DuelosaurState:
    """Return the first state of a match."""
    return GAME.initial_state(variant, GAME.setting(variant).players, FastChance(seed))


def position(variant: str = "medium", **changes: Any) -> DuelosaurState:
    """Return a state with empty companies and everything else as at the start, changed."""
    first = start(variant)
    blank = tuple(company() for _ in first.companies)
    return DuelosaurState._make(
        first._replace(companies=blank, choices=(), first=0)._replace(**changes)
    )


def market(
    row: tuple[str, ...] = (), deck: tuple[str, ...] = (), discards: tuple[str, ...] = ()
) -> Market:
    """Return a market with one layer; hidden hand cards must be named as part of the deck."""
    return Market(tuple(CARDS[one] for one in row), (cards(*deck),), cards(*discards))


def draft(**changes: Any) -> Draft:
    return Draft((), (), 0, (), (), 0)._replace(**changes)


def face(amounts: dict[str, int], threat: int) -> int:
    """Return the face of a die that gives something, if there is one with this threat."""
    wanted = gain(amounts)
    return next(
        n for n, one in enumerate(PARTS.faces) if (one.gain, one.threat) == (wanted, threat)
    )


def work(own: Company, **changes: Any) -> Work:
    blank = Work(own, (), (0,) * len(own.specialists), (), 0, 0, False)
    return blank._replace(**changes)


def settled(state: Position, chance: Chance | None = None) -> DuelosaurState:
    """Return a position after all that happens without a decision."""
    return DuelosaurState._make(flow.proceed(state, chance or FastChance(0)))


def act(state: DuelosaurState, *texts: str, seat: int | None = None) -> DuelosaurState:
    """Return a state after actions, given as texts, of a seat or of whoever must act."""
    for text in texts:
        who = state.deciders()[0] if seat is None else seat
        state = state.apply({who: state.parse_action(who, text)}, FastChance(7))
    return state


def texts(state: DuelosaurState, seat: int | None = None) -> list[str]:
    """Return the texts of all legal actions of a seat or of whoever must act."""
    who = state.deciders()[0] if seat is None else seat
    return [state.action_text(who, action) for action in state.legal_actions(who)]


def default(state: DuelosaurState, seat: int | None = None) -> str:
    """Return the text of the default action of a seat or of whoever must act."""
    who = state.deciders()[0] if seat is None else seat
    return state.action_text(who, state.default_action(who))
