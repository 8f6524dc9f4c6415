"""Duplicate deals: a block shares one, which stays secret until its end and is never played on."""

import asyncio
from collections import defaultdict
from typing import Any

import pytest

from saurodrome.engine.game import Observation
from saurodrome.server.contracts import TournamentAct
from saurodrome.server.errors import Refused
from saurodrome.server.frames import Ended, Outbound
from saurodrome.server.settings import Deals, Format, TournamentSettings
from saurodrome.server.store.records import EventKind, Result, Termination
from saurodrome.server.tournament.course import deal_of
from tests.sim.bots import Bot
from tests.sim.cups import stop
from tests.sim.loop import simulated
from tests.sim.ports import PlainCodec
from tests.sim.world import World

TRIO = ("ann", "bob", "cyd")


class Telling(Bot):
    """Keeps the ends of its matches."""

    def __init__(self, world: World, name: str) -> None:
        """Begin with none."""
        self.ends: list[Ended] = []
        super().__init__(world, name)

    def hears(self, frame: Outbound) -> None:
        """Take a frame."""
        super().hears(frame)
        if isinstance(frame, Ended):
            self.ends.append(frame)


class Failing(PlainCodec):
    """A codec that fails at one call: a fault of the arbiter."""

    def __init__(self, call: int) -> None:
        """Fail at this call, counted from 1."""
        self.left = call

    def public(self, observation: Observation) -> bytes:
        """Encode, or fail."""
        self.left -= 1
        if self.left == 0:
            raise ZeroDivisionError("a bug in a codec")
        return super().public(observation)


async def begun(world: World, *bots: str, **more: Any) -> TournamentSettings:
    """Begin a tournament with duplicate deals."""
    return await world.begin(*bots, deals=Deals.DUPLICATE, trusted=True, **more)


def deals(world: World, results: tuple[Result, ...]) -> dict[str, set[bytes]]:
    """Return the secrets that were played from, by block and try of it."""
    found: defaultdict[str, set[bytes]] = defaultdict(set)
    for result in results:
        if attempt := world.played.get((result.match_id, result.attempt)):
            found[deal_of(result.match_id)].add(attempt.deal.secret)
    return found


async def results_of(world: World, count: int) -> None:
    """Wait until there are so many results."""
    for _ in range(1_000):
        if len(await world.results()) >= count:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"there were not {count} results in time")


async def counting(world: World) -> list[Result]:
    """Return the results that count."""
    return [m.result for m in await world.organiser.matches("cup", 0, 1_000) if not m.void]


@simulated
async def test_the_matches_of_a_block_share_a_deal_and_blocks_do_not() -> None:
    async with World() as world:
        await begun(world, *TRIO, players=3)
        bots = [Telling(world, bot) for bot in TRIO]
        await world.over()
        stop([*bots])
        shared = deals(world, await world.results())
    assert [len(secrets) for secrets in shared.values()] == [1]
    assert len(await world.results()) == 6
    assert {end.end.secret for bot in bots for end in bot.ends} == {b""}

    async with World() as world:
        await begun(world, *TRIO, rounds=2)
        honest = [Bot(world, bot) for bot in TRIO]
        await world.over()
        stop(honest)
        shared = deals(world, await world.results())
    assert len(shared) == 6
    assert {len(secrets) for secrets in shared.values()} == {1}
    assert len(set[bytes]().union(*shared.values())) == 6


@simulated
async def test_a_record_stays_sealed_until_its_block_is_over() -> None:
    async with World() as world:
        await begun(world, *TRIO, players=3, concurrency=1)
        bots = [Bot(world, bot) for bot in TRIO]
        await results_of(world, 1)
        first = (await world.organiser.matches("cup", 0, 1))[0].result
        assert not first.has_record
        with pytest.raises(Refused) as refusal:
            await world.organiser.record(first.match_id, 0)
        assert refusal.value.code == "RECORD_SEALED"
        await world.over()
        assert (await world.organiser.matches("cup", 0, 1))[0].result.has_record
        stop(bots)


@pytest.mark.parametrize("call", [3, 40, 60])
@simulated
async def test_one_void_attempt_voids_its_block_which_is_played_anew(call: int) -> None:
    codec = Failing(call)
    async with World(codec_of=lambda game, variant: codec) as world:
        await begun(world, *TRIO, players=3, concurrency=2)
        bots = [Bot(world, bot) for bot in TRIO]
        progress = await world.over()
        stop(bots)
        results = await world.results()
        counted = await counting(world)
        events = await world.organiser.events("cup", 0, 10)
    voided = [event for event in events if event.kind is EventKind.VOIDED]
    assert [(e.match_id, e.who) for e in voided] == [("cup/1/1", "rule")]
    assert (progress.done, progress.total) == (6, 6)
    assert {deal_of(r.match_id) for r in counted} == {"cup/1/1r1"}
    assert len({tuple(s.bot for s in r.seats) for r in counted}) == 6
    shared = deals(world, results)
    assert {len(secrets) for secrets in shared.values()} == {1}
    assert len(set[bytes]().union(*shared.values())) == len(shared)


class Cursed(PlainCodec):
    """A codec that fails again and again."""

    def __init__(self, calls: int) -> None:
        """Fail at each that comes after so many."""
        self._calls = calls
        self._made = 0

    def public(self, observation: Observation) -> bytes:
        """Encode, or fail."""
        self._made += 1
        if self._made == self._calls:
            self._made = 0
            raise ZeroDivisionError("a bug in a codec")
        return super().public(observation)


