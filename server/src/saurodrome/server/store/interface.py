"""The store's interface: what the server asks of a database, whichever it is."""

from collections.abc import Collection, Mapping
from typing import Protocol

from saurodrome.server.store.access import Act, NewAct, NewToken, Place, Token
from saurodrome.server.store.records import (
    Attempts,
    Batch,
    Bot,
    Counts,
    Event,
    Fault,
    Kept,
    NewBot,
    NewEvent,
    NewTournament,
    Result,
    Tournament,
    TournamentState,
)


class StoreTrouble(Exception):
    """The database cannot do it now (full, locked, read-only, gone); trying again may help.

    `code` is one of STORE_FULL, STORE_LOCKED, STORE_READONLY, STORE_GONE, STORE_FAILING.
    """

    def __init__(self, code: str, what: str) -> None:
        """Keeps the code and what the database said."""
        super().__init__(f"[{code}] {what}")
        self.code = code


class BadBatch(Exception):
    """A batch that contradicts what is stored, and will the next time as well: a caller's bug.

    An unknown tournament or bot, a position that is taken or leaves a gap, a result of an
    attempt that is void.
    """


class Store(Protocol):
    """Bots, tournaments and the log. Every call is one transaction.

    Errors: `Refused` for what the caller asked wrongly (NAME_TAKEN, UNKNOWN_BOT, ...),
    `StoreTrouble` for the database's own.
    """

    async def open(self) -> None:
        """Opens or creates the database and brings its schema up to date.

        Raises:
            Refused: STORE_NEWER, STORE_CORRUPT or STORE_LOCKED, with what to do; nothing was
                touched then.
        """
        ...

    async def close(self) -> None:
        """Closes it; twice is once."""
        ...

    async def add_bot(self, new: NewBot) -> Bot:
        """Registers a bot with its first token; a request id seen before gives that bot.

        Raises:
            Refused: NAME_TAKEN.
        """
        ...

    async def bots(self) -> tuple[Bot, ...]:
        """All bots, by name."""
        ...

    async def tokens(self, after: int = 0) -> tuple[Token, ...]:
        """All tokens with numbers behind `after`, oldest first; also those that ended."""
        ...

    async def add_token(self, new: NewToken, *, replace: bool = False) -> Token:
        """Keeps a token; `replace` ends the holder's others in its role at the same time."""
        ...

    async def revoke_token(self, token_id: str, when: float) -> Token:
        """Ends a token; one that was ended keeps its time.

        Raises:
            Refused: UNKNOWN_TOKEN.
        """
        ...

    async def add_act(self, new: NewAct) -> int:
        """Appends an entry without an outcome to the audit log; gives its number."""
        ...

    async def end_act(self, number: int, outcome: str) -> None:
        """Notes how an act of the audit log came out."""
        ...

    async def acts(self, before: int | None = None, limit: int = 500) -> tuple[Act, ...]:
        """The audit log, newest first, numbers below `before`."""
        ...

    async def drop_records(self, ended_before: float, limit: int) -> tuple[Place, ...]:
        """Deletes match records of tournaments that ended before a time, at most `limit`.

        Results, ratings and faults stay.

        Returns:
            The places in the log of the results that have no record any more.
        """
        ...

    async def add_tournament(self, new: NewTournament) -> Tournament:
        """Creates a tournament; with a request id that was seen before, gives that one.

        Raises:
            Refused: NAME_TAKEN.
        """
        ...

    async def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, oldest first."""
        ...

    async def going(self) -> tuple[Tournament, ...]:
        """The tournaments that are not over, oldest first."""
        ...

    async def over(self, before: int | None, limit: int) -> tuple[Kept, ...]:
        """At most `limit` tournaments that are over, newest first, numbers below `before`."""
        ...

    async def over_counts(self) -> Mapping[TournamentState, int]:
        """How many tournaments are over, by state."""
        ...

    async def tournament(self, name: str) -> Kept | None:
        """One tournament; None if none is called that."""
        ...

    async def tournament_names(self, limit: int) -> tuple[str, ...]:
        """The first names of tournaments in their order, at most `limit`."""
        ...

    async def set_counts(self, name: str, counts: Counts) -> None:
        """Notes what the log of a tournament comes to; its next event or state forgets that."""
        ...

    async def void_attempts(self, tournament: str) -> int:
        """How many attempts at its matches were void."""
        ...

    async def set_state(self, name: str, state: TournamentState, when: float) -> Tournament:
        """Moves a tournament to a state and stamps `started` or `ended` where that applies.

        Raises:
            Refused: UNKNOWN_TOURNAMENT.
        """
        ...

    async def add_event(self, new: NewEvent) -> Event:
        """Appends an event; with a request id that was seen in the tournament, gives that one.

        Raises:
            Refused: UNKNOWN_TOURNAMENT, UNKNOWN_BOT.
            BadBatch: Its position is before that of another event, or of no result.
        """
        ...

    async def events(self, tournament: str) -> tuple[Event, ...]:
        """The events of a tournament, oldest first."""
        ...

    async def commit(self, batch: Batch) -> Collection[str]:
        """Commits leases, results with their rating events, and void attempts together.

        A result whose (match, attempt) is in the log already is left as it is, so a batch
        that was committed without an acknowledgement may be committed again. A match that
        has a result takes no second one from another attempt. An attempt that is over stays
        as it is: a lease or void for it changes nothing.

        Returns:
            The matches of the batch's results that had a result before.

        Raises:
            BadBatch: It contradicts what is stored; nothing of it was committed.
        """
        ...

    async def stored(self, match_ids: Collection[str]) -> Mapping[str, Result]:
        """Those of the matches that have a result, by match id, with that result."""
        ...

    async def last_position(self, tournament: str) -> int:
        """The position of the newest result in a tournament's log; 0 if there is none."""
        ...

    async def results(
        self, tournament: str, after: int = 0, limit: int | None = None
    ) -> tuple[Result, ...]:
        """Results in the order of the log, from the position behind `after`."""
        ...

    async def record(self, match_id: str, attempt: int = 0) -> bytes | None:
        """A match record, compressed; attempt 0 means the one that counts."""
        ...

    async def faults(
        self, tournament: str, bot: str = "", before: int | None = None, limit: int = 500
    ) -> tuple[tuple[int, Fault], ...]:
        """Faults with their ids, newest first, ids below `before`."""
        ...

    async def attempts(self, tournament: str) -> Mapping[str, Attempts]:
        """Attempts of matches that have no result, by match id."""
        ...

    async def void_open_leases(self, reason: str, when: float) -> int:
        """Makes every attempt that was in flight void; gives how many. Called at start-up."""
        ...

    async def ratings(self, tournament: str) -> Mapping[str, float]:
        """The live Elo of every bot that has a rating event in the tournament."""
        ...
