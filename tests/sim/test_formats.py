"""Whole tournaments of every format in virtual time, with bots that misbehave, and crashes."""

import asyncio
from collections import Counter

import pytest

from saurodrome.server.contracts import EntrantStatus
from saurodrome.server.settings import Entry, Format
from saurodrome.server.store.records import EventKind, Result, Termination, TournamentState
from tests.sim.bots import Bot, Latecomer, Silent
from tests.sim.loop import simulated
from tests.sim.world import World

ROUNDS = 7


class Crashing(Bot):
    """Dies in its second match and never comes back."""

    def load(self, frame: object) -> None:
        """Gets ready, but for the second time."""
        self.loaded = getattr(self, "loaded", 0) + 1
        if self.loaded > 2:
            self.stop()
        else:
            super().load(frame)  # type: ignore[arg-type]


def names(count: int) -> list[str]:
    """Return names of bots."""
    return [f"bot-{number:02}" for number in range(1, count + 1)]


def pairs_by_round(results: tuple[Result, ...]) -> dict[int, list[frozenset[str]]]:
    """Return the pairings of each round."""
    rounds: dict[int, dict[str, frozenset[str]]] = {}
    for result in results:
        _, number, pairing, _ = result.match_id.split("/")
        rounds.setdefault(int(number), {})[pairing] = frozenset(s.bot for s in result.seats)
    return {number: list(pairs.values()) for number, pairs in rounds.items()}


def of(results: tuple[Result, ...], bot: str) -> list[Result]:
    """Return the results of a bot."""
    return [r for r in results if bot in [seat.bot for seat in r.seats]]


def check_swiss(results: tuple[Result, ...], rounds: int, bots: int) -> None:
    """Everybody plays once a round, nobody meets twice, and no match counts twice."""
    assert len({r.match_id for r in results}) == len(results)
    by_round = pairs_by_round(results)
    assert sorted(by_round) == list(range(1, rounds + 1))
    for pairs in by_round.values():
        assert len(pairs) == bots // 2
        assert len(frozenset().union(*pairs)) == 2 * len(pairs)
    met = Counter(pair for pairs in by_round.values() for pair in pairs)
    assert set(met.values()) == {1}


@pytest.mark.slow
@simulated
async def test_a_swiss_of_64_with_bots_that_crash_hang_come_late_or_never_ends_by_itself() -> None:
    async with World(max_matches=32) as world:
        bots = names(64)
        never, crashing, hanging, late, other = bots[3], bots[17], bots[30], bots[44], bots[60]
        await world.begin(*bots, format=Format.SWISS, rounds=ROUNDS, concurrency=32)
        kinds = {crashing: Crashing, hanging: Silent, late: Latecomer, other: Silent}
        here = [kinds.get(bot, Bot)(world, bot) for bot in bots if bot != never]
        progress = await world.over()
        table = await world.organiser.standings("cup")
        told = {
            bot: [fault for _, fault in await world.organiser.faults("cup", bot, None, 500)]
            for bot in (never, hanging, crashing, bots[0])
        }
        for bot in here:
            bot.stop()
        results = await world.results()
    assert progress.tournament.state is TournamentState.FINISHED
    assert progress.done == progress.total == len(results) == ROUNDS * 32 * 2
    check_swiss(results, ROUNDS, 64)
    rows = {row.bot: row for row in table.rows}
    assert {r.termination for r in of(results, never)} <= {
        Termination.ABSENT,
        Termination.NO_CONTEST,
    }
    assert rows[never].matches == rows[never].forfeits == rows[never].lost > 0
    won_by_absence = sum(r.termination is Termination.ABSENT for r in of(results, hanging))
    assert rows[hanging].matches - won_by_absence == rows[hanging].forfeits > 0
    assert rows[hanging].timeouts > 0
    assert rows[crashing].forfeits > 0
    assert 0 < rows[late].forfeits < rows[late].matches
    honest = [row for row in table.rows if row.bot not in {never, *kinds}]
    assert sum(row.forfeits + row.timeouts for row in honest) == 0
    assert not {never, hanging, crashing} & {row.bot for row in table.rows[:32]}
    said = {bot: {fault.kind for fault in faults} for bot, faults in told.items()}
    assert said[never] == {"ABSENT"}
    assert "TIMED_OUT" in said[hanging]
    assert {"ABSENT"} <= said[crashing]
    assert said[bots[0]] == set()


