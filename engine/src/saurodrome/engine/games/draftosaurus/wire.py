"""Draftosaurus on the wire: observations and actions as bytes of its .proto messages.

Concatenated protobuf merges, so a message is put together from bytes of its parts. The parts
that come again and again, pens and hands above all, are encoded once and kept.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from saurodrome.engine.games.draftosaurus import scoring
from saurodrome.engine.games.draftosaurus.board import FACES, SPECIES_NAMES, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import HAND, SPECIES_SETS, TURNS, turns_a_round
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Observation, Public
from saurodrome.engine.games.draftosaurus.pens import SPECIES, counts_of, hand_size, tally
from saurodrome.engine.games.draftosaurus.position import NO_ACTION, PHASES
from saurodrome.engine.memo import Memo
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as pb

_KEPT: Final = 4_096
"""Parts of a kind that are kept; the contents of a River alone are beyond counting."""
_RECENT: Final = 1_024
"""Tables that are kept: with two players every zoo is shown twice."""
_SPECIES: Final = tuple(pb.Species.Value(f"SPECIES_{name.upper()}") for name in SPECIES_NAMES)
_PENS: Final = tuple(
    tuple(pb.Pen.Value(f"PEN_{pen.name.upper()}") for pen in board.pens) for board in BOARDS
)
_PEN_HEADS: Final = tuple(
    [tuple([pb.PenContents(pen=pen).SerializeToString() for pen in pens]) for pens in _PENS]
)
_FACES: Final = (
    *(pb.DieFace.Value(f"DIE_FACE_{face.upper()}") for face in FACES),
    pb.DIE_FACE_UNSPECIFIED,  # FREE
)
_STAGES: Final = tuple(
    pb.PHASE_UNSPECIFIED if phase == "over" else pb.Phase.Value(f"PHASE_{phase.upper()}")
    for phase in PHASES
)


def _each(species: tuple[pb.Species.ValueType, ...], counts: bytes) -> bytes:
    """Return so many of each species."""
    return b"".join([bytes((one,)) * count for one, count in zip(species, counts, strict=True)])


_POINTS: Final = pb.Observation.POINTS_FIELD_NUMBER
_DISCARDS: Final = pb.Observation.DISCARDED_FIELD_NUMBER
_DINOSAURS: Final = pb.PenContents.DINOSAURS_FIELD_NUMBER
_SLOTS: Final = pb.PenContents.SLOTS_FIELD_NUMBER
_AS_SPECIES: Final = bytes.maketrans(b"123456", bytes(_SPECIES))
_EMPTY: Final = ord("0")
_PENS_TAG: Final = pb.Zoo.PENS_FIELD_NUMBER << 3 | 2
_ZOO_TAG: Final = bytes((pb.Observation.ZOOS_FIELD_NUMBER << 3 | 2,))
_LENGTHS: Final = tuple([bytes((length,)) for length in range(128)])
"""Lengths of zoos, as varints of one byte: 12 dinosaurs never take 128 bytes."""
_UNSEEN: Final = pb.Observation(unseen=(0,) * SPECIES).SerializeToString()[:-SPECIES]
"""What goes before the six counts of unseen dinosaurs, varints of one byte each."""
_HALF: Final = 4 * SPECIES // 2
_LOW: Final = (1 << _HALF) - 1
_COUNTS: Final = tuple([bytes(counts_of(half)[: SPECIES // 2]) for half in range(1 << _HALF)])
"""Half a packed count as counts of three species, varints of one byte each."""
_FIRSTS: Final = tuple([_each(_SPECIES[: SPECIES // 2], counts) for counts in _COUNTS])
_LASTS: Final = tuple([_each(_SPECIES[SPECIES // 2 :], counts) for counts in _COUNTS])
"""The dinosaurs of half a packed count."""


def encode(observation: Observation) -> bytes:
    """Return a whole observation as a serialized message."""
    return _public(observation.public) + _private(observation)


class DraftosaurusWire:
    """One variant on the wire."""

    fixed_ids: Final = True

    def __init__(self, variant: str) -> None:
        """Find the board.

        Raises:
            ValueError: There is no such variant.
        """
        self._board = BOARDS[[board.name for board in BOARDS].index(variant)]

    def public(self, observation: Observation) -> bytes:
        """Return what everybody knows as a partial Observation message."""
        return _public(observation.public)

    def private(self, observation: Observation) -> bytes:
        """Return the rest of the message: the observer's seat, hands and unseen dinosaurs."""
        return _private(observation)

    def actions(self, observation: Observation, legal: Sequence[int]) -> list[bytes]:
        """Return actions as Action messages, whatever the decision."""
        return [_action(self._board, action).SerializeToString() for action in legal]


def _public(public: Public) -> bytes:
    variant, start, turn, stage, die, bag, _, zoos, discards, reveal = public
    players = len(zoos)
    parts = [
        _TURNS[players][stage][turn],
        _ROLLS[die][(start + turn) % players],
        _BAGS[bag],
        _TABLES[variant][zoos] if players == 2 else _table(variant, zoos),
    ]
    if discarded := sum(discards):
        parts.append(_packed(_DISCARDS, _listed(discarded)))
    for known, action in zip(_REVEALS[variant], reveal, strict=False):  # () or one a seat
        if action != NO_ACTION:
            parts.append(known[action])
    return b"".join(parts)


