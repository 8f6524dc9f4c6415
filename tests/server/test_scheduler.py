"""The scheduler: bounds, turns of the tournaments, pausing, cancelling, draining."""

import asyncio
from collections import Counter, deque
from types import TracebackType
from typing import Self

import pytest

from saurodrome.server.deals import Deal
from saurodrome.server.driver import Decided, Driver, Stopped, Table
from saurodrome.server.lobby import Lobby
from saurodrome.server.match import MatchPlan, Played
from saurodrome.server.observer import VoidWhy, Waits
from saurodrome.server.scheduler import IDLE_LOOK, Scheduler
from saurodrome.server.session.stalls import StallMeter
from saurodrome.server.store.records import Result, Termination
from tests.sim.heard import Heard
from tests.sim.loop import simulated, virtual
from tests.sim.tables import DEAL, plan

PLAYED = Played(Termination.FINISHED, (), ())
TAKES = 10.0
"""Seconds that a match takes here."""
STORES = 1.0
"""Seconds that recording takes here."""


class Clockwork(Driver):
    """Plays every match in ten seconds and records it in one."""

    def __init__(self) -> None:
        """Begin with room for results."""
        self.room = True
        self.playing: set[str] = set()
        self.most = 0
        self.begun: list[str] = []
        self.voided: list[tuple[str, Stopped]] = []
        self.recorded: list[str] = []

    @property
    def has_room(self) -> bool:
        """Whether there is room."""
        return self.room

    async def play(self, table: Table) -> tuple[Deal, Played] | Stopped:
        """Play."""
        match_id = table.plan.match_id
        self.begun.append(match_id)
        self.playing.add(match_id)
        self.most = max(self.most, len(self.playing))
        try:
            await asyncio.sleep(TAKES)
        except asyncio.CancelledError:
            return Stopped(VoidWhy.STOPPED, "stopped")
        finally:
            self.playing.discard(match_id)
        return DEAL, PLAYED

    async def record(self, table: Table, deal: Deal, played: Played) -> Result | Stopped:
        """Record."""
        await asyncio.sleep(STORES)
        return self._result(table.plan, played.termination)

    async def void(self, table: Table, stopped: Stopped) -> None:
        """Note the void attempt."""
        self.voided.append((table.plan.match_id, stopped))

    async def decide(self, decided: Decided) -> Result:
        """Record a match that is not played."""
        return self._result(decided.plan, decided.termination)

    def _result(self, plan: MatchPlan, termination: Termination) -> Result:
        self.recorded.append(plan.match_id)
        return Result(1, plan.tournament, plan.match_id, 1, termination, (), 0.0, False)


class Queue:
    """A tournament: some matches, all of which may be played at any time."""

    def __init__(self, name: str, matches: int) -> None:
        """Queue matches."""
        self.name = name
        self.left = deque(f"{name}/{number}" for number in range(matches))
        self.results: list[str] = []
        self.voids: list[tuple[str, bool]] = []
        self.decides = False
        self.waiting_for = ""

    def next(self, lobby: Lobby) -> Table | Decided | None:
        """Give the next match."""
        if not self.left:
            return None
        planned = plan(2)._replace(match_id=self.left.popleft(), tournament=self.name)
        return Decided(planned, Termination.ABSENT) if self.decides else Table(planned, ())

    def wanted(self, lobby: Lobby) -> tuple[str, ...]:
        """Want nobody: no bots are needed here."""
        return ()

    def finished(self, result: Result) -> None:
        """Note a result."""
        self.results.append(result.match_id)

    def void(self, plan: MatchPlan, *, counts: bool) -> None:
        """Note a void attempt."""
        self.voids.append((plan.match_id, counts))


