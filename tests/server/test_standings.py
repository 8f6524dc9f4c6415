"""The table of a tournament: what counts, who stands above whom, whatever the order of results."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.standings import (
    Cell,
    MatchResult,
    Row,
    Standings,
    StandingsError,
    Termination,
    absence_placements,
    standings,
)

NAMES = ("ada", "bob", "cyd", "dan", "eve")


def result(
    match: str,
    seats: str,
    placements: Sequence[int],
    points: Sequence[int] = (),
    termination: Termination = Termination.FINISHED,
    *,
    timeouts: Sequence[int] = (),
    illegal: Sequence[int] = (),
    forfeited: str = "",
    absent: str = "",
) -> MatchResult:
    """Return a result between bots given by first letters, such as ``ab``."""
    names = tuple(next(name for name in NAMES if name[0] == letter) for letter in seats)
    nothing = (0,) * len(seats)
    return MatchResult(
        match=match,
        attempt=1,
        block=match.rpartition("/")[0],
        seats=names,
        placements=tuple(placements),
        points=tuple(points),
        termination=termination,
        rated=tuple(termination is Termination.FINISHED for _ in seats),
        timeouts=tuple(timeouts) or nothing,
        illegal=tuple(illegal) or nothing,
        forfeited=tuple(letter in forfeited for letter in seats),
        absent=tuple(letter in absent for letter in seats),
    )


def table(results: Sequence[MatchResult], entrants: Sequence[str] = NAMES) -> dict[str, Row]:
    return {row.name: row for row in standings(results, entrants)}


def order(results: Sequence[MatchResult], entrants: Sequence[str]) -> list[tuple[int, str]]:
    return [(row.rank, row.name) for row in standings(results, entrants)]


def test_share_is_the_mean_over_matches_of_opponents_beaten_with_ties_half() -> None:
    rows = table([result("1", "abcd", [1, 2, 2, 4]), result("2", "ab", [2, 1])])
    assert rows["ada"].share == pytest.approx((3 / 3 + 0 / 1) / 2)
    assert rows["bob"].share == pytest.approx((1.5 / 3 + 1 / 1) / 2)
    assert rows["cyd"].share == pytest.approx(1.5 / 3)
    assert rows["dan"].share == 0
    assert rows["eve"].share is None


def test_won_shared_and_lost_add_up_to_the_matches() -> None:
    results = [
        result("1", "abc", [1, 2, 3]),
        result("2", "abc", [1, 1, 3]),
        result("3", "abc", [3, 2, 1]),
        result("4", "abc", [1, 1, 1]),
    ]
    rows = table(results)
    assert [(rows[n].won, rows[n].shared, rows[n].lost) for n in ("ada", "bob", "cyd")] == [
        (1, 2, 1),
        (0, 2, 2),
        (1, 1, 2),
    ]
    assert {rows[name].matches for name in ("ada", "bob", "cyd")} == {4}


def test_equal_shares_are_decided_by_the_matches_between_the_equals() -> None:
    # ada and bob both won 2 of 3; ada won their match, bob has more points.
    results = [
        result("1", "ab", [1, 2], [10, 9]),
        result("2", "ac", [2, 1], [10, 20]),
        result("3", "ad", [1, 2], [10, 9]),
        result("4", "bc", [1, 2], [90, 9]),
        result("5", "bd", [1, 2], [90, 9]),
    ]
    ada, bob = standings(results, NAMES[:4])[:2]
    assert (ada.name, bob.name) == ("ada", "bob")
    assert ada.share == bob.share == pytest.approx(2 / 3)
    assert (ada.mean_points or 0) < (bob.mean_points or 0)
    assert (ada.head_to_head, bob.head_to_head) == (1, 0)
    assert (ada.rank, bob.rank) == (1, 2)


def test_head_to_head_of_three_counts_all_their_tables_together() -> None:
    # ada over bob twice, bob over cyd, cyd over ada; dan and eve even their shares out.
    results = [
        result("1", "ab", [1, 2]),
        result("2", "ab", [1, 2]),
        result("3", "bc", [1, 2]),
        result("4", "ca", [1, 2]),
        result("5", "ad", [2, 1]),
        result("6", "be", [1, 2]),
    ]
    rows = standings(results, NAMES)
    assert [(row.rank, row.name) for row in rows] == [
        (1, "dan"),
        (2, "ada"),
        (3, "cyd"),
        (4, "bob"),
        (5, "eve"),
    ]
    assert [row.share for row in rows[1:4]] == [0.5] * 3
    assert [row.head_to_head for row in rows] == [None, 2 / 3, 1 / 2, 1 / 3, None]


def test_what_head_to_head_leaves_equal_is_decided_by_mean_points() -> None:
    results = [result("1", "ab", [1, 2], [30, 20]), result("2", "ba", [1, 2], [35, 10])]
    assert order(results, NAMES[:2]) == [(1, "bob"), (2, "ada")]
    assert table(results)["bob"].mean_points == 27.5


def test_equals_that_did_not_meet_are_decided_by_mean_points() -> None:
    results = [result("1", "ac", [1, 2], [30, 20]), result("2", "bd", [1, 2], [35, 10])]
    rows = standings(results, NAMES[:4])
    assert [(row.rank, row.name) for row in rows] == [
        (1, "bob"),
        (2, "ada"),
        (3, "cyd"),
        (4, "dan"),
    ]
    assert {row.head_to_head for row in rows} == {None}


def test_what_nothing_tells_apart_has_the_same_rank() -> None:
    results = [result("1", "abc", [1, 1, 3], [30, 30, 20])]
    assert order(results, NAMES[:4]) == [(1, "ada"), (1, "bob"), (3, "cyd"), (4, "dan")]


def test_bots_without_a_match_come_last_even_behind_who_never_beat_anybody() -> None:
    assert order([result("1", "ba", [1, 2])], NAMES[:4]) == [
        (1, "bob"),
        (2, "ada"),
        (3, "cyd"),
        (3, "dan"),
    ]


def test_a_forfeit_by_strikes_counts_as_it_was_placed() -> None:
    rows = table(
        [
            result(
                "1",
                "abc",
                [3, 1, 2],
                [40, 30, 20],
                Termination.FORFEIT,
                timeouts=[3, 1, 0],
                illegal=[0, 0, 2],
                forfeited="a",
            )
        ]
    )
    assert (rows["ada"].share, rows["ada"].forfeits, rows["ada"].absences) == (0, 1, 0)
    assert (rows["bob"].won, rows["bob"].mean_points) == (1, 30)
    assert [(rows[n].late, rows[n].illegal) for n in ("ada", "bob", "cyd")] == [
        (3, 0),
        (1, 0),
        (0, 2),
    ]


def test_absence_counts_in_the_table_but_brings_no_points() -> None:
    absence = result("1", "abcd", [1, 1, 4, 1], (), Termination.ABSENT, absent="c")
    rows = table([absence, result("2", "ac", [1, 2], [12, 8])])
    assert rows["cyd"].share == 0
    assert (rows["cyd"].forfeits, rows["cyd"].absences, rows["cyd"].matches) == (1, 1, 2)
    assert rows["bob"].share == pytest.approx(2 / 3)  # beat the absent one, tied with two
    assert rows["bob"].mean_points is None
    assert rows["ada"].mean_points == 12


def test_nobody_came_counts_nowhere_and_abandoned_is_a_count_only() -> None:
    nobody = result("1", "ab", [], (), Termination.NO_CONTEST, absent="ab")
    given_up = result("2", "ab", [], (), Termination.ABANDONED)
    rows = table([nobody, given_up])
    assert (rows["ada"].matches, rows["ada"].abandoned, rows["ada"].forfeits) == (0, 1, 0)
    assert rows["ada"].share is None


@pytest.mark.parametrize(
    ("absent", "placements"),
    [("b", (1, 2)), ("a", (3, 1, 1)), ("ac", (3, 1, 3, 1)), ("abd", (2, 2, 1, 2))],
)
def test_who_came_shares_the_first_place(absent: str, placements: tuple[int, ...]) -> None:
    away = [letter in absent for letter in "abcde"[: len(placements)]]
    assert absence_placements(away) == placements


def test_the_crosstable_shows_who_finishes_above_whom() -> None:
    fold = Standings(NAMES[:4])
    fold.add(result("1", "abc", [1, 2, 2]))
    fold.add(result("2", "ab", [2, 1]))
    cross = fold.crosstable()
    cells = {
        (row, column): cell
        for row, line in zip(cross.names, cross.cells, strict=True)
        for column, cell in zip(cross.names, line, strict=True)
    }
    assert cells["ada", "bob"] == cells["bob", "ada"] == Cell(0.5, 2)
    assert cells["ada", "cyd"] == Cell(1, 1)
    assert cells["cyd", "ada"] == Cell(0, 1)
    assert cells["cyd", "bob"] == Cell(0.5, 1)
    assert cells["ada", "ada"] is None
    assert cells["ada", "dan"] is None


def test_who_enters_later_stands_in_the_table_like_who_was_there_at_first() -> None:
    late, early = Standings(NAMES[:2]), Standings(NAMES)
    late.add(result("1", "ab", [1, 2]))
    for name in NAMES[1:]:
        late.enter(name)
    late.add(result("2", "cb", [1, 2]))
    for one in (result("1", "ab", [1, 2]), result("2", "cb", [1, 2])):
        early.add(one)
    assert late.rows() == early.rows()
    assert late.crosstable() == early.crosstable()


def test_the_same_result_again_changes_nothing_but_another_one_is_refused() -> None:
    once = [result("1", "ab", [1, 2])]
    assert standings(once * 2, NAMES) == standings(once, NAMES)
    with pytest.raises(StandingsError, match="two different results"):
        standings([*once, result("1", "ab", [2, 1])], NAMES)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (result("1", "", []), "1 to 5"),
        (result("1", "aa", [1, 2]), "1 to 5"),
        (result("1", "a", [3]), "placed 1 or 2"),
        (result("1", "ae", [1, 2]), "eve did not enter"),
        (result("1", "ab", [1]), "one placement a seat"),
        (result("1", "ab", [1, 2], [3]), "one placement a seat"),
        (result("1", "ab", [1, 2], timeouts=[1]), "one value a seat"),
        (result("1", "ab", [1, 2], (), Termination.ABSENT, absent="a"), "not placed last"),
        (result("1", "ab", [1, 1], (), Termination.ABSENT, absent="a"), "not placed last"),
    ],
)
def test_an_impossible_result_is_refused(wrong: MatchResult, message: str) -> None:
    with pytest.raises(StandingsError, match=message):
        standings([wrong], NAMES[:4])


def test_an_entrant_twice_is_refused() -> None:
    with pytest.raises(StandingsError, match="twice"):
        Standings(["ada", "ada"])


def competition_ranks(scores: Sequence[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other > score for other in scores) for score in scores)


@st.composite
def some_results(draw: st.DrawFn) -> list[MatchResult]:
    """Draw matches of 2 to 5 bots with ties, absences and abandoned ones among them."""
    results = []
    for number in range(draw(st.integers(0, 12))):
        seats = draw(st.permutations("abcde"))[: draw(st.integers(2, 5))]
        points = draw(st.lists(st.integers(0, 4), min_size=len(seats), max_size=len(seats)))
        kind = draw(st.sampled_from(Termination))
        if kind is Termination.ABSENT:
            away = draw(st.sampled_from(seats))
            places = absence_placements([letter == away for letter in seats])
            results.append(result(str(number), "".join(seats), places, (), kind, absent=away))
        else:
            places = competition_ranks(points)
            results.append(result(str(number), "".join(seats), places, points, kind))
    return results


@settings(max_examples=40)
@given(some_results(), st.randoms(use_true_random=False))
def test_the_order_of_results_and_entrants_does_not_matter(
    results: list[MatchResult], random: Random
) -> None:
    shuffled, entrants = list(results), list(NAMES)
    random.shuffle(shuffled)
    random.shuffle(entrants)
    assert standings(shuffled, entrants) == standings(results, NAMES)


@settings(max_examples=40)
@given(some_results())
def test_shares_of_a_table_add_up_to_half_its_seats(results: list[MatchResult]) -> None:
    counted = [
        r for r in results if r.termination not in (Termination.NO_CONTEST, Termination.ABANDONED)
    ]
    rows = standings(results, NAMES)
    total = sum((row.share or 0) * row.matches for row in rows)
    assert total == pytest.approx(sum(len(r.seats) / 2 for r in counted))
    assert sum(row.matches for row in rows) == sum(len(r.seats) for r in counted)


@settings(max_examples=40)
@given(some_results(), st.sampled_from(list(permutations(NAMES))))
def test_another_name_changes_nothing_but_the_name(
    results: list[MatchResult], names: tuple[str, ...]
) -> None:
    renamed = dict(zip(NAMES, names, strict=True))
    others = [r._replace(seats=tuple(renamed[name] for name in r.seats)) for r in results]
    before, after = table(results), table(others)
    assert {renamed[n]: row._replace(name=renamed[n]) for n, row in before.items()} == after


@settings(max_examples=40)
@given(some_results())
def test_the_crosstable_and_its_mirror_image_add_up_to_one(results: list[MatchResult]) -> None:
    fold = Standings(NAMES)
    for each in results:
        fold.add(each)
    cells = fold.crosstable().cells
    for i, line in enumerate(cells):
        for j, cell in enumerate(line):
            mirrored = cells[j][i]
            assert (cell is None) == (mirrored is None)
            if cell is not None and mirrored is not None:
                assert cell.share + mirrored.share == pytest.approx(1)
                assert cell.tables == mirrored.tables


def test_bots_that_play_alone_are_ranked_by_matches_won_then_by_points() -> None:
    rows = standings(
        [
            result("1", "a", [1], [40]),
            result("2", "a", [2], [20]),
            result("3", "b", [1], [50]),
            result("4", "b", [2], [30]),
            result("5", "c", [2], [90]),
            result("6", "c", [2], (), forfeited="c"),
        ],
        NAMES[:3],
    )
    assert [(row.rank, row.name) for row in rows] == [(1, "bob"), (2, "ada"), (3, "cyd")]
    assert [(row.share, row.won, row.shared, row.lost) for row in rows] == [
        (0.5, 1, 0, 1),
        (0.5, 1, 0, 1),
        (0.0, 0, 0, 2),
    ]
    assert [row.mean_points for row in rows] == [40, 30, 90]
    assert rows[2].forfeits == 1
