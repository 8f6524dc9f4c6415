"""One match from its lease to its committed result, or to a void attempt."""

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import pytest

from saurodrome.engine.game import Observation
from saurodrome.server.deals import Deal, Dealer, SeededDealer
from saurodrome.server.driver import Decided, Driver, Stopped, Table
from saurodrome.server.match import MatchPlan, Played
from saurodrome.server.observer import VoidWhy
from saurodrome.server.port import Answer, MatchEnd, Question, Verdict
from saurodrome.server.recorder import NotStored, Recorder
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import (
    Attempts,
    Batch,
    Lease,
    NewBot,
    NewTournament,
    Result,
    Termination,
)
from tests.sim.heard import Heard
from tests.sim.loop import simulated
from tests.sim.ports import PlainCodec, ScriptedPort, default_of, late_at
from tests.sim.tables import DEAL, NAMES, plan

MATCH = "cup/1/1/1"
DEALER = SeededDealer(7)


class Bench:
    """A driver on a store in memory."""

    def __init__(self, *, dealer: Dealer = DEALER, record: bytes | Exception = b"record") -> None:
        """Set up; `record` is what making a match record gives or raises."""
        self.trouble = False
        self.store = MemoryStore(before_commit=self._before)
        self.heard = Heard()
        self.recorder = Recorder(self.store, self.heard)
        self._record = record
        self.codec: PlainCodec = PlainCodec()
        self.driver = Driver(
            self.recorder,
            dealer,
            lambda game, variant: self.codec,
            self._recording,
            self.heard,
            lambda: 1_000.0,
        )

    async def __aenter__(self) -> Self:
        """Open."""
        for name in NAMES:
            await self.store.add_bot(NewBot(name, name, "me", name, b"", 0.0, ""))
        settings = TournamentSettings("cup", "draftosaurus", "summer", 2, NAMES)
        await self.store.add_tournament(NewTournament(settings, 1, 0.0, ""))
        self.recorder.start()
        return self

    async def __aexit__(self, *_: type | BaseException | TracebackType | None) -> None:
        """Stop."""
        self.trouble = False
        await self.recorder.stop()

    async def drive(self, ports: Sequence[ScriptedPort], attempt: int = 1) -> Result | Stopped:
        """Play and record one attempt."""
        table = Table(plan(len(ports), attempt=attempt), ports)
        outcome = await self.driver.play(table)
        if isinstance(outcome, Stopped):
            return outcome
        return await self.driver.record(table, *outcome)

    async def _before(self, batch: Batch) -> None:
        if self.trouble:
            raise StoreTrouble("STORE_FULL", "no space left")

    def _recording(self, plan: MatchPlan, deal: Deal, played: Played) -> bytes | None:
        if isinstance(self._record, Exception):
            raise self._record
        return self._record if played.playthrough else None


class Broken(PlainCodec):
    """A codec with a bug."""

    def public(self, observation: Observation) -> bytes:
        """Fail."""
        raise ZeroDivisionError("a bug in a codec")


def stood_still(number: int, question: Question) -> Answer:
    """Answer that the arbiter stood still."""
    return default_of(question, Verdict.VOID, stalled=2.5)


def ends_of(ports: Sequence[ScriptedPort]) -> list[MatchEnd]:
    """Return what the seats were told at the end, by seat."""
    return [end for port in ports for end in port.ends]


@simulated
async def test_a_match_is_leased_played_recorded_and_told() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(), ScriptedPort()]
        result = await bench.drive(ports)
        assert isinstance(result, Result)
        assert await bench.store.results("cup") == (result,)
        assert await bench.store.record(MATCH) == b"record"
        assert await bench.store.attempts("cup") == {}
    assert (result.match_id, result.attempt, result.position) == (MATCH, 1, 1)
    assert bench.heard.all("match_started") == [("cup", MATCH, 1, ("ann", "bob"))]
    for seat, end in enumerate(ends_of(ports)):
        assert (end.match_id, end.attempt, end.seat) == (MATCH, 1, seat)
        assert end.termination == "finished"
        assert end.secret == DEAL.secret
        assert [s.placement for s in end.results] == [s.placement for s in result.seats]
        assert sum(s.elo_after - s.elo_before for s in end.results) == pytest.approx(0.0)


