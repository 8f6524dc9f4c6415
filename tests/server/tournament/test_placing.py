"""What the ranks of a table follow from: points and tie-breaks of a Swiss, rounds of a knockout."""

from saurodrome.client.tournaments import Standing
from saurodrome.server.rpc import convert
from saurodrome.server.schedule import KnockoutPlacing, SwissPlacing
from saurodrome.server.settings import Format
from saurodrome.server.store.records import EventKind
from tests.server.tournament.worked import Worked, knockout, swiss


def test_a_swiss_has_the_points_and_tie_breaks_that_a_pencil_gives() -> None:
    rows = swiss().table().rows
    assert [(row.rank, row.bot, row.swiss) for row in rows] == [
        (1, "cyd", SwissPlacing(2.5, 4.0, 1)),
        (2, "ann", SwissPlacing(2.0, 5.0, 0)),
        (3, "eve", SwissPlacing(2.0, 4.0, 1)),
        (4, "dan", SwissPlacing(1.5, 5.0, 0)),
        (5, "bob", SwissPlacing(1.0, 3.5, 1)),
    ]
    assert {row.knockout for row in rows} == {None}


def test_bots_equal_in_points_and_tie_break_share_a_rank() -> None:
    # ann 1 by bob 0, cyd 1 by its bye; dan and eve a half each by each other
    rows = swiss(rounds=1).table().rows
    assert [(row.rank, row.bot, row.swiss) for row in rows if row.bot in "dan eve"] == [
        (3, "dan", SwissPlacing(0.5, 0.5, 0)),
        (3, "eve", SwissPlacing(0.5, 0.5, 0)),
    ]
    assert {row.bot: row.rank for row in rows if row.rank < 3} == {"ann": 1, "cyd": 1}
    assert [row.bot for row in rows if row.rank == 5] == ["bob"]


def test_what_others_have_from_a_disqualified_bot_stays_and_it_comes_last() -> None:
    worked = swiss()
    worked.act(EventKind.DISQUALIFIED, "ann")
    rows = worked.table().rows
    assert [row.bot for row in rows] == ["cyd", "eve", "dan", "bob", "ann"]
    assert {row.bot: row.swiss for row in rows} == {
        row.bot: row.swiss for row in swiss().table().rows
    }


def test_a_knockout_says_in_which_round_a_bot_left() -> None:
    rows = knockout().table().rows
    assert [(row.rank, row.bot, row.knockout) for row in rows] == [
        (1, "bob", KnockoutPlacing(passed=2, left_in=0, rounds=2)),
        (2, "ann", KnockoutPlacing(passed=1, left_in=2, rounds=2)),
        (3, "cyd", KnockoutPlacing(passed=0, left_in=1, rounds=2)),
    ]


def test_who_waits_for_the_next_round_of_a_knockout_has_not_left() -> None:
    waiting = Worked(Format.KNOCKOUT, ("ann", "bob", "cyd"), games=1).table().rows
    assert {row.bot: row.knockout for row in waiting} == {
        "ann": KnockoutPlacing(passed=1, left_in=0, rounds=2),
        "bob": KnockoutPlacing(passed=0, left_in=0, rounds=2),
        "cyd": KnockoutPlacing(passed=0, left_in=0, rounds=2),
    }


def test_a_format_that_does_not_rank_says_nothing() -> None:
    worked = Worked(Format.ROUND_ROBIN, ("ann", "bob"), games=0)
    worked.play(["ann"])
    assert {(row.swiss, row.knockout) for row in worked.table().rows} == {(None, None)}


def test_the_wire_carries_all_of_it_and_nothing_where_there_is_none() -> None:
    cyd = convert.table(swiss().table()).standings[0]
    assert (cyd.swiss.points, cyd.swiss.buchholz, cyd.swiss.byes) == (2.5, 4.0, 1)
    assert not cyd.HasField("knockout")
    ann = convert.table(knockout().table()).standings[1]
    assert (ann.knockout.passed, ann.knockout.left_in, ann.knockout.rounds) == (1, 2, 2)
    assert not ann.HasField("swiss")


def test_a_client_that_knows_less_reads_the_rest_as_before() -> None:
    """The numbers of the new fields were never used, so older stubs skip them."""
    numbers = {field.name: field.number for field in Standing.DESCRIPTOR.fields}
    assert (numbers.pop("swiss"), numbers.pop("knockout")) == (21, 22)
    assert sorted(numbers.values()) == list(range(1, 21))
