"""What organisers do to a running tournament, what becomes of it, and that all of it is noted."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from saurodrome.server.contracts import EntrantStatus, Table, TableRow, TournamentAct
from saurodrome.server.errors import Refused
from saurodrome.server.settings import Format
from saurodrome.server.store.records import Event, EventKind, Result, Termination, TournamentState
from tests.sim.cups import arrive, settings, stop
from tests.sim.loop import simulated
from tests.sim.world import World

TRIO = ("ann", "bob", "cyd")


async def act(
    world: World, kind: EventKind, bot: str = "", match_id: str = "", **more: Any
) -> Event:
    """Do something as an organiser."""
    said = TournamentAct(kind, bot, match_id, reason="because", who="olga")._replace(**more)
    return (await world.organiser.act("cup", said))[1]


async def refused(work: Any) -> str:
    """Return the code with which something is refused."""
    with pytest.raises(Refused) as refusal:
        await work
    assert refusal.value.what
    assert refusal.value.do
    return refusal.value.code


def row(table: Table, bot: str) -> TableRow:
    """Return a bot's line."""
    return next(row for row in table.rows if row.bot == bot)


def of(results: tuple[Result, ...], bot: str) -> list[Result]:
    """Return the results of a bot."""
    return [r for r in results if bot in [seat.bot for seat in r.seats]]


async def progressed(world: World, results: int, bot: str = "") -> None:
    """Wait until there are so many results, of a bot or of all."""
    for _ in range(1_000):
        found = await world.results()
        if len(of(found, bot) if bot else found) >= results:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"there were not {results} results in time")


# voiding


@simulated
async def test_a_void_match_counts_no_more_stays_in_the_log_and_is_played_again() -> None:
    async with World() as world:
        await world.begin(*TRIO, rounds=3, concurrency=2)
        bots = arrive(world, *TRIO)
        await progressed(world, 4)
        voided = (await world.results())[1]
        event = await act(world, EventKind.VOIDED, match_id=voided.match_id)
        during = await world.organiser.get("cup")
        progress = await world.over()
        table = await world.organiser.standings("cup")
        listed = await world.organiser.matches("cup", 0, 100)
        stop(bots)
        results = await world.results()
    assert (event.match_id, event.reason, event.who) == (voided.match_id, "because", "olga")
    assert event.position >= voided.position
    assert during.void_results == 1
    assert results[1] == voided
    assert (progress.done, progress.total, progress.position) == (18, 18, 19)
    again = [r for r in results if r.match_id == voided.match_id + "r1"]
    assert [[s.bot for s in r.seats] for r in again] == [[s.bot for s in voided.seats]]
    assert [(m.result.match_id, m.void) for m in listed if m.void] == [(voided.match_id, "because")]
    assert {row.matches for row in table.rows} == {12}  # 3 rounds against two bots, both seats
    # Live Elo is what the results that count come to, from the beginning.
    assert sum(row.elo_live for row in table.rows) == pytest.approx(3 * 1500.0)
    assert [row.elo_live for row in table.rows] != [
        of(results, row.bot)[-1].seats[0].elo_after for row in table.rows
    ]


@simulated
async def test_what_cannot_be_voided_is_refused() -> None:
    async with World() as world:
        await world.begin(*TRIO, rounds=3, concurrency=1)
        bots = arrive(world, *TRIO)
        await progressed(world, 1)
        first = (await world.results())[0].match_id
        for match_id in ("cup/9/9/9", "cup", "", "other/1/1/1"):
            assert await refused(act(world, EventKind.VOIDED, match_id=match_id)) == "NO_RESULT"
        await act(world, EventKind.VOIDED, match_id=first)
        assert await refused(act(world, EventKind.VOIDED, match_id=first)) == "ALREADY_VOID"
        stop(bots)


@simulated
async def test_a_request_that_comes_again_is_one_event() -> None:
    async with World() as world:
        await world.begin(*TRIO)
        arguments = (world, EventKind.WITHDRAWN, "cyd")
        both = await asyncio.gather(*(act(*arguments, request_id="r") for _ in range(2)))
        assert both[0] == both[1] == await act(*arguments, request_id="r")
        kinds = [event.kind for event in await world.organiser.events("cup", 0, 10)]
    assert kinds == [EventKind.STARTED, EventKind.WITHDRAWN]


@simulated
async def test_one_that_is_finished_may_still_lose_a_result_and_plays_nothing_again() -> None:
    async with World() as world:
        await world.begin(*TRIO)
        bots = arrive(world, *TRIO)
        await world.over()
        first = (await world.results())[0]
        await act(world, EventKind.VOIDED, match_id=first.match_id)
        table = await world.organiser.standings("cup")
        await asyncio.sleep(5.0)
        stop(bots)
        assert len(await world.results()) == 6
        progress = await world.organiser.get("cup")
    assert progress.tournament.state is TournamentState.FINISHED
    assert {row(table, seat.bot).matches for seat in first.seats} == {3}


