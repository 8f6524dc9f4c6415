"""A crash at every point of every write: no result is lost, none counts twice."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import TournamentState
from tests.sim import invariants
from tests.sim.bots import Bot
from tests.sim.cups import settings, stop
from tests.sim.loop import simulate
from tests.sim.mortal import MortalDisk
from tests.sim.world import World

BOTS = ("ann", "bob", "cyd")
SLICES = 10


async def play(directory: Path, *deaths: int) -> list[str]:
    """Play a small cup, from the first registration to its table; gives the points passed."""
    disk = MortalDisk(directory, *deaths)
    async with World(disk=disk) as world:
        cup = settings(bots=BOTS)
        for name in BOTS:
            await world.insist(partial(register, world, name))
        await world.insist(lambda: world.organiser.create(cup, "r cup"))
        await world.insist(lambda: world.organiser.start("cup"))
        bots = [Bot(world, name) for name in BOTS]
        progress = await world.over()
        assert progress.tournament.state is TournamentState.FINISHED
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
    log = await world.results()
    listed = await world.organiser.matches("cup", 0, 1000)
    assert tuple(entry.result for entry in listed) == log
    rows = {row.bot: row for row in (await world.organiser.standings("cup")).rows}
    assert {bot: row.elo_live for bot, row in rows.items()} == await world.disk.store.ratings("cup")
    for bot, row in rows.items():
        seats = [seat for result in log for seat in result.seats if seat.bot == bot]
        assert row.matches == row.won + row.shared + row.lost == len(seats)
        assert row.mean_points == pytest.approx(sum(s.points for s in seats) / len(seats))
    assert [bot.name for bot in await world.disk.store.bots()] == sorted(BOTS)


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is done at each point of a cup in which nobody dies."""
    return simulate(play(tmp_path_factory.mktemp("alive")))


def die(directory: Path, *deaths: int) -> None:
    """Play a cup whose process dies at some points.

    Raises:
        AssertionError: Something does not hold; a note says where the process died.
    """
    try:
        simulate(play(directory, *deaths))
    except BaseException as error:
        error.add_note(f"it died at {deaths} of the points that {__name__}.points lists")
        raise


def test_every_kind_of_write_is_among_the_points(points: list[str]) -> None:
    kinds = {" ".join(point.split()[:3]) for point in points if point[0].isupper()}
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
    assert points.count("begin") == points.count("after the commit")


def test_a_crash_around_the_first_results(points: list[str], tmp_path: Path) -> None:
    """The slow tests die at every point; here, once before and once after a result counts."""
    first = next(n for n, point in enumerate(points, 1) if point.startswith("INSERT INTO results"))
    committed = points.index("after the commit", first) + 1
    for point in (committed - 1, committed):
        die(tmp_path / str(point), point)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
def test_a_crash_at_every_point_of_every_write(
    part: int, points: list[str], tmp_path: Path
) -> None:
    for point in range(1 + part, len(points) + 1, SLICES):
        die(tmp_path / str(point), point)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
def test_a_second_crash_while_it_recovers(part: int, points: list[str], tmp_path: Path) -> None:
    for point in range(1 + part, len(points) + 1, SLICES):
        die(tmp_path / str(point), point, point + 1 + point % 7)
