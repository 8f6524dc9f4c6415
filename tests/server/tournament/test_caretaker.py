"""What happens without an organiser: starts at a time, an open door, quarantine, blind tables."""

import asyncio
from typing import Any

import pytest

from saurodrome.server.contracts import EntrantStatus, TournamentAct
from saurodrome.server.errors import Refused
from saurodrome.server.frames import Ended, Hello, MatchStarted, Outbound
from saurodrome.server.settings import Entry, Format, TournamentSettings
from saurodrome.server.store.records import EventKind, TournamentState
from tests.sim.bots import Bot, Silent
from tests.sim.cups import PLANNED, RUNNING, arrive, state, stop
from tests.sim.loop import simulated
from tests.sim.world import GAME, TIME, World

TRIO = ("ann", "bob", "cyd")


async def planned(world: World, *bots: str, **more: Any) -> TournamentSettings:
    """Create a tournament and do not start it."""
    await world.register(*bots)
    made = TournamentSettings("cup", *GAME, 2, bots, time=TIME, join_timeout=3.0, **more)
    await world.organiser.create(made, "")
    return made


async def kinds(world: World) -> list[tuple[EventKind, str, str]]:
    """Return what was done, to whom and by whom."""
    return [(e.kind, e.bot, e.who) for e in await world.organiser.events("cup", 0, 100)]


@simulated
async def test_a_tournament_starts_by_itself_at_its_time_also_after_a_crash() -> None:
    async with World() as world:
        start = world.loop.time() + 60.0
        await planned(world, *TRIO, start_at=start)
        bots = arrive(world, *TRIO)
        await asyncio.sleep(30.0)
        await world.crash()
        await asyncio.sleep(29.0)
        assert state(await world.organiser.get("cup")) is PLANNED
        progress = await world.over()
        stop(bots)
        started = progress.tournament.started
        events = await kinds(world)
    assert started is not None
    assert start <= started <= start + 2.0
    assert events == [(EventKind.STARTED, "", "rule")]
    assert progress.done == 6


@simulated
async def test_one_that_cannot_start_at_its_time_says_why_and_starts_once_it_can() -> None:
    async with World() as world:
        await world.register("ann", "bob")
        settings = TournamentSettings(
            "cup", *GAME, 2, (), time=TIME, start_at=world.loop.time() + 5.0, entry=Entry.OPEN
        )
        await world.organiser.create(settings, "")
        await asyncio.sleep(20.0)
        waiting = await world.organiser.get("cup")
        assert state(waiting) is PLANNED
        assert waiting.waiting_for.startswith("it should have started, but: ")
        bots = arrive(world, "ann", "bob")
        progress = await world.over()
        stop(bots)
    assert progress.done == 2


@simulated
async def test_through_an_open_door_bots_enter_as_they_come_until_it_closes() -> None:
    async with World() as world:
        await planned(world, entry=Entry.OPEN, entry_until=world.loop.time() + 10.0)
        await world.register(*TRIO, "dan", "eve")
        bots = arrive(world, "bob", "ann")
        other = Bot(world, "eve")
        other.hello = Hello("1", "sim", {"another-game": ()}, 2)
        await asyncio.sleep(5.0)
        entered = await world.organiser.get("cup")
        assert (entered.entrants, entered.total) == (2, 2)
        bots += arrive(world, "cyd")
        await asyncio.sleep(6.0)
        bots += arrive(world, "dan")
        await asyncio.sleep(3.0)
        assert (await world.organiser.get("cup")).entrants == 3
        act = TournamentAct(EventKind.JOINED, "dan", who="olga")
        with pytest.raises(Refused) as refusal:
            await world.organiser.act("cup", act)
        assert refusal.value.code == "ENTRY_CLOSED"
        await world.organiser.start("cup")
        progress = await world.over()
        stop([*bots, other])
        events = await kinds(world)
    assert progress.done == 6
    assert {bot for kind, bot, _ in events if kind is EventKind.JOINED} == set(TRIO)


@pytest.mark.case("P42")
@simulated
async def test_a_bot_that_forfeits_so_often_in_a_row_is_withdrawn_by_rule() -> None:
    async with World() as world:
        await world.begin("ann", "bob", "sil", rounds=8, quarantine_after=3)
        bots = [*arrive(world, "ann", "bob"), Silent(world, "sil")]
        progress = await world.over()
        table = await world.organiser.standings("cup")
        events = await kinds(world)
        stop(bots)
    assert (EventKind.WITHDRAWN, "sil", "rule") in events
    rows = {row.bot: row for row in table.rows}
    assert rows["sil"].status is EntrantStatus.WITHDRAWN
    assert rows["sil"].status_reason.endswith("forfeits in a row")
    assert 3 <= rows["sil"].forfeits < 32
    assert rows["ann"].status is rows["bob"].status is EntrantStatus.PLAYING
    assert progress.done == progress.total


