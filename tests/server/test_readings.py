"""What a scrape reads is never in its way, and how late the loop is, is told."""

import asyncio
from typing import Any

from saurodrome.server.contracts import Progress, Table, TableRow
from saurodrome.server.observer import Observer
from saurodrome.server.readings import LOOK, LatestTable, measured
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.records import Tournament, TournamentState
from tests.sim.loop import simulated


def progress(name: str, done: int) -> Progress:
    settings = TournamentSettings(name, "draftosaurus", "summer", 2, ("a", "b"))
    return Progress(Tournament(1, settings, TournamentState.RUNNING, 1, 0.0, ""), 10, done)


def heard(where: str, error: BaseException) -> None:
    raise AssertionError(where) from error


class Organiser:
    """Makes tables, slowly."""

    def __init__(self, *progresses: Progress, seconds: float = 2.0) -> None:
        self.progresses = progresses
        self.seconds = seconds
        self.made: list[str] = []

    def latest(self, limit: int) -> list[Progress]:
        return [*self.progresses][:limit]

    async def standings(self, name: str) -> Table:
        await asyncio.sleep(self.seconds)
        self.made.append(name)
        row = TableRow(1, f"bot of table {len(self.made)}", "", 1500.0)
        return Table(self.progresses[0], (row,))


@simulated
async def test_a_scrape_shows_the_last_table_and_asks_for_one_at_a_time() -> None:
    organiser: Any = Organiser(progress("empty", 0), progress("cup", 5))
    latest = LatestTable(organiser, heard)
    assert latest.rows() == []
    await asyncio.sleep(1.0)
    assert latest.rows() == []
    await asyncio.sleep(1.5)
    assert [(name, row.bot) for name, row in latest.rows()] == [("cup", "bot of table 1")]
    assert organiser.made == ["cup"]


@simulated
async def test_the_position_is_that_of_the_rows_that_were_read_not_of_a_newer_table() -> None:
    organiser: Any = Organiser(progress("cup", 5))
    latest = LatestTable(organiser, heard)
    latest.rows()
    await asyncio.sleep(3.0)
    assert organiser.made == ["cup"]
    assert latest.position == {}  # whoever read the rows read none
    latest.rows()
    assert latest.position.keys() == {("cup",)}


@simulated
async def test_tables_take_no_more_than_a_twentieth_of_the_time() -> None:
    organiser: Any = Organiser(progress("cup", 5))
    latest = LatestTable(organiser, heard)
    for _ in range(420):
        latest.rows()
        await asyncio.sleep(1.0)
    assert 9 <= len(organiser.made) <= 11  # 2 s each, 40 s apart


@simulated
async def test_without_results_there_is_no_table() -> None:
    organiser: Any = Organiser(progress("empty", 0))
    latest = LatestTable(organiser, heard)
    latest.rows()
    await asyncio.sleep(1.0)
    assert latest.rows() == []
    assert organiser.made == []


@simulated
async def test_a_table_that_cannot_be_made_is_told_and_the_last_one_stays() -> None:
    organiser: Any = Organiser(progress("cup", 5))
    told: list[tuple[str, BaseException]] = []
    latest = LatestTable(organiser, lambda where, error: told.append((where, error)))
    latest.rows()
    await asyncio.sleep(60.0)
    trouble = StoreTrouble("STORE_FULL", "the disk is full")

    async def broken(name: str) -> Table:
        raise trouble

    organiser.standings = broken
    latest.rows()
    await asyncio.sleep(60.0)
    assert told == [("table for metrics", trouble)]
    assert [row.bot for _, row in latest.rows()] == ["bot of table 1"]


class Lags(Observer):
    def __init__(self) -> None:
        self.lags: list[float] = []

    def loop_lagged(self, seconds: float) -> None:
        self.lags.append(seconds)


@simulated
async def test_how_late_the_loop_is_is_told_ten_times_a_second() -> None:
    heard = Lags()
    with measured(heard):
        await asyncio.sleep(10 * LOOK + 0.05)
    assert len(heard.lags) == 10
    assert max(heard.lags) < 1e-6
    await asyncio.sleep(1.0)
    assert len(heard.lags) == 10
