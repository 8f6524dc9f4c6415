"""What the doors of the server, rpc and web, ask of the rooms behind them."""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import NamedTuple, Protocol

from saurodrome.server.errors import Refused
from saurodrome.server.frames import Transport
from saurodrome.server.schedule import KnockoutPlacing, SwissPlacing
from saurodrome.server.settings import Publish, TournamentSettings
from saurodrome.server.store.access import Act, NewAct, Role, Token
from saurodrome.server.store.records import Bot, Event, EventKind, Fault, Result, Tournament


class Gate(Protocol):
    """Where streams of bots go in."""

    async def serve(self, bot: str, transport: Transport) -> None:
        """Serves one stream of an authenticated bot until it ends.

        Runs in a task of its own, which the RPC never cancels: when the peer is gone,
        `recv` gives None and `send` raises.

        Args:
            bot: The bot's name, by its token.
            transport: Its stream; closed when this returns, at the latest.

        Raises:
            Refused: The stream cannot be served; it ends with that.
        """
        ...


class Caller(NamedTuple):
    """Who calls.

    Attributes:
        role: What the holder of the token may do.
        name: The holder: a name, or that of a bot.
        token_id: The public part of the token; `file:` and a mark for the one in the data
            directory.
    """

    role: Role
    name: str
    token_id: str


class Directory(Protocol):
    """Who a token belongs to."""

    def who(self, token: str) -> Caller | None:
        """Whose token this is; takes as long for a wrong token as for a right one.

        None for tokens that were never issued, expired or were revoked.
        """
        ...

    def ended(self, token_id: str) -> Refused | None:
        """Why a token works no more: TOKEN_REVOKED or TOKEN_EXPIRED; None while it does."""
        ...

    def owner(self, bot: str) -> str:
        """Who answers for a bot; empty if nobody, or if there is no such bot."""
        ...


class NewlyIssued(NamedTuple):
    """A token that was just issued, and what may be kept of it."""

    about: Token
    token: str


class Access(Protocol):
    """Who may do what, for administrators: the methods mirror the RPCs."""

    async def issue(
        self, role: Role, holder: str, valid_for: float | None, issuer: str, *, replace: bool
    ) -> NewlyIssued:
        """Issues a token.

        Raises:
            Refused: UNKNOWN_BOT, where a bot is to hold it that is not registered.
        """
        ...

    async def revoke(self, token_id: str) -> Token:
        """Ends a token.

        Raises:
            Refused: UNKNOWN_TOKEN.
        """
        ...

    def issued(self, holder: str, before: int | None, limit: int) -> tuple[Token, ...]:
        """At most `limit` tokens, newest first, numbers below `before`; no holder: of all."""
        ...


class Audit(Protocol):
    """The log of what was asked of the server by those who may change something."""

    async def add_act(self, new: NewAct) -> int:
        """Notes what is asked for, before it is done; gives the entry's number."""
        ...

    async def end_act(self, number: int, outcome: str) -> None:
        """Notes how it came out."""
        ...

    async def acts(self, before: int | None = None, limit: int = 500) -> tuple[Act, ...]:
        """At most `limit` entries, newest first, numbers below `before`."""
        ...


class BotStatus(NamedTuple):
    """A registered bot, whether it has a stream now, and how many matches it plays."""

    bot: Bot
    connected: bool = False
    playing: int = 0


class Registered(NamedTuple):
    """A bot and its token; the token is empty where the same request had come before."""

    status: BotStatus
    token: str


class Progress(NamedTuple):
    """How far a tournament is.

    Attributes:
        tournament: The tournament.
        total: Matches in all.
        done: Matches with a result, abandoned ones included.
        running: Matches in flight.
        abandoned: Matches given up after too many void attempts.
        void: Void attempts.
        rate: Matches a second over the last minute.
        waiting_for: What keeps it from playing, in words; empty if nothing.
        position: The position in the log of results.
        void_results: Results in the log that count no more.
        entrants: Bots that entered, those that left included.
    """

    tournament: Tournament
    total: int = 0
    done: int = 0
    running: int = 0
    abandoned: int = 0
    void: int = 0
    rate: float = 0.0
    waiting_for: str = ""
    position: int = 0
    void_results: int = 0
    entrants: int = 0

    @property
    def table_is_public(self) -> bool:
        """Whether others than the organisers may see its table and its results."""
        at_once = self.tournament.settings.publish_table is Publish.NOW
        return at_once or self.tournament.ended is not None


class EntrantStatus(StrEnum):
    """Whether a bot still plays."""

    PLAYING = "playing"
    WITHDRAWN = "withdrawn"
    """It plays no further match; what it played counts."""
    DISQUALIFIED = "disqualified"
    """None of its matches counts."""


class Entrant(NamedTuple):
    """A bot that entered a tournament; `reason` says why it does not play any more."""

    bot: str
    role: str = "entrant"
    status: EntrantStatus = EntrantStatus.PLAYING
    reason: str = ""


class TournamentAct(NamedTuple):
    """What an organiser, or a rule, does to a tournament; see `records.NewEvent`."""

    kind: EventKind
    bot: str = ""
    match_id: str = ""
    role: str = ""
    reason: str = ""
    who: str = "rule"
    request_id: str = ""


class Spectacle(NamedTuple):
    """A match that is being played, as far as every seat knows it."""

    match_id: str
    attempt: int
    bots: tuple[str, ...]
    """By seat; seats where bots must not know each other."""
    getting_ready: tuple[str, ...] = ()
    turn: int = 0
    """From 1; 0 before it begins, and where the game counts none."""
    phase: str = ""
    board: tuple[str, ...] = ()
    """Lines of at most 80 cells, if asked for and if its deal is not one of matches to come."""


