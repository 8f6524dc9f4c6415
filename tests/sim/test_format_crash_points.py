"""A crash at every point of every write of a Swiss with shared deals, and of acts upon it."""

import asyncio
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest

from saurodrome.server.contracts import EntrantStatus, TournamentAct
from saurodrome.server.errors import Refused
from saurodrome.server.settings import Deals, Format, TournamentSettings
from saurodrome.server.store.records import EventKind, TournamentState
from saurodrome.server.tournament.course import deal_of
from saurodrome.server.tournament.fold import fold
from tests.sim.bots import Bot
from tests.sim.cups import stop
from tests.sim.loop import simulate
from tests.sim.mortal import MortalDisk
from tests.sim.world import GAME, TIME, World

BOTS = ("ann", "bob", "cyd", "dan", "eve")
CUP = TournamentSettings(
    "cup",
    *GAME,
    2,
    BOTS[:4],
    time=TIME,
    join_timeout=3.0,
    format=Format.SWISS,
    rounds=2,
    games=2,
    deals=Deals.DUPLICATE,
    trusted=True,
    concurrency=2,
)
SLICES = 24


async def act(world: World, kind: EventKind, bot: str = "", match_id: str = "") -> None:
    """Do something; what a crash has made impossible meanwhile is refused."""
    about = TournamentAct(kind, bot, match_id, reason="x", who="olga", request_id=f"r {kind}")
    try:
        await world.organiser.act("cup", about)
    except Refused as refusal:
        if refusal.code not in {"ALREADY_VOID", "ENTRY_CLOSED", "WRONG_STATE"}:
            raise


async def first_result(world: World) -> str:
    """Wait for the first result of the cup; gives its match."""
    for _ in range(10_000):
        if found := await world.insist(lambda: world.organiser.matches("cup", 0, 1)):
            return found[0].result.match_id
        await asyncio.sleep(0.02)
    raise AssertionError("no match was played")


async def play(directory: Path, *deaths: int) -> list[str]:
    """Play the cup while bots come and go and a match is voided; gives the points passed."""
    disk = MortalDisk(directory, *deaths)
    async with World(disk=disk) as world:
        for name in BOTS:
            await world.insist(partial(world_register, world, name))
        await world.insist(lambda: world.organiser.create(CUP, "r cup"))
        await world.insist(lambda: world.organiser.start("cup"))
        bots = [Bot(world, name) for name in BOTS]
        first_id = await first_result(world)
        await world.insist(lambda: act(world, EventKind.VOIDED, match_id=first_id))
        await world.insist(lambda: act(world, EventKind.JOINED, "eve"))
        await world.insist(lambda: act(world, EventKind.WITHDRAWN, "dan"))
        progress = await world.over()
        assert progress.tournament.state is TournamentState.FINISHED
        stop(bots)
        await asyncio.sleep(1.0)
        await check(world)
    return disk.passed


async def world_register(world: World, name: str) -> None:
    """Register a bot, the same one if it is asked again."""
    await world.organiser.register_bot(name, "", "me", f"r {name}")


async def check(world: World) -> None:
    """Nothing is lost or counted twice, and no block counts from two deals."""
    listed = await world.organiser.matches("cup", 0, 1_000)
    events = await world.organiser.events("cup", 0, 1_000)
    progress = await world.organiser.get("cup")
    table = await world.organiser.standings("cup")
    ids = [match.result.match_id for match in listed]
    assert len(set(ids)) == len(ids)
    assert [match.result.position for match in listed] == list(range(1, len(ids) + 1))
    counted = [match.result for match in listed if not match.void]
    assert len(counted) == progress.done == progress.total
    by_block: defaultdict[str, set[str]] = defaultdict(set)
    secrets: defaultdict[str, set[bytes]] = defaultdict(set)
    for result in counted:
        by_block[result.match_id.rpartition("/")[0]].add(deal_of(result.match_id))
        attempt = world.played[result.match_id, result.attempt]
        secrets[deal_of(result.match_id)].add(attempt.deal.secret)
    assert all(len(deals) == 1 for deals in by_block.values())
    assert all(len(shared) == 1 for shared in secrets.values())
    by_hand = [event.request_id for event in events if event.request_id]
    assert len(set(by_hand)) == len(by_hand)
    assert [event.kind for event in events].count(EventKind.STARTED) == 1
    for row in table.rows:
        seats = [s for result in counted for s in result.seats if s.bot == row.bot]
        assert row.matches == len(seats)
        assert (row.status is EntrantStatus.WITHDRAWN) <= (row.bot == "dan")
    results = [match.result for match in listed]
    again = fold(CUP, world.arbiter.roster.owner, results, events, started=True)
    assert {result.match_id for result in again.counted().results} == {
        result.match_id for result in counted
    }


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is done at each point of a cup in which nobody dies."""
    return simulate(play(tmp_path_factory.mktemp("alive")))


def die(directory: Path, *deaths: int) -> None:
    """Play a cup whose process dies at some points."""
    try:
        simulate(play(directory, *deaths))
    except BaseException as error:
        error.add_note(f"it died at {deaths} of the points that {__name__}.points lists")
        raise


def test_a_crash_around_an_act(points: list[str], tmp_path: Path) -> None:
    """The slow tests die at every point; here, around the void match and around its effect."""
    acts = [n for n, point in enumerate(points, 1) if point.startswith("INSERT INTO events")]
    assert len(acts) >= 4
    committed = points.index("after the commit", acts[1]) + 1
    for point in (committed - 1, committed):
        die(tmp_path / str(point), point)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
def test_a_crash_at_every_point_of_every_write_of_a_swiss(
    part: int, points: list[str], tmp_path: Path
) -> None:
    for point in range(1 + part, len(points) + 1, SLICES):
        die(tmp_path / str(point), point)
