"""What bots see: messages made from observations, field by field and against secrets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.engine import conformance, game, registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import State
from saurodrome.engine.games.draftosaurus import wire
from saurodrome.engine.games.draftosaurus.board import Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Observation, Private, Public
from saurodrome.engine.games.draftosaurus.pens import pack
from saurodrome.engine.games.draftosaurus.scoring import score_pens
from saurodrome.engine.games.draftosaurus.state import DraftosaurusState
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as pb

GAME = registry.get("draftosaurus")
R, S, C, B, N, P = range(1, 7)  # as in the .proto file, by their letters
SUMMER_PENS = [
    pb.PEN_FOREST_OF_SAMENESS,
    pb.PEN_WOODY_TRIO,
    pb.PEN_KING_OF_THE_JUNGLE,
    pb.PEN_PRAIRIE_OF_LOVE,
    pb.PEN_MEADOW_OF_DIFFERENCES,
    pb.PEN_SOLITARY_ISLAND,
    pb.PEN_RIVER,
]


def count(**species: int) -> int:
    """A packed count by letters."""
    return sum(n << 4 * "RSCBNP".index(letter) for letter, n in species.items())


def held(letters: str) -> int:
    """Packed contents by letters."""
    return pack(tuple("RSCBNP".index(letter) for letter in letters))


def seen(observation: Observation) -> pb.Observation:
    """What a bot reads."""
    return pb.Observation.FromString(wire.encode(observation))


PUBLIC = Public(
    variant=0,
    start=1,
    turn=3,
    stage=1,
    die=3,
    bag_size=24,
    hand_sizes=(2, 2),
    zoos=(
        (held("SS"), 0, held("R"), held("NR"), 0, 0, held("PB")),
        (0, held("CRS"), 0, 0, held("BC"), held("P"), 0),
    ),
    discards=(count(S=1, P=1), count(R=1)),
    reveal=(2 * 6 + 0, 5 * 6 + 5),
)
MINE = Observation(1, PUBLIC, Private((UNKNOWN, count(R=1, N=1)), count(S=3, N=2)))


def test_every_field_of_an_observation_tells_its_rule() -> None:
    got = seen(MINE)
    assert got.phase == pb.PHASE_DISCARD
    assert (got.round, got.turn) == (2, 4)  # two players draw anew after three turns
    assert got.roller == 0  # seat 1 rolled in turn 1, and the die has been passed on three times
    assert got.die == pb.DIE_FACE_RESTROOMS
    assert got.bag == 24
    assert [list(pen.dinosaurs) for pen in got.zoos[0].pens] == [
        [S, S], [], [R], [N, R], [], [], [P, B],
    ]  # fmt: skip
    assert [pen.pen for pen in got.zoos[1].pens] == SUMMER_PENS
    assert [list(pen.dinosaurs) for pen in got.zoos[1].pens][:2] == [[], [C, R, S]]
    assert list(got.discarded) == [R, S, P]
    assert got.seat == 1
    assert [(h.size, list(h.dinosaurs)) for h in got.hands] == [(2, []), (2, [R, N])]
    assert list(got.unseen) == [0, 3, 0, 0, 2, 0]


def test_points_are_those_of_the_score_sheet() -> None:
    # Seat 0: forest of two 4, king (most T-Rexes: 2 against 1) 7, river 2, and two pens with a
    # T-Rex 2. Seat 1: trio 7, meadow of two 3, island (only P) 7, and one pen with a T-Rex 1.
    assert list(seen(MINE).points) == [4 + 7 + 2 + 2, 7 + 3 + 7 + 1]


def test_a_reveal_tells_who_put_what_where() -> None:
    first, second = seen(MINE).last_reveal
    assert (first.seat, first.action.species, first.action.pen) == (0, R, SUMMER_PENS[2])
    assert (second.seat, second.action.species, second.action.pen) == (1, P, SUMMER_PENS[5])


def test_a_spectator_has_no_seat_and_sees_sizes_of_hands() -> None:
    got = seen(Observation(None, PUBLIC, Private((UNKNOWN, UNKNOWN), count(S=9))))
    assert got.seat == 0
    assert [(h.size, list(h.dinosaurs)) for h in got.hands] == [(2, []), (2, [])]
    assert list(got.unseen) == [0, 9, 0, 0, 0, 0]


def test_a_finished_match_asks_nothing_and_stays_in_its_last_turn() -> None:
    over = PUBLIC._replace(turn=12, stage=2, die=6, hand_sizes=(0, 0))
    got = seen(Observation(None, over, Private((0, 0), 0)))
    assert got.phase == pb.PHASE_UNSPECIFIED
    assert got.die == pb.DIE_FACE_UNSPECIFIED
    assert (got.round, got.turn) == (4, 12)


def test_the_dies_faces_are_told_by_name() -> None:
    faces = [seen(MINE._replace(public=PUBLIC._replace(die=die))).die for die in range(6)]
    assert faces == [
        pb.DIE_FACE_WOODLANDS,
        pb.DIE_FACE_GRASSLANDS,
        pb.DIE_FACE_FOOD_COURT,
        pb.DIE_FACE_RESTROOMS,
        pb.DIE_FACE_EMPTY_PEN,
        pb.DIE_FACE_NO_TREX,
    ]


@pytest.mark.parametrize("variant", GAME.variants)
def test_every_action_of_a_variant_has_a_message_of_its_own(variant: str) -> None:
    board = next(board for board in BOARDS if board.name == variant)
    whole = wire.DraftosaurusWire(variant)
    blobs = whole.actions(MINE, range(board.first_discard + 6))
    assert len(set(blobs)) == len(blobs)
    placed = pb.Action.FromString(blobs[4])
    assert (placed.species, placed.pen) == (N, pb.Pen.Value(f"PEN_{board.pens[0].name.upper()}"))
    discarded = pb.Action.FromString(blobs[board.first_discard + 1])
    assert discarded == pb.Action(species=pb.SPECIES_STEGOSAURUS)
    slots = {pb.Action.FromString(blob).HasField("slot") for blob in blobs}
    assert slots == ({False, True} if any(pen.slots > 1 for pen in board.pens) else {False})


def states(variant: str, players: int, seed: int) -> list[State]:
    """The states of one random match."""
    chance = FastChance(seed)
    state: State = GAME.initial_state(variant, players, chance)
    met = [state]
    while deciders := state.deciders():
        legal = {player: state.legal_actions(player) for player in deciders}
        chosen = {p: ids[chance.draw("choice", len(ids))] for p, ids in legal.items()}
        state = state.apply(chosen, chance)
        met.append(state)
    return met


@pytest.mark.parametrize("variant", GAME.variants)
@given(players=st.integers(2, 5), seed=st.integers(0, 10_000))
@settings(max_examples=15)
def test_parts_merge_into_one_message_that_holds_all_dinosaurs(
    variant: str, players: int, seed: int
) -> None:
    whole = wire.DraftosaurusWire(variant)
    for state in states(variant, players, seed)[::5]:
        assert isinstance(state, DraftosaurusState)
        public = {whole.public(state.observation(player)) for player in range(players)}
        assert len(public) == 1
        for player in range(players):
            observation = state.observation(player)
            got = seen(observation)
            merged = pb.Observation.FromString(public.copy().pop() + whole.private(observation))
            assert got == merged
            assert known(got) + sum(got.unseen) == sum(state.box >> 4 * s & 15 for s in range(6))
            assert list(got.hands[player].dinosaurs) == sorted(got.hands[player].dinosaurs)
            assert len(got.hands[player].dinosaurs) == got.hands[player].size


@given(board=st.sampled_from(BOARDS), data=st.data())
@settings(max_examples=40)
def test_bytes_put_together_by_hand_are_those_of_the_messages(
    board: Board, data: st.DataObject
) -> None:
    """Zoos, points and the discarded: protobuf would write the same."""
    slots = [pen.slots for pen in board.pens]
    species = [st.integers(-1 if many > 1 else 0, 5) for many in slots]  # -1 is an empty slot
    places = [
        data.draw(st.lists(one, max_size=pen.capacity or 6))
        for pen, one in zip(board.pens, species, strict=True)
    ]
    pens = tuple([pack(tuple(place)) for place in places])
    piles = data.draw(st.lists(st.integers(0, 5), max_size=6))
    discards = (sum([1 << 4 * one for one in piles]), 0)
    public = PUBLIC._replace(variant=board.index, zoos=(pens, (0,) * len(pens)), discards=discards)
    encoded = wire.DraftosaurusWire(board.name).public(MINE._replace(public=public))
    expected = pb.Zoo()
    for pen, many, place in zip(board.pens, slots, places, strict=True):
        there = [(slot, one + 1) for slot, one in enumerate(place) if one >= 0]
        expected.pens.add(
            pen=pb.Pen.Value(f"PEN_{pen.name.upper()}"),
            dinosaurs=[pb.Species.ValueType(one) for _, one in there],
            slots=[slot for slot, _ in there] if many > 1 else [],
        )
    discarded = [pb.Species.ValueType(one + 1) for one in sorted(piles)]
    got = pb.Observation.FromString(encoded)
    assert got.zoos[0] == expected
    assert list(got.discarded) == discarded
    assert list(got.points) == [sheet.total for sheet in score_pens(board, public.zoos)]
    for part in (
        pb.Observation(zoos=[expected]),
        pb.Observation(points=got.points),
        pb.Observation(discarded=discarded),
    ):
        assert part.SerializeToString() in encoded


def known(message: pb.Observation) -> int:
    """How many dinosaurs an observer has located."""
    in_zoos = sum(len(pen.dinosaurs) for zoo in message.zoos for pen in zoo.pens)
    return in_zoos + sum(len(h.dinosaurs) for h in message.hands) + len(message.discarded)


def test_the_fullest_zoos_are_encoded_whole() -> None:
    twelve = PUBLIC._replace(zoos=((0,) * 6 + (held("RSCBNPRSCBNP"),),) * 2)
    got = seen(MINE._replace(public=twelve))
    assert [len(zoo.pens[6].dinosaurs) for zoo in got.zoos] == [12, 12]


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_no_byte_depends_on_what_an_observer_cannot_know(variant: str, players: int) -> None:
    conformance.check(GAME, variant=variant, players=players, seed=1, games=1, codec=encode)


def encode(observation: game.Observation) -> bytes:
    """What an observer is sent."""
    assert isinstance(observation, Observation)
    return wire.encode(observation)
