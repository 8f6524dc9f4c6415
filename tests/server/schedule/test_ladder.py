"""The ladder: near in rating, nobody far behind, and bots that come and go."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import (
    Enter,
    Form,
    Match,
    Readmit,
    Result,
    Role,
    ScheduleError,
    Withdraw,
)
from tests.server.schedule.playing import Play, names


def rated(ratings: Sequence[float], roles: dict[int, Role] | None = None) -> list[Enter]:
    return [
        Enter(name, role=(roles or {}).get(number, "entrant"), rating=ratings[number])
        for number, name in enumerate(names(len(ratings)))
    ]


def play_on(play: Play, matches: int, tables: int = 1000, seed: int = 0) -> None:
    """Plays so many matches, so many at once; who sits where decides nothing, ratings stay."""
    random = Random(seed)
    for _ in range(matches):
        if not play.due:
            return
        match = random.choice(list(play.due.values())[:tables])
        play.result(match, (1,) * len(match.seats))


def spread(play: Play, bots: Sequence[str]) -> int:
    counts = play.counts()
    return max(counts[bot] for bot in bots) - min(counts[bot] for bot in bots)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(800, 2400), min_size=2, max_size=12),
    st.integers(2, 5),
    st.integers(0, 99),
)
def test_nobody_falls_behind_by_more_than_a_few_rounds(
    ratings: list[float], players: int, seed: int
) -> None:
    players = min(players, len(ratings))
    play = Play(Form("ladder", players, seating="rotations", matches=300), rated(ratings), seed)
    while play.due:
        play_on(play, 20, tables=1)
        assert spread(play, names(len(ratings))) <= 16 * players
    assert play.planner.over


def test_bots_meet_near_in_rating() -> None:
    ratings = [1000.0 + 50 * number for number in range(20)]
    play = Play(Form("ladder", 2, seating="rotations", matches=800), rated(ratings))
    play_on(play, 800, tables=4)
    strength = dict(zip(names(20), ratings, strict=True))
    apart = [abs(strength[a] - strength[b]) for a, b in (m.seats for m in play.played)]
    assert sum(apart) / len(apart) < 350 / 2  # 350 is the mean of all pairs
    others = {bot: {b for m in play.played for b in m.seats if bot in m.seats} for bot in names(20)}
    assert min(map(len, others.values())) >= 1 + 3


def test_a_bot_that_nobody_is_near_waits_two_rounds_and_not_much_longer() -> None:
    ratings = [1500.0] * 9 + [9000.0]
    play = Play(Form("ladder", 2, seating="rotations"), rated(ratings))
    play_on(play, 400, tables=4)
    tables = [set(match.seats) for match in play.ever.values() if match.seating == 1]
    at = [number for number, seats in enumerate(tables) if "b09" in seats]
    gaps = [(after - before) * 2 / 10 for before, after in pairwise(at)]  # in rounds of 10 bots
    assert 1 < max(gaps) <= 3
    assert len(at) >= len(tables) * 2 / 10 - 2.5  # two behind, and until another is free


def test_ratings_move_with_results_and_those_of_anchors_do_not() -> None:
    form = Form("ladder", 2, seating="rotations", window=100.0)
    play = Play(form, rated([1500, 1500, 1500, 1500], {3: "anchor"}))
    for _ in range(40):
        match = next(iter(play.due.values()))
        far = tuple(2400.0 if bot in ("b00", "b01", "b03") else 1500.0 for bot in match.seats)
        del play.due[match.id]
        play.played.append(match)
        play.tell(Result(match.id, (1, 2), (), far))
    late = play.played[8:]
    tables = Counter(frozenset(match.seats) for match in late)
    assert tables[frozenset({"b00", "b01"})] + tables[frozenset({"b02", "b03"})] > len(late) / 2


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 5), st.integers(0, 99))
def test_seats_are_even_in_every_block_and_neighbours_over_many(players: int, seed: int) -> None:
    bots = names(players)  # the same table over and over
    form = Form("ladder", players, seating="rotations", matches=players * 48)
    play = Play(form, bots, seed)
    play_on(play, 10_000)
    seats = Counter((seat, bot) for m in play.played for seat, bot in enumerate(m.seats))
    assert set(seats.values()) == {48}
    ordered = Counter(pair for m in play.played for pair in pairwise([*m.seats, m.seats[0]]))
    even = players * 48 / (players - 1)
    assert len(ordered) == players * (players - 1)
    assert all(abs(times - even) <= players for times in ordered.values())


def test_who_comes_plays_at_once_and_who_leaves_takes_its_matches_along() -> None:
    play = Play(Form("ladder", 2, seating="rotations"), names(3))
    (waiting,) = set(names(3)) - {bot for match in play.due.values() for bot in match.seats}
    assert {b for m in play.tell(Enter("new")).due for b in m.seats} == {"new", waiting}
    change = play.tell(Withdraw("new"))
    assert len(change.gone) == 2
    assert all("new" not in match.seats for match in play.due.values())
    play.tell(Readmit("new"))
    play_on(play, 2)
    assert "new" in {bot for match in play.due.values() for bot in match.seats}


def test_who_returns_does_not_make_up_for_its_absence() -> None:
    play = Play(Form("ladder", 2, seating="rotations"), names(6))
    play.tell(Withdraw("b00"))
    play_on(play, 200, tables=2)
    play.tell(Readmit("b00"))
    before = play.counts()
    play_on(play, 60, tables=2)
    gained = play.counts() - before
    assert max(gained.values()) - min(gained.values()) <= 2 * 4


def test_matches_that_it_never_came_to_are_void_when_it_leaves() -> None:
    play = Play(Form("ladder", 2, seating="rotations"), names(4))
    match = next(iter(play.due.values()))
    play.result(match, (2, 1), [0])
    assert play.tell(Withdraw(match.seats[0])).void == {match.id}


def test_a_filler_sits_only_where_a_table_would_stay_empty() -> None:
    play = Play(Form("ladder", 2, seating="rotations"), rated([1500] * 5, {4: "filler"}))
    play_on(play, 200, tables=4)
    few = play.counts()["b04"]
    assert few < 200 / 5
    alone = Play(Form("ladder", 2, seating="rotations"), rated([1500] * 2, {1: "filler"}))
    assert {bot for match in alone.due.values() for bot in match.seats} == {"b00", "b01"}


def test_an_anchor_is_met_now_and_then_however_far_it_is() -> None:
    play = Play(Form("ladder", 2, seating="rotations"), rated([1500] * 6 + [300], {6: "anchor"}))
    play_on(play, 480, tables=3)
    tables = play.counts()["b06"] // 2
    rounds = sum(play.counts()[bot] for bot in names(6)) / 6 / 2
    assert rounds / 8 <= tables <= rounds / 3
    assert spread(play, names(6)) <= 5 * 2


def test_a_filler_beside_others_does_not_let_them_fall_behind() -> None:
    """What a filler or an anchor plays is no share of a round that others were to have."""
    roles: dict[int, Role] = {5: "filler", 6: "anchor"}
    play = Play(Form("ladder", 2, seating="rotations"), rated([1500] * 7, roles))
    play_on(play, 400, tables=3)
    assert play.counts()["b05"] < 400 / 5
    assert spread(play, names(5)) <= 5 * 2


def test_anchors_and_fillers_do_not_play_among_themselves() -> None:
    roles: dict[int, Role] = {1: "anchor", 2: "anchor", 3: "filler"}
    play = Play(Form("ladder", 2, seating="rotations"), rated([1500] * 4, roles))
    play_on(play, 60)
    assert all("b00" in match.seats for match in play.played)
    nobody = Play(Form("ladder", 2), rated([1500] * 3, {0: "anchor", 1: "anchor", 2: "filler"}))
    assert not nobody.due


def test_bots_of_one_owner_wait_for_others() -> None:
    form = Form("ladder", 2, seating="rotations", same_owner="apart")
    play = Play(form, [Enter("a1", "a"), Enter("a2", "a")])
    assert not play.due
    assert play.tell(Enter("b1", "b")).due
    play_on(play, 100)
    assert all({"a1", "a2"} != set(match.seats) for match in play.played)
    assert spread(play, ["a1", "a2"]) <= 2


def test_a_ladder_ends_after_about_as_many_matches_as_were_asked_for() -> None:
    play = Play(Form("ladder", 3, seating="rotations", matches=50), names(7))
    assert play.planner.total == 51
    play_on(play, 10_000)
    assert len(play.played) == play.planner.total == 51
    assert play.planner.over
    endless = Play(Form("ladder", 3, seating="rotations"), names(7))
    assert endless.planner.total is None
    play_on(endless, 500)
    assert not endless.planner.over


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("NO_SUCH_TABLE", Form("ladder", 1)),
        ("NO_SUCH_TABLE", Form("ladder", 6)),
        ("BAD_WINDOW", Form("ladder", 2, window=0.0)),
    ],
)
def test_what_cannot_be_is_refused(code: str, form: Form) -> None:
    with pytest.raises(ScheduleError) as refused:
        Play(form, names(8))
    assert refused.value.code == code


def test_one_slow_table_does_not_hold_up_the_others() -> None:
    play = Play(Form("ladder", 2, seating="rotations"), names(9))
    slow: Match = next(iter(play.due.values()))
    for _ in range(300):
        match = next(m for m in play.due.values() if m.pairing != slow.pairing)
        play.result(match, (1, 2))
    others = [bot for bot in names(9) if bot not in slow.seats]
    assert spread(play, others) <= 5 * 2
