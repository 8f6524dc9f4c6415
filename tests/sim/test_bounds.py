"""How much may be played at once: by a bot, a tournament, the server; and who gets a turn."""

import asyncio
from collections import Counter

import pytest

from saurodrome.server.frames import Decision, Hello
from saurodrome.server.port import TimeControl, Verdict
from tests.sim import invariants
from tests.sim.bots import Alone, Bot
from tests.sim.cups import stop
from tests.sim.heard import Event
from tests.sim.loop import simulated
from tests.sim.trace import Frame
from tests.sim.world import World

NAMES = tuple("abcdef")


class Wide(Bot):
    """Takes many matches at once, and thinks long enough for them to overlap."""

    hello = Hello("1", "sim", {}, 4)

    def thinks(self, decision: Decision) -> float:
        """Return half of the time."""
        return decision.remaining / 2


def most_at_once(world: World, bot: str = "", tournament: str = "") -> int:
    """Return how many matches of a bot or tournament were in flight at once, at most."""
    flying: set[tuple[str, int]] = set()
    most = 0
    for line in world.trace.lines:
        match line:
            case Event(_, "match_started", (cup, match_id, attempt, bots)):
                if bot in ("", *bots) and tournament in ("", cup):
                    flying.add((match_id, attempt))
            case Event(_, "match_finished", (result, _)):
                flying.discard((result.match_id, result.attempt))
        most = max(most, len(flying))
    return most


@pytest.mark.parametrize("declared", [1, 2, 4])
@simulated
async def test_a_bot_plays_as_many_matches_at_once_as_it_declared(declared: int) -> None:
    async with World() as world:
        cup = await world.begin(*NAMES)
        bots = [Wide(world, name) for name in NAMES]
        bots[0].hello = Hello("1", "sim", {}, declared)
        await world.over()
        stop([*bots])
        await asyncio.sleep(1.0)
        await invariants.check(world, cup)
    assert most_at_once(world, "a") == declared


@pytest.mark.case("P43")
@simulated
async def test_a_bot_that_declares_one_match_has_one_decision_open_also_across_streams() -> None:
    async with World() as world:
        await world.begin(*NAMES)
        bots = [Alone(world, "a"), *(Wide(world, name) for name in NAMES[1:])]
        await world.over()
        stop(bots)
    assert most_at_once(world, "a") == 1
    asked: set[str] = set()
    for line in world.trace.lines:
        match line:
            case Frame(_, "a", _, "out", Decision() as decision):
                asked.add(decision.decision_id)
                assert len(asked) == 1
            case Event(_, "decision_closed", ("a", _, decision_id, _, _)):
                asked.discard(decision_id)
    assert len(world.trace.all("session_opened")) > len(NAMES)  # it did lose streams


@pytest.mark.parametrize(("concurrency", "server"), [(1, 16), (3, 16), (16, 1), (16, 4), (2, 3)])
@simulated
async def test_no_more_matches_are_played_at_once_than_tournament_and_server_allow(
    concurrency: int, server: int
) -> None:
    async with World(max_matches=server) as world:
        await world.begin(*NAMES, concurrency=concurrency)
        bots = [Wide(world, name) for name in NAMES]
        await world.over()
        stop([*bots])
    assert most_at_once(world) == min(concurrency, server)


@simulated
async def test_two_tournaments_of_the_same_bots_get_on_alike() -> None:
    async with World(max_matches=3) as world:
        for name in ("cup", "bowl"):
            await world.begin(*NAMES, name=name)
        bots = [Wide(world, name) for name in NAMES]
        for name in ("cup", "bowl"):
            await world.over(name)
        stop([*bots])
    begun = [tournament for tournament, *_ in world.trace.all("match_started")]
    for prefix in range(1, len(begun) + 1):
        counts = Counter(begun[:prefix])
        assert abs(counts["cup"] - counts["bowl"]) <= 2


@simulated
async def test_bots_keep_level_at_every_moment() -> None:
    """Between bots that are all here, begun matches never differ by more than a round."""
    async with World() as world:
        await world.begin(*NAMES, rounds=3)
        bots = [Wide(world, name) for name in NAMES]
        await world.over()
        stop([*bots])
    counts = Counter(dict.fromkeys(NAMES, 0))
    for _, _, _, table in world.trace.all("match_started"):
        counts.update(table)
        assert max(counts.values()) - min(counts.values()) <= 2 * (len(NAMES) - 1)
    assert set(counts.values()) == {3 * 2 * (len(NAMES) - 1)}


@simulated
async def test_a_store_in_trouble_pauses_leasing_and_touches_no_clock() -> None:
    async with World() as world:
        time = TimeControl(decision=1.0, margin=0.0)
        await world.begin(*NAMES, rounds=2, concurrency=10, time=time)
        bots = [Bot(world, name) for name in NAMES]
        for bot in bots:
            bot.hello = Hello("1", "sim", {}, 64)
            bot.thinks = lambda decision: 0.3  # type: ignore[method-assign]
        await asyncio.sleep(1.0)
        assert await world.results() == ()
        world.disk.trouble = lambda: True
        await asyncio.sleep(60.0)
        assert len(world.trace.all("match_started")) == 10
        assert world.arbiter.recorder.waiting == 10  # they were all played to their ends
        assert await world.results() == ()
        assert world.arbiter.scheduler.reason == "store_failing"
        waits = "results cannot be stored (STORE_FULL); tried again"
        assert (await world.organiser.get("cup")).waiting_for == waits
        assert (await world.organiser.list_tournaments(None, 1))[0].waiting_for == waits
        assert (await world.organiser.standings("cup")).progress.waiting_for == waits
        world.disk.trouble = lambda: False
        assert (await world.over()).done == 60
        stop([*bots])
    verdicts = {answer.verdict for _, _, _, answer, _ in world.trace.all("decision_closed")}
    assert verdicts == {Verdict.ACCEPTED}
    assert world.trace.all("match_void") == []


@simulated
async def test_a_match_that_is_alone_waits_for_no_other_before_it_begins() -> None:
    """Its lease is committed before anybody hears of it, and right after the result before."""
    async with World() as world:
        await world.begin("a", "b", rounds=3, concurrency=1)
        bots = [Bot(world, name) for name in "ab"]
        await world.over()
        stop(bots)
    ended = [e.when for e in world.trace.events if e.name == "match_finished"]
    begun = [e.when for e in world.trace.events if e.name == "match_started"]
    assert begun[1:] == ended[:-1]


@pytest.mark.slow
@pytest.mark.case("P33")
@simulated
async def test_one_connection_plays_hundreds_of_matches() -> None:
    async with World() as world:
        await world.begin("a", "b", rounds=100, concurrency=2)
        bots = [Bot(world, name) for name in "ab"]
        progress = await world.over()
        stop(bots)
    assert progress.done == 200
    assert len(world.trace.all("session_opened")) == 2
    assert world.trace.all("surplus_frame") == []
