"""What a running bot tells those who watch it, and the figures that follow from it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._decision import Match
from saurodrome.client._errors import BotFault, ServerError


@dataclass(frozen=True, slots=True)
class Connected:
    """The server welcomed the bot.

    Attributes:
        bot: The bot's name, by its token.
        server: The address.
        server_version: The server's version.
        open_matches: Matches that go on from before.
        again: It was connected before.
    """

    bot: str
    server: str
    server_version: str
    open_matches: int
    again: bool


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection broke or could not be made.

    Attributes:
        error: Why.
        retry_in: Seconds until the next try.
        tries: How many tries have failed since the last welcome.
    """

    error: ServerError
    retry_in: float
    tries: int


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match wants the bot."""

    match: Match


@dataclass(frozen=True, slots=True)
class Decided:
    """The bot answered a decision.

    Attributes:
        match: The match.
        seconds: What ``choose`` took.
        faulted: The answer was a fault, for which the default action is played.
    """

    match: Match
    seconds: float
    faulted: bool


@dataclass(frozen=True, slots=True)
class Faulted:
    """The bot answered wrongly or too late.

    Attributes:
        error: The fault, with its decision.
        saved: The file that keeps the decision; None if it could not be written.
    """

    error: BotFault
    saved: Path | None


class VerdictKind(StrEnum):
    """What the server made of a reply that did not count."""

    ILLEGAL = "illegal"
    STALE = "stale"
    DUPLICATE = "duplicate"
    TIMED_OUT = "timed_out"
    OTHER = "other"
    """One that this client does not know."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The server sent a verdict.

    Attributes:
        kind: Which.
        match_id: The match, if the decision is known to the server.
        message: What, where and what to do, in the server's words.
    """

    kind: VerdictKind
    match_id: str
    message: str


class Termination(StrEnum):
    """Why a match ended."""

    FINISHED = "finished"
    FORFEIT = "forfeit"
    ABSENT = "absent"
    NO_CONTEST = "no_contest"
    VOID = "void"
    OTHER = "other"
    """One that this client does not know."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat came out.

    Attributes:
        placement: 1 is best; equal numbers share the place.
        points: By the game's rules.
        forfeited: Lost by strikes or absence.
        elo_before: Live Elo before the match.
        elo_after: Live Elo after it.
        rated: The result moved the rating.
    """

    placement: int
    points: int
    forfeited: bool
    elo_before: float
    elo_after: float
    rated: bool


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match, or one try at it, is over.

    Attributes:
        match_id: Tournament/round/pairing/seating.
        attempt: Which try it was, from 1.
        termination: Why it ended.
        seat: The bot's own seat.
        results: By seat; empty for a void try.
        reason: More about why, for people.
        missed: It ended while the bot was away.
    """

    match_id: str
    attempt: int
    termination: Termination
    seat: int
    results: tuple[SeatResult, ...]
    reason: str
    missed: bool

    @property
    def counts(self) -> bool:
        """The try has a result."""
        return bool(self.results)

    @property
    def played(self) -> bool:
        """The match came to its first decision, so that there is a record of it."""
        return self.counts and self.termination not in (Termination.ABSENT, Termination.NO_CONTEST)

    @property
    def won(self) -> bool:
        """The bot took the first place, alone."""
        firsts = [seat for seat, r in enumerate(self.results) if r.placement == 1]
        return firsts == [self.seat]


def match_ended(message: bot_pb2.MatchEnded, *, missed: bool) -> MatchEnded:
    """Reads a match_ended off the wire."""
    return MatchEnded(
        message.match_id,
        message.attempt,
        _TERMINATIONS.get(message.termination, Termination.OTHER),
        message.seat,
        tuple(
            SeatResult(r.placement, r.points, r.forfeited, r.elo_before, r.elo_after, r.rated)
            for r in message.results
        ),
        message.reason,
        missed,
    )


def verdict_kind(message: bot_pb2.Verdict) -> VerdictKind:
    """Reads the kind of a verdict off the wire."""
    return _VERDICTS.get(message.kind, VerdictKind.OTHER)


_TERMINATIONS = {
    number: Termination(name.removeprefix("TERMINATION_").lower())
    for name, number in bot_pb2.Termination.items()
    if number
}
_VERDICTS = {
    number: VerdictKind(name.removeprefix("KIND_").lower())
    for name, number in bot_pb2.Verdict.Kind.items()
    if number
}


@dataclass(frozen=True, slots=True)
class Draining:
    """The server is about to stop; the bot stays and connects again.

    Attributes:
        seconds: Until it stops at the latest.
        reason: Why, for people.
    """

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """The bot takes no new matches; it stops when the open ones have ended.

    Attributes:
        open_matches: How many those are.
    """

    open_matches: int


Event: TypeAlias = (
    Connected
    | Disconnected
    | MatchStarted
    | Decided
    | Faulted
    | Judged
    | MatchEnded
    | Draining
    | Leaving
)


@dataclass(slots=True)
class Status:
    """The figures of the status line, kept up to date by `update`.

    Attributes:
        connected: The bot has a stream.
        playing: Matches that are open.
        done: Matches that ended with a result.
        won: Of those, the ones won alone.
        late: Answers after the limit.
        illegal: Answers that were no legal action, exceptions included.
        decisions: Decisions answered.
        think: What ``choose`` took in all, in seconds.
        slowest: The longest ``choose``, in seconds.
        stopped_by: The number of the signal that ended the run, if one did.
    """

    connected: bool = False
    playing: int = 0
    done: int = 0
    won: int = 0
    late: int = 0
    illegal: int = 0
    decisions: int = 0
    think: float = 0.0
    slowest: float = 0.0
    stopped_by: int | None = None

    @property
    def mean_think(self) -> float:
        """What ``choose`` took on average, in seconds."""
        return self.think / self.decisions if self.decisions else 0.0

    def __str__(self) -> str:
        """Reads as the status line of a running bot."""
        return (
            f"playing {self.playing}   done {self.done}   won {self.won}   late {self.late}   "
            f"illegal {self.illegal}   think {self.mean_think * 1000:.0f} ms   "
            f"slowest {self.slowest * 1000:.0f} ms"
        )