@simulated
async def test_bots_are_told_only_what_is_committed() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(thinks=lambda number: 0.1), ScriptedPort()]
        driving = asyncio.create_task(bench.drive(ports))
        await asyncio.sleep(0.05)
        bench.trouble = True
        await asyncio.sleep(60.0)
        assert ends_of(ports) == []
        assert len(ports[0].asked) > 3  # the match itself waited for nobody
        bench.trouble = False
        await driving
        assert len(ends_of(ports)) == 2


@simulated
async def test_faults_are_recorded_with_the_result() -> None:
    async with Bench() as bench:
        await bench.drive([ScriptedPort(late_at(3)), ScriptedPort()])
        ((_, fault),) = await bench.store.faults("cup")
    assert (fault.kind, fault.bot, fault.turn) == ("TIMED_OUT", "ann", 4)


@simulated
async def test_a_forfeit_is_told_as_one() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(late_at(0, 1, 2)), ScriptedPort()]
        await bench.drive(ports)
    end = ends_of(ports)[0]
    assert end.termination == "forfeit"
    assert [(s.placement, s.forfeited, s.rated) for s in end.results] == [
        (2, True, True),
        (1, False, True),
    ]


@pytest.mark.case("P51")
@simulated
async def test_a_bot_that_was_not_ready_loses_unrated_and_nothing_is_opened() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(ready=False), ScriptedPort()]
        result = await bench.drive(ports)
        assert isinstance(result, Result)
        assert await bench.store.record(MATCH) is None
    assert result.termination is Termination.ABSENT
    assert [(s.absent, s.rated, s.elo_before == s.elo_after) for s in result.seats] == [
        (True, False, True),
        (False, False, True),
    ]


# void attempts


@simulated
async def test_a_void_attempt_is_told_recorded_and_counts_for_nothing() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(stood_still), ScriptedPort()]
        stopped = await bench.drive(ports)
        assert isinstance(stopped, Stopped)
        assert stopped.counts
        await bench.driver.void(Table(plan(2), ports), stopped)
        assert await bench.store.results("cup") == ()
        assert await bench.store.attempts("cup") == {MATCH: Attempts(1, 1)}
        ((_, fault),) = await bench.store.faults("cup")
    assert (fault.kind, fault.bot, fault.charged_to) == ("VOID", "", "server")
    for end in ends_of(ports):
        assert (end.termination, end.results, end.secret) == ("void", (), b"")
        assert "2.5 s" in end.reason


@simulated
async def test_the_next_attempt_has_another_deal() -> None:
    async with Bench() as bench:
        first, second = [ScriptedPort(), ScriptedPort()], [ScriptedPort(), ScriptedPort()]
        await bench.driver.play(Table(plan(2), first))
        await bench.driver.play(Table(plan(2, attempt=2), second))
    starts = [ports[0].started[0] for ports in (first, second)]
    assert starts[0].commitment != starts[1].commitment
    ids = [{q.decision_id for _, q in ports[0].asked} for ports in (first, second)]
    assert ids[0].isdisjoint(ids[1])


class NoDeal:
    """A source of deals that has run dry."""

    def deal(self, match_id: str, attempt: int) -> Deal:
        """Fail."""
        raise OSError("no entropy")


@pytest.mark.case("P51", "CR-06")
@simulated
async def test_trouble_in_one_match_is_told_and_makes_it_void() -> None:
    troubled = [Bench(dealer=NoDeal()), Bench(record=ValueError("a bug in a record"))]
    troubled.append(Bench())
    troubled[-1].codec = Broken()
    for bench, error in zip(troubled, (OSError, ValueError, ZeroDivisionError), strict=True):
        begun = error is not OSError  # without a deal there is nothing to begin
        async with bench:
            stopped = await bench.drive([ScriptedPort(), ScriptedPort()])
            assert await bench.store.results("cup") == ()
        reason = f"error in the arbiter: {error.__name__}"
        assert stopped == Stopped(VoidWhy.ERROR, reason, begun)
        ((where, told),) = bench.heard.all("error")
        assert where == f"match {MATCH}"
        assert isinstance(told, error)


@simulated
async def test_a_result_for_an_attempt_that_is_void_already_is_void() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(), ScriptedPort()]
        await bench.driver.void(Table(plan(2), []), Stopped(VoidWhy.ERROR, "by another process"))
        assert isinstance(await bench.drive(ports), Stopped)


