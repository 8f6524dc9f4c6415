"""Sums that are kept from table to table: the same as if all were read anew."""

from random import Random

import pytest

from saurodrome.server.contracts import Entrant
from saurodrome.server.recorder import START
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import RatedSeat, Result, Termination
from saurodrome.server.tournament.course import Counted
from saurodrome.server.tournament.ledger import Ledger

BOTS = ("ann", "bob", "cyd", "dan")
SETTINGS = TournamentSettings("cup", "draftosaurus", "summer", 3, BOTS[:3], fillers=("dan",))


def log(count: int) -> list[Result]:
    """Return results of random tables of three; live Elo counts them."""
    random, found = Random(1), []
    for number in range(1, count + 1):
        bots = random.sample(BOTS, 3)
        seats = tuple(
            RatedSeat(bot, place, 10, 0, 0, False, False, True, START, START + number)
            for place, bot in enumerate(bots, 1)
        )
        match_id = f"cup/1/{(number + 2) // 3}/{number}"
        found.append(
            Result(number, "cup", match_id, 1, Termination.FINISHED, seats, 0.0, has_record=False)
        )
    return found


def told(ledger: Ledger) -> object:
    """Return all that tables are made of."""
    columns = [[part.tolist() for part in seats] for seats in ledger.pool.seats()]
    return (
        ledger.standings.rows(),
        ledger.standings.crosstable(),
        columns,
        ledger.pool.names,
        ledger.seats.shares(),
        dict(ledger.live),
    )


def counted(results: list[Result], bots: tuple[str, ...] = BOTS, *void: str) -> Counted:
    return Counted(
        tuple(r for r in results if r.match_id not in void),
        tuple(map(Entrant, bots)),
        dict.fromkeys(void, "for a test"),
    )


def anew(of: Counted) -> object:
    ledger = Ledger(SETTINGS)
    ledger.take(of)
    return told(ledger)


def test_a_log_read_in_parts_sums_up_to_the_same() -> None:
    results, ledger = log(40), Ledger(SETTINGS)
    for end in (0, 1, 1, 17, 40):
        ledger.take(counted(results[:end]))
        assert told(ledger) == anew(counted(results[:end]))


def test_a_result_that_counts_no_more_is_taken_out() -> None:
    results, ledger = log(12), Ledger(SETTINGS)
    ledger.take(counted(results[:10]))
    for void in ("cup/1/2/4", "cup/1/4/10"):
        now = counted(results, BOTS, void)
        ledger.take(now)
        assert told(ledger) == anew(now)
    # Folded anew, no more as the log has it: what one gains others lose.
    assert sum(ledger.live.values()) == pytest.approx(len(BOTS) * START)
    ledger.take(counted(results))
    assert told(ledger) == anew(counted(results))


def test_fillers_are_left_out_of_the_fit_and_of_nothing_else() -> None:
    ledger = Ledger(SETTINGS)
    ledger.take(counted(log(12)))
    assert set(ledger.pool.names) == set(BOTS) - {"dan"}
    assert next(row for row in ledger.standings.rows() if row.name == "dan").matches > 0