# bots come and go


@simulated
async def test_what_a_withdrawn_bot_did_not_come_to_is_void_for_the_others() -> None:
    async with World() as world:
        world.disk.takes = 0.02  # a forfeit takes no other time
        await world.begin("ann", "bob", "cyd", "dan", concurrency=1, join_timeout=1.0)
        bots = arrive(world, "ann", "bob", "cyd")
        await progressed(world, 2, "dan")
        missed = of(await world.results(), "dan")
        event = await act(world, EventKind.WITHDRAWN, "dan")
        await world.over()
        table = await world.organiser.standings("cup")
        listed = await world.organiser.matches("cup", 0, 100)
        stop(bots)
    assert {r.termination for r in missed} == {Termination.ABSENT}
    of_dan = [m for m in listed if "dan" in [s.bot for s in m.result.seats]]
    assert all(m.void for m in of_dan)
    assert len(of_dan) - len(missed) <= 1  # one may have been on its way to the log
    assert all(m.result.position <= event.position + 1 for m in of_dan)
    dan = row(table, "dan")
    assert (dan.status, dan.status_reason) == (EntrantStatus.WITHDRAWN, "because")
    assert (dan.matches, dan.forfeits) == (0, len(missed))
    # The others met, and where dan had not come, somebody sat down instead.
    rows = [row(table, bot) for bot in ("ann", "bob", "cyd")]
    assert sum(r.matches for r in rows) == 2 * (6 + len(missed))
    assert sum(r.forfeits for r in rows) == 0


@simulated
async def test_what_a_withdrawn_bot_played_counts_and_it_comes_back() -> None:
    async with World() as world:
        await world.begin(*TRIO, rounds=4, concurrency=1)
        bots = arrive(world, *TRIO)
        await progressed(world, 6)
        await act(world, EventKind.WITHDRAWN, "cyd")
        await asyncio.sleep(0.1)
        played = len(of(await world.results(), "cyd"))
        assert row(await world.organiser.standings("cup"), "cyd").matches == played
        await act(world, EventKind.READMITTED, "cyd")
        assert (await world.over()).done == 24
        table = await world.organiser.standings("cup")
        stop(bots)
    assert {(r.bot, r.matches, r.status) for r in table.rows} == {
        (bot, 16, EntrantStatus.PLAYING) for bot in TRIO
    }


@simulated
async def test_a_match_in_flight_of_a_bot_that_is_withdrawn_is_stopped() -> None:
    async with World() as world:
        await world.begin(*TRIO, concurrency=8)
        bots = arrive(world, *TRIO)
        for bot in bots:
            bot.thinks = lambda decision: 0.15  # type: ignore[method-assign]
        await asyncio.sleep(0.5)
        await act(world, EventKind.WITHDRAWN, "cyd")
        await asyncio.sleep(0.1)
        assert world.lobby.playing("cyd") == 0
        progress = await world.over()
        stop(bots)
    assert progress.done == progress.total == 2
    assert of(await world.results(), "cyd") == []


@simulated
async def test_nothing_of_a_disqualified_bot_counts_and_it_comes_last() -> None:
    async with World() as world:
        await world.begin(*TRIO, rounds=2)
        bots = arrive(world, *TRIO)
        await progressed(world, 6)
        await act(world, EventKind.DISQUALIFIED, "ann")
        assert await refused(act(world, EventKind.READMITTED, "ann")) == "WRONG_STATUS"
        await world.over()
        table = await world.organiser.standings("cup")
        listed = await world.organiser.matches("cup", 0, 100)
        stop(bots)
    last = table.rows[-1]
    assert (last.bot, last.status, last.matches) == ("ann", EntrantStatus.DISQUALIFIED, 0)
    assert [(r.bot, r.matches) for r in table.rows[:2]] == [(r.bot, 4) for r in table.rows[:2]]
    for match in listed:
        mine = "ann" in [seat.bot for seat in match.result.seats]
        assert bool(match.void) is mine
    assert "ann was disqualified" in {match.void for match in listed}


@simulated
async def test_a_late_entry_meets_everybody() -> None:
    async with World() as world:
        await world.begin("ann", "bob", rounds=2)
        await world.register("cyd")
        bots = arrive(world, *TRIO)
        await progressed(world, 1)
        before = await world.organiser.standings("cup")
        event = await act(world, EventKind.JOINED, "cyd")
        progress = await world.over()
        table = await world.organiser.standings("cup")
        stop(bots)
        results = await world.results()
    assert (event.bot, event.role) == ("cyd", "")
    assert {row.bot for row in before.rows} == {"ann", "bob"}
    assert {row.bot: row.matches for row in table.rows} == dict.fromkeys(TRIO, 8)
    assert (progress.done, progress.entrants) == (12, 3)
    met = Counter(frozenset(s.bot for s in r.seats) for r in results)
    assert set(met.values()) == {4}
    assert len(met) == 3