@pytest.mark.parametrize("concurrency", [1, 2])
@simulated
async def test_a_block_that_fails_three_times_is_given_up_as_a_whole(concurrency: int) -> None:
    codec = Cursed(60)
    async with World(codec_of=lambda game, variant: codec) as world:
        await begun(world, *TRIO, players=3, concurrency=concurrency)
        bots = [Bot(world, bot) for bot in TRIO]
        progress = await world.over()
        stop(bots)
        results = await world.results()
        last = [r for r in results if deal_of(r.match_id) == "cup/1/1r2"]
        listed = await world.organiser.matches("cup", 0, 1_000)
        table = await world.organiser.standings("cup")
    assert (progress.done, progress.total, progress.abandoned) == (6, 6, 6 - len(played(last)))
    assert len({r.match_id for r in last}) == 6
    assert all(m.void for m in listed)  # what was played of the last try counts no more either
    assert {m.void for m in listed if m.result in last} != {""}
    assert [(row.bot, row.matches) for row in table.rows] == [(bot, 0) for bot in TRIO]


async def given_up(world: World) -> list[Result]:
    """Wait until a match was given up; return those that were."""
    for _ in range(1_000):
        found = [r for r in await world.results() if r.termination is Termination.ABANDONED]
        if found:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("nothing was given up in time")


def played(results: list[Result]) -> list[Result]:
    """Return those that were played to their ends."""
    return [r for r in results if r.termination is Termination.FINISHED]


@simulated
async def test_a_block_that_was_given_up_can_be_voided_and_is_tried_again_as_often() -> None:
    codec = Cursed(60)
    async with World(codec_of=lambda game, variant: codec) as world:
        await begun(world, *TRIO, players=3, rounds=2, concurrency=1)
        bots = [Bot(world, bot) for bot in TRIO]
        (first, *_) = await given_up(world)
        codec.public = PlainCodec().public  # type: ignore[method-assign]
        act = TournamentAct(EventKind.VOIDED, match_id=first.match_id, reason="x", who="olga")
        await world.organiser.act("cup", act)
        progress = await world.over()
        counted = await counting(world)
        stop(bots)
    assert progress.done == progress.total == len(counted) == 2 * 6
    assert progress.abandoned == 0
    assert "cup/1/1r3" in {deal_of(r.match_id) for r in counted}


@simulated
async def test_a_match_that_an_organiser_voids_voids_its_block() -> None:
    async with World() as world:
        await begun(world, *TRIO, concurrency=1)
        bots = [Bot(world, bot) for bot in TRIO]
        await results_of(world, 2)
        first = (await world.results())[0]
        act = TournamentAct(EventKind.VOIDED, match_id=first.match_id, reason="x", who="olga")
        _, event = await world.organiser.act("cup", act)
        progress = await world.over()
        counted = await counting(world)
        stop(bots)
    assert event.match_id == deal_of(first.match_id)
    assert progress.done == progress.total == len(counted) == 6
    assert deal_of(first.match_id) + "r1" in {deal_of(r.match_id) for r in counted}


@simulated
async def test_a_block_that_is_voided_without_a_word_while_it_is_played_is_played_anew() -> None:
    """The event is stored, and nobody is told so: the log is read again."""
    async with World() as world:
        await begun(world, *TRIO[:2], concurrency=1)
        bots = [Bot(world, bot) for bot in TRIO[:2]]
        await results_of(world, 1)
        await asyncio.sleep(0.02)
        now = await world.organiser.get("cup")
        assert (now.done, now.running) == (1, 1)
        first = (await world.results())[0]
        world.disk.lost_word = lambda: True
        act = TournamentAct(EventKind.VOIDED, match_id=first.match_id, reason="x", who="olga")
        with pytest.raises(Refused, match="STORE_FAILING"):
            await world.organiser.act("cup", act)
        world.disk.lost_word = lambda: False
        async with asyncio.timeout(60.0):
            progress = await world.over()
        counted = await counting(world)
        stop(bots)
    assert progress.done == progress.total == 2
    assert {deal_of(result.match_id) for result in counted} == {"cup/1/1r1"}


@pytest.mark.parametrize("crash_at", [1.15, 1.5, pytest.param(1.9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("orderly", [True, False])
@simulated
async def test_a_restart_in_a_block_loses_nothing_counts_nothing_twice_and_deals_anew(
    crash_at: float, orderly: bool
) -> None:
    async with World(3) as world:
        await begun(world, *TRIO, "dan", format=Format.SWISS, rounds=2, games=4, concurrency=1)
        bots = [Bot(world, bot) for bot in (*TRIO, "dan")]
        await asyncio.sleep(crash_at)
        before = await world.results()
        flying = (await world.organiser.get("cup")).running
        await (world.restart() if orderly else world.crash())
        progress = await world.over()
        stop(bots)
        results = await world.results()
        counted = await counting(world)
        events = await world.organiser.events("cup", 0, 50)
    assert before
    assert results[: len(before)] == before
    assert progress.done == progress.total == len(counted) == 2 * 2 * 4
    assert {r.termination for r in results} == {Termination.FINISHED}
    voided = {event.match_id for event in events if event.kind is EventKind.VOIDED}
    assert len(voided) <= flying  # a block in flight, and no other
    of_block: defaultdict[str, set[str]] = defaultdict(set)
    for result in counted:
        block, _, _ = result.match_id.rpartition("/")
        of_block[block].add(deal_of(result.match_id))
    assert all(len(tries) == 1 for tries in of_block.values())
    assert {len(secrets) for secrets in deals(world, results).values()} == {1}
