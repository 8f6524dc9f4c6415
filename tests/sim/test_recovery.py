"""What users hit when something stopped: the scenarios of field reports, in virtual time."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from saurodrome.engine.game import Observation
from saurodrome.server.frames import Decision, Ended, Hello
from saurodrome.server.port import TimeControl, Verdict
from saurodrome.server.rating.elo import elo
from saurodrome.server.recorder import START, K
from saurodrome.server.store.records import Result, Termination, TournamentState
from tests.sim import invariants
from tests.sim.bots import Bot
from tests.sim.cups import arrive, stop
from tests.sim.heard import Event
from tests.sim.loop import simulated
from tests.sim.ports import PlainCodec
from tests.sim.trace import Frame
from tests.sim.transport import Way
from tests.sim.world import TIME, World

PAIR = ("ann", "bob")
SIXTEEN = tuple(f"bot-{number:02}" for number in range(16))


def folded(results: tuple[Result, ...]) -> dict[str, float]:
    """Return live Elo, computed anew from the log."""
    live: dict[str, float] = {}
    for result in results:
        before = [live.get(seat.bot, START) for seat in result.seats]
        after = elo(before, [seat.placement for seat in result.seats], k=K)
        live.update(zip((seat.bot for seat in result.seats), after, strict=True))
    return live


@pytest.mark.case("P27")
@simulated
async def test_eight_results_of_one_instant_are_rated_as_the_log_has_them_bit_for_bit() -> None:
    async with World() as world:
        await world.begin(*SIXTEEN, matches=16, concurrency=8)
        bots = arrive(world, *SIXTEEN)
        for bot in bots:
            bot.way = Way()  # everything takes equally long, so matches end together
        await world.over()
        stop(bots)
        results = await world.results()
        table = await world.organiser.standings("cup")
        ratings = await world.disk.store.ratings("cup")
    instants = [
        event.when
        for event in world.trace.events
        if event.name == "match_finished" and len(event.args)
    ]
    assert max(instants.count(instant) for instant in instants) == 8
    assert ratings == folded(results)
    assert {row.bot: row.elo_live for row in table.rows} == folded(results)


@pytest.mark.case("P29")
@simulated
async def test_frames_that_come_up_to_two_seconds_late_eject_nobody() -> None:
    async with World() as world:
        names = SIXTEEN[:3]
        cup = await world.begin(*names, time=TimeControl(ready=10.0, decision=5.0, margin=0.0))
        bots = arrive(world, *names)
        for bot in bots:
            bot.way = Way(0.0, 2.0)
        await world.over()
        stop(bots)
        await asyncio.sleep(5.0)
        await invariants.check(world, cup)
        results = await world.results()
    assert {result.termination for result in results} == {Termination.FINISHED}
    assert sum(seat.timeouts for result in results for seat in result.seats) == 0
    assert len(world.trace.all("session_opened")) == len(names)


@pytest.mark.case("P31")
@pytest.mark.parametrize("how", ["pause", "restart", "crash"])
@simulated
async def test_after_a_stop_and_a_wait_the_first_decision_is_not_late(how: str) -> None:
    async with World() as world:
        cup = await world.begin(*PAIR, rounds=10, concurrency=2)
        bots = arrive(world, *PAIR)
        await asyncio.sleep(0.5)
        before = await world.results()
        if how == "pause":
            await world.organiser.pause("cup")
            await asyncio.sleep(60.0)
            await world.organiser.resume("cup")
        else:
            await (world.restart if how == "restart" else world.crash)()
        assert 0 < len(before) < 20
        assert (await world.over()).done == 20
        stop(bots)
        await asyncio.sleep(5.0)
        await invariants.check(world, cup)
    verdicts = [answer.verdict for _, _, _, answer, _ in world.trace.all("decision_closed")]
    assert set(verdicts) == {Verdict.ACCEPTED}


@pytest.mark.case("P32")
@simulated
async def test_a_cancel_with_limits_of_a_minute_is_quiet_within_two_seconds() -> None:
    async with World() as world:
        names = SIXTEEN[:6]
        time = TimeControl(decision=60.0)
        await world.begin(*names, time=time, join_timeout=60.0)
        bots = arrive(world, *names)
        for bot in bots:
            bot.thinks = lambda decision: 50.0  # type: ignore[method-assign]
        await asyncio.sleep(10.0)
        assert world.arbiter.scheduler.in_flight == 3 * 2
        await world.organiser.cancel("cup")
        cancelled = world.loop.time()
        await asyncio.sleep(2.0)
        assert world.arbiter.scheduler.in_flight == 0
        assert [world.lobby.playing(bot) for bot in names] == [0] * 6
        quiet = len(world.trace.lines)
        told = [
            line.frame.end.termination
            for line in world.trace.frames()
            if isinstance(line.frame, Ended) and line.when >= cancelled
        ]
        assert told == ["void"] * 12
        await asyncio.sleep(30.0)
        asked = [
            line
            for line in world.trace.lines[quiet:]
            if isinstance(line, Frame) and isinstance(line.frame, Decision)
        ]
        assert asked == []
        stop(bots)


class Once(PlainCodec):
    """A codec that fails at the first call after it was told to."""

    armed = False

    def public(self, observation: Observation) -> bytes:
        """Encode, or fail once."""
        if self.armed:
            self.armed = False
            raise ZeroDivisionError("a bug in a codec")
        return super().public(observation)


@pytest.mark.case("CR-06")
@simulated
async def test_a_bug_of_the_arbiter_in_one_of_twenty_matches_touches_no_other() -> None:
    codec = Once()
    async with World(codec_of=lambda game, variant: codec) as world:
        names = SIXTEEN[:8]
        cup = await world.begin(*names, matches=20, concurrency=4)
        bots = arrive(world, *names)
        await until(partial(in_the_middle_of_match, world, 6))
        codec.armed = True
        await world.over()
        stop(bots)
        await asyncio.sleep(5.0)
        await invariants.check(world, cup)
        results = await world.results()
        assert [world.lobby.playing(bot) for bot in names] == [0] * 8
    assert {result.termination for result in results} == {Termination.FINISHED}
    assert sorted(result.attempt for result in results) == [1] * 19 + [2]
    assert [type(error) for _, error in world.trace.all("error")] == [ZeroDivisionError]
    assert len(world.trace.all("match_void")) == 1


def falls_silent(world: World, bot: Bot) -> None:
    """It hears and says nothing more."""
    bot.answer = lambda decision: None  # type: ignore[method-assign]


def is_gone(world: World, bot: Bot) -> None:
    """Its process is killed, and nobody starts it again."""
    bot.stop()


def comes_back(world: World, bot: Bot) -> None:
    """It loses its connection in the middle of a decision."""
    assert bot.peer is not None
    bot.peer.drop(0.1)


def is_late(world: World, bot: Bot) -> None:
    """It answers when the limit is over."""
    late = TIME.decision + TIME.margin + 0.01
    bot.thinks = lambda decision: late  # type: ignore[method-assign]


def plays_wrong(world: World, bot: Bot) -> None:
    """It answers with what is not legal."""
    bot.answer = lambda decision: bot.reply(decision, -1)  # type: ignore[method-assign]


def says_garbage(world: World, bot: Bot) -> None:
    """It begins a second time on the same stream, whenever it is asked."""
    bot.answer = lambda decision: bot.send(Hello("1", "sim", {}, 1))  # type: ignore[method-assign]


def arbiter_errs(world: World, bot: Bot) -> None:
    """A bug of the arbiter meets the match."""
    codec = world.codec_of("draftosaurus", "summer")
    assert isinstance(codec, Once)
    codec.armed = True


def disk_is_full(world: World, bot: Bot) -> None:
    """The result cannot be stored for a while."""
    world.disk.trouble = lambda: True
    world.loop.call_later(20.0, setattr, world.disk, "trouble", lambda: False)


def process_dies(world: World, bot: Bot) -> None:
    """The arbiter is killed."""
    world.disk.dead.set()


FAILURES: tuple[Callable[[World, Bot], None], ...] = (
    falls_silent,
    is_gone,
    comes_back,
    is_late,
    plays_wrong,
    says_garbage,
    arbiter_errs,
    disk_is_full,
    process_dies,
)


@pytest.mark.case("P34")
@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.__name__)
@simulated
async def test_whatever_fails_in_the_last_match_the_tournament_ends_with_its_table(
    failure: Callable[[World, Bot], None],
) -> None:
    codec = Once()
    async with World(codec_of=lambda game, variant: codec) as world:
        cup = await world.begin(*PAIR, rounds=2, concurrency=1)
        bots = arrive(world, *PAIR)
        await until(partial(in_the_middle_of_match, world, 4))
        failure(world, bots[1])
        progress = await world.over()
        assert progress.tournament.state is TournamentState.FINISHED
        assert progress.done == progress.total == 4
        table = await world.organiser.standings("cup")
        assert sorted(row.bot for row in table.rows) == sorted(PAIR)
        assert [row.matches for row in table.rows] == [4, 4]
        stop(bots)
        await asyncio.sleep(30.0)
        await invariants.check(world, cup)


def in_the_middle_of_match(world: World, number: int) -> bool:
    """Tell whether the last match to begin is this one, and some of it is played."""
    lines = world.trace.lines
    begun = [
        n
        for n, line in enumerate(lines)
        if isinstance(line, Event) and line.name == "match_started"
    ]
    if len(begun) < number:
        return False
    since = lines[begun[number - 1] :]
    return sum(isinstance(line, Event) and line.name == "decision_closed" for line in since) >= 7


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    while not holds():  # noqa: ASYNC110 it looks at a trace
        await asyncio.sleep(0.001)
