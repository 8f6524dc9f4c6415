"""A whole arbiter in virtual time, with bots that come in by queues."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from saurodrome.engine import registry
from saurodrome.server.arbiter import Arbiter
from saurodrome.server.contracts import Progress
from saurodrome.server.deals import Deal, SeededDealer
from saurodrome.server.frames import Outbound
from saurodrome.server.lobby import Lobby
from saurodrome.server.match import Codec, MatchPlan, Played
from saurodrome.server.port import TimeControl
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import Result, TournamentState
from saurodrome.server.tournament.organiser import Organiser
from tests.sim.disk import Disk
from tests.sim.loop import VirtualLoop, virtual
from tests.sim.ports import PlainCodec
from tests.sim.trace import Trace, TracingDealer
from tests.sim.transport import Link, Peer, Way

T = TypeVar("T")
TIME = TimeControl(ready=2.0, decision=0.2, margin=0.02)
"""A quick time control; everything here scales with it."""
GAME = ("draftosaurus", registry.get("draftosaurus").variants[0])
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
PLAIN = Way()


class Attempt(NamedTuple):
    """What was played in an attempt that counts, and in which process."""

    process: int
    plan: MatchPlan
    deal: Deal
    played: Played


class World:
    """An arbiter on a store, in memory unless told otherwise, and all that happens in it."""

    arbiter: Arbiter
    _reaper: asyncio.Task[None]

    def __init__(
        self,
        seed: int = 0,
        *,
        max_matches: int = 16,
        codec_of: Callable[[str, str], Codec] = lambda game, variant: PlainCodec(),
        disk: Disk | None = None,
    ) -> None:
        """Set up in the running loop.

        Args:
            seed: Decides deals and the ways of frames.
            max_matches: Matches in flight at once.
            codec_of: Gives the codec of a game.
            disk: Where everything is kept.
        """
        self.loop: VirtualLoop = virtual()
        self.rng = Random(f"world {seed}")
        self.trace = Trace()
        self.disk = disk or Disk()
        self.played: dict[tuple[str, int], Attempt] = {}
        self.steady = asyncio.Lock()
        """Held while the arbiter is stopped and started again."""
        self.outside: set[asyncio.Task[Any] | None] = set()
        """Tasks that a crash does not touch."""
        self._seed = seed
        self._max_matches = max_matches
        self.codec_of = codec_of
        """Gives the codec of a game."""
        self._streams: dict[asyncio.Task[None], Link] = {}
        self._count = 0
        self._build()

    @property
    def organiser(self) -> Organiser:
        """The organiser's side of the arbiter."""
        return self.arbiter.organiser

    @property
    def lobby(self) -> Lobby:
        """The bots' sessions."""
        return self.arbiter.lobby

    async def __aenter__(self) -> Self:
        """Start."""
        self.outside = {asyncio.current_task()}
        await self.disk.open()
        await self._rise()
        self._reaper = asyncio.create_task(self._reap(), name="reaper")
        self.outside.add(self._reaper)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None
    ) -> None:
        """Stop, and see that nothing is left."""
        self._reaper.cancel()
        await asyncio.wait({self._reaper})
        await self._stop()
        await self.disk.close()
        if kind is None:
            assert asyncio.all_tasks() == {asyncio.current_task()}
            await asyncio.sleep(1.0)  # ends that are still on their way
            assert self.loop.timers() == []

    # the process

    async def restart(self) -> None:
        """Stop in order and start again."""
        async with self.steady:
            await self._stop()
            self.trace.restarted()
            self._build()
            await self._rise()

    async def crash(self) -> None:
        """Kill the process without a word, and start it again."""
        async with self.steady:
            await self._kill()
            self._build()
            await self._rise()

    async def insist(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Ask the organiser's side something, again after each crash until there is an answer.

        Raises:
            Refused: It was refused.
        """
        while True:
            asking = asyncio.create_task(call())
            await asyncio.wait({asking})  # a crash cancels it
            if not asking.cancelled():
                return asking.result()
            async with self.steady:
                pass

    async def _reap(self) -> None:
        """Start the process again whenever it has died by itself."""
        while True:
            await self.disk.dead.wait()
            async with self.steady:
                if self.disk.dead.is_set():
                    await self._kill()
                    self._build()
                    await self._rise()

    async def _kill(self) -> None:
        self.disk.dead.set()
        self.cut_all()
        self.arbiter.stalls.stop()
        while dying := asyncio.all_tasks() - self.outside:
            for task in sorted(dying, key=asyncio.Task.get_name):  # not as they lie in memory
                task.cancel()
            await asyncio.wait(dying, timeout=0.0)
        await self.disk.revive()
        self.trace.restarted()

    async def _rise(self) -> None:
        """Start; where the process dies at that, again."""
        while True:
            starting = asyncio.create_task(self.arbiter.start(), name="start")
            dying = asyncio.create_task(self.disk.dead.wait(), name="dying")
            await asyncio.wait({starting, dying}, return_when=asyncio.FIRST_COMPLETED)
            dying.cancel()
            if starting.done():
                starting.result()
                return
            await self._kill()
            self._build()

    def _build(self) -> None:
        self.arbiter = Arbiter(
            self.disk.store,
            b"",
            self.trace,
            TracingDealer(SeededDealer(100 * self._seed + self.trace.process), self.trace),
            self.codec_of,
            self._recording,
            self.loop.time,
            self._max_matches,
        )

    async def _stop(self) -> None:
        await self.arbiter.drain(1.0)
        await self.arbiter.stop()
        await asyncio.gather(*self._streams, return_exceptions=True)
        await asyncio.sleep(0)

    # organisers

    async def register(self, *names: str) -> None:
        """Register bots."""
        for name in names:
            await self.organiser.register_bot(name, "", "me", "")

    async def begin(
        self,
        *bots: str,
        name: str = "cup",
        game: tuple[str, str] = GAME,
        players: int = 2,
        **settings: Any,
    ) -> TournamentSettings:
        """Create a tournament of bots and start it."""
        known = self.arbiter.roster.bots
        await self.register(*(bot for bot in bots if bot not in known))
        options: dict[str, Any] = {"time": TIME, "join_timeout": 3.0} | settings
        made = TournamentSettings(name, *game, players, bots, **options)
        await self.organiser.create(made, "")
        await self.organiser.start(name)
        return made

    async def over(self, name: str = "cup") -> Progress:
        """Wait for the end of a tournament."""
        while True:
            async with self.steady:
                progress = await self.organiser.get(name)
            if progress.tournament.state in OVER:
                return progress
            await asyncio.sleep(0.5)

    async def results(self, name: str = "cup") -> tuple[Result, ...]:
        """Return a tournament's log."""
        return await self.disk.store.results(name)

    # bots

    def connect(
        self,
        bot: str,
        hears: Callable[[Outbound], None] = lambda frame: None,
        way: Way = PLAIN,
        *,
        reads: bool = True,
    ) -> Peer:
        """Open a stream of a bot; it has yet to say hello."""
        self._count += 1
        number = self._count
        peer = Peer(hears, reads=reads)
        link = Link(
            peer,
            way,
            Random(f"{self.rng.random()} {number}"),
            lambda direction, frame: self.trace.frame(bot, number, direction, frame),
        )
        task = self.loop.create_task(
            self.arbiter.gate.serve(bot, link), name=f"stream {number} {bot}"
        )
        self._streams[task] = link
        task.add_done_callback(self._gone)
        return peer

    def cut_all(self, notice: float = 0.0) -> None:
        """Break every connection at once."""
        for link in self._streams.values():
            link.peer.drop(notice)

    def _gone(self, task: asyncio.Task[None]) -> None:
        del self._streams[task]
        if not task.cancelled() and (error := task.exception()):
            raise error

    def _recording(self, plan: MatchPlan, deal: Deal, played: Played) -> bytes | None:
        attempt = Attempt(self.trace.process, plan, deal, played)
        self.played[plan.match_id, plan.attempt] = attempt
        return b"record" if played.playthrough else None