@pytest.mark.parametrize("step", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
@simulated
async def test_a_crash_in_a_round_of_a_swiss_gives_the_same_pairing_and_loses_nothing(
    step: int,
) -> None:
    async with World(step) as world:
        bots = names(6)
        await world.begin(*bots, format=Format.SWISS, rounds=3, concurrency=2)
        here = [Bot(world, bot) for bot in bots]
        await asyncio.sleep(0.5 + 0.3 * step)
        before = await world.results()
        assert before
        await world.crash()
        assert (await world.results())[: len(before)] == before
        progress = await world.over()
        for bot in here:
            bot.stop()
        results = await world.results()
        check_swiss(results, 3, 6)
        assert progress.done == progress.total == len(results) == 3 * 3 * 2
        assert [r.position for r in results] == list(range(1, len(results) + 1))
        # Folded once more from its beginning, the log gives the same matches and table.
        table = await world.organiser.standings("cup")
        await world.restart()
        again = await world.organiser.standings("cup")
    assert again.rows == table.rows
    assert again.progress.done == again.progress.total


@simulated
async def test_a_knockout_has_one_winner_who_beat_all_that_it_met() -> None:
    async with World() as world:
        bots = names(6)
        await world.begin(*bots, format=Format.KNOCKOUT)
        here = [Bot(world, bot) for bot in bots]
        progress = await world.over()
        table = await world.organiser.standings("cup")
        for bot in here:
            bot.stop()
        results = await world.results()
    assert progress.done == len(results)
    by_round = pairs_by_round(results)
    assert [len(by_round[number]) for number in (1, 2, 3)] == [2, 2, 1]  # six bots: two byes
    winner = table.rows[0]
    assert (winner.rank, [row.rank for row in table.rows].count(1)) == (1, 1)
    assert all(row.rank_low == row.rank_high == row.rank for row in table.rows)
    final = by_round[3][0]
    assert winner.bot in final
    assert table.rows[1].bot in final


@simulated
async def test_a_candidate_of_a_gauntlet_meets_the_field_and_the_field_not_itself() -> None:
    async with World() as world:
        bots = names(5)
        await world.begin(*bots, format=Format.GAUNTLET, candidates=(bots[0], bots[1]))
        here = [Bot(world, bot) for bot in bots]
        await world.over()
        for bot in here:
            bot.stop()
        results = await world.results()
    met = Counter(frozenset(s.bot for s in r.seats) for r in results)
    assert met == {frozenset({c, f}): 2 for c in bots[:2] for f in bots[2:]}


@simulated
async def test_a_slow_bot_does_not_stall_the_rest() -> None:
    async with World() as world:
        bots = names(6)
        await world.begin(*bots)
        slow = Bot(world, bots[0])
        slow.thinks = lambda decision: 0.19  # type: ignore[method-assign]
        here = [slow, *(Bot(world, bot) for bot in bots[1:])]
        others = 2 * 10  # five others, ten pairs
        while True:
            await asyncio.sleep(0.1)
            done = await world.results()
            free = sum(bots[0] not in [s.bot for s in r.seats] for r in done)
            if free == others:
                break
        assert len(done) < 2 * 15  # the slow one still plays
        await world.over()
        for bot in here:
            bot.stop()


@simulated
async def test_a_tournament_of_nobody_who_comes_ends_by_itself() -> None:
    async with World() as world:
        await world.begin(*names(4), format=Format.SWISS, rounds=2)
        progress = await world.over()
        events = await world.organiser.events("cup", 0, 10)
        table = await world.organiser.standings("cup")
    assert progress.done == progress.total == 8
    assert {r.termination for r in await world.results()} == {Termination.NO_CONTEST}
    assert [event.kind for event in events] == [EventKind.STARTED]
    assert {row.status for row in table.rows} == {EntrantStatus.PLAYING}


@simulated
async def test_on_a_ladder_bots_come_and_go_and_a_long_absence_is_no_row_of_forfeits() -> None:
    async with World() as world:
        bots = names(5)
        await world.register(*bots)
        await world.begin(
            *bots[:4], format=Format.LADDER, matches=60, entry=Entry.OPEN, concurrency=4
        )
        here = {bot: Bot(world, bot) for bot in bots[:4]}
        for bot in here.values():
            bot.thinks = lambda decision: 0.02  # type: ignore[method-assign]
        await asyncio.sleep(1.0)
        here[bots[0]].stop()
        await asyncio.sleep(4.0)  # longer than join_timeout
        left = await world.organiser.standings("cup")
        here[bots[0]] = Bot(world, bots[0])
        here[bots[4]] = Bot(world, bots[4])
        progress = await world.over()
        table = await world.organiser.standings("cup")
        for bot in here.values():
            bot.stop()
        events = await world.organiser.events("cup", 0, 100)
        results = await world.results()
    away = next(row for row in left.rows if row.bot == bots[0])
    assert away.status is EntrantStatus.WITHDRAWN
    kinds = [(event.kind, event.bot) for event in events]
    assert (EventKind.WITHDRAWN, bots[0]) in kinds
    assert kinds.index((EventKind.READMITTED, bots[0])) > kinds.index(
        (EventKind.WITHDRAWN, bots[0])
    )
    assert (EventKind.JOINED, bots[4]) in kinds
    assert 50 <= progress.done == progress.total < 64  # blocks that were cut short are not made up
    assert {row.status for row in table.rows} == {EntrantStatus.PLAYING}
    rows = {row.bot: row for row in table.rows}
    assert rows[bots[0]].forfeits <= 4
    assert rows[bots[4]].matches > 0
    assert len({r.match_id for r in results}) == len(results)


@simulated
async def test_a_ladder_without_an_end_goes_on_until_it_is_cancelled() -> None:
    async with World() as world:
        bots = names(3)
        await world.begin(*bots, format=Format.LADDER, concurrency=2)
        here = [Bot(world, bot) for bot in bots]
        await asyncio.sleep(0.6)
        before = await world.organiser.get("cup")
        await world.crash()
        await asyncio.sleep(0.6)
        after = await world.organiser.get("cup")
        assert before.done < after.done < after.total
        await world.organiser.cancel("cup")
        for bot in here:
            bot.stop()
        assert (await world.over()).tournament.state is TournamentState.CANCELLED
