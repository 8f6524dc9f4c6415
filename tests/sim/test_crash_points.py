"""A crash at every point of every write: no result is lost, none counts twice."""

import asyncio
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from saurodrome.server.settings import Deals, Format, TournamentSettings
from saurodrome.server.store.records import TournamentState
from tests.sim import invariants
from tests.sim.bots import Bot
from tests.sim.cups import settings, stop
from tests.sim.loop import simulate
from tests.sim.mortal import MortalDisk
from tests.sim.world import World

BOTS = ("ann", "bob", "cyd", "dan")
CUPS = {
    "round robin": settings(bots=BOTS[:3]),
    "swiss": replace(settings(bots=BOTS), format=Format.SWISS, rounds=2),
    "duplicate block": replace(
        settings(bots=BOTS[:3], players=3), deals=Deals.DUPLICATE, trusted=True
    ),
}
SLICES = 10


async def play(cup: TournamentSettings, directory: Path, *deaths: int) -> list[str]:
    """Play a small cup, from the first registration to its table; gives the points passed."""
    disk = MortalDisk(directory, *deaths)
    async with World(disk=disk) as world:
        for name in cup.bots:
            await world.insist(partial(register, world, name))
        await world.insist(lambda: world.organiser.create(cup, "r cup"))
        await world.insist(lambda: world.organiser.start("cup"))
        bots = [Bot(world, name) for name in cup.bots]
        progress = await world.over()
        assert progress.tournament.state is TournamentState.FINISHED
        assert progress.done == progress.total
        stop(bots)
        await asyncio.sleep(1.0)
        await check(world, cup)
    assert world.trace.process == 1 + sum(death <= len(disk.passed) for death in deaths)
    return disk.passed


async def register(world: World, name: str) -> None:
    """Register a bot, the same one if it is asked again."""
    await world.organiser.register_bot(name, "", "me", f"r {name}")


async def check(world: World, cup: TournamentSettings) -> None:
    """Everything that holds of a tournament; and its table is a fold of its log."""
    await invariants.check(world, cup)
    listed = await world.organiser.matches("cup", 0, 1000)
    rows = {row.bot: row for row in (await world.organiser.standings("cup")).rows}
    if not any(entry.void for entry in listed):
        ratings = await world.disk.store.ratings("cup")
        assert {bot: row.elo_live for bot, row in rows.items()} == ratings
    for bot, row in rows.items():
        counted = [entry.result for entry in listed if not entry.void]
        seats = [seat for result in counted for seat in result.seats if seat.bot == bot]
        assert row.matches == row.won + row.shared + row.lost == len(seats)
        assert row.mean_points == pytest.approx(sum(s.points for s in seats) / len(seats))
    assert [bot.name for bot in await world.disk.store.bots()] == sorted(cup.bots)


@cache
def points(kind: str) -> tuple[str, ...]:
    """What is done at each point of a cup in which nobody dies."""
    with TemporaryDirectory() as directory:
        return tuple(simulate(play(CUPS[kind], Path(directory))))


def die(kind: str, directory: Path, *deaths: int) -> None:
    """Play a cup whose process dies at some points.

    Raises:
        AssertionError: Something does not hold; a note says where the process died.
    """
    try:
        simulate(play(CUPS[kind], directory, *deaths))
    except BaseException as error:
        error.add_note(f"it died at {deaths} of the points that points({kind!r}) lists")
        raise


def test_every_kind_of_write_is_among_the_points() -> None:
    passed = points("round robin")
    kinds = {" ".join(point.split()[:3]) for point in passed if point[0].isupper()}
    assert {
        "INSERT INTO bots",
        "INSERT INTO tournaments",
        "UPDATE tournaments SET",
        "INSERT INTO attempts",
        "UPDATE attempts SET",
        "INSERT INTO results",
        "INSERT INTO seats",
        "INSERT INTO records",
    } <= kinds
    assert passed.count("begin") == passed.count("after the commit")


def test_a_crash_around_the_first_results(tmp_path: Path) -> None:
    """The slow tests die at every point; here, once before and once after a result counts."""
    kind = "round robin"
    passed = points(kind)
    first = next(n for n, point in enumerate(passed, 1) if point.startswith("INSERT INTO results"))
    committed = passed.index("after the commit", first) + 1
    for point in (committed - 1, committed):
        die(kind, tmp_path / str(point), point)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize("kind", CUPS)
def test_a_crash_at_every_point_of_every_write(kind: str, part: int, tmp_path: Path) -> None:
    for point in range(1 + part, len(points(kind)) + 1, SLICES):
        die(kind, tmp_path / str(point), point)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize("kind", CUPS)
def test_a_second_crash_while_it_recovers(kind: str, part: int, tmp_path: Path) -> None:
    for point in range(1 + part, len(points(kind)) + 1, SLICES):
        die(kind, tmp_path / str(point), point, point + 1 + point % 7)
