"""The round robin at work: late entries, withdrawals, and who stands in."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import (
    Enter,
    Form,
    Readmit,
    ScheduleError,
    Start,
    Withdraw,
    planner_of,
    round_robin,
)
from tests.server.schedule.playing import Play, entries, met, names


@pytest.mark.parametrize(
    "form",
    [Form("round-robin", 2), Form("round-robin", 3, rounds=2), Form("round-robin", 4, matches=60)],
    ids=str,
)
def test_without_events_it_is_the_schedule_that_it_always_was(form: Form) -> None:
    play = Play(form, names(7), seed=5)
    schedule = round_robin(
        names(7), form.players, seed=5, rounds=form.rounds or 1, matches=form.matches or None
    )
    assert list(play.due.values()) == list(schedule.matches())
    assert play.planner.total == schedule.match_count


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(5, 7), st.integers(1, 3), st.integers(1, 2))
def test_late_entries_meet_everybody_as_if_they_had_been_there(
    players: int, bots: int, late: int, rounds: int
) -> None:
    form = Form("round-robin", players, seating="rotations", rounds=rounds)
    play = Play(form, names(bots))
    newcomers = [f"z{number}" for number in range(late)]
    for bot in newcomers:
        before = set(play.due)
        change = play.tell(Enter(bot))
        assert all(bot in match.seats for match in change.due)
        assert before < set(play.due)
    every = Counter(frozenset(match.seats) for match in play.due.values())
    groups = map(frozenset, combinations([*names(bots), *newcomers], players))
    assert every == Counter(dict.fromkeys(groups, rounds * players))


def test_in_a_part_a_late_entry_plays_as_much_as_others_on_average() -> None:
    play = Play(Form("round-robin", 4, seating="rotations", matches=240), names(12))
    assert len(play.tell(Enter("late")).due) == 240 * 4 // 12
    play.to_the_end()
    others = set(play.counts().values()) - {play.counts()["late"]}
    assert max(others) - min(others) <= 3 * 4


def test_who_leaves_takes_its_matches_along_and_who_returns_plays_them() -> None:
    play = Play(Form("round-robin", 2), names(5))
    mine = {m.id for m in play.due.values() if "b03" in m.seats}
    for match in [m for m in play.due.values() if "b03" in m.seats][:3]:
        play.result(match, (1, 2))
    done = {match.id for match in play.played}
    assert play.tell(Withdraw("b03")).gone == mine - done
    assert play.planner.total == 20 - 8 + 3
    assert {m.id for m in play.tell(Readmit("b03")).due} == mine - done
    assert len(play.to_the_end().played) == 20
    assert play.planner.over


@pytest.mark.parametrize(("players", "missed"), [(2, 3), (3, 4), (4, 5)])
def test_matches_that_it_never_came_to_are_void_and_replaced(players: int, missed: int) -> None:
    play = Play(Form("round-robin", players), names(8))
    waited_for = [m for m in play.due.values() if "b02" in m.seats][:missed]
    for match in waited_for:
        seat = match.seats.index("b02")
        play.result(match, [2 if at == seat else 1 for at in range(players)], [seat])
    change = play.tell(Withdraw("b02"))
    assert change.void == {match.id for match in waited_for}
    assert len(change.due) == missed
    for match, instead in zip(waited_for, change.due, strict=True):
        changed = [(a, b) for a, b in zip(match.seats, instead.seats, strict=True) if a != b]
        assert len(changed) == 1
        assert changed[0][0] == "b02"
        assert len(set(instead.seats)) == players
    stood_in = Counter(
        bot
        for old, new in zip(waited_for, change.due, strict=True)
        for bot in set(new.seats) - set(old.seats)
    )
    assert max(stood_in.values()) <= -(-missed // (8 - players)) + 1


def test_a_match_that_nobody_came_to_is_not_replaced() -> None:
    play = Play(Form("round-robin", 2), names(4))
    match = next(m for m in play.due.values() if "b00" in m.seats)
    play.result(match, (), (0, 1))
    change = play.tell(Withdraw("b00"))
    assert change.void == frozenset()
    assert change.due == ()


def test_bots_of_one_owner_never_sit_together_if_that_is_asked() -> None:
    form = Form("round-robin", 3, same_owner="apart")
    play = Play(form, entries(6, owners=3))
    owner = {entry.bot: entry.owner for entry in entries(6, owners=3)}
    for match in play.due.values():
        assert len({owner[bot] for bot in match.seats}) == 3
    assert len({frozenset(m.seats) for m in play.due.values()}) == 2 * 2 * 2
    related = play.tell(Enter("late", "owner-1")).due
    assert all(owner.get(bot, "") != "owner-1" for m in related for bot in m.seats if bot != "late")


def test_who_leaves_before_the_start_is_a_late_entry_when_it_returns() -> None:
    planner = planner_of(Form("round-robin", 2), 1)
    for bot in names(4):
        planner.add(Enter(bot))
    planner.add(Withdraw("b01"))
    assert {bot for m in planner.add(Start()).due for bot in m.seats} == {"b00", "b02", "b03"}
    change = planner.add(Readmit("b01"))
    assert met(change.due) == {frozenset({"b01", bot}): 1 for bot in ("b00", "b02", "b03")}


def test_bots_of_one_owner_alone_cannot_be_kept_apart() -> None:
    planner = planner_of(Form("round-robin", 2, same_owner="apart"), 1)
    for bot in names(3):
        planner.add(Enter(bot, "one"))
    with pytest.raises(ScheduleError, match="ONE_OWNER"):
        planner.add(Start())
    planner.add(Enter("other", "two"))
    assert {frozenset(match.seats) for match in planner.add(Start()).due} == {
        frozenset({bot, "other"}) for bot in names(3)
    }
