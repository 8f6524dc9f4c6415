"""Tournaments that are over leave memory, and are one object each for all who come back to them."""

import asyncio
import gc
from typing import Any, Never

import pytest

from saurodrome.server.contracts import TournamentAct
from saurodrome.server.errors import Refused
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import EventKind
from saurodrome.server.tournament import shelf
from tests.server.tournament.shelves import MINUTE, drop, in_memory, played
from tests.sim.cups import (
    CANCELLED,
    FINISHED,
    PAIR,
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

pytestmark = pytest.mark.usefixtures("others_out_of_sight")


@pytest.fixture(autouse=True)
def _nothing_left_of_others() -> None:
    gc.collect()


@simulated
async def test_few_of_many_that_are_over_stay_in_memory_and_no_garbage_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "MOST", 3)
    names = [f"cup-{number}" for number in range(7)]
    async with World() as world:
        gc.collect()
        gc.disable()
        try:
            await played(world, *names)
            await played(world, "last")
            assert in_memory() == ["cup-5", "cup-6", "last"]
        finally:
            gc.enable()
        assert world.arbiter.recorder._logs == {}
        shown = await world.organiser.list_tournaments(None, 100)
        assert [p.tournament.settings.name for p in shown] == ["last", *reversed(names)]
        assert {(p.done, p.total, state(p)) for p in shown} == {(2, 2, FINISHED)}
        assert len(in_memory()) == 3


@simulated
async def test_one_that_ended_in_the_last_minute_stays_since_its_rate_still_falls() -> None:
    async with World() as world:
        bots = arrive(world, *PAIR)
        names = [f"cup-{number}" for number in range(shelf.MOST + 2)]
        for name in names:
            await world.begin(*PAIR, name=name)
        for name in names:
            await world.over(name)
        stop(bots)
        assert (await world.organiser.get("cup-0")).rate > 0
        assert len(in_memory()) == len(names)
        await asyncio.sleep(MINUTE)
        assert (await world.organiser.get("cup-0")).rate == 0
        await world.organiser.matches("cup-0", 0, 1)
        assert len(in_memory()) == shelf.MOST


@simulated
async def test_those_with_many_results_make_room_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "MOST_RESULTS", 5)
    async with World() as world:
        await played(world, "a", "b", "c")
        await world.organiser.matches("c", 0, 1)
        assert in_memory() == ["b", "c"]  # two results each


@simulated
async def test_after_a_restart_only_those_are_in_memory_that_are_not_over() -> None:
    async with World() as world:
        await played(world, "old")
        await world.begin(*PAIR, name="new")
        await brought_away(world)
        before = await world.organiser.list_tournaments(None, 10)
        await world.restart()
        gc.collect()  # of the process before
        assert in_memory() == ["new"]
        assert await world.organiser.list_tournaments(None, 10) == before
        assert {*world.organiser.latest(10)} == {*before}
        assert [p.tournament.settings.name for p in world.organiser.running()] == ["new"]
        assert in_memory() == ["new"]


async def brought_away(world: World) -> None:
    """Cancel one more before it began."""
    await world.organiser.create(settings("never"), "")
    await world.organiser.cancel("never")
    await asyncio.sleep(0.0)


@simulated
async def test_what_an_older_server_did_not_note_is_read_from_the_log_once() -> None:
    async with World() as world:
        await played(world, "cup")
        before = await world.organiser.get("cup")
        inner = world.disk.inner
        assert isinstance(inner, MemoryStore)
        inner._counts.clear()
        await world.restart()
        assert (await world.organiser.list_tournaments(None, 10)) == (before,)
        assert inner._counts.keys() == {"cup"}


@simulated
async def test_lists_are_paged_beyond_those_that_are_known_without_a_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "RECENT", 2)
    async with World() as world:
        await world.register(*PAIR)
        await world.organiser.create(settings("going"), "")
        await played(world, "a", "b", "c", "d")

        async def pages() -> list[list[str]]:
            found, before = [], None
            while page := await world.organiser.list_tournaments(before, 2):
                found.append([p.tournament.settings.name for p in page])
                before = page[-1].tournament.number
            return found

        expected = [["d", "c"], ["b", "a"], ["going"]]
        assert await pages() == expected
        await world.restart()
        assert await pages() == expected
        latest = [p.tournament.settings.name for p in world.organiser.latest(10)]
        assert latest == ["d", "c", "going"]


@simulated
async def test_a_page_of_those_that_are_known_needs_no_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "RECENT", 2)
    async with World() as world:
        await world.register(*PAIR)
        await played(world, "a", "b", "c")

        async def gone(before: int | None, limit: int) -> Never:
            raise StoreTrouble("STORE_GONE", "gone")

        monkeypatch.setattr(world.organiser._shelf._store, "over", gone)
        newest, *others = await world.organiser.list_tournaments(None, 2)
        assert [p.tournament.settings.name for p in (newest, *others)] == ["c", "b"]
        with pytest.raises(StoreTrouble):
            await world.organiser.list_tournaments(None, 3)
        with pytest.raises(StoreTrouble):
            await world.organiser.list_tournaments(newest.tournament.number, 2)


# one object of each


