"""The page of a tournament that ranks by itself: what its ranks follow from stands beside them."""

import re

import pytest

from saurodrome.server.contracts import Table
from saurodrome.server.store.records import EventKind
from saurodrome.server.web.page import status_page
from tests.server.tournament.worked import knockout, swiss


def lines(table: Table, kind: str) -> list[list[str]]:
    """Return the texts of cells (td) or heads (th), row by row, of the last table of the page."""
    page = status_page("1", [table.progress], table).rpartition("<table>")[2]
    rows = [re.findall(rf"<{kind}[^>]*>(.*?)</{kind}>", row) for row in page.split("</tr>")]
    return [[re.sub("<.*?>", "", cell) for cell in row] for row in rows if row]


def test_a_swiss_shows_points_buchholz_and_byes() -> None:
    table = swiss().table()
    (heads,) = lines(table, "th")
    assert heads[:6] == ["Rank", "Bot", "Swiss points", "Buchholz", "Byes", "Score"]
    rows = lines(table, "td")
    assert [row[:5] for row in rows] == [
        ["1", "Cyd", "2.5", "4.0", "1"],
        ["2", "Ann", "2.0", "5.0", "0"],
        ["3", "Eve", "2.0", "4.0", "1"],
        ["4", "Dan", "1.5", "5.0", "0"],
        ["5", "Bob", "1.0", "3.5", "1"],
    ]
    assert {len(row) for row in rows} == {len(heads)}
    assert "<p>Ranks go by Swiss points" in status_page("1", [table.progress], table)


def test_the_page_says_what_stays_of_a_disqualified_bot() -> None:
    worked = swiss()
    worked.act(EventKind.DISQUALIFIED, "ann")
    table = worked.table()
    stays = "what others have from pairings with it stays"
    assert stays in status_page("1", [table.progress], table)
    assert stays not in status_page("1", [table.progress], swiss().table())


def test_a_knockout_shows_the_round_in_which_a_bot_left() -> None:
    table = knockout().table()
    assert lines(table, "th")[0][2:4] == ["Rounds passed", "Left in round"]
    assert [row[:4] for row in lines(table, "td")] == [
        ["1", "Bob", "2", ""],
        ["2", "Ann", "1", "2"],
        ["3", "Cyd", "0", "1"],
    ]


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_bot_that_never_took_part_has_empty_cells(name: str) -> None:
    table = {"swiss": swiss, "knockout": knockout}[name]().table()
    absent = table.rows[-1]._replace(swiss=None, knockout=None)
    made = table._replace(rows=(*table.rows[:-1], absent))
    *_, last = lines(made, "td")
    assert (last[2], len(last)) == ("", len(lines(made, "th")[0]))
