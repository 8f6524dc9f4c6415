"""The arbiter without its doors: what a server runs, and a simulation as well."""

import asyncio
from collections.abc import Callable
from functools import cache, partial

from saurodrome.server.contracts import Progress
from saurodrome.server.deals import Dealer
from saurodrome.server.driver import Driver, Recording
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.lobby import Lobby
from saurodrome.server.match import Codec
from saurodrome.server.observer import Observer
from saurodrome.server.recorder import Recorder
from saurodrome.server.roster import Roster
from saurodrome.server.scheduler import Scheduler
from saurodrome.server.session.gate import Gate
from saurodrome.server.session.stalls import StallMeter
from saurodrome.server.store.interface import Store
from saurodrome.server.tournament.organiser import Organiser


class Arbiter:
    """Sessions, matches and tournaments on a store, wired."""

    def __init__(
        self,
        store: Store,
        admin_digest: bytes,
        observer: Observer,
        dealer: Dealer,
        codec_of: Callable[[str, str], Codec],
        recording: Recording,
        now: Callable[[], float],
        max_matches: int,
    ) -> None:
        """Wires the parts; belongs to the running loop.

        Args:
            store: Where everything is kept; open.
            admin_digest: The digest of the administrator's token.
            observer: Hears of everything.
            dealer: Where deals come from.
            codec_of: Makes the codec of a game and variant.
            recording: Makes match records.
            now: Wall clock in Unix seconds, for time stamps only.
            max_matches: Matches in flight at once.
        """
        self.store = store
        self.now = now
        self.stalls = StallMeter(observer)
        self.lobby = Lobby(self.stalls, observer)
        self.gate = Gate(self.lobby.session, self.lobby.changed)
        self.recorder = Recorder(store, observer)
        self.roster = Roster(store, admin_digest, now)
        driver = Driver(self.recorder, dealer, cache(codec_of), recording, observer, now)
        self.scheduler = Scheduler(self.lobby, driver, observer, max_matches)
        self.recorder.more_to_come = lambda: self.scheduler.in_flight - self.recorder.waiting
        self.organiser = Organiser(
            store,
            self.roster,
            self.lobby,
            self.scheduler,
            observer,
            now,
            lambda name: dealer.deal(name, 0).secret,
        )
        self._loops: tuple[asyncio.Task[None], ...] = ()

    async def start(self) -> tuple[tuple[Progress, ...], int]:
        """Takes up what the store has; gives the tournaments that go on, and void attempts."""
        void = await self.store.void_open_leases("restart", self.now())
        await self.roster.load()
        self.recorder.start()
        running = await self.organiser.load()
        self.stalls.start()
        self._loops = (
            asyncio.create_task(self.scheduler.run(), name="scheduler"),
            asyncio.create_task(self.organiser.caretaker.run(), name="caretaker"),
        )
        return running, void

    async def drain(self, seconds: float) -> None:
        """Lets nobody else in, starts nothing more, and waits for what is in flight."""
        self.gate.shut(_DRAINING())
        self.lobby.drain(seconds, "the server stops")
        await self.scheduler.drain(seconds)

    async def stop(self) -> None:
        """Ends every stream, records what is left and stops."""
        self.lobby.close(_DRAINING())
        for loop in self._loops:
            loop.cancel()
        await self.recorder.stop()
        await self.organiser.stop()
        self.stalls.stop()


_DRAINING = partial(
    Refused,
    Kind.UNAVAILABLE,
    "DRAINING",
    "The server is about to stop.",
    "Play",
    "connect again when it is back; matches that did not end are played again",
)
