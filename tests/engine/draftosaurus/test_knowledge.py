"""Observers know exactly what one with a perfect memory could know."""

from collections import Counter

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus.board import SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Private
from saurodrome.engine.games.draftosaurus.pens import counts_of, total
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from tests.engine.draftosaurus.cases import packed, placement, state

R, S, C, B, N, P = SPECIES_NAMES


def random_step(before: DraftosaurusState, chance: FastChance) -> DraftosaurusState:
    actions = {}
    for player in before.deciders():
        legal = before.legal_actions(player)
        actions[player] = legal[chance.draw("choice", len(legal))]
    return before.apply(actions, chance)


def listed(hand: int) -> list[int]:
    return [one for one, count in enumerate(counts_of(hand)) for _ in range(count)]


def only_one_possible(unseen: int, size: int) -> bool:
    """Return whether every hand of a size that the unseen dinosaurs can make is the same.

    In order, the first and the last few make the least and the greatest hand.
    """
    dinosaurs = listed(unseen)
    return dinosaurs[:size] == dinosaurs[len(dinosaurs) - size :]


class Memory:
    """Remembers who held which hand, by walking with the hands."""

    def __init__(self, players: int) -> None:
        self.hand_at = list(range(players))
        self.seen = [{player} for player in range(players)]

    def passed(self) -> None:
        self.hand_at = [self.hand_at[seat - 1] for seat in range(len(self.hand_at))]
        for player, hand in enumerate(self.hand_at):
            self.seen[player].add(hand)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_a_hand_is_known_if_it_was_held_or_follows(players: int, seed: int) -> None:
    chance = FastChance(seed)
    now = GAME.initial_state("summer", players, chance)
    memory = Memory(players)
    while now.deciders():
        for player in range(players):
            check_knowledge(now, player, memory.seen[player], memory.hand_at)
        check_knowledge(now, None, set(), memory.hand_at)
        after = random_step(now, chance)
        if after.turn != now.turn:
            memory.passed()
            if after.turn_of_round == 0:
                memory = Memory(players)
        now = after


def check_knowledge(
    now: DraftosaurusState, player: int | None, seen: set[int], hand_at: list[int]
) -> None:
    known = now.observation(player).private
    hidden = [seat for seat, hand in enumerate(hand_at) if hand not in seen]
    in_question = now.bag + sum(now.hands[seat] for seat in hidden)
    for seat, hand in enumerate(now.hands):
        size = total(hand)
        forced = seat not in hidden or only_one_possible(in_question, size)
        assert known.hands[seat] == (hand if forced else UNKNOWN)
    unknown = sum(
        hand for hand, shown in zip(now.hands, known.hands, strict=True) if shown == UNKNOWN
    )
    assert known.unseen == now.bag + unknown


def test_the_last_unknown_hand_follows_when_the_bag_is_empty() -> None:
    zoos = [{"river": [R] * 8 + [S] * 4}, {"river": [S] * 4 + [C] * 7}]
    before = state("summer", zoos, [[C, P], [P] * 7], turn=9)
    before = before._replace(discards=(packed([B] * 8), packed([N] * 8)))
    assert before.observation(0).private == Private(before.hands, 0)


def test_hands_of_one_species_follow_also_from_a_full_bag() -> None:
    zoos = [{"river": [S] * 8}, {"river": [C] * 8}]
    before = state("summer", zoos, [[B] * 6, [P] * 6])._replace(bag=packed([P] * 2))
    before = before._replace(discards=(packed([R] * 8 + [B] * 2), packed([N] * 8)))
    assert before.observation(0).private == Private(before.hands, packed([P] * 2))
    assert before.observation(None).private.hands == (UNKNOWN, UNKNOWN)


def test_before_any_pass_a_player_knows_its_own_hand_only() -> None:
    now = GAME.initial_state("summer", 4, FastChance(1))
    for player in range(4):
        known = now.observation(player).private.hands
        assert known[player] == now.hands[player]
        assert [seat for seat in range(4) if known[seat] != UNKNOWN] == [player]