class Spectacles(NamedTuple):
    """Matches that are being played, those that began first, and how many more there are."""

    matches: tuple[Spectacle, ...]
    more: int = 0


class Listed(NamedTuple):
    """A result in a list, and why it does not count; empty if it does."""

    result: Result
    void: str = ""


class TableRow(NamedTuple):
    """One bot's line of the published table; `None` where there is nothing to tell yet."""

    rank: int
    bot: str
    display_name: str
    elo_live: float
    rating: float | None = None
    rating_error: float | None = None
    """Half width of the 95 % interval."""
    matches: int = 0
    won: int = 0
    shared: int = 0
    lost: int = 0
    score: float = 0.0
    """Mean share of opponents beaten, ties half, 0 to 1."""
    mean_points: float = 0.0
    """Over the matches that were played to an end; 0.0 if there are none."""
    timeouts: int = 0
    illegal: int = 0
    forfeits: int = 0
    rank_low: int = 0
    rank_high: int = 0
    status: EntrantStatus = EntrantStatus.PLAYING
    status_reason: str = ""
    unbounded: bool = False
    """Results alone set no bound to the rating; a prior does."""
    swiss: SwissPlacing | None = None
    """What the rank follows from, in a Swiss."""
    knockout: KnockoutPlacing | None = None


class Reliability(NamedTuple):
    """How much the rated results of a table tell, its largest part if bots never met."""

    matches: int = 0
    blocks: int = 0
    correlation: float = 0.0
    """Of a bot's results in two matches of a block, as measured."""
    effective_matches: float = 0.0
    """How many independent matches would tell as much."""


class Table(NamedTuple):
    """The published table of a tournament, best bot first."""

    progress: Progress
    rows: tuple[TableRow, ...]
    seat_wins: tuple[float, ...] = ()
    """Share of matches won by seat, shared wins split."""
    method: str = ""
    reference: str = ""
    seat_errors: tuple[float, ...] = ()
    """Half widths of their 95 % intervals; infinite while there is one block."""
    reliability: Reliability = Reliability()
    event: int = 0
    """The number of the last event that it knows."""


class Tournaments(Protocol):
    """What organisers and dashboards may ask: the methods mirror the RPCs.

    Arguments arrive checked for form (names, durations, bounds, known game, variant and
    number of players); what only the server knows is checked behind. Errors: `Refused` with
    UNKNOWN_TOURNAMENT, UNKNOWN_BOT, NAME_TAKEN, WRONG_STATE and the like.
    """

    async def register_bot(
        self, name: str, display_name: str, owner: str, request_id: str
    ) -> Registered:
        """Registers a bot and issues its token; idempotent by a request id that is not empty."""
        ...

    async def list_bots(self, after: str, limit: int) -> tuple[BotStatus, ...]:
        """At most `limit` bots by name, from the name behind `after`."""
        ...

    async def rotate_token(self, name: str) -> str:
        """Issues a new token; the old one ends at once, its stream too."""
        ...

    async def create(self, settings: TournamentSettings, request_id: str) -> Progress:
        """Creates a tournament; idempotent by a request id that is not empty."""
        ...

    async def start(self, name: str, who: str = "organiser") -> Progress:
        """Starts a planned tournament; `who` is noted."""
        ...

    async def pause(self, name: str) -> Progress:
        """Stops leasing its matches."""
        ...

    async def resume(self, name: str) -> Progress:
        """Goes on after a pause."""
        ...

    async def cancel(self, name: str) -> Progress:
        """Ends it for good."""
        ...

    async def act(self, name: str, act: TournamentAct) -> tuple[Progress, Event]:
        """Enters, withdraws, readmits or disqualifies a bot, or voids a match.

        Idempotent by a request id that is not empty.

        Raises:
            Refused: It cannot be; nothing has changed.
        """
        ...

    async def events(self, name: str, after: int, limit: int) -> tuple[Event, ...]:
        """What was done, oldest first, from the number behind `after`."""
        ...

    async def get(self, name: str) -> Progress:
        """Where it stands."""
        ...

    async def list_tournaments(self, before: int | None, limit: int) -> tuple[Progress, ...]:
        """At most `limit` tournaments, newest first, with numbers below `before`."""
        ...

    def watch(self, name: str) -> AsyncIterator[Progress]:
        """Where it stands: at once, after changes at most twice a second, and when it is over."""
        ...

    async def standings(
        self, name: str, position: int | None = None, event: int | None = None
    ) -> Table:
        """Its table; as it was at a position of the log, if one is given.

        Raises:
            Refused: UNKNOWN_POSITION.
        """
        ...

    async def faults(
        self, name: str, bot: str, before: int | None, limit: int
    ) -> tuple[tuple[int, Fault], ...]:
        """Faults with their ids, newest first, ids below `before`; an empty bot means all."""
        ...

    async def matches(self, name: str, after: int, limit: int) -> tuple[Listed, ...]:
        """Results in the order of the log, from the position behind `after`."""
        ...

    async def record(
        self, match_id: str, attempt: int, reader: str | None = None, *, for_all: bool = False
    ) -> bytes:
        """The text of a match record, UTF-8; attempt 0 means the one that counts.

        `reader` is the author who asks, and None an organiser. Where notes are for authors alone
        others' are left out, and all of them of a record that is `for_all`.

        Raises:
            Refused: NO_RECORD; NOT_PUBLISHED for others' matches while the table is held back.
        """
        ...

    async def live(self, name: str, match_id: str, *, insider: bool) -> Spectacles:
        """Matches that are being played: one with its board, or all; `insider`: an organiser asks.

        Raises:
            Refused: NOT_PUBLISHED, NOT_PLAYED for a match that is not being played, or
                UNKNOWN_MATCH.
        """
        ...
