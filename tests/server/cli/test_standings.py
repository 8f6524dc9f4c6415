"""Tables: a rating never without its bar, its range of ranks and what it refers to."""

import pytest
from rich.cells import cell_len

from saurodrome.client.tournaments import EntrantStatus, Standings
from saurodrome.server.cli.standings import (
    as_json,
    bar_of,
    below,
    csv_rows,
    heading,
    ranks,
    rating,
    spread,
    table_lines,
)
from saurodrome.server.cli.text import ASCII, UNICODE, Symbols
from saurodrome.server.cli.tournament import list_lines
from tests.server.cli.fixtures import HOUSE, standing, standings, tournament


def test_a_rank_that_the_rating_does_not_tell_apart_is_a_range() -> None:
    assert ranks(standing(2, "a", rank_low=2, rank_high=3)) == "2-3"
    assert ranks(standing(1, "a")) == "1"


def test_a_bot_without_a_rating_keeps_its_place_in_the_table() -> None:
    unrated = standing(4, "a", rating=None, rating_error=None, rank_low=0, rank_high=0)
    assert (ranks(unrated), rating(unrated), bar_of(unrated)) == ("4", "-", "-")


@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
def test_no_line_is_wider_than_80_cells(symbols: Symbols) -> None:
    lines = [heading(tournament()), *table_lines(standings(), HOUSE, symbols)]
    assert max(map(cell_len, lines)) <= 80


def test_every_rating_stands_beside_its_bar_and_above_its_reference() -> None:
    lines = table_lines(standings(), HOUSE)
    assert "1712" in lines[1]
    assert "±7" in lines[1]
    below_table = " ".join(lines[7:])
    assert "Bradley-Terry over all rated matches" in below_table
    assert "the pool's mean is set to 1500" in below_table
    assert "rank 2-3: not told apart" in below_table


def test_bots_of_the_house_are_marked_and_the_mark_is_explained() -> None:
    lines = table_lines(standings(), HOUSE)
    assert "greedy *" in lines[4]
    assert any("* house bot" in line for line in lines)


def test_seats_position_and_voids_are_told_below() -> None:
    now = tournament(attempts_void=3, matches_abandoned=1)
    text = " ".join(below(standings(now)))
    assert "won by seat 22 25 24 29 %" in text
    assert "log position 18,204" in text
    assert "fixed sample" in text
    assert "void and played again 3" in text
    assert "abandoned 1" in text


def test_ascii_is_ascii() -> None:
    assert all(line.isascii() for line in table_lines(standings(), HOUSE, ASCII))


def test_only_the_first_rows_with_word_of_the_rest() -> None:
    lines = table_lines(standings(), top=2)
    assert lines[3] == " ...   4 more        --all"


def test_a_long_name_is_cut() -> None:
    assert "x" * 15 + "~" in table_lines(standings())[5]


def test_json_has_the_figures_and_the_position() -> None:
    data = as_json(standings())
    assert data["log_position"] == 38_452
    assert data["standings"][0]["rating"] == 1712.0
    assert data["standings"][5]["rating_error"] is None


def test_csv_has_a_heading_and_empty_cells_for_what_is_not_known() -> None:
    rows = csv_rows(standings().standings)
    assert rows[0][:4] == ["rank", "rank_low", "rank_high", "bot"]
    assert rows[6][rows[0].index("rating_error")] == ""
    assert rows[1][rows[0].index("bot")] == "brontosearch"


def test_three_texts_are_spread_over_a_line() -> None:
    assert spread("a", "bb", "ccc", 20) == "a       bb       ccc"


def test_why_nothing_goes_on_is_told_below_the_table_and_in_the_list() -> None:
    now = tournament(waiting_for="results cannot be stored (STORE_FULL); tried again")
    assert "waits: results cannot be stored (STORE_FULL)" in " ".join(below(standings(now)))
    assert as_json(standings(now))["waiting_for"] == now.waiting_for
    assert list_lines((now, tournament()))[-1] == (
        " winter-course-2026 waits: results cannot be stored (STORE_FULL); tried again"
    )


def test_a_table_marks_who_left_and_says_why() -> None:
    withdrawn, disqualified = (
        EntrantStatus.ENTRANT_STATUS_WITHDRAWN,
        EntrantStatus.ENTRANT_STATUS_DISQUALIFIED,
    )
    rows = [
        standing(1, "ada"),
        standing(2, "rexy", status=withdrawn, status_reason="20 forfeits in a row"),
        standing(3, "eve", status=disqualified, status_reason="x\u202e" * 60),
    ]
    made = Standings(tournament=tournament("FINISHED", matches_void=3), standings=rows)
    lines = table_lines(made)
    assert [line.split()[:3] for line in lines[1:4]] == [
        ["1", "ada", "1500"],
        ["2", "w", "rexy"],
        ["3", "d", "eve"],
    ]
    text = "\n".join(lines)
    assert "w withdrawn" in text
    assert "d disqualified" in text
    assert "w rexy: 20 forfeits in a row" in text
    assert "results that count no more 3" in text
    assert "\u202e" not in text
    assert max(map(cell_len, lines)) <= 80
    assert [row["status"] for row in as_json(made)["standings"]] == [
        "playing",
        "withdrawn",
        "disqualified",
    ]


@pytest.mark.parametrize("word", ["RUNNING", "PAUSED", "CANCELLED"])
def test_a_table_of_a_part_says_so(word: str) -> None:
    text = " ".join(table_lines(standings(tournament(word))))
    assert "log position 18,204 · partial: 18,204 of 38,452 · fixed sample" in text


def test_a_whole_table_is_not_called_a_part() -> None:
    assert "partial" not in " ".join(table_lines(standings(tournament("FINISHED", 120, 120))))


def test_a_table_is_partial_while_matches_are_to_come_and_that_is_known() -> None:
    running = " ".join(below(standings(tournament())))
    assert "partial" in running
    all_of_a_log = tournament(done=30, total=30)
    assert "partial" not in " ".join(below(standings(all_of_a_log)))


def test_bots_that_only_fill_seats_are_shown_as_such() -> None:
    table = standings()
    table.tournament.settings.fillers.extend(["greedy", "random"])
    assert "not rated, they fill seats: greedy, random" in " ".join(table_lines(table))
