"""What is left to play: order, who is free, what is due, and matches that come back."""

from collections import Counter
from collections.abc import Collection, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import Match, round_robin
from saurodrome.server.tournament.pairings import Pairings, Rate

BOTS = tuple("abcdefgh")


def scheduled(bots: int, players: int, seed: int, rounds: int = 1) -> list[Match]:
    """Return the matches of a round robin in their order."""
    return list(round_robin(BOTS[:bots], players, seed=seed, rounds=rounds).matches())


class Naive:
    """The rules of `Pairings` in their plainest form: a list, looked through from its front."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.order = list(matches)
        self.left = list(matches)
        self.begun: Counter[str] = Counter()

    def playable(self, free: Collection[str]) -> Match | None:
        first = {bot: i for i, m in reversed(list(enumerate(self.left))) for bot in m.seats}
        for bot in sorted(free & first.keys(), key=lambda b: (self.begun[b], first[b], b)):
            for match in self.left:
                if bot in match.seats and set(match.seats) <= set(free):
                    return match
        return None

    def due(self, bots: Collection[str], horizon: int) -> Match | None:
        return next((m for m in self.left[:horizon] if set(m.seats) & set(bots)), None)

    def take(self, match: Match) -> None:
        self.left.remove(match)
        self.begun.update(match.seats)

    def put_back(self, match: Match) -> None:
        self.left = sorted([*self.left, match], key=self.order.index)
        self.begun.subtract(match.seats)


tables = st.sampled_from([(4, 2), (7, 2), (4, 3), (5, 3), (5, 4), (6, 5)])
moves = st.lists(
    st.tuples(st.sampled_from(["begin", "begin", "begin", "end", "void", "due"]), st.integers(0)),
    max_size=60,
)


@settings(max_examples=50)
@given(tables, st.integers(0, 3), moves)
def test_playable_due_and_put_back_are_what_the_plain_rules_say(
    table: tuple[int, int], seed: int, moves: list[tuple[str, int]]
) -> None:
    bots, players = table
    matches = scheduled(bots, players, seed)
    pairings, naive = Pairings(matches), Naive(matches)
    playing: list[Match] = []
    for move, number in moves:
        busy = {bot for match in playing for bot in match.seats}
        free = {bot for i, bot in enumerate(BOTS[:bots]) if bot not in busy or number >> i & 1}
        if move == "begin":
            match = pairings.playable(free)
            assert match == naive.playable(free)
        elif move == "due":
            match = pairings.due(free, 1 + number % 5)
            assert match == naive.due(free, 1 + number % 5)
        else:
            match = None
            if playing and move == "void":
                back = playing.pop(number % len(playing))
                pairings.put_back(back)
                naive.put_back(back)
            elif playing:
                playing.pop(number % len(playing))
        if match:
            pairings.take(match)
            naive.take(match)
            playing.append(match)
        assert len(pairings) == len(naive.left)


@settings(max_examples=30)
@given(tables, st.integers(0, 10))
def test_one_match_at_a_time_is_the_scheduled_order_but_for_who_has_begun_fewer(
    table: tuple[int, int], seed: int
) -> None:
    """With everybody free, each bot's own matches come in their scheduled order."""
    bots, players = table
    matches = scheduled(bots, players, seed)
    pairings, played = Pairings(matches), []
    while match := pairings.playable(BOTS[:bots]):
        pairings.take(match)
        played.append(match)
    assert sorted(played) == sorted(matches)
    for block in {(m.round, m.pairing) for m in matches}:
        seatings = [m.seating for m in played if (m.round, m.pairing) == block]
        assert seatings == sorted(seatings)


@pytest.mark.parametrize("table", [(8, 2), (7, 2), (6, 3), (5, 4)])
def test_nobody_is_left_behind_by_more_than_a_block(table: tuple[int, int]) -> None:
    bots, players = table
    matches = scheduled(bots, players, seed=1)
    block = sum(m.pairing == 1 for m in matches)
    pairings = Pairings(matches)
    begun: Counter[str] = Counter(dict.fromkeys(BOTS[:bots], 0))
    while match := pairings.playable(BOTS[:bots]):
        pairings.take(match)
        begun.update(match.seats)
        assert max(begun.values()) - min(begun.values()) <= 2 * block


def test_a_slow_bot_does_not_stall_the_others() -> None:
    pairings = Pairings(scheduled(6, 2, seed=1))
    others = set(BOTS[1:6])
    played = 0
    while match := pairings.playable(others):
        assert "a" not in match.seats
        pairings.take(match)
        played += 1
    assert played == 2 * 10  # all pairs of the five, from both seatings


def test_the_choice_does_not_depend_on_the_order_in_which_bots_are_named() -> None:
    matches = scheduled(8, 2, seed=5)
    orders = [list(BOTS), list(reversed(BOTS)), sorted(BOTS, key=hash)]
    histories = []
    for order in orders:
        pairings, history = Pairings(matches), []
        while match := pairings.playable(order):
            pairings.take(match)
            history.append(match.id)
        histories.append(history)
    assert histories[0] == histories[1] == histories[2]


def test_what_is_put_back_is_played_next_again() -> None:
    pairings = Pairings(scheduled(4, 2, seed=1))
    first = pairings.playable(BOTS)
    assert first is not None
    pairings.take(first)
    assert pairings.playable(BOTS) != first
    pairings.put_back(first)
    assert pairings.playable(BOTS) == first


def test_nothing_is_playable_among_too_few_or_nobody() -> None:
    pairings = Pairings(scheduled(5, 3, seed=1))
    assert pairings.playable(set()) is None
    assert pairings.playable({"a", "b"}) is None
    assert pairings.playable({"x", "y", "z"}) is None
    assert Pairings([]).playable(BOTS) is None


def test_what_is_due_lies_within_the_horizon() -> None:
    matches = scheduled(6, 2, seed=3)
    last = matches[-1].seats[0]
    first = next(i for i, m in enumerate(matches) if last in m.seats)
    pairings = Pairings(matches)
    assert pairings.due({last}, first) is None
    assert pairings.due({last}, first + 1) == matches[first]
    assert pairings.due(set(), 100) is None


# the rate


def test_the_rate_is_that_of_the_last_minute() -> None:
    now = 100.0
    rate = Rate(lambda: now)
    assert rate.value() == 0.0
    for _ in range(30):
        now += 1.0
        rate.note()
    assert rate.value() == pytest.approx(1.0)
    now += 30.0
    assert rate.value() == pytest.approx(0.5)
    now += 60.0
    assert rate.value() == 0.0


def test_of_a_long_tournament_nothing_is_kept_for_longer_than_a_minute() -> None:
    now = 100.0
    rate = Rate(lambda: now)
    for _ in range(1_000):
        now += 1.0
        rate.note()
    assert len(rate._events) <= 61  # though nobody asked