class Yard:
    """A scheduler that runs."""

    def __init__(self, max_matches: int = 4) -> None:
        """Set up."""
        self.loop = virtual()
        self.heard = Heard()
        self.driver = Clockwork()
        self.lobby = Lobby(StallMeter(self.heard), self.heard)
        self.scheduler = Scheduler(self.lobby, self.driver, self.heard, max_matches)
        self.begun = self.loop.time()

    async def __aenter__(self) -> Self:
        """Run."""
        self._task = asyncio.create_task(self.scheduler.run())
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: type | BaseException | TracebackType | None) -> None:
        """Stop; the loop itself must not have failed."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        assert self._task.cancelled()

    async def at(self, seconds: float) -> None:
        """Go on so many seconds after the beginning."""
        await asyncio.sleep(self.begun + seconds - self.loop.time())


@simulated
async def test_all_matches_are_played_and_their_results_reported() -> None:
    async with Yard() as yard:
        cup = Queue("cup", 10)
        yard.scheduler.add(cup)
        await yard.at(60.0)
        assert sorted(cup.results) == sorted(f"cup/{n}" for n in range(10))
        assert yard.scheduler.in_flight == 0
        assert len(yard.heard.all("match_finished")) == 10


@pytest.mark.parametrize("most", [1, 3, 16])
@simulated
async def test_no_more_matches_are_in_flight_than_allowed(most: int) -> None:
    async with Yard(most) as yard:
        yard.scheduler.add(Queue("cup", 20))
        await yard.at(TAKES / 2)
        assert yard.scheduler.in_flight == most
        assert yard.heard.all("scheduler_waits")[-1] == (Waits.MAX_MATCHES, "max_matches")
        await yard.at(400.0)
    assert yard.driver.most == most
    assert len(yard.driver.recorded) == 20


@simulated
async def test_a_match_that_is_being_recorded_is_still_in_flight() -> None:
    async with Yard(1) as yard:
        yard.scheduler.add(Queue("cup", 2))
        await yard.at(TAKES + STORES / 2)
        assert yard.driver.begun == ["cup/0"]
        await yard.at(TAKES + STORES + 0.01)
        assert yard.driver.begun == ["cup/0", "cup/1"]


@pytest.mark.parametrize("most", [1, 2, 5])
@simulated
async def test_tournaments_take_turns(most: int) -> None:
    async with Yard(most) as yard:
        cups = [Queue(name, 30) for name in ("a", "b", "c")]
        for cup in cups:
            yard.scheduler.add(cup)
        await yard.at(30 * (TAKES + STORES) / 2)
        begun = [match_id[0] for match_id in yard.driver.begun]
    for prefix in range(len(begun)):
        counts = Counter(begun[: prefix + 1])
        shares = [counts[name] for name in "abc"]
        assert max(shares) - min(shares) <= 1


@simulated
async def test_a_large_tournament_does_not_starve_a_small_one_that_comes_later() -> None:
    async with Yard(2) as yard:
        yard.scheduler.add(Queue("large", 1_000))
        await yard.at(100.0)
        small = Queue("small", 5)
        yard.scheduler.add(small)
        await yard.at(100.0 + 6 * (TAKES + STORES))
        assert len(small.results) == 5


@simulated
async def test_a_tournament_that_has_nothing_to_play_keeps_nobody_waiting() -> None:
    async with Yard(2) as yard:
        for cup in (Queue("empty", 0), Queue("cup", 4)):
            yard.scheduler.add(cup)
        await yard.at(3 * (TAKES + STORES))
        assert len(yard.driver.recorded) == 4


@simulated
async def test_no_match_starts_while_results_cannot_be_recorded() -> None:
    async with Yard(2) as yard:
        yard.driver.room = False
        yard.scheduler.add(Queue("cup", 4))
        await yard.at(100.0)
        assert yard.driver.begun == []
        assert yard.scheduler.reason == "store_failing"
        yard.driver.room = True
        await yard.at(100.0 + 2 * IDLE_LOOK)
        assert len(yard.driver.begun) == 2
    assert yard.heard.all("scheduler_waits") == [
        (Waits.STORE_FAILING, "store_failing"),
        (Waits.MAX_MATCHES, "max_matches"),
    ]


@simulated
async def test_matches_in_flight_go_on_while_results_cannot_be_recorded() -> None:
    async with Yard(2) as yard:
        yard.scheduler.add(Queue("cup", 6))
        await yard.at(1.0)
        yard.driver.room = False
        await yard.at(100.0)
        assert sorted(yard.driver.recorded) == ["cup/0", "cup/1"]


@simulated
async def test_what_a_tournament_waits_for_is_told_once() -> None:
    async with Yard() as yard:
        cup = Queue("cup", 0)
        cup.waiting_for = "1 of 2 bots not connected: bob"
        yard.scheduler.add(cup)
        await yard.at(30.0)
        assert yard.scheduler.reason == cup.waiting_for
    assert yard.heard.all("scheduler_waits") == [(Waits.BOTS, cup.waiting_for)]


@simulated
async def test_a_removed_tournament_starts_no_match_and_those_in_flight_go_on() -> None:
    async with Yard(2) as yard:
        cup = Queue("cup", 6)
        yard.scheduler.add(cup)
        await yard.at(1.0)
        yard.scheduler.remove(cup)
        await yard.at(100.0)
        assert sorted(cup.results) == ["cup/0", "cup/1"]
        assert cup.voids == []
        yard.scheduler.add(cup)
        await yard.at(200.0)
        assert len(cup.results) == 6


@simulated
async def test_adding_a_tournament_twice_gives_it_no_second_turn() -> None:
    async with Yard(1) as yard:
        first, second = Queue("a", 9), Queue("b", 9)
        for cup in (first, first, second):
            yard.scheduler.add(cup)
        await yard.at(4 * (TAKES + STORES) - 0.1)
        assert yard.driver.begun == ["a/0", "b/0", "a/1", "b/1"]


@simulated
async def test_cancelling_makes_matches_that_are_played_void_at_once() -> None:
    async with Yard(2) as yard:
        cup, other = Queue("cup", 6), Queue("other", 1)
        yard.scheduler.add(other)
        yard.scheduler.add(cup)
        await yard.at(1.0)
        yard.scheduler.cancel(cup)
        await yard.at(1.1)
        assert cup.voids == [("cup/0", False)]
        assert [match_id for match_id, _ in yard.driver.voided] == ["cup/0"]
        await yard.at(100.0)
        assert cup.results == []
        assert other.results == ["other/0"]


@simulated
async def test_cancelling_leaves_results_that_are_being_recorded() -> None:
    async with Yard(1) as yard:
        cup = Queue("cup", 2)
        yard.scheduler.add(cup)
        await yard.at(TAKES + STORES / 2)
        yard.scheduler.cancel(cup)
        await yard.at(100.0)
        assert (cup.results, cup.voids) == (["cup/0"], [])


@simulated
async def test_cancelling_in_the_moment_of_the_start_frees_the_seats_too() -> None:
    async with Yard(2) as yard:
        cup = Queue("cup", 2)
        yard.scheduler.add(cup)
        yard.scheduler._fill()  # its tasks have not had their first step
        yard.scheduler.cancel(cup)
        await yard.at(1.0)
        assert [match_id for match_id, _ in yard.driver.voided] == ["cup/0", "cup/1"]
        assert cup.voids == [("cup/0", False), ("cup/1", False)]
        assert yard.scheduler.in_flight == 0


@simulated
async def test_cancelling_twice_is_once() -> None:
    async with Yard(2) as yard:
        cup = Queue("cup", 2)
        yard.scheduler.add(cup)
        await yard.at(1.0)
        yard.scheduler.cancel(cup)
        yard.scheduler.cancel(cup)
        await yard.at(2.0)
        assert cup.voids == [("cup/0", False), ("cup/1", False)]


@simulated
async def test_draining_starts_nothing_waits_and_then_makes_the_rest_void() -> None:
    async with Yard(4) as yard:
        cup = Queue("cup", 8)
        yard.scheduler.add(cup)
        await yard.at(5.0)
        await yard.scheduler.drain(3.0)
        assert yard.loop.time() - yard.begun < 5.0 + 3.0 + 1.0
        assert [counts for _, counts in cup.voids] == [False] * 4
        assert yard.scheduler.in_flight == 0
        await yard.at(100.0)
        assert yard.driver.begun == ["cup/0", "cup/1", "cup/2", "cup/3"]
        assert yard.scheduler.reason == "draining"


@simulated
async def test_draining_is_over_as_soon_as_the_matches_are() -> None:
    async with Yard(4) as yard:
        cup = Queue("cup", 4)
        yard.scheduler.add(cup)
        await yard.at(TAKES - 1.0)
        await yard.scheduler.drain(60.0)
        assert yard.loop.time() - yard.begun == pytest.approx(TAKES + STORES)
        assert len(cup.results) == 4


@simulated
async def test_draining_an_idle_scheduler_takes_no_time() -> None:
    async with Yard() as yard:
        await yard.scheduler.drain(8.0)
        assert yard.loop.time() == yard.begun


@simulated
async def test_absences_are_looked_for_although_nobody_comes_or_goes() -> None:
    async with Yard() as yard:
        cup = Queue("cup", 0)
        yard.scheduler.add(cup)
        await yard.at(10.0)
        cup.left.append("cup/0")
        cup.decides = True
        await yard.at(10.0 + IDLE_LOOK + 0.01)
        assert cup.results == ["cup/0"]
        ((result, seconds),) = yard.heard.all("match_finished")
    assert (result.match_id, seconds) == ("cup/0", 0.0)


class Faulty(Queue):
    """A tournament with a bug."""

    def next(self, lobby: Lobby) -> Table | Decided | None:
        """Fail."""
        raise ZeroDivisionError("a bug in a tournament")


@simulated
async def test_a_bug_in_one_tournament_is_told_and_keeps_no_other_from_playing() -> None:
    async with Yard() as yard:
        cup = Queue("cup", 4)
        for source in (Faulty("faulty", 1), cup):
            yard.scheduler.add(source)
        await yard.at(2 * (TAKES + STORES))
        assert len(cup.results) == 4
    assert isinstance(yard.heard.all("error")[0][1], ZeroDivisionError)