def _private(observation: Observation) -> bytes:
    player, public, (hands, unseen) = observation
    parts = [_SEATS[player or 0], _COUNTS[unseen & _LOW], _COUNTS[unseen >> _HALF]]
    for seat, hand in enumerate(hands):
        parts.append(_HANDS[hand if hand != UNKNOWN else ~public.hand_sizes[seat]])
    return b"".join(parts)


def _turn(players: int, stage: int, done: int) -> bytes:
    turn = min(done + 1, TURNS)
    return pb.Observation(
        phase=_STAGES[stage], round=(turn - 1) // turns_a_round(players) + 1, turn=turn
    ).SerializeToString()


def _table(board: int, zoos: tuple[tuple[int, ...], ...]) -> bytes:
    """Return all zoos and their points."""
    kept = _PENS_KEPT[board]
    parts = [b""]
    totals, counts = [], []
    for pens in zoos:
        shown = [b""]
        points = count = 0
        for known, contents in zip(kept, pens, strict=True):
            # `get` asks at a third of the price of an index, for a subclass of dict.
            part, own, held = known.get(contents) or known[contents]
            shown.append(part)
            points += own
            count += held
        zoo = b"".join(shown)
        parts += (_ZOO_TAG, _LENGTHS[len(zoo)], zoo)
        totals.append(points)
        counts.append(count)
    scoring.add_shared(BOARDS[board], totals, zoos, counts)
    parts[0] = _packed(_POINTS, bytes(totals))  # 12 dinosaurs never bring 128 points
    return b"".join(parts)


def _packed(field: int, numbers: bytes) -> bytes:
    """Return a repeated field of numbers below 128, fewer than 128 of them."""
    return bytes((field << 3 | 2, len(numbers))) + numbers if numbers else b""


class _Pen(NamedTuple):
    """A pen as its part of a Zoo message, what it brings by itself, and its packed count."""

    part: bytes
    points: int
    tally: int


def _pen(board: int, pen: int, contents: int) -> _Pen:
    digits = (b"%o" % contents)[::-1]  # packed contents are octal digits, the first one last
    shown = _PEN_HEADS[board][pen] + _packed(_DINOSAURS, digits.translate(_AS_SPECIES, b"0"))
    if BOARDS[board].pens[pen].slots > 1:
        shown += _packed(_SLOTS, bytes([slot for slot, one in enumerate(digits) if one != _EMPTY]))
    part = bytes((_PENS_TAG, len(shown))) + shown
    return _Pen(part, scoring.alone(BOARDS[board], pen, contents), tally(contents))


def _reveal(board: Board, seat: int, action: int) -> bytes:
    reveal = pb.Reveal(seat=seat, action=_action(board, action))
    return pb.Observation(last_reveal=[reveal]).SerializeToString()


def _hand(hand: int) -> bytes:
    """Return a hand: a packed count, or below 0 the complement of an unknown hand's size."""
    hands = [pb.Hand(size=hand_size(hand) if hand >= 0 else ~hand)]
    if hand > 0:
        hands[0].MergeFromString(_packed(pb.Hand.DINOSAURS_FIELD_NUMBER, _listed(hand)))
    return pb.Observation(hands=hands).SerializeToString()


def _listed(packed: int) -> bytes:
    """Return the dinosaurs of a packed count in species order."""
    return _FIRSTS[packed & _LOW] + _LASTS[packed >> _HALF]


def _actions(board: Board) -> range:
    """Return all action ids of a board."""
    return range(board.first_move + (board.first_discard if board.quarantine >= 0 else 0))


def _action(board: Board, action: int) -> pb.Action:
    if action >= board.first_move:
        return _action(board, action - board.first_move)
    if action >= board.first_discard:
        return pb.Action(species=_SPECIES[action - board.first_discard])
    place = board.places[action // SPECIES]
    return pb.Action(
        species=_SPECIES[action % SPECIES],
        pen=_PENS[board.index][place.pen],
        slot=place.slot if place.slot >= 0 else None,
    )


_TURNS: Final = tuple(
    [
        tuple(
            [
                tuple([_turn(players, stage, done) for done in range(TURNS + 1)])
                for stage in range(len(PHASES))
            ]
        )
        for players in range(6)
    ]
)
"""By players, stage and turns finished."""
_ROLLS: Final = tuple(
    [
        tuple([pb.Observation(roller=seat, die=die).SerializeToString() for seat in range(5)])
        for die in _FACES
    ]
)
"""By the face that lies, and by who rolled it."""
_BAGS: Final = tuple([pb.Observation(bag=bag).SerializeToString() for bag in range(91)])
"""By size of the bag: a packed count holds at most 90."""
_TABLES: Final = tuple([Memo(partial(_table, board.index), _RECENT) for board in BOARDS])
_PENS_KEPT: Final = tuple(
    tuple(Memo(partial(_pen, board.index, pen), _KEPT) for pen in range(len(board.pens)))
    for board in BOARDS
)
_REVEALS: Final = tuple(
    [
        tuple([tuple([_reveal(board, seat, one) for one in _actions(board)]) for seat in range(5)])
        for board in BOARDS
    ]
)
"""By board, seat and action id."""
_HANDS: Final = {hand: _hand(hand) for hand in (*range(~HAND, 0), *SPECIES_SETS)}
"""By packed count, or by the complement of an unknown hand's size."""
_SEATS: Final = tuple(
    [pb.Observation(seat=seat).SerializeToString() + _UNSEEN for seat in range(5)]
)
"""By observer; the counts of what it has not seen follow."""
