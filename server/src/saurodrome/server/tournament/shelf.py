"""Where tournaments are: in memory until they are over, then in the store, and a few at hand.

What is over is taken up again when somebody asks for more than where it stands. Nobody ever
finds two objects of one tournament: as long as anybody holds one, that is found.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from weakref import WeakValueDictionary

from saurodrome.server.contracts import Progress
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store.interface import Store, StoreTrouble
from saurodrome.server.store.records import OVER, Counts, Kept, TournamentState
from saurodrome.server.store.records import Tournament as Record
from saurodrome.server.tournament.tournament import Tournament

MOST = 8
"""Tournaments that are over and stay at hand, those that somebody asked for last."""
MOST_RESULTS = 100_000
"""Results that they may have together; the last of them stays with however many."""
RECENT = 64
"""Tournaments that are over, the newest, of which it is known where they stand without a read."""
LOADS = 1
"""Tournaments that are taken up at once; others wait for their turn, and matches do not."""
NAMED = 8
"""Tournaments that are named to who asks for one that there is not."""


class Shelf:
    """All tournaments of a server, by name."""

    def __init__(self, store: Store, take_up: Callable[[Record], Awaitable[Tournament]]) -> None:
        """Begins empty; takes where tournaments are kept, and what makes them of that."""
        self._store = store
        self._take_up = take_up
        self._going: dict[str, Tournament] = {}
        self._at_hand: dict[str, Tournament] = {}
        """Over, those that somebody asked for last at the end."""
        self._alive: WeakValueDictionary[str, Tournament] = WeakValueDictionary()
        """Whatever somebody holds."""
        self._loading: dict[str, asyncio.Task[Tournament]] = {}
        self._turns = asyncio.Semaphore(LOADS)
        self._stale: set[str] = set()
        """Tournaments that changed in the store while they were read."""
        self._recent: dict[int, Progress] = {}
        self._has_older = False
        """The store has others that are over."""

    async def open(self) -> None:
        """Looks where the newest stand that are over; reads a log only where that is not noted."""
        newest = await self._store.over(None, RECENT + 1)
        self._has_older = len(newest) > RECENT
        for kept in newest[:RECENT]:
            self._remember(await self._stands(kept))

    # those that are not over

    @property
    def going(self) -> list[Tournament]:
        """Those that are not over, or only just."""
        return list(self._going.values())

    def add(self, tournament: Tournament) -> Tournament:
        """One more goes on; gives the one that is there already, if one is."""
        found = self._alive.setdefault(tournament.name, tournament)
        if found is tournament:
            self._going[tournament.name] = tournament
        return found

    async def put_away(self, tournament: Tournament) -> None:
        """One that is over, of which nothing more is played, needs not be in memory."""
        async with tournament.turn:
            await tournament.draws.wait()
            stands = tournament.progress()
            self._going.pop(tournament.name, None)
            self._reach_for(tournament)
            self._remember(stands)
            if not tournament.unreadable:
                with suppress(StoreTrouble):  # whoever asks next reads its log
                    await self._store.set_counts(tournament.name, _counts(stands))

    # all of them

    def at_hand(self, name: str) -> Tournament | None:
        """One that is in memory."""
        return self._alive.get(name)

    async def find(self, name: str) -> Tournament:
        """One by its name, from the store if need be; many who ask at once share one read.

        Raises:
            Refused: UNKNOWN_TOURNAMENT.
            StoreTrouble: It cannot be read now.
        """
        tournament = self._alive.get(name)
        if tournament is None:
            loading = self._loading.get(name) or self._load(name)
            tournament = await asyncio.shield(loading)
        if tournament.name not in self._going:
            self._reach_for(tournament)
        return tournament

    async def stands(self, name: str) -> Progress:
        """Where one stands; reads its log only where that is not noted.

        Raises:
            Refused: UNKNOWN_TOURNAMENT.
            StoreTrouble: It cannot be read now.
        """
        if tournament := self._alive.get(name):
            return tournament.progress()
        for progress in self._recent.values():
            if progress.tournament.settings.name == name:
                return progress
        return await self._stands(await self._read(name))

    async def listed(self, before: int | None, limit: int) -> list[Progress]:
        """At most `limit`, newest first, numbers below `before`.

        Raises:
            StoreTrouble: Those that are asked for cannot be read now.
        """
        going = {t.record.number: t for t in self._going.values()}
        over = self._newest()
        if self._has_older and not self._all_known(before, limit):
            over = [await self._stands(kept) for kept in await self._store.over(before, limit)]
        shown = {progress.tournament.number: progress for progress in over}
        shown |= {number: tournament.progress() for number, tournament in going.items()}
        numbers = sorted((n for n in shown if before is None or n < before), reverse=True)
        return [shown[number] for number in numbers[:limit]]

    def latest(self, limit: int) -> list[Progress]:
        """At most `limit`, at most `RECENT` of them over: those that run, then the newest."""
        known = [*(t.progress() for t in self._going.values()), *self._newest()]
        return sorted(known, key=_runs_or_is_new)[:limit]

    def records_dropped(self, places: Collection[tuple[str, int]]) -> None:
        """Hears of results, by tournament and position, whose match records were deleted."""
        for name, position in places:
            if name in self._loading:
                self._stale.add(name)
            if tournament := self._alive.get(name):
                bare = tournament.results[position - 1]._replace(has_record=False)
                tournament.results[position - 1] = bare

    async def stop(self) -> None:
        """Reads and draws nothing more."""
        for loading in tuple(self._loading.values()):
            loading.cancel()
            await asyncio.wait({loading})
        for tournament in tuple(self._alive.values()):
            await tournament.draws.stop()

    # the rest is its own

    def _load(self, name: str) -> asyncio.Task[Tournament]:
        def done(task: asyncio.Task[Tournament]) -> None:
            del self._loading[name]
            self._stale.discard(name)
            if not task.cancelled():
                task.exception()  # seen, even if nobody waits any more

        loading = asyncio.get_running_loop().create_task(self._loaded(name), name=f"load {name}")
        self._loading[name] = loading
        loading.add_done_callback(done)
        return loading

    async def _loaded(self, name: str) -> Tournament:
        record = (await self._read(name)).tournament
        async with self._turns:
            while True:
                self._stale.discard(name)
                tournament = await self._take_up(record)
                if name not in self._stale:
                    return self._alive.setdefault(name, tournament)

    async def _read(self, name: str) -> Kept:
        kept = await self._store.tournament(name)
        if kept and kept.tournament.state in OVER:  # else it is just being created
            return kept
        known = ", ".join(await self._store.tournament_names(NAMED)) or "none yet"
        raise Refused(
            Kind.NOT_FOUND,
            "UNKNOWN_TOURNAMENT",
            f"No tournament is called {name[:40]!a}.",
            "name",
            f"there are: {known}",
        )

    async def _stands(self, kept: Kept) -> Progress:
        """Where one stands that is over; notes it where that was not done."""
        name = kept.tournament.settings.name
        if tournament := self._alive.get(name):
            return tournament.progress()
        if kept.counts is None:
            await self.put_away(tournament := await self.find(name))
            return tournament.progress()
        counts = kept.counts
        return Progress(
            kept.tournament,
            total=counts.total,
            done=counts.done,
            abandoned=counts.abandoned,
            void=counts.void,
            position=counts.position,
            void_results=counts.void_results,
            entrants=counts.entrants,
        )

    def _all_known(self, before: int | None, limit: int) -> bool:
        """Whether the newest alone fill a page: those that need a read come behind all of them."""
        return sum(before is None or number < before for number in self._recent) >= limit

    def _newest(self) -> list[Progress]:
        """The newest that are over; the rate of one that has only just ended still falls."""
        at_hand = self._alive.get
        return [
            tournament.progress() if (tournament := at_hand(p.tournament.settings.name)) else p
            for p in self._recent.values()
        ]

    def _remember(self, progress: Progress) -> None:
        # Whoever asks while its rate still falls finds itself at hand.
        self._recent[progress.tournament.number] = progress._replace(rate=0.0)
        if len(self._recent) > RECENT:
            del self._recent[min(self._recent)]
            self._has_older = True

    def _reach_for(self, tournament: Tournament) -> None:
        """Keeps it at hand, and no longer those that were not asked for as long."""
        self._at_hand.pop(tournament.name, None)
        self._at_hand[tournament.name] = tournament
        results = sum(len(t.results) for t in self._at_hand.values())
        for name, oldest in [*self._at_hand.items()][:-1]:
            if len(self._at_hand) <= MOST and results <= MOST_RESULTS:
                break
            if oldest.quiet:
                results -= len(oldest.results)
                del self._at_hand[name]


def _runs_or_is_new(stands: Progress) -> tuple[bool, int]:
    record = stands.tournament
    return record.state is not TournamentState.RUNNING, -record.number


def _counts(stands: Progress) -> Counts:
    return Counts(
        stands.total,
        stands.done,
        stands.abandoned,
        stands.void,
        stands.position,
        stands.void_results,
        stands.entrants,
    )