@simulated
async def test_a_result_that_a_stopped_recorder_did_not_take_is_not_called_void() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(thinks=lambda _: 1.0), ScriptedPort()]
        driving = asyncio.create_task(bench.drive(ports))
        await asyncio.sleep(0.5)
        await bench.recorder.stop()
        with pytest.raises(NotStored):
            await driving
        assert ends_of(ports) == []


@simulated
async def test_cancelling_stops_the_attempt_and_counts_not_as_the_arbiters_fault() -> None:
    async with Bench() as bench:
        ports = [ScriptedPort(thinks=lambda _: 1.0), ScriptedPort()]
        playing = asyncio.create_task(bench.driver.play(Table(plan(2), ports)))
        await asyncio.sleep(2.5)
        playing.cancel()
        stopped = await playing
    assert isinstance(stopped, Stopped)
    assert not stopped.counts


# results without a match


@simulated
async def test_absence_is_decided_without_playing() -> None:
    async with Bench() as bench:
        result = await bench.driver.decide(Decided(plan(2), Termination.ABSENT, {1: 42.0}))
        ((_, fault),) = await bench.store.faults("cup")
    assert result.termination is Termination.ABSENT
    assert [(s.placement, s.absent, s.rated) for s in result.seats] == [
        (1, False, False),
        (2, True, False),
    ]
    assert (fault.kind, fault.bot, fault.took) == ("ABSENT", "bob", 42.0)


@simulated
async def test_if_all_are_absent_there_is_no_contest() -> None:
    async with Bench() as bench:
        absent = {0: 40.0, 1: 50.0}
        result = await bench.driver.decide(Decided(plan(2), Termination.ABSENT, absent))
    assert result.termination is Termination.NO_CONTEST
    assert not any(seat.rated for seat in result.seats)


@simulated
async def test_an_abandoned_match_has_a_result_that_moves_no_rating() -> None:
    async with Bench() as bench:
        result = await bench.driver.decide(Decided(plan(3), Termination.ABANDONED))
        assert await bench.store.results("cup") == (result,)
    assert result.termination is Termination.ABANDONED
    assert all(not s.rated and s.elo_before == s.elo_after for s in result.seats)


@simulated
async def test_there_is_room_while_the_store_takes_what_comes() -> None:
    async with Bench() as bench:
        rooms = [bench.driver.has_room]
        leases = [Lease("cup", f"cup/1/{number}/1", 1, 0.0) for number in range(300)]
        waiting = [asyncio.create_task(bench.recorder.lease(lease)) for lease in leases]
        await asyncio.sleep(0)
        rooms.append(bench.driver.has_room)
        await asyncio.gather(*waiting)
        rooms.append(bench.driver.has_room)
    assert rooms == [True, False, True]


@simulated
async def test_there_is_no_room_while_the_store_has_trouble() -> None:
    async with Bench() as bench:
        bench.trouble = True
        waiting = asyncio.create_task(bench.recorder.lease(Lease("cup", MATCH, 1, 0.0)))
        await asyncio.sleep(1.0)
        assert not bench.driver.has_room
        bench.trouble = False
        await waiting
        assert bench.driver.has_room


@simulated
async def test_nobody_hears_of_an_attempt_before_its_lease_is_committed() -> None:
    async with Bench() as bench:
        bench.trouble = True
        ports = [ScriptedPort(), ScriptedPort()]
        playing = asyncio.create_task(bench.drive(ports))
        await asyncio.sleep(20.0)
        assert [port.started for port in ports] == [[], []]
        assert bench.heard.all("match_started") == []
        bench.trouble = False
        assert isinstance(await playing, Result)
    assert [len(port.started) for port in ports] == [1, 1]


@simulated
async def test_an_attempt_that_is_stopped_before_its_lease_was_never_begun() -> None:
    async with Bench() as bench:
        bench.trouble = True
        ports = [ScriptedPort(), ScriptedPort()]
        table = Table(plan(2), ports)
        playing = asyncio.create_task(bench.driver.play(table))
        await asyncio.sleep(1.0)
        playing.cancel()
        stopped = await playing
        assert stopped == Stopped(
            VoidWhy.STOPPED, "stopped by the organiser or the server", begun=False
        )
        assert not stopped.counts
        bench.trouble = False
        await bench.driver.void(table, stopped)
        # The lease may have been committed all the same, so its number is used up.
        assert await bench.store.attempts("cup") == {MATCH: Attempts(1, 1)}
    assert bench.heard.all("match_started") == bench.heard.all("match_void") == []
