"""A store that forgets everything with its process: for simulations and tests."""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from saurodrome.server.store import refusals
from saurodrome.server.store.access import Act, NewAct, NewToken, Place, Token
from saurodrome.server.store.interface import BadBatch
from saurodrome.server.store.records import (
    OVER,
    Attempts,
    Batch,
    Bot,
    Counts,
    Event,
    Fault,
    Kept,
    Lease,
    NewBot,
    NewEvent,
    NewResult,
    NewTournament,
    Result,
    Tournament,
    TournamentState,
    Void,
    first_token,
)

Hook = Callable[[Batch], Awaitable[None]]
"""Called around a commit; it may wait, and raise `StoreTrouble`."""


class _Phase(StrEnum):
    OPEN = "open"
    VOID = "void"
    DONE = "done"


class _Attempt(NamedTuple):
    tournament: str
    phase: _Phase


class MemoryStore:
    """Keeps everything in dicts and lists; what was committed outlives `close` and `open`.

    Args:
        before_commit: Trouble here keeps the batch out of the store.
        after_commit: Trouble here loses only the acknowledgement: the batch is in.
    """

    def __init__(self, before_commit: Hook | None = None, after_commit: Hook | None = None) -> None:
        """Starts empty."""
        self._before_commit = before_commit
        self._after_commit = after_commit
        self._bots: dict[str, Bot] = {}
        self._tokens: dict[str, Token] = {}
        self._acts: list[Act] = []
        self._tournaments: dict[str, Tournament] = {}
        self._counts: dict[str, Counts] = {}
        self._events: defaultdict[str, list[Event]] = defaultdict(list)
        self._log: defaultdict[str, list[Result]] = defaultdict(list)
        self._by_match: dict[str, Result] = {}
        self._records: dict[tuple[str, int], bytes] = {}
        self._attempts: dict[tuple[str, int], _Attempt] = {}
        self._faults: list[Fault] = []

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    async def add_bot(self, new: NewBot) -> Bot:
        """Registers a bot; see `Store.add_bot`."""
        for bot in self._bots.values():
            if new.request_id and bot.request_id == new.request_id:
                return bot
        if new.name in self._bots:
            raise refusals.name_taken("bot", new.name)
        self._bots[new.name] = bot = Bot(len(self._bots) + 1, *new)
        await self.add_token(first_token(new))
        return bot

    async def bots(self) -> tuple[Bot, ...]:
        """All bots, by name."""
        return tuple(self._bots[name] for name in sorted(self._bots))

    async def tokens(self, after: int = 0) -> tuple[Token, ...]:
        """Tokens, oldest first; see `Store.tokens`."""
        return tuple(self._tokens.values())[after:]

    async def add_token(self, new: NewToken, *, replace: bool = False) -> Token:
        """Keeps a token; see `Store.add_token`."""
        for token in self._tokens.values() if replace else ():
            if (token.holder, token.role) == (new.holder, new.role):
                self._end(token, new.issued)
        token = Token(len(self._tokens) + 1, *new)
        self._tokens[new.token_id] = token
        return token

    async def revoke_token(self, token_id: str, when: float) -> Token:
        """Ends a token; see `Store.revoke_token`."""
        if token_id not in self._tokens:
            raise refusals.unknown_token(token_id)
        return self._end(self._tokens[token_id], when)

    def _end(self, token: Token, when: float) -> Token:
        ended = token if token.revoked is not None else token._replace(revoked=when)
        self._tokens[token.token_id] = ended
        return ended

    async def add_act(self, new: NewAct) -> int:
        """Appends an entry to the audit log; see `Store.add_act`."""
        self._acts.append(Act(len(self._acts) + 1, *new))
        return len(self._acts)

    async def end_act(self, number: int, outcome: str) -> None:
        """Notes how an act came out."""
        self._acts[number - 1] = self._acts[number - 1]._replace(outcome=outcome)

    async def acts(self, before: int | None = None, limit: int = 500) -> tuple[Act, ...]:
        """The audit log, newest first; see `Store.acts`."""
        newest = reversed(self._acts if before is None else self._acts[: before - 1])
        return tuple(act for act, _ in zip(newest, range(limit), strict=False))

    async def drop_records(self, ended_before: float, limit: int) -> tuple[Place, ...]:
        """Deletes old match records; see `Store.drop_records`."""
        ended = {n: t.ended for n, t in self._tournaments.items() if t.ended is not None}
        old = [
            key
            for key in self._records
            if ended.get(self._attempts[key].tournament, ended_before) < ended_before
        ]
        gone = []
        for key in old[:limit]:
            del self._records[key]
            result = self._by_match[key[0]]
            bare = self._by_match[key[0]] = result._replace(has_record=False)
            self._log[result.tournament][result.position - 1] = bare
            gone.append((result.tournament, result.position))
        return tuple(gone)

    async def add_tournament(self, new: NewTournament) -> Tournament:
        """Creates a tournament; see `Store.add_tournament`."""
        for tournament in self._tournaments.values():
            if new.request_id and tournament.request_id == new.request_id:
                return tournament
        name = new.settings.name
        if name in self._tournaments:
            raise refusals.name_taken("tournament", name)
        self._tournaments[name] = tournament = Tournament(
            len(self._tournaments) + 1,
            new.settings,
            TournamentState.PLANNED,
            new.rules_version,
            new.created,
            new.request_id,
            deal_key=new.deal_key,
        )
        return tournament

    async def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, oldest first."""
        return tuple(self._tournaments.values())

    async def going(self) -> tuple[Tournament, ...]:
        """The tournaments that are not over, oldest first."""
        return tuple(t for t in self._tournaments.values() if t.state not in OVER)

    async def over(self, before: int | None, limit: int) -> tuple[Kept, ...]:
        """Tournaments that are over, newest first; see `Store.over`."""
        newest = reversed(self._tournaments.values())
        wanted = (t for t in newest if before is None or t.number < before)
        over = (self._kept(t) for t in wanted if t.state in OVER)
        return tuple(kept for kept, _ in zip(over, range(limit), strict=False))

    async def over_counts(self) -> Mapping[TournamentState, int]:
        """How many tournaments are over, by state."""
        return Counter(t.state for t in self._tournaments.values() if t.state in OVER)

    async def tournament(self, name: str) -> Kept | None:
        """One tournament; None if none is called that."""
        found = self._tournaments.get(name)
        return self._kept(found) if found else None

    async def tournament_names(self, limit: int) -> tuple[str, ...]:
        """The first names of tournaments in their order."""
        return tuple(sorted(self._tournaments)[:limit])

    async def set_counts(self, name: str, counts: Counts) -> None:
        """Notes what the log of a tournament comes to; see `Store.set_counts`."""
        self._counts[name] = counts

    async def void_attempts(self, tournament: str) -> int:
        """How many attempts at its matches were void."""
        of = (a for a in self._attempts.values() if a.tournament == tournament)
        return sum(attempt.phase is _Phase.VOID for attempt in of)

    def _kept(self, tournament: Tournament) -> Kept:
        return Kept(tournament, self._counts.get(tournament.settings.name))

    async def set_state(self, name: str, state: TournamentState, when: float) -> Tournament:
        """Moves a tournament to a state; see `Store.set_state`."""
        if name not in self._tournaments:
            raise refusals.unknown_tournament(name)
        self._counts.pop(name, None)
        self._tournaments[name] = moved = self._tournaments[name].moved(state, when)
        return moved

    async def add_event(self, new: NewEvent) -> Event:
        """Appends an event; see `Store.add_event`."""
        if new.tournament not in self._tournaments:
            raise refusals.unknown_tournament(new.tournament)
        if new.bot and new.bot not in self._bots:
            raise refusals.unknown_bot(new.bot)
        events = self._events[new.tournament]
        for event in events:
            if new.request_id and event.request_id == new.request_id:
                return event
        first = events[-1].position if events else 0
        if not first <= new.position <= len(self._log[new.tournament]):
            raise BadBatch(f"no event comes at position {new.position}")
        self._counts.pop(new.tournament, None)
        events.append(Event(len(events) + 1, *new))
        return events[-1]

    async def events(self, tournament: str) -> tuple[Event, ...]:
        """The events of a tournament, oldest first."""
        return tuple(self._events[tournament])

    async def commit(self, batch: Batch) -> Collection[str]:
        """Commits a batch, all or nothing; see `Store.commit`."""
        if self._before_commit:
            await self._before_commit(batch)
        before = {r.match_id for r, _ in batch.results} & self._by_match.keys()
        fresh = self._fresh(batch)
        self._check(batch, fresh)
        for lease in batch.leases:
            key = (lease.match_id, lease.attempt)
            self._attempts.setdefault(key, _Attempt(lease.tournament, _Phase.OPEN))
        for result, new in fresh:
            self._append(result, new)
        for void in batch.voids:
            self._void(void)
        if self._after_commit:
            await self._after_commit(batch)
        return before

    def _fresh(self, batch: Batch) -> list[tuple[Result, NewResult]]:
        """The results of matches that have none, the first of each."""
        fresh: dict[str, tuple[Result, NewResult]] = {}
        for result, new in batch.results:
            if result.match_id not in self._by_match:
                fresh.setdefault(result.match_id, (result, new))
        return list(fresh.values())

    def _check(self, batch: Batch, fresh: list[tuple[Result, NewResult]]) -> None:
        items: tuple[Lease | Void | Result, ...] = (
            *batch.leases,
            *batch.voids,
            *(result for result, _ in fresh),
        )
        for item in items:
            if item.tournament not in self._tournaments:
                raise BadBatch(f"unknown tournament {item.tournament!r}")
        for bot in _bots(batch, fresh):
            if bot not in self._bots:
                raise BadBatch(f"unknown bot {bot!r}")
        last = {name: len(log) for name, log in self._log.items()}
        for result, _ in fresh:
            expected = last.get(result.tournament, 0) + 1
            if result.position != expected:
                raise BadBatch(f"position {result.position} where {expected} comes next")
            last[result.tournament] = expected
            if self._phase(result.match_id, result.attempt) is _Phase.VOID:
                raise BadBatch(f"{result.match_id}#{result.attempt} is void")

    def _phase(self, match_id: str, attempt: int) -> _Phase | None:
        found = self._attempts.get((match_id, attempt))
        return found.phase if found else None

    def _append(self, result: Result, new: NewResult) -> None:
        key = (result.match_id, result.attempt)
        self._attempts[key] = _Attempt(result.tournament, _Phase.DONE)
        self._log[result.tournament].append(result)
        self._by_match[result.match_id] = result
        self._faults += new.faults
        if new.record is not None:
            self._records[key] = new.record

    def _void(self, void: Void) -> None:
        if self._phase(void.match_id, void.attempt) in (None, _Phase.OPEN):
            self._attempts[void.match_id, void.attempt] = _Attempt(void.tournament, _Phase.VOID)
            self._faults += void.faults

    async def stored(self, match_ids: Collection[str]) -> Mapping[str, Result]:
        """Those of the matches that have a result; see `Store.stored`."""
        return {m: self._by_match[m] for m in match_ids if m in self._by_match}

    async def last_position(self, tournament: str) -> int:
        """The position of the newest result, 0 if there is none."""
        return len(self._log[tournament])

    async def results(
        self, tournament: str, after: int = 0, limit: int | None = None
    ) -> tuple[Result, ...]:
        """Results in the order of the log; see `Store.results`."""
        log = self._log[tournament]
        return tuple(log[after:] if limit is None else log[after : after + limit])

    async def record(self, match_id: str, attempt: int = 0) -> bytes | None:
        """A match record; see `Store.record`."""
        counts = self._by_match.get(match_id)
        return self._records.get((match_id, attempt or (counts.attempt if counts else 0)))

    async def faults(
        self, tournament: str, bot: str = "", before: int | None = None, limit: int = 500
    ) -> tuple[tuple[int, Fault], ...]:
        """Faults with their ids, newest first; see `Store.faults`."""
        newest = len(self._faults) if before is None else before - 1
        wanted = (
            (number, fault)
            for number in range(newest, 0, -1)
            if (fault := self._faults[number - 1]).tournament == tournament
            if bot in ("", fault.bot)
        )
        return tuple(found for found, _ in zip(wanted, range(limit), strict=False))

    async def attempts(self, tournament: str) -> Mapping[str, Attempts]:
        """Attempts of matches that have no result; see `Store.attempts`."""
        known: defaultdict[str, Attempts] = defaultdict(lambda: Attempts(0, 0))
        for (match_id, number), attempt in self._attempts.items():
            if attempt.tournament == tournament and match_id not in self._by_match:
                begun, void = known[match_id]
                known[match_id] = Attempts(
                    max(begun, number), void + (attempt.phase is _Phase.VOID)
                )
        return dict(known)

    async def void_open_leases(self, reason: str, when: float) -> int:
        """Makes every attempt that was in flight void; see `Store.void_open_leases`."""
        flying = [k for k, attempt in self._attempts.items() if attempt.phase is _Phase.OPEN]
        for key in flying:
            self._attempts[key] = self._attempts[key]._replace(phase=_Phase.VOID)
        return len(flying)

    async def ratings(self, tournament: str) -> Mapping[str, float]:
        """The live Elo of every bot that has a rating event; see `Store.ratings`."""
        return {
            seat.bot: seat.elo_after
            for result in self._log[tournament]
            for seat in result.seats
            if seat.rated
        }


def _bots(batch: Batch, fresh: list[tuple[Result, NewResult]]) -> Iterator[str]:
    """The bots that a batch speaks of."""
    for result, new in fresh:
        yield from (seat.bot for seat in result.seats)
        yield from (fault.bot for fault in new.faults if fault.bot)
    for void in batch.voids:
        yield from (fault.bot for fault in void.faults if fault.bot)
