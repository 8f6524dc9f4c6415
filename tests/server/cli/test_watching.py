"""The screen of a running tournament: how far, the table with its reference, the trouble."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from rich.cells import cell_len

from saurodrome.client import Refused, Unreachable
from saurodrome.client.tournaments import EntrantStatus, Fault, Live, LiveMatch, Match, Tournament
from saurodrome.server.cli.text import ASCII, UNICODE, Symbols
from saurodrome.server.cli.tournament_live import follow_match
from saurodrome.server.cli.tournament_watch import trouble
from saurodrome.server.cli.watching import MOST_ROWS, board_lines, screen
from tests.server.cli.fixtures import (
    EVIL,
    HOUSE,
    WIDE,
    fault,
    match,
    standing,
    standings,
    tournament,
)
from tests.server.cli.test_terminal import terminal

ID = "winter-course-2026/1/1/7"


@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
@pytest.mark.parametrize("name", [EVIL, WIDE, "Winter course 2026"])
def test_every_line_fits_whatever_the_names(symbols: Symbols, name: str) -> None:
    now = tournament(waiting_for="my_bot, " * 30, attempts_void=3)
    now.settings.display_name = name
    faults = [fault(), fault("VOID", ""), fault(bot="x" * 32)]
    lines = screen(now, standings(now), faults, HOUSE, symbols)
    assert max(map(cell_len, lines)) <= 79
    assert all(line.isprintable() for line in lines)
    if symbols is ASCII:
        assert all(line.isascii() for line in lines)


def test_it_begins_with_the_state_and_how_far_it_is() -> None:
    lines = screen(tournament(), None, [])
    assert lines[0].startswith("Winter course 2026   RUNNING ")
    assert "18,204 of 38,452" in lines[1]
    assert "left 9 h 22 min" in lines[2]


def test_what_it_waits_for_and_what_was_void_is_said() -> None:
    text = " ".join(screen(tournament(waiting_for="rexy", attempts_void=3), None, []))
    assert "waits: rexy" in text
    assert "void and played again 3" in text


@pytest.mark.parametrize("word", ["PLANNED", "PAUSED", "FINISHED", "CANCELLED"])
def test_one_that_does_not_run_has_no_pace_and_no_time_left(word: str) -> None:
    text = " ".join(screen(tournament(word, attempts_void=3), None, []))
    assert "rate" not in text
    assert "left" not in text
    assert ("played again" in text) is (word != "CANCELLED")


def test_ratings_stand_above_what_they_refer_to() -> None:
    assert any(
        "the pool's mean is set to 1500" in line for line in screen(tournament(), standings(), [])
    )


def test_long_tables_are_cut_with_word_of_the_rest() -> None:
    many = standings()
    del many.standings[:]
    many.standings.extend(standing(n, f"bot-{n}") for n in range(1, 25))
    lines = screen(tournament(), many, [])
    assert sum(" bot-" in line for line in lines) == MOST_ROWS
    assert " ...   14 more" in lines


def test_trouble_leads_to_the_whole_story() -> None:
    lines = screen(tournament(), standings(), [fault(), fault()])
    assert any("saurodrome tournament faults winter-course-2026" in line for line in lines)
    assert lines[-1].split()[:4] == ["rexy", "reply", "late", "2x,"]


def test_c6_withdrawn_late_and_void_appear_with_their_charge_and_the_way_to_the_story() -> None:
    table = standings(tournament(attempts_void=1))
    before = screen(tournament(), table, [])
    table.standings[5].status = EntrantStatus.ENTRANT_STATUS_WITHDRAWN
    table.standings[5].status_reason = "on holiday"
    faults = [fault(), fault("VOID", "", charged_to="server")]
    after = screen(tournament(attempts_void=1), table, faults)
    new = [" ".join(line.split()) for line in after if line not in before]
    assert any("random: on holiday" in line for line in new)
    assert "rexy reply late 1x, charged to bot" in new
    assert any(line.startswith("arbiter") and line.endswith("charged to server") for line in new)
    assert "trouble the whole story: saurodrome tournament faults winter-course-2026" in new


def test_what_is_played_is_listed_with_its_turn_and_who_is_waited_for() -> None:
    matches = [
        LiveMatch(match_id=f"w/7/12/{n}", bots=["greedy", "rexy"], turn=n, phase="place")
        for n in range(3, 7)
    ]
    matches[1] = LiveMatch(match_id="w/7/12/4", bots=["greedy", "rexy"], getting_ready=["rexy"])
    lines = screen(tournament(), standings(), [], live=Live(matches=matches, more=9))
    shown = [line.strip() for line in lines]
    assert "7/12/3  turn  3  greedy rexy" in shown
    assert "7/12/4  getting ready: rexy" in shown
    assert any(line.startswith("now      13 playing") for line in shown)
    assert "... 10 more" in shown  # one of those that are told, and nine that are not
    over = tournament("FINISHED")  # what was played at the last look is played no more
    assert screen(over, None, [], live=Live(matches=matches)) == screen(over, None, [])


def test_a_match_is_shown_with_its_board_or_why_there_is_none() -> None:
    one = LiveMatch(match_id="winter-course-2026/7/12/3", bots=["a", "b"], turn=3, phase="place")
    one.board.extend(["forest  S S", EVIL])
    lines = board_lines(tournament(), Live(matches=[one]))
    assert lines[0] == "winter-course-2026/7/12/3  turn  3  a b"
    assert "forest  S S" in lines
    assert all(line.isprintable() and cell_len(line) <= 79 for line in lines)
    del one.board[:]
    assert "block" in board_lines(tournament(), Live(matches=[one]))[1]


class Plays:
    """A client of one match: two boards, then its end, its result a look later."""

    def __init__(self, *results: Match) -> None:
        self._shown = [
            Live(
                matches=[LiveMatch(match_id=ID, bots=["a", "b"], turn=n, phase="p", board=[board])]
            )
            for n, board in ((1, "first board"), (2, "last board"))
        ]
        self._results: list[list[Match]] = [[], list(results)]

    def get(self, name: str) -> Tournament:
        return tournament()

    def live(self, name: str, match_id: str) -> Live:
        assert match_id == ID
        if not self._shown:
            raise Refused("NOT_PLAYED", "it is over")
        return self._shown.pop(0)

    def matches(self, name: str) -> list[Match]:
        return self._results.pop(0) if len(self._results) > 1 else self._results[0]


@pytest.mark.parametrize("tty", [True, False])
@pytest.mark.parametrize("named", ["1/1/7", ID])
def test_a_match_that_ends_leaves_its_last_board_and_its_result(tty: bool, named: str) -> None:
    screen, out, err = terminal(tty)
    client = cast(Any, Plays(match(7, {"a": 2, "b": 1})))
    follow_match(screen, client, "winter-course-2026", named, lambda seconds: None)
    assert "last board" in (err if tty else out).getvalue().rpartition("first board")[2]
    result = out.getvalue()[out.getvalue().index(f"{ID} is over") :].splitlines()
    assert result == [f"{ID} is over: finished", "  1  b  29 points", "  2  a  28 points"]
    assert f"saurodrome replay show {ID}" in err.getvalue()


def test_a_match_without_a_result_is_not_said_to_have_one() -> None:
    screen, out, err = terminal()
    follow_match(screen, cast(Any, Plays()), "winter-course-2026", ID, lambda seconds: None)
    assert out.getvalue().endswith(f"{ID} is not played any more; no result of it is shown\n")
    assert "replay" not in err.getvalue()


class Ends:
    """A client whose faults end with an error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def faults(self, name: str) -> Iterator[Fault]:
        yield fault()
        raise self._error


def test_who_may_not_see_all_faults_watches_the_table_without_them() -> None:
    client = cast(Any, Ends(Refused("NOT_YOURS", "an author sees the faults of its own bots")))
    assert trouble(client, "cup") == []
    with pytest.raises(Unreachable):
        trouble(cast(Any, Ends(Unreachable("UNREACHABLE", "gone"))), "cup")
