"""The typed view of Draftosaurus: names, zoos, what is known."""

import pytest

from saurodrome.client.games import draftosaurus
from saurodrome.client.games.draftosaurus import Action, Die, Hand, Pen, Phase, Reveal, Species
from saurodrome.client.testing import decision, match
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as wire

S, N = Species.STEGOSAURUS, Species.SPINOSAURUS


def test_every_number_of_the_wire_has_a_name() -> None:
    assert set(draftosaurus.SPECIES) == set(wire.Species.values()) - {0}
    assert set(draftosaurus.PENS) == set(wire.Pen.values()) - {0}
    assert set(draftosaurus.DICE) == set(wire.DieFace.values()) - {0}
    assert set(draftosaurus.PHASES) == set(wire.Phase.values()) - {0}


def test_letters_are_those_of_the_move_language() -> None:
    letters = {species.value: species.letter for species in Species}

    assert letters == {
        "trex": "R",
        "stegosaurus": "S",
        "triceratops": "C",
        "brachiosaurus": "B",
        "spinosaurus": "N",
        "parasaurolophus": "P",
    }


def test_short_names_are_told_apart() -> None:
    assert len({pen.short for pen in Pen}) == len(Pen)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Action(S, Pen.FOREST_OF_SAMENESS, None), "S forest"),
        (Action(N, Pen.PYRAMID, 3), "N pyramid 3"),
        (Action(Species.TREX, None, None), "discard R"),
        (Action(S, Pen.WELL_ORDERED_WOOD, None, moves=True), "move S wood"),
    ],
)
def test_an_action_reads_as_species_and_pen(action: Action, text: str) -> None:
    assert str(action) == text


def test_names_compare_with_plain_text() -> None:
    a = decision(["S forest"]).legal_actions[0]

    assert a.pen == "forest_of_sameness"
    assert a.pen != "river"
    assert a.species == "stegosaurus"


def test_an_action_in_the_pyramid_has_its_slot_zero_included() -> None:
    d = decision(["S pyramid 0", "S river"], of=match(variant="winter"))

    assert [a.slot for a in d.legal_actions] == [0, None]


def test_a_discard_has_no_pen() -> None:
    d = decision(["discard S", "discard N"])

    assert d.state.phase is Phase.DISCARD
    assert [a.pen for a in d.legal_actions] == [None, None]


def test_zoos_are_pens_with_dinosaurs_in_order() -> None:
    state = decision(zoos=[{"trio": "SNS", "river": "N"}, {"river": "SS"}]).state

    assert state.zoo[Pen.WOODY_TRIO] == (S, N, S)
    assert state.zoo["woody_trio"] == (S, N, S)
    assert state.zoo[Pen.KING_OF_THE_JUNGLE] == ()
    assert state.zoos[1]["river"] == (S, S)
    assert len(state.zoo) == 7


def test_a_zoo_counts_its_dinosaurs_river_included() -> None:
    zoo = decision(zoos=[{"trio": "SNS", "river": "N"}]).state.zoo

    assert (zoo.count(S), zoo.count("spinosaurus"), zoo.count(Species.TREX)) == (2, 2, 0)
    assert repr(zoo) == "<Zoo trio SNS, river N>"


def test_the_pyramid_is_seen_by_slot() -> None:
    winter = match(variant="winter")
    zoo = decision(["S river"], of=winter, zoos=[{"pyramid": "S.N"}]).state.zoo

    assert zoo.pyramid == (S, None, N, None, None, None)
    assert zoo[Pen.PYRAMID] == (S, N)


def test_the_summer_board_has_no_pyramid() -> None:
    assert decision().state.zoo.pyramid == ()


def test_own_hand_is_known_and_the_others_size() -> None:
    state = decision(hand="SSN", of=match(seat=1)).state

    assert state.me == 1
    assert state.hand == (S, S, N)
    assert state.hands == (Hand(3, None), Hand(3, (S, S, N)))


def test_an_empty_hand_is_known() -> None:
    message = decision().message
    message.draftosaurus.hands[1].size = 0
    message.draftosaurus.hands[1].ClearField("dinosaurs")

    assert draftosaurus.state(message, match().message).hands[1] == Hand(0, ())


def test_die_round_turn_and_roller() -> None:
    state = decision(die="no_trex", roller=1, round=2, turn=7).state

    assert (state.die, state.roller, state.round, state.turn) == (Die.NO_TREX, 1, 2, 7)


def test_without_a_die_it_binds_nobody() -> None:
    assert decision(die=None).state.die is None


def test_points_bag_discards_and_what_is_unseen() -> None:
    state = decision(points=(5, -1), bag=12, discarded="SN", unseen=(1, 2, 3, 4, 5, 6)).state

    assert (state.points, state.bag, state.discarded) == ((5, -1), 12, (S, N))
    assert state.unseen[Species.TREX] == 1
    assert state.unseen[Species.PARASAUROLOPHUS] == 6


def test_the_last_reveal_is_by_seat() -> None:
    message = decision().message
    message.draftosaurus.last_reveal.add(
        seat=1,
        action=wire.Action(species=wire.SPECIES_STEGOSAURUS, pen=wire.PEN_RIVER),
    )

    state = draftosaurus.state(message, match().message)

    assert state.last_reveal == (Reveal(1, Action(S, Pen.RIVER, None)),)


def test_the_variant_is_the_matchs() -> None:
    assert decision(["S river"], of=match(variant="winter")).state.variant == "winter"


def test_a_move_out_of_quarantine_is_no_placement() -> None:
    d = decision(["move S wood", "move S river"], of=match(variant="winter"))

    assert d.state.phase is Phase.QUARANTINE
    assert [str(a) for a in d.legal_actions] == ["move S wood", "move S river"]


def test_an_id_belongs_to_its_action() -> None:
    d = decision(["R river", "S river"])
    d.message.legal_actions[0].id = 0

    assert [(a.id, str(a)) for a in d.legal_actions] == [(0, "R river"), (7, "S river")]
