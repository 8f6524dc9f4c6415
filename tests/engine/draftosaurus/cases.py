"""The worked cases, and states built from positions written by name."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from saurodrome.engine.games.draftosaurus.board import FACES, FREE, SPECIES_NAMES, Board
from saurodrome.engine.games.draftosaurus.pens import unpack
from saurodrome.engine.games.draftosaurus.plots import plot_of
from saurodrome.engine.games.draftosaurus.position import PLACE
from saurodrome.engine.games.draftosaurus.positions import PlainZoo, board_named, build_zoo
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState

PATH: Final = Path(__file__).parents[2] / "data" / "draftosaurus.json"
CASES: Final[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))


def cases(kind: str) -> list[dict[str, Any]]:
    """Return the worked positions of a kind, for the boards that exist."""
    found = CASES["score_and_quarantine_cases"]
    return [case for case in found if case["kind"] == kind and case["board"] in GAME.variants]


def legality_vectors() -> list[dict[str, Any]]:
    """Return the single placements to be judged, for the boards that exist."""
    return [vector for vector in CASES["legality_vectors"] if vector["board"] in GAME.variants]


def species(name: str) -> int:
    """Return the index of a species."""
    return SPECIES_NAMES.index(name)


def packed(names: Sequence[str]) -> int:
    """Return a hand as a packed count."""
    return sum(1 << 4 * species(name) for name in names)


def place_of(board: Board, pen: str, slot: int | None = None) -> int:
    """Return the index of a place."""
    for index, place in enumerate(board.places):
        if board.pens[place.pen].name == pen and place.slot == (-1 if slot is None else slot):
            return index
    raise LookupError(f"{pen} {slot}")


def placement(board: Board, name: str, pen: str, slot: int | None = None) -> int:
    """Return the id of a placement, from the documented numbering: place by place."""
    return place_of(board, pen, slot) * len(SPECIES_NAMES) + species(name)


def state(
    variant: str,
    zoos: Sequence[PlainZoo],
    hands: Sequence[Sequence[str]],
    *,
    die: str | None = None,
    roller: int = 0,
    turn: int = 0,
    stage: int = PLACE,
) -> DraftosaurusState:
    """Return a state with given zoos, hands and die; the bag is empty."""
    board = board_named(variant)
    return DraftosaurusState(
        variant=board.index,
        start=(roller - turn) % len(zoos),
        turn=turn,
        stage=stage,
        die=FREE if die is None else FACES.index(die),
        bag=0,
        hands=tuple(packed(hand) for hand in hands),
        plots=tuple(plot_of(board, build_zoo(board, zoo)) for zoo in zoos),
        discards=(0,) * len(zoos),
        reveal=(),
    )


def plain_zoo(state: DraftosaurusState, seat: int) -> Mapping[str, list[str | None]]:
    """Return a zoo by name."""
    return {
        pen.name: [None if one < 0 else SPECIES_NAMES[one] for one in unpack(contents)]
        for pen, contents in zip(state.board.pens, state.zoos[seat].pens, strict=True)
    }