def test_after_a_pass_it_also_knows_what_lies_on_its_left() -> None:
    chance = FastChance(1)
    now = random_step(GAME.initial_state("summer", 5, chance), chance)
    known = now.observation(2).private.hands
    assert [seat for seat in range(5) if known[seat] != UNKNOWN] == [2, 3]


def test_a_new_round_hides_hands_again() -> None:
    chance = FastChance(1)
    now = GAME.initial_state("summer", 5, chance)
    for _ in range(6):
        now = random_step(now, chance)
    assert now.turn_of_round == 0
    assert [hand != UNKNOWN for hand in now.observation(2).private.hands] == [
        seat == 2 for seat in range(5)
    ]


def test_the_public_part_shows_the_table() -> None:
    zoos = [{"woody_trio": [C, R, S], "river": [P]}, {"meadow_of_differences": [N, B]}]
    before = state("summer", zoos, [[S], [C, C]], die="no_trex", roller=1, turn=3)
    public = before.observation(None).public
    assert public.zoos == tuple(zoo.pens for zoo in before.zoos)
    assert (public.hand_sizes, public.bag_size) == ((1, 2), 0)
    assert (public.die, public.roller, public.turn, public.phase) == (5, 1, 3, "place")
    assert public == before.observation(0).public == before.observation(1).public


def test_contents_are_in_placement_order() -> None:
    before = state("summer", [{"woody_trio": [C]}, {}], [[R], [C]])
    trio, river = placement(before.board, R, "woody_trio"), placement(before.board, C, "river")
    after = before.apply({0: trio, 1: river}, FastChance(1))
    again = state("summer", [{"woody_trio": [C, R]}, {"river": [C]}], [[], []])
    other = state("summer", [{"woody_trio": [R, C]}, {"river": [C]}], [[], []])
    assert after.observation(None).public.zoos == again.observation(None).public.zoos
    assert after.observation(None).public.zoos != other.observation(None).public.zoos


def test_all_is_open_after_the_match_for_who_may_see_it() -> None:
    now = GAME.initial_state("summer", 3, FastChance(1))
    view = now.reveal_all()
    assert view.private == Private(now.hands, now.bag)
    assert view.public == now.observation(None).public


def test_resampled_hands_are_drawn_from_all_that_is_unseen() -> None:
    """Player 0 holds one T-Rex; seats 1 and 2 and the bag share 5 T-Rexes among 16."""
    now = GAME.initial_state("summer", 3, FastChance(1))
    hands = (packed([R, S, S, C, C, B]), packed([R, R, S, C, B, N]), packed([R, R, S, C, P, P]))
    bag = packed([R, S, C, P])
    zoos = [{"river": [S, B]}, {"river": [C, B]}, {"river": [N, N]}]
    placed = state("summer", zoos, [[], [], []])
    box = now.box
    rest = box - sum(hands) - bag - sum(zoo.counts for zoo in placed.zoos)
    now = now._replace(hands=hands, bag=bag, plots=placed.plots, discards=(rest, 0, 0))
    chance = FastChance(9)
    draws = 3000
    trexes = Counter(now.resample(0, chance).hands[1] & 15 for _ in range(draws))
    mean = sum(count * times for count, times in trexes.items()) / draws
    assert set(trexes) == set(range(6))
    assert abs(mean - 6 * 5 / 16) < 0.08  # hypergeometric, about four standard errors


def test_a_resample_keeps_what_is_known_and_all_dinosaurs() -> None:
    chance = FastChance(3)
    now = GAME.initial_state("summer", 5, chance)
    for _ in range(2):
        now = random_step(now, chance)
    for player in (0, 3, None):
        twin = now.resample(player, chance)
        assert twin.observation(player) == now.observation(player)
        assert twin.bag + sum(twin.hands) == now.bag + sum(now.hands)
        assert twin != now
