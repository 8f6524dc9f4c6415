"""The gauntlet: candidates against a field, at tables of two to five."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import Enter, Form, ScheduleError, Withdraw
from tests.server.schedule.playing import Play, entries

BLOCK = {2: 2, 3: 6, 4: 12, 5: 20}


def gauntlet(form: Form, candidates: int, field: int) -> Play:
    tried = [Enter(f"new{number}", role="candidate") for number in range(candidates)]
    return Play(form, [*tried, *entries(field)])


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(4, 6), st.integers(1, 3), st.integers(1, 2))
def test_every_candidate_meets_every_group_of_the_field_from_all_seatings(
    players: int, field: int, candidates: int, rounds: int
) -> None:
    play = gauntlet(Form("gauntlet", players, rounds=rounds), candidates, field)
    tables = Counter(frozenset(match.seats) for match in play.due.values())
    groups = list(combinations([entry.bot for entry in entries(field)], players - 1))
    assert tables == {
        frozenset({f"new{number}", *group}): rounds * BLOCK[players]
        for group in groups
        for number in range(candidates)
    }
    seats = Counter((m.seats.index(bot), bot) for m in play.due.values() for bot in m.seats)
    for number in range(candidates):
        mine = {seats[seat, f"new{number}"] for seat in range(players)}
        assert mine == {len(groups) * rounds * BLOCK[players] // players}
    assert play.planner.total == len(play.due)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_candidates_keep_level_and_so_does_the_field(players: int) -> None:
    play = gauntlet(Form("gauntlet", players), 3, 7)
    begun: Counter[str] = Counter()
    blocks = {(m.round, m.pairing): m.seats for m in play.due.values()}
    for seats in blocks.values():
        begun.update(seats)
        tried = [begun[f"new{number}"] for number in range(3)]
        field = [begun[entry.bot] for entry in entries(7)]
        assert max(tried) - min(tried) <= 1
        assert max(field) - min(field) <= 3 * 2


def test_a_part_of_a_gauntlet_is_balanced() -> None:
    play = gauntlet(Form("gauntlet", 3, matches=120), 2, 6)
    assert len(play.due) == play.planner.total == 120
    counts = play.to_the_end().counts()
    assert counts["new0"] == counts["new1"] == 60
    field = [counts[entry.bot] for entry in entries(6)]
    assert sum(field) == 240
    assert max(field) - min(field) <= 2 * 6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_late_entries_get_the_tables_that_they_would_have_had(players: int) -> None:
    play = gauntlet(Form("gauntlet", players, seating="rotations"), 2, 5)
    candidate = play.tell(Enter("late-candidate", role="candidate")).due
    assert len(candidate) == comb(5, players - 1) * players
    field = play.tell(Enter("late-field")).due
    assert len(field) == 3 * comb(5, players - 2) * players
    assert all("late-field" in match.seats for match in field)


def test_in_a_part_late_entries_get_as_many_tables_as_others() -> None:
    play = gauntlet(Form("gauntlet", 3, seating="rotations", matches=60), 2, 8)
    assert len(play.tell(Enter("late-candidate", role="candidate")).due) == 30  # as new0 and new1
    field = play.tell(Enter("late-field")).due
    assert len(field) == 3 * 2 * 3  # all three candidates, at 2.5 tables: 10 groups of 2 among 8
    tables = Counter(frozenset(match.seats) for match in field)
    assert set(tables.values()) == {3}


def test_the_field_stands_in_for_the_field_and_nobody_for_a_candidate() -> None:
    play = gauntlet(Form("gauntlet", 2), 2, 4)
    match = next(m for m in play.due.values() if "b01" in m.seats)
    seat = match.seats.index("b01")
    play.result(match, [2 if at == seat else 1 for at in range(2)], [seat])
    (instead,) = play.tell(Withdraw("b01")).due
    assert set(instead.seats) & set(match.seats) == set(match.seats) - {"b01"}
    assert set(instead.seats) & {"b00", "b02", "b03"}
    other = next(m for m in play.due.values() if "new0" in m.seats)
    seat = other.seats.index("new0")
    play.result(other, [2 if at == seat else 1 for at in range(2)], [seat])
    change = play.tell(Withdraw("new0"))
    assert change.void == {other.id}
    assert change.due == ()


@pytest.mark.parametrize(
    ("code", "form", "candidates", "field"),
    [
        ("NO_CANDIDATE", Form("gauntlet", 2), 0, 4),
        ("TOO_FEW_ENTRANTS", Form("gauntlet", 4), 3, 2),
        ("NO_SUCH_TABLE", Form("gauntlet", 1), 1, 4),
        ("NO_SUCH_TABLE", Form("gauntlet", 6), 1, 8),
        ("TOO_MANY_MATCHES", Form("gauntlet", 2, matches=9), 1, 4),
        ("TOO_FEW_MATCHES", Form("gauntlet", 2, matches=7), 1, 4),
        ("TOO_MANY_PAIRINGS", Form("gauntlet", 5), 9, 40),
    ],
)
def test_what_cannot_be_is_refused(code: str, form: Form, candidates: int, field: int) -> None:
    with pytest.raises(ScheduleError) as refused:
        gauntlet(form, candidates, field)
    assert refused.value.code == code
