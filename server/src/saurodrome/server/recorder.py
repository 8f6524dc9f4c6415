"""The one writer of the log: takes what matches tell, commits it in groups, never in their way.

Results get their position and live Elo here. What waits is bounded by `has_room`: nobody
begins a match without it, and what running matches still bring is always taken. Trouble in
the store costs nothing but waiting: every batch is tried again, whole and without harm if it
was committed after all.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from saurodrome.server.observer import Observer
from saurodrome.server.rating.elo import elo
from saurodrome.server.store.interface import BadBatch, Store, StoreTrouble
from saurodrome.server.store.records import (
    Batch,
    Lease,
    NewResult,
    RatedSeat,
    Result,
    Termination,
    Void,
)

START = 1500.0
"""The live Elo of a bot before its first rated match of a tournament."""

K = 32.0
"""The factor of the live Elo: the most that a match can move a bot against far stronger ones."""

RATED = frozenset({Termination.FINISHED, Termination.FORFEIT})
"""Results that count for ratings; in these the seats say whether they are rated."""

GATHER = 0.02
"""Seconds for which ends of matches are gathered for one commit, from the last commit on, or from
the first of them if leases had one since. A recorder that was idle commits at once, and so does
one that has heard of every match in flight."""

CROWD, LONGEST_GATHER = 8, 5 * GATHER
"""For each so many matches in flight ends are gathered for GATHER longer, up to a bound: a commit
costs as much as eight more matches in it."""

LEASE_GATHER = GATHER / 4
"""Seconds for which a lease waits at most for others. A commit of ends frees bots for their next
matches, whose leases come within milliseconds; until these are committed the bots wait."""

ROOM = 256
"""Items that may wait before no further match should begin."""

BATCH = 256
"""Items of one commit at most."""

FIRST_RETRY, LAST_RETRY = 0.1, 5.0
"""Seconds until a commit is tried again: at first, and at most after doubling."""

TELL_EVERY = 5.0
"""Seconds between two reports of the same trouble."""


class NotStored(Exception):
    """The recorder stopped before this was stored. It may be stored, if the disk was slow."""


class _Item(NamedTuple):
    what: Lease | NewResult | Void
    done: asyncio.Future[Any]
    since: float


class _Log(NamedTuple):
    """The end of a tournament's log: the last position, and the live Elo by bot."""

    position: int
    ratings: dict[str, float]


