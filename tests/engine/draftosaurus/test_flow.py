"""Rounds, turns, hands, bag and die take their published course."""

import pytest

from saurodrome.engine.chance import FastChance, RecordingChance
from saurodrome.engine.errors import WrongDeciders
from saurodrome.engine.games.draftosaurus.board import SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.boards import SUMMER
from saurodrome.engine.games.draftosaurus.pens import counts_of, total
from saurodrome.engine.games.draftosaurus.position import DISCARD
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from tests.engine.draftosaurus.cases import CASES, packed, placement, state

FLOW = CASES["flow"]
PLAYERS = [2, 3, 4, 5]
R, S, C, B, N, P = SPECIES_NAMES


def first_choices(before: DraftosaurusState) -> dict[int, int]:
    return {player: before.legal_actions(player)[0] for player in before.deciders()}


def course(players: int, start: int = 0, seed: int = 1) -> list[DraftosaurusState]:
    """Return the states of a match, the last one included."""
    chance = FastChance(seed)
    states = [GAME.initial_state("summer", players, chance, start)]
    while states[-1].deciders():
        states.append(states[-1].apply(first_choices(states[-1]), chance))
    return states


def turns(players: int, start: int = 0) -> list[DraftosaurusState]:
    return [state for state in course(players, start) if state.phase == "place"]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_roller_moves_on_every_turn_of_the_game(players: int) -> None:
    expected = FLOW["rollers_start0"][str(players)]
    assert [state.roller for state in turns(players)] == expected
    assert [state.roller for state in turns(players, start=1)] == [
        (seat + 1) % players for seat in expected
    ]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_bag_holds_its_dinosaurs_and_is_used_up(players: int) -> None:
    states = turns(players)
    first = states[0]
    in_play = counts_of(first.bag + sum(first.hands))
    assert in_play == (FLOW["bag_per_species"][str(players)],) * 6
    rounds, length = FLOW["rounds"]["2" if players == 2 else "3-5"]
    for number, before in enumerate(states):
        dealt = number // length + 1
        assert total(before.bag) == 6 * players * (rounds - dealt)
    assert len(states) == rounds * length


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_places_twelve_and_discards_as_published(players: int) -> None:
    last = course(players)[-1]
    discarded = FLOW["discarded_per_player"]["2" if players == 2 else "3-5"]
    assert [total(zoo.counts) for zoo in last.zoos] == [FLOW["placed_per_player"]] * players
    assert [total(pile) for pile in last.discards] == [discarded] * players
    assert last.hands == (0,) * players


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hands_shrink_by_one_a_turn(players: int) -> None:
    sizes = [[total(hand) for hand in state.hands] for state in turns(players)]
    assert sizes == [[size] * players for size in (6, 5, 4, 3, 2, 1)] * 2


def test_hands_of_two_players_shrink_by_two_a_turn() -> None:
    sizes = [total(state.hands[0]) for state in turns(2)]
    assert [*sizes[:3], 0] == FLOW["two_player_hand_sizes_within_round"]
    assert sizes == [6, 4, 2] * 4


