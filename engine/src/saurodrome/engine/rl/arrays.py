"""Draftosaurus as arrays: what a player knows, and what it may do.

An observation is a vector of int8. With n players, seats counted from the observer to the left:

| entries | what |
| --- | --- |
| n * 150 | for each seat its zoo: 7 pens * 6 species counts; 72 bits, which action ids below 72 its pens take next; 6 slots * 6 species of the pyramid, one-hot |
| n * 8 | for each seat its hand: 6 species counts, its size, 1 if the observer knows it |
| 6 | species counts of all that the observer has not located |
| 1 | dinosaurs in the bag |
| 7 | the die, one-hot: six faces, and none |
| n | who rolled it, one-hot |
| 3 | the phase, one-hot: place, discard, quarantine; all 0 after the end |
| 1 | turns finished, 0 to 12 |

Counts of hands that the observer does not know are 0. An action is its id; one more action, the
last, means to wait, and is the only one of a player who has nothing to decide.
"""  # noqa: E501 - a table

from typing import Final

import numpy as np
from numpy.typing import NDArray

from saurodrome.engine.games.draftosaurus.board import WORD, Board
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN
from saurodrome.engine.games.draftosaurus.pens import RULE_PYRAMID, SPECIES, tally
from saurodrome.engine.games.draftosaurus.position import DISCARD, PLACE, QUARANTINE
from saurodrome.engine.games.draftosaurus.state import DraftosaurusState

ZOO: Final = 150
HAND: Final = 8
MOST: Final = 60
"""No entry is larger: the bag holds fewer dinosaurs after the first deal."""

_BITS_LOW: Final[NDArray[np.int64]] = np.arange(SPECIES * WORD, dtype=np.int64)
_BITS_HIGH: Final[NDArray[np.int64]] = np.arange(72 - SPECIES * WORD, dtype=np.int64)
_COUNTS: Final[NDArray[np.int64]] = 4 * np.arange(SPECIES, dtype=np.int64)
_SLOTS: Final[NDArray[np.int64]] = 3 * np.arange(6, dtype=np.int64)
_STAGES: Final = (PLACE, DISCARD, QUARANTINE)


def length(players: int) -> int:
    """Return how many entries an observation has."""
    return players * (ZOO + HAND + 1) + 18


def actions(board: Board) -> int:
    """Return how many actions there are, waiting included."""
    return board.first_move + (board.first_discard if board.quarantine >= 0 else 0) + 1


def observe(state: DraftosaurusState, player: int) -> NDArray[np.int8]:
    """Return what a player knows; its shape is `(length(players),)`."""
    players = state.players
    public, private = state.observation(player)[1:]
    out: NDArray[np.int8] = np.zeros(length(players), dtype=np.int8)
    at = 0
    order = [(player + seat) % players for seat in range(players)]
    for seat in order:
        out[at : at + ZOO] = _zoo(state, seat)
        at += ZOO
    for seat in order:
        hand = private.hands[seat]
        if hand != UNKNOWN:
            out[at : at + 6] = hand >> _COUNTS & 15
            out[at + 7] = 1
        out[at + 6] = public.hand_sizes[seat]
        at += HAND
    out[at : at + 6] = private.unseen >> _COUNTS & 15
    out[at + 6] = public.bag_size
    out[at + 7 + public.die] = 1
    out[at + 14 + (state.roller - player) % players] = 1
    at += 14 + players
    if public.stage in _STAGES:
        out[at + _STAGES.index(public.stage)] = 1
    out[at + 3] = public.turn
    return out


def mask(state: DraftosaurusState, player: int) -> NDArray[np.int8]:
    """Return 1 for each action that a player may take; its shape is `(actions(board),)`."""
    out: NDArray[np.int8] = np.zeros(actions(state.board), dtype=np.int8)
    out[list(state.legal_actions(player)) or [-1]] = 1
    return out


def _zoo(state: DraftosaurusState, seat: int) -> NDArray[np.int64]:
    zoo = state.zoos[seat]
    tallies = np.array([tally(contents) for contents in zoo.pens], dtype=np.int64)
    pyramid: NDArray[np.int64] = np.zeros((6, SPECIES), dtype=np.int64)
    for pen, contents in zip(state.board.pens, zoo.pens, strict=True):
        if pen.rule == RULE_PYRAMID:
            digits = contents >> _SLOTS & 7
            held = np.flatnonzero(digits)
            pyramid[held, digits[held] - 1] = 1
    return np.concatenate(
        [
            (tallies[:, None] >> _COUNTS & 15).ravel(),
            zoo.low >> _BITS_LOW & 1,
            zoo.high >> _BITS_HIGH & 1,
            pyramid.ravel(),
        ]
    )