@simulated
async def test_readers_who_come_at_once_share_one_read_and_one_may_leave() -> None:
    async with World() as world:
        await played(world, "cup")
        await drop(world, "cup")
        asked: list[str] = []
        read = world.disk.inner.results
        goes_on = asyncio.Event()

        async def slow(name: str) -> Any:
            asked.append(name)
            await goes_on.wait()
            return await read(name)

        world.disk.inner.results = slow  # type: ignore[method-assign, assignment]
        readers = [asyncio.create_task(world.organiser.matches("cup", 0, 9)) for _ in range(5)]
        await asyncio.sleep(0.1)
        readers[0].cancel()
        await asyncio.sleep(0.1)
        goes_on.set()
        first, *others = await asyncio.gather(*readers, return_exceptions=True)
        assert isinstance(first, asyncio.CancelledError)
        assert all(found == others[0] for found in others)
        assert asked == ["cup"]
        assert in_memory() == ["cup"]


@simulated
async def test_who_holds_one_while_it_ends_and_leaves_finds_it_again() -> None:
    async with World() as world:
        await world.begin(*PAIR)
        watcher = world.organiser.watch("cup")
        assert state(await anext(watcher)) is RUNNING
        await played(world, "other")
        await world.over()
        world.organiser._shelf._at_hand.clear()
        assert in_memory() == ["cup"]  # the watcher's
        await disqualify_bob(world)
        assert in_memory() == ["cup"]
        seen = [progress async for progress in watcher]
        assert [(state(p), p.void_results) for p in seen] == [(FINISHED, 2)]
        assert (await world.organiser.get("cup")) == seen[0]


async def disqualify_bob(world: World) -> None:
    """Disqualify bob, so that none of the results counts."""
    act = TournamentAct(EventKind.DISQUALIFIED, "bob", reason="x", who="olga", request_id="r")
    await world.organiser.act("cup", act)


@simulated
async def test_an_act_on_one_that_has_left_is_done_once_and_shown_everywhere() -> None:
    async with World() as world:
        await played(world, "cup")
        await drop(world, "cup")
        await disqualify_bob(world)
        await drop(world, "cup")
        await disqualify_bob(world)  # the same request
        await drop(world, "cup")
        assert (await world.organiser.get("cup")).void_results == 2
        assert in_memory() == []
        assert len(await world.organiser.events("cup", 0, 9)) == 2
        table = await world.organiser.standings("cup")
        assert [row.matches for row in table.rows] == [0, 0]
        await world.restart()
        assert world.organiser.latest(1)[0].void_results == 2


@simulated
async def test_a_name_stays_taken_and_a_request_done() -> None:
    async with World() as world:
        await world.register(*PAIR)
        await world.organiser.create(settings(), "r1")
        await world.organiser.cancel("cup")
        for _ in range(2):
            again = await world.organiser.create(settings(), "r1")
            assert state(again) is CANCELLED
            with pytest.raises(Refused, match="NAME_TAKEN"):
                await world.organiser.create(settings(), "r2")
            assert state(await world.organiser.cancel("cup")) is CANCELLED
            with pytest.raises(Refused, match="WRONG_STATE"):
                await world.organiser.start("cup")
            assert world.organiser._shelf.going == []
            await world.restart()
    assert world.trace.all("tournament_changed") == [("cup", PLANNED), ("cup", CANCELLED)]


@simulated
async def test_who_asks_for_an_unknown_one_is_told_the_first_names() -> None:
    async with World() as world:
        await played(world, *"jihgfedcba")
        await world.restart()
        with pytest.raises(Refused) as refusal:
            await world.organiser.standings("cup")
    assert refusal.value.do == "there are: a, b, c, d, e, f, g, h"


# trouble


@simulated
async def test_where_it_stands_is_known_though_the_store_could_not_note_it() -> None:
    async with World() as world:

        async def fails(name: str, counts: object) -> None:
            raise StoreTrouble("STORE_FULL", "no space left")

        world.disk.inner.set_counts = fails  # type: ignore[method-assign]
        await played(world, "cup")
        before = await world.organiser.get("cup")
        await drop(world, "cup")
        assert await world.organiser.list_tournaments(None, 9) == (before,)
        del world.disk.inner.set_counts
        await world.restart()
        assert await world.organiser.get("cup") == before


@pytest.mark.parametrize("goal", [FINISHED, CANCELLED])
@simulated
async def test_what_cannot_be_read_now_is_told_and_read_the_next_time(goal: Any) -> None:
    async with World() as world:
        bots = arrive(world, *PAIR)
        await brought_to(world, goal)
        stop(bots)
        await asyncio.sleep(MINUTE)
        await drop(world, "cup")
        read = world.disk.inner.results

        async def fails(name: str) -> Any:
            raise StoreTrouble("STORE_GONE", "gone")

        world.disk.inner.results = fails  # type: ignore[method-assign, assignment]
        with pytest.raises(StoreTrouble, match="STORE_GONE"):
            await world.organiser.matches("cup", 0, 9)
        world.disk.inner.results = read  # type: ignore[method-assign]
        assert len(await world.organiser.matches("cup", 0, 9)) == (2 if goal is FINISHED else 0)


@simulated
async def test_records_that_are_deleted_while_a_log_is_read_are_not_shown_as_there() -> None:
    async with World() as world:
        await played(world, "cup")
        await drop(world, "cup")
        read = world.disk.inner.results

        async def deleted_meanwhile(name: str) -> Any:
            found = await read(name)
            if dropped := await world.disk.inner.drop_records(world.loop.time() + 1, 9):
                world.organiser.records_dropped(dropped)
            return found

        world.disk.inner.results = deleted_meanwhile  # type: ignore[method-assign, assignment]
        shown = await world.organiser.matches("cup", 0, 9)
        assert [listed.result.has_record for listed in shown] == [False, False]
