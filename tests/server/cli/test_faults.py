"""Faults: what happened, how it was counted, who pays, where to see it."""

from rich.cells import cell_len

from saurodrome.server.cli.faults import as_json, lines, short_id, summary, where_to_see
from tests.server.cli.fixtures import fault


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
