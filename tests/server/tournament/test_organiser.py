"""What organisers may do, when, and what becomes of matches in flight."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from saurodrome.server.errors import Refused
from saurodrome.server.frames import Hello
from saurodrome.server.port import TimeControl
from saurodrome.server.store.records import Termination, TournamentState
from saurodrome.server.tournament.reader import WATCH_PAUSE
from tests.sim.cups import (
    CANCELLED,
    FINISHED,
    PAIR,
    PAUSED,
    PLANNED,
    RUNNING,
    arrive,
    brought_to,
    settings,
    state,
    stop,
)
from tests.sim.loop import simulated
from tests.sim.world import World


async def refused(work: object) -> str:
    """Return the code with which something is refused."""
    with pytest.raises(Refused) as refusal:
        await work  # type: ignore[misc]
    assert refusal.value.what
    assert refusal.value.do
    return refusal.value.code


# creating


@simulated
async def test_a_tournament_is_planned_first_and_knows_how_many_matches_it_has() -> None:
    async with World() as world:
        await world.register("ann", "bob", "cyd")
        progress = await world.organiser.create(settings(bots=("ann", "bob", "cyd")), "r1")
    assert state(progress) is PLANNED
    assert (progress.total, progress.done, progress.position) == (6, 0, 0)
    assert world.trace.all("tournament_changed") == [("cup", PLANNED)]


@simulated
async def test_a_planned_tournament_plays_nothing() -> None:
    async with World() as world:
        await world.register(*PAIR)
        await world.organiser.create(settings(), "")
        bots = arrive(world, *PAIR)
        await asyncio.sleep(5.0)
        assert await world.results() == ()
        stop(bots)


@simulated
async def test_the_same_request_creates_one_tournament_even_twice_at_once() -> None:
    async with World() as world:
        await world.register(*PAIR)
        create = world.organiser.create
        first, second = await asyncio.gather(create(settings(), "r1"), create(settings(), "r1"))
        third = await create(settings(), "r1")
        assert first == second == third
        assert len(await world.organiser.list_tournaments(None, 10)) == 1
        await world.organiser.start("cup")
        bots = arrive(world, *PAIR)
        assert (await world.over()).done == 2
        stop(bots)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"bots": ("ann", "nobody")}, "UNKNOWN_BOT"),
        ({"bots": ("ann",)}, "TOO_FEW_ENTRANTS"),
        ({"bots": ("ann", "ann")}, "DUPLICATE_ENTRANT"),
        ({"matches": 1_000}, "TOO_MANY_MATCHES"),
        ({"anchor": "cyd"}, "BAD_SETTING"),
    ],
)
@simulated
async def test_a_tournament_that_cannot_be_is_refused(wrong: dict[str, object], code: str) -> None:
    async with World() as world:
        await world.register("ann", "bob", "cyd")
        made = replace(settings(), **wrong)  # type: ignore[arg-type]
        assert await refused(world.organiser.create(made, "")) == code
        assert await world.organiser.list_tournaments(None, 10) == ()


@simulated
async def test_a_name_is_taken_once() -> None:
    async with World() as world:
        await world.register(*PAIR)
        await world.organiser.create(settings(), "r1")
        assert await refused(world.organiser.create(settings(), "r2")) == "NAME_TAKEN"


# states


@simulated
async def test_a_tournament_finishes_when_every_match_has_its_result() -> None:
    async with World() as world:
        await world.begin(*PAIR)
        bots = arrive(world, *PAIR)
        progress = await world.over()
        stop(bots)
    assert (state(progress), progress.done, progress.running) == (FINISHED, 2, 0)
    assert progress.tournament.ended is not None
    assert [s for _, s in world.trace.all("tournament_changed")] == [PLANNED, RUNNING, FINISHED]


ALLOWED = {
    PLANNED: {"start", "cancel"},
    RUNNING: {"start", "resume", "pause", "cancel"},
    PAUSED: {"resume", "pause", "cancel"},
    FINISHED: set[str](),
    CANCELLED: {"cancel"},
}


@pytest.mark.parametrize("goal", TournamentState)
@pytest.mark.parametrize("verb", ["start", "pause", "resume", "cancel"])
@simulated
async def test_what_may_be_done_in_which_state(goal: TournamentState, verb: str) -> None:
    async with World() as world:
        await brought_to(world, goal)
        if verb in ALLOWED[goal]:
            await getattr(world.organiser, verb)("cup")
        else:
            assert await refused(getattr(world.organiser, verb)("cup")) == "WRONG_STATE"
            assert state(await world.organiser.get("cup")) is goal


@pytest.mark.parametrize("verb", ["start", "pause", "resume", "cancel", "get", "standings"])
@simulated
async def test_an_unknown_tournament_is_refused(verb: str) -> None:
    async with World() as world:
        assert await refused(getattr(world.organiser, verb)("cup")) == "UNKNOWN_TOURNAMENT"


@simulated
async def test_a_pause_lets_matches_in_flight_end_and_starts_no_other() -> None:
    async with World() as world:
        await world.begin(*PAIR, rounds=20, concurrency=1)
        bots = arrive(world, *PAIR)
        await asyncio.sleep(0.5)
        await world.organiser.pause("cup")
        await asyncio.sleep(1.0)
        paused = await world.organiser.get("cup")
        await asyncio.sleep(5.0)
        assert await world.organiser.get("cup") == paused._replace(rate=approximately())
        assert (state(paused), paused.running) == (PAUSED, 0)
        assert 0 < paused.done < paused.total
        await world.organiser.resume("cup")
        assert (await world.over()).done == paused.total
        stop(bots)
    assert {r.termination for r in await world.results()} == {Termination.FINISHED}


def approximately() -> float:
    """Return a rate that equals any other."""
    return pytest.approx(0.0, abs=1e9)  # type: ignore[return-value]


@simulated
async def test_a_pause_in_which_the_last_match_ends_finishes_the_tournament() -> None:
    async with World() as world:
        await world.begin(*PAIR)
        bots = arrive(world, *PAIR)
        for bot in bots:
            bot.hello = Hello(max_concurrent=2)
            bot.thinks = lambda decision: 0.1  # type: ignore[method-assign]
        await asyncio.sleep(0.5)
        await world.organiser.pause("cup")
        assert (await world.organiser.get("cup")).running == 2
        assert state(await world.over()) is FINISHED
        stop(bots)


@simulated
async def test_cancelling_is_quiet_within_two_seconds_whatever_the_time_control() -> None:
    async with World() as world:
        time = TimeControl(ready=60.0, decision=60.0)
        await world.begin(*PAIR, time=time)
        bots = arrive(world, *PAIR)
        for bot in bots:
            bot.thinks = lambda decision: 50.0  # type: ignore[method-assign]
        await asyncio.sleep(1.0)
        begun = world.loop.time()
        await world.organiser.cancel("cup")
        progress = await world.over()
        await asyncio.sleep(0.1)
        assert world.loop.time() - begun < 2.0
        assert state(progress) is CANCELLED
        assert [world.lobby.playing(name) for name in PAIR] == [0, 0]
        assert (await world.organiser.get("cup")).running == 0
        await asyncio.sleep(30.0)
        assert await world.results() == ()
        stop(bots)
    assert len(world.trace.all("match_void")) == 2


@simulated
async def test_cancelling_leaves_other_tournaments_alone() -> None:
    async with World() as world:
        await world.begin(*PAIR, name="a", rounds=5)
        await world.begin(*PAIR, name="b", rounds=5)
        bots = arrive(world, *PAIR)
        await asyncio.sleep(0.3)
        await world.organiser.cancel("a")
        assert (await world.over("b")).done == 10
        stop(bots)


@pytest.mark.parametrize("step", range(0, 40, 4))
@simulated
async def test_what_is_over_stays_over_when_the_last_result_and_a_cancel_meet(step: int) -> None:
    """At every moment around the last result, one of the two wins and nothing follows it."""
    async with World() as world:
        await world.begin(*PAIR, concurrency=2)
        bots = arrive(world, *PAIR)
        await anext(p async for p in world.organiser.watch("cup") if p.done)
        await asyncio.sleep(0.001 * step)
        await asyncio.gather(world.organiser.cancel("cup"), return_exceptions=True)
        over = state(await world.over())
        await asyncio.sleep(1.0)
        assert state(await world.organiser.get("cup")) is over
        stop(bots)
    states = [s for _, s in world.trace.all("tournament_changed")]
    assert states == [PLANNED, RUNNING, over]


@simulated
async def test_a_start_tells_in_which_states_tournaments_are() -> None:
    async with World() as world:
        await world.register(*PAIR)
        for name in ("a", "b", "c"):
            await world.organiser.create(settings(name), "")
        await world.organiser.cancel("b")
        await world.restart()
    assert world.trace.all("tournaments_found") == [
        ({}, {}),
        ({"a": PLANNED, "c": PLANNED}, {TournamentState.CANCELLED: 1}),
    ]


@simulated
async def test_the_end_of_a_tournament_is_stored_when_the_store_is_well_again() -> None:
    async with World() as world:
        await world.begin(*PAIR)
        bots = arrive(world, *PAIR)
        world.disk.no_state = True
        await asyncio.sleep(20.0)
        progress = await world.organiser.get("cup")
        assert (progress.done, state(progress)) == (progress.total, RUNNING)
        world.disk.no_state = False
        assert state(await world.over()) is FINISHED
        stop(bots)


# looking


@simulated
async def test_a_watcher_sees_the_beginning_and_the_end_and_at_most_two_a_second() -> None:
    async with World() as world:
        await world.begin(*PAIR, rounds=20, concurrency=1)
        bots = arrive(world, *PAIR)
        begun = world.loop.time()
        seen = [(world.loop.time(), p) async for p in world.organiser.watch("cup")]
        stop(bots)
    times = [when for when, _ in seen]
    assert times[0] == begun
    assert min(b - a for a, b in pairwise(times)) >= WATCH_PAUSE - 1e-6
    done = [progress.done for _, progress in seen]
    assert done == sorted(done)
    assert (done[-1], state(seen[-1][1])) == (40, FINISHED)


@simulated
async def test_a_watcher_of_a_tournament_that_is_over_sees_that_and_no_more() -> None:
    async with World() as world:
        await brought_to(world, CANCELLED)
        assert [state(p) async for p in world.organiser.watch("cup")] == [CANCELLED]


@simulated
async def test_tournaments_are_listed_newest_first_by_pages() -> None:
    async with World() as world:
        await world.register(*PAIR)
        for number in range(5):
            await world.organiser.create(settings(f"cup-{number}"), "")
        first = await world.organiser.list_tournaments(None, 2)
        rest = await world.organiser.list_tournaments(first[-1].tournament.number, 10)
    names = [p.tournament.settings.name for p in (*first, *rest)]
    assert names == ["cup-4", "cup-3", "cup-2", "cup-1", "cup-0"]


@simulated
async def test_matches_are_paged_by_their_position() -> None:
    async with World() as world:
        await world.begin(*PAIR, rounds=3)
        bots = arrive(world, *PAIR)
        await world.over()
        stop(bots)
        pages = [await world.organiser.matches("cup", after, 4) for after in (0, 4, 6)]
    assert [[m.result.position for m in page] for page in pages] == [[1, 2, 3, 4], [5, 6], []]


@simulated
async def test_bots_are_listed_by_name_with_what_they_do() -> None:
    async with World() as world:
        await world.register("cyd", "ann", "bob")
        bots = arrive(world, "bob")
        await asyncio.sleep(0.1)
        listed = await world.organiser.list_bots("", 2)
        rest = await world.organiser.list_bots("bob", 10)
        stop(bots)
    assert [(s.bot.name, s.connected) for s in (*listed, *rest)] == [
        ("ann", False),
        ("bob", True),
        ("cyd", False),
    ]


@simulated
async def test_a_rotated_token_ends_the_stream_of_the_old_one() -> None:
    async with World() as world:
        await world.register("ann")
        (ann,) = arrive(world, "ann")
        await asyncio.sleep(0.1)
        await world.organiser.rotate_token("ann")
        assert ann.peer is not None
        refusal = await ann.peer.ended
        await asyncio.sleep(0.1)
        assert not world.lobby.connected("ann")
        ann.stop()
    assert refusal is not None
    assert refusal.code == "TOKEN_REVOKED"


@simulated
async def test_a_record_that_is_not_there_is_refused() -> None:
    async with World() as world:
        assert await refused(world.organiser.record("cup/1/1/1", 0)) == "NO_RECORD"


@simulated
async def test_a_watcher_is_told_why_nothing_goes_on_and_that_it_goes_on_again() -> None:
    async with World() as world:
        bots = arrive(world, *PAIR)
        await brought_to(world, RUNNING)
        told: list[str] = []

        async def watch() -> None:
            async for progress in world.organiser.watch("cup"):
                told[len(told) :] = [progress.waiting_for]

        watching = asyncio.create_task(watch())
        world.disk.trouble = lambda: True
        await asyncio.sleep(60.0)
        assert told[-1] == "results cannot be stored (STORE_FULL); tried again"
        before = len(told)
        await asyncio.sleep(60.0)
        assert len(told) == before  # once is enough
        world.disk.trouble = lambda: False
        await watching
        assert told[-1] == ""
        stop(bots)


@simulated
async def test_matches_whose_records_were_deleted_have_none() -> None:
    async with World() as world:
        await world.register(*PAIR)
        await world.organiser.create(settings(), "")
        bots = arrive(world, *PAIR)
        await world.organiser.start("cup")
        async for progress in world.organiser.watch("cup"):
            if state(progress) is FINISHED:
                break
        world.organiser.records_dropped([("cup", 1), ("gone", 7)])
        listed = await world.organiser.matches("cup", 0, 2)
        stop(bots)
    assert [one.result.has_record for one in listed] == [False, True]