class Recorder:
    """Commits leases, and results and void attempts in the order in which they come.

    Args:
        store: Where they go; nobody else writes results to it.
        observer: Hears of commits and of trouble.
    """

    def __init__(self, store: Store, observer: Observer) -> None:
        """Takes items at once; commits them from `start` on."""
        self._store = store
        self._observer = observer
        self.more_to_come: Callable[[], int] = lambda: 1
        """How many others may bring something soon; if none does, a commit waits for nobody."""
        self._leases: deque[_Item] = deque()
        self._ends: deque[_Item] = deque()
        self._logs: dict[str, _Log] = {}
        self._suspects: deque[_Item] = deque()  # go one by one, to find the bad one among them
        self._wake = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._last = float("-inf")
        self._retry = FIRST_RETRY
        self._told = ("", 0.0)

    @property
    def has_room(self) -> bool:
        """Whether a further match may begin."""
        return self.waiting < ROOM

    @property
    def waiting(self) -> int:
        """How many items are not committed yet."""
        return len(self._leases) + len(self._ends)

    @property
    def behind(self) -> float:
        """Seconds since the oldest of these came."""
        if not self.waiting:
            return 0.0
        oldest = min(queue[0].since for queue in (self._leases, self._ends) if queue)
        return asyncio.get_running_loop().time() - oldest

    @property
    def trouble(self) -> str:
        """The code of the store's trouble, such as STORE_FULL; empty while commits succeed."""
        return self._told[0]

    async def lease(self, lease: Lease) -> None:
        """Notes an attempt that is to begin; returns once that is committed.

        Only then may anybody hear of the attempt: its number is never given again.

        Raises:
            NotStored: The recorder stopped before.
            BadBatch: It contradicts what is stored.
        """
        await asyncio.shield(self._add(lease))

    async def result(self, new: NewResult) -> Result:
        """Appends a result to the log and gives it back, committed, with position and Elo.

        A match that has a result already keeps it, and that one is given. A caller that is
        cancelled stops waiting, no more.

        Raises:
            NotStored: The recorder stopped before.
            BadBatch: The result contradicts what is stored and never can be.
        """
        stored: Result = await asyncio.shield(self._add(new))
        return stored

    async def void(self, void: Void) -> None:
        """Notes an attempt that ends without counting; returns once that is committed.

        Raises:
            NotStored: The recorder stopped before.
            BadBatch: It contradicts what is stored.
        """
        await asyncio.shield(self._add(void))

    def forget(self, tournament: str) -> None:
        """Nothing more comes of a tournament: the end of its log need not be remembered."""
        self._logs.pop(tournament, None)

    def start(self) -> None:
        """Begins to commit."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="recorder")

    async def stop(self, deadline: float = 5.0) -> tuple[Lease | NewResult | Void, ...]:
        """Takes nothing more, commits what waits, and gives what could not be in time.

        Args:
            deadline: Seconds after which it gives up.
        """
        self._stopping.set()
        self._wake.set()
        if self._task:
            await asyncio.wait({self._task}, timeout=deadline)
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        left = (*self._leases, *self._ends)
        self._leases.clear()
        self._ends.clear()
        for item in left:
            item.done.set_exception(NotStored("the recorder stopped before it was stored"))
        return tuple(item.what for item in left)

    def _add(self, what: Lease | NewResult | Void) -> asyncio.Future[Any]:
        if self._stopping.is_set():
            raise NotStored("the recorder stops and takes nothing more")
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        done.add_done_callback(asyncio.Future.exception)  # seen, even if nobody waits any more
        self._queue_of(what).append(_Item(what, done, loop.time()))
        self._wake.set()
        return done

    def _queue_of(self, what: Lease | NewResult | Void) -> deque[_Item]:
        return self._leases if isinstance(what, Lease) else self._ends

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        while self.waiting or not self._stopping.is_set():
            self._wake.clear()
            if items := self._due(now):
                self._last = now
                await self._try(items)
                now = loop.time()
            else:
                now = await self._something_comes(self._due_at())

    async def _something_comes(self, until: float) -> float:
        """Waits for a further item, or until a loop time, and gives the time that it is then."""
        try:
            async with asyncio.timeout_at(until if self.waiting else None):
                await self._wake.wait()
        except TimeoutError:  # uvloop's timers may come a little too early
            return max(until, asyncio.get_running_loop().time())
        return asyncio.get_running_loop().time()

    def _due(self, now: float) -> list[_Item]:
        """What is to be committed at a loop time, the leases first."""
        if self._suspects:
            return [self._suspects[0]]
        gather = self._gather()
        if self._ends_due(gather) <= now:
            return [*self._leases, *self._ends][:BATCH]
        if self._leases_due(gather) <= now:
            return [*self._leases][:BATCH]
        return []

    def _due_at(self) -> float:
        gather = self._gather()
        return min(self._leases_due(gather), self._ends_due(gather))

    def _leases_due(self, gather: float) -> float:
        if not self._leases:
            return math.inf
        return min(self._last + gather, self._leases[0].since + LEASE_GATHER)

    def _ends_due(self, gather: float) -> float:
        return min(self._last, self._ends[0].since) + gather if self._ends else math.inf

    def _gather(self) -> float:
        others = self.more_to_come()
        return min(GATHER * (1 + others / CROWD), LONGEST_GATHER) if others > 0 else 0.0

    async def _try(self, items: Sequence[_Item]) -> None:
        """Commits the heads of the queues, or leaves them there and waits."""
        try:
            known = await self._commit(items)
        except BadBatch as error:
            if self._logs or len(items) > 1:
                self._logs.clear()  # what is stored decides, not what is remembered of it
                self._suspects = self._suspects or deque(items)
            else:
                self._tell(self._observer.commit_failed, "STORE_CONFLICT", str(error), 0.0)
                self._pop(items)
                items[0].done.set_exception(error)
        except Exception as error:  # a result is never given up for trouble of whatever kind
            self._logs.clear()
            await self._wait_for_better(error)
        else:
            self._retry, self._told = FIRST_RETRY, ("", 0.0)
            self._pop(items)
            for item in items:
                is_result = isinstance(item.what, NewResult)
                item.done.set_result(known[item.what.match_id] if is_result else None)

    def _pop(self, items: Sequence[_Item]) -> None:
        """Forgets items, which are the first of their queues."""
        if self._suspects:
            self._suspects.popleft()
        for item in items:
            self._queue_of(item.what).popleft()

    async def _commit(self, items: Sequence[_Item]) -> dict[str, Result]:
        """Commits items; gives the results of their matches, new or not."""
        begun = asyncio.get_running_loop().time()
        news = [item.what for item in items if isinstance(item.what, NewResult)]
        known = await self._stored(news)
        fresh = {new.tournament for new in news if new.match_id not in known}
        logs = {name: await self._end_of_log(name) for name in sorted(fresh)}
        batch = _draft([item.what for item in items], known, logs)
        if await self._store.commit(batch):
            self._logs.clear()
            return await self._commit(items)  # told twice: what is stored counts
        self._logs |= logs
        now = asyncio.get_running_loop().time()
        ends = [item.since for item in items if not isinstance(item.what, Lease)]
        waited = now - min(ends) if ends else None
        self._tell(self._observer.commit_done, len(items), now - begun, waited)
        return known

    def _tell(self, event: Callable[..., None], *facts: object) -> None:
        """Tells whoever listens, whose own trouble must not keep a result out of the log."""
        with suppress(Exception):
            event(*facts)

    async def _stored(self, news: Sequence[NewResult]) -> dict[str, Result]:
        """The results that some of the matches have already.

        Where the end of a log is remembered, hardly any match has, and the commit would tell.
        """
        if all(new.tournament in self._logs for new in news):
            return {}
        return dict(await self._store.stored({new.match_id for new in news}))

    async def _end_of_log(self, tournament: str) -> _Log:
        """A copy, to be kept only if what follows is committed."""
        if log := self._logs.get(tournament):
            return log._replace(ratings=dict(log.ratings))
        ratings = await self._store.ratings(tournament)
        return _Log(await self._store.last_position(tournament), dict(ratings))

    async def _wait_for_better(self, error: Exception) -> None:
        code = error.code if isinstance(error, StoreTrouble) else "STORE_FAILING"
        now = asyncio.get_running_loop().time()
        told, when = self._told
        if code != told or now - when >= TELL_EVERY:
            self._told = (code, now)
            self._tell(self._observer.commit_failed, code, str(error) or repr(error), self._retry)
        if self._stopping.is_set():
            await asyncio.sleep(FIRST_RETRY)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._retry):
                await self._stopping.wait()
        self._retry = min(self._retry * 2, LAST_RETRY)


def _draft(
    items: Iterable[Lease | NewResult | Void], known: dict[str, Result], logs: dict[str, _Log]
) -> Batch:
    """Puts a batch together; new results go to `known`, the new ends of logs to `logs`."""
    leases, results, voids = [], [], []
    for item in items:
        if isinstance(item, Lease):
            leases.append(item)
        elif isinstance(item, Void):
            voids.append(item)
        elif item.match_id not in known:
            result, logs[item.tournament] = _place(item, logs[item.tournament])
            known[item.match_id] = result
            results.append((result, item))
        elif known[item.match_id].attempt != item.attempt:
            key = (item.tournament, item.match_id, item.attempt)
            voids.append(Void(*key, "superseded", item.when, item.faults))
    return Batch(tuple(leases), tuple(results), tuple(voids))


def _place(new: NewResult, log: _Log) -> tuple[Result, _Log]:
    """Gives a result its position and ratings, and the log as it is behind it."""
    position = log.position + 1
    seats = _rate(new, log.ratings)
    log.ratings.update((seat.bot, seat.elo_after) for seat in seats if seat.rated)
    key = (position, new.tournament, new.match_id, new.attempt, new.termination)
    result = Result(*key, seats, new.when, new.record is not None)
    return result, log._replace(position=position)


def _rate(new: NewResult, ratings: dict[str, float]) -> tuple[RatedSeat, ...]:
    rated = [seat.rated and new.termination in RATED for seat in new.seats]
    if sum(rated) < 2:
        rated = [False] * len(rated)
    before = [ratings.get(seat.bot, START) for seat in new.seats]
    try:
        after = elo(before, [seat.placement for seat in new.seats], k=K, rated=rated)
    except Exception as error:
        raise BadBatch(f"{new.match_id} cannot be rated: {error!r}") from error
    return tuple(
        RatedSeat(*(seat if seat.rated is r else seat._replace(rated=r)), b, a)
        for seat, r, b, a in zip(new.seats, rated, before, after, strict=True)
    )
