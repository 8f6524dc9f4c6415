"""The records that a store keeps, as plain values. Times are Unix seconds, durations seconds.

Match ids begin with the name of their tournament, so they are unique over all tournaments.
"""

from enum import StrEnum
from typing import NamedTuple

from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.access import NewToken, Role


class Termination(StrEnum):
    """Why a match has the result that it has."""

    FINISHED = "finished"
    """Played to the end by the rules."""
    FORFEIT = "forfeit"
    """A seat forfeited by strikes."""
    ABSENT = "absent"
    """A bot did not come or did not get ready; unrated."""
    NO_CONTEST = "no_contest"
    """Nobody came; counts nowhere."""
    ABANDONED = "abandoned"
    """Given up after too many void attempts; counts nowhere, shown in the table."""


class TournamentState(StrEnum):
    """Where a tournament stands."""

    PLANNED = "planned"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
"""States that nothing leaves."""


class NewBot(NamedTuple):
    """A bot to register, with its first token's digest; the token itself is never stored."""

    name: str
    display_name: str
    owner: str
    token_id: str
    token_hash: bytes
    created: float
    request_id: str


class Bot(NamedTuple):
    """A registered bot; `number` never changes. Its token is the first one, ended or not."""

    number: int
    name: str
    display_name: str
    owner: str
    token_id: str
    token_hash: bytes
    created: float
    request_id: str


def first_token(new: NewBot) -> NewToken:
    """The token that a bot is registered with."""
    return NewToken(new.token_id, new.token_hash, Role.BOT, new.name, new.created, None, "")


class NewTournament(NamedTuple):
    """A tournament to create; its rules version is pinned."""

    settings: TournamentSettings
    rules_version: int
    created: float
    request_id: str
    deal_key: bytes = b""
    """What deals that matches share are drawn from, and ids that tell nothing; empty for none."""


class Tournament(NamedTuple):
    """A tournament."""

    number: int
    settings: TournamentSettings
    state: TournamentState
    rules_version: int
    created: float
    request_id: str
    started: float | None = None
    ended: float | None = None
    deal_key: bytes = b""

    def moved(self, state: TournamentState, when: float) -> "Tournament":
        """This tournament in another state; its first start and its end keep their times."""
        runs = state is TournamentState.RUNNING and self.started is None
        ends = state in {TournamentState.FINISHED, TournamentState.CANCELLED}
        return self._replace(
            state=state,
            started=when if runs else self.started,
            ended=when if ends and self.ended is None else self.ended,
        )


class Counts(NamedTuple):
    """What the log of a tournament that is over comes to, so that lists need not read it.

    Each is what `contracts.Progress` says of it.
    """

    total: int
    done: int
    abandoned: int
    void: int
    position: int
    void_results: int
    entrants: int


class Kept(NamedTuple):
    """A tournament in the store, and what its log comes to, if that was noted."""

    tournament: Tournament
    counts: Counts | None = None


class EventKind(StrEnum):
    """What happened to a tournament besides results, by an organiser or by rule."""

    STARTED = "started"
    """It began; those who had entered by then are its first roster."""
    JOINED = "joined"
    """A bot entered after the creation."""
    WITHDRAWN = "withdrawn"
    """A bot plays no further match; what it played counts."""
    READMITTED = "readmitted"
    """A bot that was withdrawn plays again."""
    DISQUALIFIED = "disqualified"
    """A bot plays no further match, and none of its matches counts."""
    VOIDED = "voided"
    """A result, or those of a block, count no more; they stay in the log."""


class NewEvent(NamedTuple):
    """An event to append.

    It came after the result at `position` of the log and before the next one: 0 is before the
    first. `bot` or `match_id` is empty, by its kind; `match_id` may name a block. `role` is that
    of a bot that joined. `who` is the organiser's name, or `rule`.
    """

    tournament: str
    position: int
    kind: EventKind
    bot: str
    match_id: str
    role: str
    reason: str
    who: str
    when: float
    request_id: str


class Event(NamedTuple):
    """An event of a tournament; `number` counts from 1 within the tournament, without gaps."""

    number: int
    tournament: str
    position: int
    kind: EventKind
    bot: str
    match_id: str
    role: str
    reason: str
    who: str
    when: float
    request_id: str


class Fault(NamedTuple):
    """One fault.

    `turn` is the match's step from 1, 0 outside of steps; `bot` is empty for the server's own.
    """

    tournament: str
    match_id: str
    attempt: int
    turn: int
    bot: str
    kind: str
    limit: float
    took: float
    charged_to: str
    counted_as: str
    when: float


class Lease(NamedTuple):
    """An attempt that begins."""

    tournament: str
    match_id: str
    attempt: int
    when: float


class Void(NamedTuple):
    """An attempt that ends without counting, by fault of the arbiter or a cancelled tournament."""

    tournament: str
    match_id: str
    attempt: int
    reason: str
    when: float
    faults: tuple[Fault, ...] = ()


class SeatOutcome(NamedTuple):
    """How one seat came out, before ratings are known."""

    bot: str
    placement: int
    points: int
    timeouts: int = 0
    illegal: int = 0
    forfeited: bool = False
    absent: bool = False
    rated: bool = True


class NewResult(NamedTuple):
    """A result to append to the log; releases the lease of its attempt."""

    tournament: str
    match_id: str
    attempt: int
    termination: Termination
    seats: tuple[SeatOutcome, ...]
    when: float
    record: bytes | None = None
    """The match record, compressed; None where nothing was played."""
    faults: tuple[Fault, ...] = ()


class RatedSeat(NamedTuple):
    """How one seat came out, with its live Elo before and after."""

    bot: str
    placement: int
    points: int
    timeouts: int
    illegal: int
    forfeited: bool
    absent: bool
    rated: bool
    elo_before: float
    elo_after: float


class Result(NamedTuple):
    """A result in the log. `position` counts from 1 within its tournament, without gaps."""

    position: int
    tournament: str
    match_id: str
    attempt: int
    termination: Termination
    seats: tuple[RatedSeat, ...]
    when: float
    has_record: bool


class Batch(NamedTuple):
    """What is committed together, all or nothing.

    A result comes with its rating events: its seats carry the live Elo before and after.
    """

    leases: tuple[Lease, ...] = ()
    results: tuple[tuple[Result, NewResult], ...] = ()
    voids: tuple[Void, ...] = ()


class Attempts(NamedTuple):
    """What is known of a match that has no result: the last attempt begun, how many are void."""

    begun: int
    void: int