@pytest.mark.parametrize("comes", [True, False])
@simulated
async def test_a_bot_in_quarantine_begins_no_further_match(comes: bool) -> None:
    """Neither one that answers nothing nor one that never comes, whose forfeits take no time."""
    async with World() as world:
        more: dict[str, Any] = {"quarantine_after": 3, "concurrency": 1, "join_timeout": 0.5}
        await world.begin("ann", "bob", "sil", rounds=8, **more)
        bots = arrive(world, "ann", "bob")
        silent = [Silent(world, "sil")] if comes else []
        await world.over()
        table = await world.organiser.standings("cup")
        stop([*bots, *silent])
    row = next(row for row in table.rows if row.bot == "sil")
    assert row.status_reason == "3 forfeits in a row"
    assert row.forfeits == 3


class Reading(Bot):
    """Keeps what it is told of players."""

    def __init__(self, world: World, name: str) -> None:
        """Begin with nothing."""
        self.players: set[str] = set()
        self.ids: list[str] = []
        self.ratings: set[float] = set()
        self.frames: list[Outbound] = []
        super().__init__(world, name)

    def hears(self, frame: Outbound) -> None:
        """Take a frame."""
        super().hears(frame)
        self.frames.append(frame)
        if isinstance(frame, MatchStarted):
            self.players |= {f"{p.bot} {p.display_name}" for p in frame.start.players}
            self.ids.append(frame.start.match_id)
        elif isinstance(frame, Ended):
            others = [r for s, r in enumerate(frame.end.results) if s != frame.end.seat]
            self.ratings |= {r.elo_before for r in others} | {r.elo_after for r in others}


@pytest.mark.case("HI-08")
@pytest.mark.parametrize("blind", [True, False])
@simulated
async def test_blind_opponents_see_seats_instead_of_names(blind: bool) -> None:
    async with World() as world:
        await world.begin(*TRIO, players=3, blind=blind)
        bots = [Reading(world, bot) for bot in TRIO]
        await world.over()
        stop([*bots])
        results = await world.results()
    for bot in bots:
        if blind:
            rivals = [name for name in TRIO if name != bot.name]
            assert not [name for name in rivals if name in repr(bot.frames)]
            assert bot.ratings == {0.0}
            assert len(set(bot.ids)) == len(results)
            assert not {result.match_id for result in results} & set(bot.ids)
        named = {player for player in bot.players if not player.startswith("seat-")}
        if blind:
            assert named == {f"{bot.name} {bot.name}"}
            assert bot.players - named == {"seat-1 seat 1", "seat-2 seat 2", "seat-3 seat 3"}
        else:
            assert bot.players == {f"{name} {name}" for name in TRIO}
    assert {seat.bot for result in results for seat in result.seats} == set(TRIO)


@simulated
async def test_a_paused_tournament_is_left_alone_by_rules_for_bots() -> None:
    async with World() as world:
        await world.begin("ann", "sil", rounds=8, quarantine_after=2, concurrency=1)
        bots = [*arrive(world, "ann"), Silent(world, "sil")]
        await asyncio.sleep(0.2)
        await world.organiser.pause("cup")
        await asyncio.sleep(5.0)
        progress = await world.organiser.get("cup")
        assert progress.tournament.state is TournamentState.PAUSED
        assert state(await world.organiser.resume("cup")) is RUNNING
        await world.over()
        stop(bots)
        assert (EventKind.WITHDRAWN, "sil", "rule") in await kinds(world)


@pytest.mark.parametrize("form", [Format.SWISS, Format.ROUND_ROBIN])
@simulated
async def test_who_comes_late_through_an_open_door_plays_from_then_on(form: Format) -> None:
    async with World() as world:
        rounds = 3 if form is Format.SWISS else 1
        await planned(world, *TRIO, "dan", entry=Entry.OPEN, format=form, rounds=rounds)
        await world.register("eve", "fay")
        bots = arrive(world, *TRIO, "dan")
        for bot in bots:
            bot.thinks = lambda decision: 0.03  # type: ignore[method-assign]
        await world.organiser.start("cup")
        await asyncio.sleep(0.3)
        bots += arrive(world, "eve", "fay")
        progress = await world.over()
        stop(bots)
        results = await world.results()
    assert progress.entrants == 6
    played = {seat.bot for result in results for seat in result.seats}
    assert played == {*TRIO, "dan", "eve", "fay"}
    assert progress.done == progress.total
