"""All formats keep the promises of `schedule.format`: a fold, stable ids, nothing lost."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import (
    Enter,
    Form,
    Readmit,
    Result,
    ScheduleError,
    Start,
    Void,
    Withdraw,
    plan,
    planner_of,
)
from tests.server.schedule.playing import Play, by_chance, by_name, entries, names

FORMS = [
    Form("round-robin", 2),
    Form("round-robin", 3, seating="rotations", rounds=2),
    Form("round-robin", 4, matches=48),
    Form("gauntlet", 2, rounds=3),
    Form("gauntlet", 4),
    Form("swiss", 2),
    Form("swiss", 2, games=1, rounds=5),
    Form("knockout", 2),
    Form("knockout", 2, games=1),
    Form("ladder", 2, matches=60),
    Form("ladder", 4, seating="rotations", matches=60),
]
KEPT_APART = [
    Form("round-robin", 2, same_owner="apart"),
    Form("gauntlet", 3, seating="rotations", matches=24),
    Form("swiss", 2, same_owner="apart"),
    Form("ladder", 2, matches=60, same_owner="apart"),
]
"""With owners, an anchor and a filler, where these make a difference."""
forms = st.sampled_from([*FORMS, *KEPT_APART])


EIGHT = 8
"""Enough for every form, and a bracket without byes."""


def roster(form: Form, count: int) -> list[Enter]:
    bots = entries(count)
    if form in KEPT_APART:
        bots = entries(count, owners=4)
        bots[-2:] = [bots[-2]._replace(role="anchor"), bots[-1]._replace(role="filler")]
    return [bots[0]._replace(role="candidate"), *bots[1:]] if form.kind == "gauntlet" else bots


class Eventful:
    """A tournament in which bots come and go, stay away, and results are taken back."""

    def __init__(self, form: Form, bots: int, seed: int) -> None:
        self.random = Random(seed)
        self.referee = by_chance(seed)
        self.play = Play(form, roster(form, bots), seed)
        self.away: list[str] = []
        self.late = 0

    def run(self, steps: int) -> Play:
        for _ in range(steps):
            try:
                self.step()
            except ScheduleError:  # a refused event changes nothing, and is not in the log
                continue
        return self.play

    def step(self) -> None:
        kind = self.random.random()
        if kind < 0.05:
            self.late += 1
            self.play.tell(Enter(f"late{self.late}"))
        elif kind < 0.1:
            bot = self.random.choice(names(6))
            self.play.tell(Withdraw(bot))
            self.away.append(bot)
        elif kind < 0.15 and self.away:
            self.play.tell(Readmit(self.away.pop()))
        elif kind < 0.2 and self.play.played:
            self.play.tell(Void(self.random.choice(self.play.played).id))
        elif self.play.due:
            match = self.random.choice(list(self.play.due.values()))
            if kind < 0.3:
                seats = range(len(match.seats))
                self.play.result(match, [1 + (seat == 0) for seat in seats], [0])
            else:
                self.play.result(match, self.referee(match))


@settings(max_examples=30, deadline=None)
@given(forms, st.integers(6, 9), st.integers(0, 999), st.integers(0, 80))
def test_a_log_has_the_same_matches_whenever_it_is_folded(
    form: Form, bots: int, seed: int, steps: int
) -> None:
    play = Eventful(form, bots, seed).run(steps)
    again = plan(form, seed, play.log)
    assert again.due == play.due
    assert again.matches == play.ever
    assert again.planner.total == play.planner.total
    assert again.planner.ranking() == play.planner.ranking()


@settings(max_examples=30, deadline=None)
@given(forms, st.integers(6, 9), st.integers(0, 999))
def test_only_bots_that_are_in_have_matches_to_play(form: Form, bots: int, seed: int) -> None:
    eventful = Eventful(form, bots, seed)
    for _ in range(15):
        play = eventful.run(4)
        playing = {bot for match in play.due.values() for bot in match.seats}
        assert playing.isdisjoint(eventful.away)


@settings(max_examples=30, deadline=None)
@given(forms, st.integers(6, 9), st.integers(0, 999), st.integers(0, 60))
def test_every_tournament_ends_whatever_happened(
    form: Form, bots: int, seed: int, steps: int
) -> None:
    ends(form, bots, seed, steps)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(forms, st.integers(6, 9), st.integers(0, 99_999), st.integers(0, 90))
def test_so_do_many_more(form: Form, bots: int, seed: int, steps: int) -> None:
    ends(form, bots, seed, steps)


def ends(form: Form, bots: int, seed: int, steps: int) -> None:
    """Plays on after everything that happened, with whoever is in, until nothing is due."""
    play = Eventful(form, bots, seed).run(steps)
    play.to_the_end(by_chance(seed), most=50_000)
    assert not play.due
    counted = plan(form, seed, play.log)
    assert counted.due == {}
    assert counted.planner.over == play.planner.over
    assert play.planner.over or form.kind == "ladder"  # which waits for bots while it has too few


@settings(max_examples=30, deadline=None)
@given(forms.filter(lambda form: form.kind != "ladder"), st.integers(6, 9), st.integers(0, 99))
def test_the_order_of_results_makes_no_difference_but_to_a_ladder(
    form: Form, bots: int, seed: int
) -> None:
    one = Play(form, roster(form, bots), seed).to_the_end(by_chance(seed))
    other = Play(form, roster(form, bots), seed).to_the_end(by_chance(seed), Random(seed))
    assert one.ever == other.ever
    assert one.planner.ranking() == other.planner.ranking()
    assert one.planner.total == other.planner.total == len(one.played)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_the_order_of_entries_makes_no_difference(form: Form) -> None:
    bots = roster(form, EIGHT)
    one, other = Play(form, bots, 4), Play(form, bots[::-1], 4)
    if form.kind != "ladder":
        assert one.due == other.due


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize(
    ("code", "event"),
    [
        ("DUPLICATE_ENTRANT", Enter("b00")),
        ("STARTED", Start()),
        ("NOT_IN", Withdraw("nobody")),
        ("NOT_AWAY", Readmit("b00")),
        ("UNKNOWN_MATCH", Result("9/9/9", (1, 2))),
        ("UNKNOWN_MATCH", Void("9/9/9")),
        ("NO_RESULT", Void("1/1/1")),
    ],
)
def test_an_event_that_cannot_be_is_refused_and_changes_nothing(
    form: Form, code: str, event: Any
) -> None:
    play = Play(form, roster(form, EIGHT))
    due, total = dict(play.due), play.planner.total
    with pytest.raises(ScheduleError) as refused:
        play.planner.add(event)
    assert refused.value.code == code
    assert play.planner.total == total
    assert plan(form, 1, play.log).due == due


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_match_has_one_result(form: Form) -> None:
    play = Play(form, roster(form, EIGHT))
    first = next(iter(play.due.values()))
    play.result(first, range(1, len(first.seats) + 1))
    with pytest.raises(ScheduleError, match="RESULT_TWICE"):
        play.planner.add(Result(first.id, (1, 2)))


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_result_that_is_taken_back_is_due_again(form: Form) -> None:
    play = Play(form, roster(form, EIGHT))
    first = next(iter(play.due.values()))
    play.result(first, range(1, len(first.seats) + 1))
    change = play.tell(Void(first.id))
    assert first in change.due
    assert change.void == {first.id}
    assert first.id in play.due


def test_an_unknown_format_is_refused() -> None:
    form: Any = Form("round-robin", 2)._replace(kind="ring")  # type: ignore[arg-type]
    with pytest.raises(ScheduleError, match="UNKNOWN_FORMAT"):
        planner_of(form, 1)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_nothing_is_due_and_nothing_is_over_before_the_start(form: Form) -> None:
    planner = planner_of(form, 1)
    for entry in roster(form, EIGHT):
        assert planner.add(entry).due == ()
    assert planner.total is None
    assert not planner.over
    assert planner.ranking() == ()


def test_all_formats_are_the_same_in_every_version() -> None:
    """Pins what runs today: a server folds its log anew at every start, and must find its ids.

    These digests are neither right nor wrong. If they change, tournaments that were begun before
    are finished by the server that began them: their logs name other tables (OTHER_TABLE).
    """
    digests = {}
    for form in (*FORMS, Form("swiss", 2, rounds=3)):
        bots = 45 if form.kind == "swiss" and form.rounds == 3 else 9
        play = Play(form, roster(form, bots), 2026).to_the_end(by_name)
        text = "\n".join(f"{match.id} {' '.join(match.seats)}" for match in play.ever.values())
        name = (
            f"{form.kind} {form.players} {form.seating[0]}{form.rounds}{form.matches}{form.games}"
        )
        digests[f"{name} {bots}"] = sha256(text.encode()).hexdigest()[:12]
    assert digests == {
        "round-robin 2 b000 9": "f768c4910b8c",
        "round-robin 3 r200 9": "2ece372c8f54",
        "round-robin 4 b0480 9": "4030a03fb4fe",
        "gauntlet 2 b300 9": "5e9d97924ec1",
        "gauntlet 4 b000 9": "9ebefb9419a1",
        "swiss 2 b000 9": "cd7755c41dd2",
        "swiss 2 b501 9": "b121c6f995eb",
        "knockout 2 b000 9": "79d0ce8f83d8",
        "knockout 2 b001 9": "91b7d67c97c7",
        "ladder 2 b0600 9": "c95873a6cfe0",
        "ladder 4 r0600 9": "d188b4c26d02",
        "swiss 2 b300 45": "49b11330676c",
    }