@simulated
async def test_before_the_start_entries_change_what_is_planned() -> None:
    async with World() as world:
        await world.register(*TRIO, "dan")
        await world.organiser.create(settings(bots=TRIO), "")
        await act(world, EventKind.JOINED, "dan")
        assert (await world.organiser.get("cup")).total == 12
        await act(world, EventKind.WITHDRAWN, "ann")
        assert (await world.organiser.get("cup")).total == 6
        await world.crash()
        assert (await world.organiser.get("cup")).total == 6
        await world.organiser.start("cup")
        bots = arrive(world, "bob", "cyd", "dan")
        assert (await world.over()).done == 6
        stop(bots)


@pytest.mark.parametrize(
    ("kind", "bot", "code"),
    [
        (EventKind.JOINED, "ann", "ALREADY_ENTERED"),
        (EventKind.JOINED, "eve", "UNKNOWN_BOT"),
        (EventKind.WITHDRAWN, "dan", "NOT_ENTERED"),
        (EventKind.WITHDRAWN, "cyd", "WRONG_STATUS"),
        (EventKind.READMITTED, "ann", "WRONG_STATUS"),
        (EventKind.JOINED, "cyd", "ALREADY_ENTERED"),
    ],
)
@simulated
async def test_what_cannot_be_done_is_refused_and_changes_nothing(
    kind: EventKind, bot: str, code: str
) -> None:
    async with World() as world:
        await world.begin(*TRIO)
        await world.register("dan")
        await act(world, EventKind.WITHDRAWN, "cyd")
        before = await world.organiser.events("cup", 0, 10)
        assert await refused(act(world, kind, bot)) == code
        assert await world.organiser.events("cup", 0, 10) == before


@simulated
async def test_a_knockout_that_has_begun_takes_nobody() -> None:
    async with World() as world:
        await world.begin("ann", "bob", format=Format.KNOCKOUT)
        await world.register("cyd")
        assert await refused(act(world, EventKind.JOINED, "cyd")) == "ENTRY_CLOSED"


@simulated
async def test_a_cancelled_tournament_is_left_alone() -> None:
    async with World() as world:
        await world.begin(*TRIO)
        await world.organiser.cancel("cup")
        for kind in (EventKind.WITHDRAWN, EventKind.DISQUALIFIED):
            assert await refused(act(world, kind, "ann")) == "WRONG_STATE"


@simulated
async def test_when_everybody_is_withdrawn_it_is_over() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        await act(world, EventKind.WITHDRAWN, "ann")
        progress = await world.over()
    assert progress.tournament.state is TournamentState.FINISHED
    assert progress.total == 0


# crashes and trouble


@pytest.mark.parametrize("moment", [0.3, 0.9])
@simulated
async def test_acts_outlive_a_crash_with_the_same_table(moment: float) -> None:
    async with World(7) as world:
        await world.begin(*TRIO, "dan", rounds=3, concurrency=2)
        bots = arrive(world, *TRIO, "dan")
        await progressed(world, 4)
        await act(world, EventKind.VOIDED, match_id=(await world.results())[2].match_id)
        await act(world, EventKind.WITHDRAWN, "dan")
        await world.organiser.pause("cup")
        await asyncio.sleep(moment)
        before = (await world.organiser.standings("cup")).rows
        done = (await world.organiser.get("cup")).done
        await world.crash()
        assert (await world.organiser.standings("cup")).rows == before
        assert (await world.organiser.get("cup")).done == done
        await world.organiser.resume("cup")
        progress = await world.over()
        stop(bots)
    assert progress.done == progress.total


@simulated
async def test_an_act_that_cannot_be_stored_is_refused_and_changes_nothing() -> None:
    async with World() as world:
        await world.begin(*TRIO, rounds=2)
        world.disk.trouble = lambda: True
        assert await refused(act(world, EventKind.WITHDRAWN, "cyd")) == "STORE_FULL"
        assert [code for code, _, _ in world.trace.all("commit_failed")] == ["STORE_FULL"]
        world.disk.trouble = lambda: False
        assert [e.kind for e in await world.organiser.events("cup", 0, 9)] == [EventKind.STARTED]
        bots = arrive(world, *TRIO)
        assert (await world.over()).done == 12
        stop(bots)


@simulated
async def test_an_act_that_was_stored_without_a_word_has_happened() -> None:
    async with World() as world:
        await world.begin(*TRIO, rounds=2)
        world.disk.lost_word = lambda: True
        assert await refused(act(world, EventKind.WITHDRAWN, "cyd")) == "STORE_FAILING"
        world.disk.lost_word = lambda: False
        kinds = [e.kind for e in await world.organiser.events("cup", 0, 9)]
        assert kinds == [EventKind.STARTED, EventKind.WITHDRAWN]
        bots = arrive(world, *TRIO)
        assert (await world.over()).done == 4
        stop(bots)
