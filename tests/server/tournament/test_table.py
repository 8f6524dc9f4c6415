"""The published table: a fold over the log, and what of it counts for what."""

from typing import Any

import pytest

from saurodrome.server.contracts import Entrant, Progress, Table, TableRow
from saurodrome.server.recorder import START
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import (
    RatedSeat,
    Result,
    Termination,
    Tournament,
    TournamentState,
)
from saurodrome.server.tournament.course import Counted
from saurodrome.server.tournament.ledger import block
from saurodrome.server.tournament.table import table

SETTINGS = TournamentSettings("cup", "draftosaurus", "summer", 2, ("ann", "bob", "cyd"))
PROGRESS = Progress(Tournament(1, SETTINGS, TournamentState.RUNNING, 1, 0.0, ""))


def result(
    number: int,
    placements: dict[str, int],
    termination: Termination = Termination.FINISHED,
    *,
    points: int = 10,
    elo: float = START,
    **seat: Any,
) -> Result:
    """Return a result of the log, with equal points and Elo for all its seats."""
    rated = termination in (Termination.FINISHED, Termination.FORFEIT)
    marks = {"timeouts": 0, "illegal": 0, "forfeited": False, "absent": False, "rated": rated}
    seats = tuple(
        RatedSeat(bot, place, points, elo_before=START, elo_after=elo, **(marks | seat))
        for bot, place in placements.items()
    )
    match_id = f"cup/1/{number}/1"
    return Result(number, "cup", match_id, 1, termination, seats, 0.0, has_record=True)


def table_of(*results: Result) -> Table:
    """Return the table after some results."""
    return table(SETTINGS, counted(*results), PROGRESS, str.title)


def counted(*results: Result) -> Counted:
    """Return results that all count."""
    return Counted(results, tuple(map(Entrant, SETTINGS.bots)))


def row(made: Table, bot: str) -> TableRow:
    """Return a bot's line."""
    return next(row for row in made.rows if row.bot == bot)


def test_before_the_first_match_everybody_stands_where_live_elo_starts() -> None:
    made = table_of()
    assert {r.bot: (r.elo_live, r.rating, r.matches) for r in made.rows} == dict.fromkeys(
        SETTINGS.bots, (START, None, 0)
    )
    assert (made.method, made.reference) == ("", "")


def test_rows_count_wins_and_losses_and_carry_display_names() -> None:
    made = table_of(result(1, {"ann": 1, "bob": 2}), result(2, {"cyd": 2, "ann": 1}))
    ann, bob = row(made, "ann"), row(made, "bob")
    assert (ann.rank, ann.display_name, ann.matches, ann.won, ann.lost) == (1, "Ann", 2, 2, 0)
    assert (bob.matches, bob.won, bob.lost, bob.score) == (1, 0, 1, 0.0)
    assert (ann.score, ann.mean_points) == (1.0, 10.0)


def test_live_elo_is_that_after_the_last_result() -> None:
    made = table_of(
        result(1, {"ann": 1, "bob": 2}, elo=1016.0), result(2, {"ann": 1, "cyd": 2}, elo=1031.0)
    )
    assert row(made, "ann").elo_live == 1031.0
    assert row(made, "bob").elo_live == 1016.0


def test_a_win_by_absence_counts_in_the_standings_and_not_in_the_rating() -> None:
    made = table_of(result(1, {"ann": 1, "bob": 2}, Termination.ABSENT, points=0))
    assert (row(made, "ann").won, row(made, "ann").rating) == (1, None)
    assert row(made, "ann").mean_points == 0.0


@pytest.mark.parametrize("termination", [Termination.NO_CONTEST, Termination.ABANDONED])
def test_what_was_not_contested_counts_nowhere(termination: Termination) -> None:
    made = table_of(result(1, {"ann": 1, "bob": 1}, termination, points=0))
    assert [r.matches for r in made.rows] == [0, 0, 0]
    assert [r.rating for r in made.rows] == [None, None, None]


def test_a_forfeit_of_two_has_no_points_and_is_rated() -> None:
    made = table_of(
        result(1, {"ann": 1, "bob": 2}), result(2, {"bob": 1, "ann": 2}, Termination.FORFEIT)
    )
    assert row(made, "ann").mean_points == 10.0  # of the one match with an outcome
    assert row(made, "ann").matches == 2
    assert row(made, "ann").rating == pytest.approx(row(made, "bob").rating)


def test_an_anchor_is_set_to_its_rating() -> None:
    settings = TournamentSettings(
        "cup", "draftosaurus", "summer", 2, ("ann", "bob"), anchor="bob", anchor_rating=1234.0
    )
    made = table(settings, counted(result(1, {"ann": 1, "bob": 2})), PROGRESS, str.title)
    assert row(made, "bob").rating == pytest.approx(1234.0)
    assert "bob is set to 1234" in made.reference


def test_a_block_is_tournament_round_and_pairing() -> None:
    assert block("cup/2/17/6") == "cup/2/17"
