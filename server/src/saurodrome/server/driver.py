"""Takes one match from its lease to its committed result, or to a void attempt."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from saurodrome.server.deals import Deal, Dealer
from saurodrome.server.match import AttemptVoid, Codec, Match, MatchPlan, Played, walkover
from saurodrome.server.observer import Observer, VoidWhy
from saurodrome.server.port import MatchEnd, SeatEnd, SeatPort
from saurodrome.server.recorder import NotStored, Recorder
from saurodrome.server.store.records import (
    Fault,
    Lease,
    NewResult,
    Result,
    SeatOutcome,
    Termination,
    Void,
)


class Table(NamedTuple):
    """A match that can begin: every bot's place is reserved."""

    plan: MatchPlan
    ports: Sequence[SeatPort]
    secret: bytes = b""
    """The secret of a deal that other matches share; empty where the match has one of its own.
    It is not told at the end of the match: the others may be still to come."""


class Decided(NamedTuple):
    """A match that gets its result without being played: abandoned, or bots are absent."""

    plan: MatchPlan
    termination: Termination
    absent: Mapping[int, float] = {}
    """Seats that did not come, with the seconds that their bots have been away."""


class Recording(Protocol):
    """Makes the match record of what was played."""

    def __call__(self, plan: MatchPlan, deal: Deal, played: Played) -> bytes | None:
        """The record, compressed; None where nothing was played."""
        ...


class Stopped(NamedTuple):
    """How an attempt ended that does not count."""

    why: VoidWhy
    reason: str
    """The same for people."""
    begun: bool = True
    """Bots have heard of the attempt."""

    @property
    def counts(self) -> bool:
        """It was the arbiter's fault, not the organiser's wish."""
        return self.why is not VoidWhy.STOPPED


class Driver:
    """Plays and records matches; each call is one match."""

    def __init__(
        self,
        recorder: Recorder,
        dealer: Dealer,
        codec_of: Callable[[str, str], Codec],
        recording: Recording,
        observer: Observer,
        now: Callable[[], float],
    ) -> None:
        """Wires a driver.

        Args:
            recorder: Where results go.
            dealer: Where deals come from.
            codec_of: Gives the codec of a game and variant.
            recording: Makes match records.
            observer: Hears of matches.
            now: Wall clock in Unix seconds.
        """
        self._recorder = recorder
        self._dealer = dealer
        self._codec_of = codec_of
        self._recording = recording
        self._observer = observer
        self._now = now
        self._playing: dict[str, Match] = {}

    def in_play(self, match_id: str) -> Match | None:
        """A match that is being played."""
        return self._playing.get(match_id)

    def forget(self, tournament: str) -> None:
        """Nothing more is played of a tournament."""
        self._recorder.forget(tournament)

    @property
    def has_room(self) -> bool:
        """Further matches can be leased, and their results recorded."""
        return self._recorder.has_room and not self._recorder.trouble

    @property
    def trouble(self) -> str:
        """The code of the store's trouble; empty while results are stored."""
        return self._recorder.trouble

    async def play(self, table: Table) -> tuple[Deal, Played] | Stopped:
        """Plays an attempt; cancelling it stops the attempt and gives `Stopped`.

        Nobody hears of an attempt before its lease is committed: a crash would let another one
        have its number, and bots would take the second, with its fresh deal, for the first.
        """
        plan, ports, secret = table
        bots = tuple(player.bot for player in plan.players)
        begun = False
        try:
            deal = self._dealer.deal(plan.match_id, plan.attempt)
            if secret:
                deal = deal._replace(secret=secret)
            lease = Lease(plan.tournament, plan.match_id, plan.attempt, self._now())
            await self._recorder.lease(lease)
            begun = True
            self._observer.match_started(plan.tournament, plan.match_id, plan.attempt, bots)
            codec = self._codec_of(plan.game.name, plan.variant)
            match = Match(plan, deal, ports, codec, self._observer, self._now)
            self._playing[plan.match_id] = match
            return deal, await match.play()
        except AttemptVoid as void:
            return Stopped(VoidWhy.STALLED, str(void))
        except asyncio.CancelledError:
            return Stopped(VoidWhy.STOPPED, "stopped by the organiser or the server", begun)
        except Exception as error:  # one match's trouble stays in that match
            return self._trouble(plan, error)._replace(begun=begun)
        finally:
            self._playing.pop(plan.match_id, None)

    async def record(self, table: Table, deal: Deal, played: Played) -> Result | Stopped:
        """Commits the result, then tells the bots; `Stopped` if it never can be committed.

        Raises:
            NotStored: The recorder stopped before; the next start shows whether it is stored.
        """
        plan, ports, shared = table
        try:
            record = self._recording(plan, deal, played)
            result = await self._commit(
                plan, played.termination, played.seats, played.faults, record
            )
        except NotStored:
            raise
        except Exception as error:
            return self._trouble(plan, error)
        ends = tuple(
            SeatEnd(
                seat.placement,
                seat.points,
                seat.forfeited or seat.absent,
                seat.rated,
                seat.elo_before,
                seat.elo_after,
            )
            for seat in result.seats
        )
        for seat, port in enumerate(ports):
            secret = b"" if shared else deal.secret
            port.leave(
                MatchEnd(plan.match_id, plan.attempt, result.termination, seat, ends, secret)
            )
        return result

    async def void(self, table: Table, stopped: Stopped) -> None:
        """Tells the bots that an attempt does not count, and records that."""
        plan, ports, _ = table
        for seat, port in enumerate(ports):
            port.leave(MatchEnd(plan.match_id, plan.attempt, "void", seat, reason=stopped.reason))
        if stopped.begun:
            self._observer.match_void(
                plan.tournament, plan.match_id, plan.attempt, stopped.why, stopped.reason
            )
        fault = self._fault(plan, "", "VOID", 0.0, "server", f"void: {stopped.reason}")
        await self._recorder.void(
            Void(
                plan.tournament, plan.match_id, plan.attempt, stopped.reason, self._now(), (fault,)
            )
        )

    async def decide(self, decided: Decided) -> Result:
        """Commits the result of a match that is not played."""
        plan = decided.plan
        bots = [player.bot for player in plan.players]
        if decided.termination is Termination.ABANDONED:
            seats = tuple(SeatOutcome(bot, placement=1, points=0, rated=False) for bot in bots)
            return await self._commit(plan, decided.termination, seats, ())
        faults = tuple(
            self._fault(plan, bots[seat], "ABSENT", away, "bot", "forfeit, unrated")
            for seat, away in decided.absent.items()
        )
        return await self._commit(plan, *walkover(bots, tuple(decided.absent)), faults)

    def _trouble(self, plan: MatchPlan, error: Exception) -> Stopped:
        self._observer.error(f"match {plan.match_id}", error)
        return Stopped(VoidWhy.ERROR, f"error in the arbiter: {type(error).__name__}")

    async def _commit(
        self,
        plan: MatchPlan,
        termination: Termination,
        seats: tuple[SeatOutcome, ...],
        faults: tuple[Fault, ...],
        record: bytes | None = None,
    ) -> Result:
        return await self._recorder.result(
            NewResult(
                plan.tournament,
                plan.match_id,
                plan.attempt,
                termination,
                seats,
                self._now(),
                record,
                faults,
            )
        )

    def _fault(
        self, plan: MatchPlan, bot: str, kind: str, took: float, charged_to: str, counted_as: str
    ) -> Fault:
        return Fault(
            plan.tournament,
            plan.match_id,
            plan.attempt,
            0,
            bot,
            kind,
            0.0,
            took,
            charged_to,
            counted_as,
            self._now(),
        )