def test_two_players_place_then_discard() -> None:
    phases = [state.phase for state in course(2)]
    assert phases == ["place", "discard"] * 12 + ["over"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hands_go_to_the_left(players: int) -> None:
    before = turns(players)[0]
    actions = first_choices(before)
    after = before.apply(actions, FastChance(1))
    for seat in range(players):
        left = (seat + 1) % players
        assert FLOW["pass_to"] == "seat (i+1) mod n (left)"
        assert after.hands[left] == before.hands[seat] - (1 << 4 * (actions[seat] % 6))


def test_two_players_swap_after_the_discard() -> None:
    before = state("summer", [{}, {}], [[S, C, B, N], [R, R, P, P]], die="woodlands")
    placing = {0: placement(SUMMER, S, "river"), 1: placement(SUMMER, R, "river")}
    placed = before.apply(placing, FastChance(1))
    assert placed.hands == (packed([C, B, N]), packed([R, P, P]))
    assert (placed.phase, placed.die, placed.roller) == ("discard", before.die, before.roller)
    first = SUMMER.first_discard
    swapped = placed.apply({0: first + 2, 1: first + 5}, FastChance(1))
    assert swapped.hands == (packed([R, P]), packed([B, N]))
    assert swapped.discards == (packed([C]), packed([P]))
    assert swapped.phase == "place"


def test_the_reveal_shows_what_all_chose_last() -> None:
    before = state("summer", [{}, {}], [[S, C], [R, P]])
    actions = {0: placement(SUMMER, S, "river"), 1: placement(SUMMER, R, "woody_trio")}
    placed = before.apply(actions, FastChance(1))
    assert placed.reveal == (actions[0], actions[1])
    first = SUMMER.first_discard
    assert placed.apply({0: first + 2, 1: first + 5}, FastChance(1)).reveal == (
        first + 2,
        first + 5,
    )


@pytest.mark.parametrize("players", PLAYERS)
def test_the_die_has_six_faces_and_is_rolled_once_a_turn(players: int) -> None:
    chance = RecordingChance(FastChance(2))
    now = GAME.initial_state("summer", players, chance)
    while now.deciders():
        now = now.apply(first_choices(now), chance)
    rolls = [draw for draw in chance.take() if draw.stream == "die"]
    assert [draw.n for draw in rolls] == [6] * 12


def test_a_face_is_what_the_die_shows() -> None:
    class Fixed:
        def draw(self, stream: str, n: int) -> int:
            return 4 if stream == "die" else 0

    assert GAME.initial_state("summer", 3, Fixed()).die == 4


def test_a_deal_takes_dinosaurs_by_their_index_in_the_bag() -> None:
    class First:
        def draw(self, stream: str, n: int) -> int:
            return 0

    dealt = GAME.initial_state("summer", 3, First()).hands
    assert dealt == (packed([R] * 6), packed([S] * 6), packed([C] * 6))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_default_goes_to_the_river_in_the_published_order(players: int) -> None:
    for hand, first in [([R, S, P], S), ([P, N, R], N), ([R, R], R), ([P], P), ([C, B], C)]:
        before = state("summer", [{}] * players, [hand] * players)
        assert before.default_action(0) == placement(SUMMER, first, "river")


def test_the_default_discard_has_the_same_order() -> None:
    before = state("summer", [{}, {}], [[R, C], [R]], stage=DISCARD)
    assert before.default_action(0) == SUMMER.first_discard + 2
    assert before.default_action(1) == SUMMER.first_discard + 0


@pytest.mark.parametrize("actions", [{}, {0: 36}, {0: 36, 1: 36, 2: 36}, {1: 36, 2: 36}])
def test_exactly_all_players_choose(actions: dict[int, int]) -> None:
    before = state("summer", [{}, {}], [[R], [R]])
    with pytest.raises(WrongDeciders) as caught:
        before.apply(actions, FastChance(1))
    assert caught.value.expected == (0, 1)


def test_nothing_can_be_done_when_it_is_over() -> None:
    last = course(3)[-1]
    assert [last.legal_actions(seat) for seat in range(3)] == [(), (), ()]
    with pytest.raises(WrongDeciders):
        last.apply({}, FastChance(1))


def test_a_finished_match_ranks_by_points_then_t_rexes() -> None:
    zoos = [{"river": [R, R, S]}, {"river": [S, S, S]}, {"river": [S, S, R]}]
    before = state("summer", zoos, [[S], [C], [B]], turn=11)
    after = before.apply(
        {seat: placement(SUMMER, one, "river") for seat, one in enumerate((S, C, B))}, FastChance(1)
    )
    outcome = after.outcome()
    assert outcome is not None
    assert outcome.points == (4, 4, 4)
    assert outcome.placements == (3, 1, 2)
    assert before.outcome() is None
