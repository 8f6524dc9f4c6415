"""Faults: what happened, how it was counted, who pays, where to see it."""

import pytest
from rich.cells import cell_len

from saurodrome.client import InputError
from saurodrome.client.tournaments import EntrantStatus, EventKind, TournamentEvent
from saurodrome.server.cli import bot_story
from saurodrome.server.cli.faults import as_json, lines, short_id, summary, where_to_see
from saurodrome.server.store.records import EventKind as Act
from tests.server.cli.cup import Played
from tests.server.cli.fixtures import fault, standing


def test_a_fault_shows_limit_time_charge_and_what_it_counted_as() -> None:
    _, row, counted = lines([fault()])
    assert row.split()[1:] == [
        "rexy",
        "1/17/3",
        "9",
        "reply",
        "late",
        "500",
        "ms",
        "612",
        "ms",
        "bot",
    ]
    assert counted.strip() == "default move, strike 2 of 5"


def test_among_faults_of_several_tournaments_each_says_of_which() -> None:
    bare = fault(counted_as="")
    *_, counted, _, alone = lines([fault(), bare], of_several=True)
    assert counted.strip() == "in winter-course-2026: default move, strike 2 of 5"
    assert alone.strip() == "in winter-course-2026"


def test_the_arbiters_own_fault_names_no_bot() -> None:
    void = fault("VOID", "", turn=0, charged_to="server", counted_as="void: loop stood still")
    row = lines([void])[1]
    assert row.split()[1:5] == ["-", "1/17/3", "-", "void"]
    assert row.endswith("server")


def test_lines_fit_80_cells_however_long_the_words() -> None:
    long = fault("NOT_READY", "x" * 32, counted_as="forfeit " * 40, match_id="n" * 32 + "/1/17/3")
    assert max(map(cell_len, lines([long]))) <= 80


def test_a_later_attempt_is_told_apart() -> None:
    assert short_id("first/1/2/3") == "1/2/3"
    assert short_id("first/1/2/3", 2) == "1/2/3#2"


def test_the_position_of_a_fault_is_one_command_away() -> None:
    command = "saurodrome replay show winter-course-2026/1/17/3 --step 9"
    assert where_to_see(fault()) == command


def test_json_has_seconds() -> None:
    data = as_json(fault())
    assert (data["limit_s"], data["took_s"], data["charged_to"]) == (0.5, 0.612, "bot")


def test_the_summary_counts_by_bot_and_kind_most_frequent_first() -> None:
    found = [fault(), fault(bot="turtle"), fault(bot="turtle")]
    assert [line.split()[0] for line in summary(found)] == ["turtle", "rexy"]
    assert summary(found)[0].endswith("reply late 2x, charged to bot")


def event(kind: str, reason: str = "", who: str = "rule") -> TournamentEvent:
    """Make an event of a bot."""
    number = EventKind.Value(f"EVENT_KIND_{kind}")
    return TournamentEvent(kind=number, bot="rexy", reason=reason, who=who, log_position=3032)


def test_of_a_bot_that_was_withdrawn_it_is_said_what_counts_who_pays_and_what_takes_it_back() -> (
    None
):
    row = standing(23, "rexy", matches=3032, status=EntrantStatus.ENTRANT_STATUS_WITHDRAWN)
    assert bot_story.head("rexy", row) == ["rexy   WITHDRAWN   3,032 matches count, Elo 1500"]
    done = [event("JOINED"), event("WITHDRAWN", "20 forfeits in a row")]
    first, *rest = bot_story.end(row, done)
    assert first == "withdrawn by rule at log position 3,032: 20 forfeits in a row"
    assert " ".join(rest).startswith("Nobody else pays: what it finished counts;")
    step = "saurodrome tournament readmit cup rexy"
    assert bot_story.next_step("cup", "rexy", row) == step


def test_a_bot_that_plays_has_nothing_to_be_taken_back_from() -> None:
    row = standing(2, "rexy", matches=1)
    assert bot_story.head("rexy", row) == ["rexy   PLAYING   1 match counts, Elo 1500"]
    assert bot_story.end(row, [event("JOINED")]) == []
    assert bot_story.next_step("cup", "rexy", row) is None
    assert bot_story.head("rexy", None) == bot_story.end(None, []) == []


def test_of_a_disqualified_bot_nothing_counts() -> None:
    row = standing(9, "rexy", status=EntrantStatus.ENTRANT_STATUS_DISQUALIFIED, matches=0)
    assert "DISQUALIFIED   0 matches count" in bot_story.head("rexy", row)[0]
    lines = bot_story.end(row, [event("DISQUALIFIED", "two \u202e programs", "olga")])
    assert lines[0].startswith("disqualified by olga at log position 3,032: two ")
    assert lines[-1] == "No match of it counts for anybody."
    assert bot_story.next_step("cup", "rexy", row) is None


def test_only_bots_that_entered_have_faults_to_show() -> None:
    cup = Played()
    bot_story.check_entered(cup.client(), "cup", "ann")
    with pytest.raises(InputError) as refused:
        bot_story.check_entered(cup.client(), "cup", "anne")
    error = refused.value
    assert (error.code, error.what, error.where) == (
        "UNKNOWN_BOT",
        "cup has no bot `anne`.",
        "--bot",
    )
    assert error.do == "did you mean `ann`? all: saurodrome tournament standings cup --all"
    cup.act(Act.JOINED, "fay")
    bot_story.check_entered(cup.client(), "cup", "fay")
    cup.act(Act.WITHDRAWN, "fay")
    bot_story.check_entered(cup.client(), "cup", "fay")
