"""Swiss: equal points meet, nobody twice, byes go round, and who is best comes first."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import (
    Enter,
    Event,
    Form,
    Kind,
    Match,
    Readmit,
    Result,
    ScheduleError,
    Start,
    Void,
    Withdraw,
    planner_of,
)
from saurodrome.server.schedule.swiss import usual_rounds
from tests.server.schedule.playing import Play, by_chance, by_name, entries, met, names


def rounds_of(play: Play) -> list[list[Match]]:
    last = max(match.round for match in play.ever.values())
    return [[m for m in play.ever.values() if m.round == r] for r in range(1, last + 1)]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 14), st.integers(0, 99), st.integers(1, 4))
def test_nobody_meets_twice_and_byes_go_round(bots: int, seed: int, games: int) -> None:
    most = bots - 1 if bots % 2 == 0 else bots
    play = Play(Form("swiss", 2, games=games, rounds=(most + 1) // 2), names(bots), seed)
    play.to_the_end(by_chance(seed))
    assert max(met(play.played).values()) == 1
    paired = Counter(bot for pair in met(play.played) for bot in pair)
    byes = {bot: (most + 1) // 2 - paired[bot] for bot in names(bots)}
    assert max(byes.values()) <= 1
    assert sum(byes.values()) == (bots % 2) * ((most + 1) // 2)
    assert play.planner.over


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 9), st.integers(0, 20))
def test_at_every_prefix_rounds_a_bot_differ_by_one_at_most(bots: int, seed: int) -> None:
    """A bye stands for its round: who has one has played it when the round begins."""
    play = Play(Form("swiss", 2), names(bots), seed).to_the_end(by_chance(seed))
    matches: Counter[str] = Counter(dict.fromkeys(names(bots), 0))
    for number, played in enumerate(rounds_of(play), start=1):
        seated = {bot for match in played for bot in match.seats}
        matches.update(dict.fromkeys(set(names(bots)) - seated, 2))
        for match in played:
            matches.update(match.seats)
            assert max(matches.values()) - min(matches.values()) <= 2
        assert set(matches.values()) == {2 * number}


def test_a_round_is_drawn_when_the_one_before_it_is_over() -> None:
    play = Play(Form("swiss", 2), names(8))
    while len(play.played) < 7:
        assert {match.round for match in play.due.values()} == {1}
        match = next(iter(play.due.values()))
        change = play.result(match, by_name(match))
        assert change.due == ()
    (last,) = play.due.values()
    assert {match.round for match in play.result(last, by_name(last)).due} == {2}


def test_the_best_of_eight_is_found_in_three_rounds() -> None:
    play = Play(Form("swiss", 2, rounds=3), names(8)).to_the_end()
    assert play.planner.ranking()[0] == ("b00",)
    assert play.planner.ranking()[-1] == ("b07",)


def test_seeds_meet_the_lower_half_first() -> None:
    seeds = tuple(names(8)[::-1])
    play = Play(Form("swiss", 2, seeds=seeds), names(8))
    assert set(met(play.due.values())) == {
        frozenset({seeds[place], seeds[place + 4]}) for place in range(4)
    }


def test_a_bye_is_worth_a_pairing_won() -> None:
    play = Play(Form("swiss", 2, rounds=1), names(3))
    seated = {bot for match in play.due.values() for bot in match.seats}
    (bye,) = set(names(3)) - seated
    play.to_the_end()
    assert set(play.planner.ranking()[0]) == {bye, min(seated)}


def test_games_of_a_pairing_balance_seats_also_where_they_are_odd() -> None:
    play = Play(Form("swiss", 2, games=1, rounds=6), names(8)).to_the_end(by_chance(3))
    first = Counter(match.seats[0] for match in play.played)
    assert all(2 <= first[bot] <= 4 for bot in names(8))
    even = Play(Form("swiss", 2, games=2), names(8)).to_the_end()
    assert len(set(Counter(match.seats[0] for match in even.played).values())) == 1


def test_a_late_entry_plays_from_the_next_round_with_nothing_so_far() -> None:
    play = Play(Form("swiss", 2, rounds=3), names(4))
    assert play.tell(Enter("late")).due == ()
    while {match.round for match in play.due.values()} == {1}:
        match = next(iter(play.due.values()))
        play.result(match, by_name(match))
    seated = {bot for match in play.due.values() for bot in match.seats}
    assert len(seated) == 4
    play.to_the_end()
    assert "late" in play.counts()
    with pytest.raises(ScheduleError, match="ENTRY_CLOSED"):
        play.planner.add(Enter("later"))


def test_the_opponent_of_one_that_leaves_wins_the_pairing() -> None:
    play = Play(Form("swiss", 2, rounds=2), names(4))
    first = next(iter(play.due.values()))
    leaver, other = first.seats
    play.result(first, (1, 2))
    change = play.tell(Withdraw(leaver))
    assert change.gone == {"1/1/2"}
    assert change.void == frozenset()
    play.to_the_end()
    assert leaver not in {bot for match in rounds_of(play)[1] for bot in match.seats}
    assert other in play.planner.ranking()[0] + play.planner.ranking()[1]
    assert play.planner.over


def test_games_that_it_never_came_to_are_void_and_the_pairing_still_won() -> None:
    play = Play(Form("swiss", 2, rounds=2), names(4))
    first = next(iter(play.due.values()))
    leaver, other = first.seats
    play.result(first, (2, 1), [0])
    assert play.tell(Withdraw(leaver)).void == {first.id}
    play.to_the_end(by_name)
    points = [rank for rank, bots in enumerate(play.planner.ranking()) if other in bots]
    assert points[0] <= 1


def test_who_returns_plays_from_the_next_round() -> None:
    play = Play(Form("swiss", 2, rounds=3), names(4))
    play.tell(Withdraw("b02"))
    play.tell(Readmit("b02"))
    play.to_the_end()
    assert {bot for match in rounds_of(play)[1] for bot in match.seats} == set(names(4))


def test_a_result_that_is_taken_back_holds_up_the_next_round_only() -> None:
    play = Play(Form("swiss", 2, rounds=3), names(4))
    while {match.round for match in play.due.values()} == {1}:
        match = next(iter(play.due.values()))
        play.result(match, by_name(match))
    drawn = set(play.due)
    play.tell(Void(play.played[0].id))
    assert set(play.due) == {*drawn, play.played[0].id}
    for match in [m for m in play.due.values() if m.round == 2]:
        play.result(match, by_name(match))
    assert set(play.due) == {play.played[0].id}
    again = play.due[play.played[0].id]
    assert {match.round for match in play.result(again, by_name(again)).due} == {3}


def test_bots_of_one_owner_are_kept_apart_while_that_can_be() -> None:
    owner = {entry.bot: entry.owner for entry in entries(8, owners=2)}
    form = Form("swiss", 2, rounds=4, same_owner="apart")
    play = Play(form, entries(8, owners=2)).to_the_end(by_chance(2))
    assert all(owner[a] != owner[b] for a, b in map(sorted, met(play.played)))


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (3, 3), (4, 3), (8, 4), (16, 5), (64, 7)])
def test_the_usual_number_of_rounds(bots: int, rounds: int) -> None:
    assert usual_rounds(bots) == rounds


@pytest.mark.parametrize(
    ("code", "form", "bots"),
    [
        ("NO_SUCH_TABLE", Form("swiss", 3), 6),
        ("TOO_FEW_ENTRANTS", Form("swiss", 2), 1),
        ("UNKNOWN_SEED", Form("swiss", 2, seeds=("nobody",)), 4),
    ],
)
def test_what_cannot_be_is_refused(code: str, form: Form, bots: int) -> None:
    with pytest.raises(ScheduleError) as refused:
        Play(form, names(bots))
    assert refused.value.code == code


@pytest.mark.parametrize("seed", range(4))
def test_a_round_that_is_drawn_elsewhere_is_the_round_that_is_drawn_at_once(seed: int) -> None:
    """Whatever happens between: bots leave, return and come late, results are taken back."""
    random = Random(seed)
    form = Form("swiss", 2, rounds=4, same_owner="apart")
    eager, lazy = planner_of(form, seed), planner_of(form, seed)
    lazy.lazy = True
    due: dict[str, Match] = {}

    def tell(event: Event) -> None:
        change = eager.add(event)
        there = lazy.add(event)
        found = list(there.due)
        while draw := lazy.draw():
            found += lazy.drawn(draw()).due
        assert tuple(found) == change.due
        assert (there.gone, there.void) == (change.gone, change.void)
        for gone in change.gone:
            due.pop(gone, None)
        due.update({match.id: match for match in change.due})

    for entry in entries(9, owners=3):
        tell(entry)
    tell(Start())
    away: list[str] = []
    late = 0
    for _ in range(400):
        if not due:
            break
        what = random.random()
        playing = sorted({bot for match in due.values() for bot in match.seats})
        if what < 0.04 and len(away) < 3:
            away.append(random.choice(playing))
            tell(Withdraw(away[-1]))
        elif what < 0.06 and away:
            tell(Readmit(away.pop()))
        elif what < 0.07 and late < 2 and eager.total != 0:
            late += 1
            with suppress(ScheduleError):
                tell(Enter(f"late-{late}"))
        else:
            match = due.pop(random.choice(list(due)))
            tell(Result(match.id, tuple(random.sample([1, 2], 2))))
    assert eager.over
    assert lazy.over
    assert eager.ranking() == lazy.ranking()


def test_no_other_format_draws() -> None:
    for kind in get_args(Kind):
        planner = planner_of(Form(kind, 2), 1)
        planner.lazy = kind != "swiss"
        for bot in entries(3, "candidate")[:1] + entries(4)[1:]:
            planner.add(bot)
        assert planner.add(Start()).due
        assert planner.draw() is None
