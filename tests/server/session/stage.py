"""A stage for sessions: lobby and gate in virtual time, and bots that come in by queues."""

import asyncio
from collections.abc import Sequence
from random import Random
from types import TracebackType
from typing import Self

from saurodrome.server.frames import Hello, VerdictFrame, VerdictKind
from saurodrome.server.lobby import Lobby
from saurodrome.server.port import (
    FaultRule,
    MatchEnd,
    MatchStart,
    PlayerName,
    Question,
    TimeControl,
)
from saurodrome.server.session.gate import Gate
from saurodrome.server.session.seat import Seat
from saurodrome.server.session.stalls import StallMeter
from tests.sim.heard import Heard
from tests.sim.loop import virtual
from tests.sim.transport import Link, Peer, Way

TIME = TimeControl(ready=20.0, decision=1.0, margin=0.05)
"""The time control of all questions here, unless a test says otherwise."""
MS = 0.001
MATCH = "cup/1/1/1"
GAME = ("draftosaurus", "summer")
HELLO = Hello()
PLAIN = Way()


class Stage:
    """A lobby, its gate, and what the observer heard."""

    def __init__(self, *, metered: bool = False) -> None:
        """Set up in the running loop; `metered` measures stalls."""
        self.loop = virtual()
        self.heard = Heard()
        self.meter = StallMeter(self.heard)
        self.lobby = Lobby(self.meter, self.heard)
        self.gate = Gate(self.lobby.session, self.lobby.changed)
        self._metered = metered
        self._streams: list[tuple[Link, asyncio.Task[None]]] = []

    async def __aenter__(self) -> Self:
        """Begin to measure."""
        if self._metered:
            self.meter.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        """End all streams and see that nothing went wrong in them."""
        for link, _task in self._streams:
            link.close(None)
        self.meter.stop()
        outcomes = await asyncio.gather(*(t for _, t in self._streams), return_exceptions=True)
        if kind is None:
            assert [outcome for outcome in outcomes if outcome is not None] == []

    async def come(
        self,
        bot: str = "ann",
        hello: Hello | None = HELLO,
        *,
        way: Way = PLAIN,
        reads: bool = True,
    ) -> Peer:
        """Open a stream of a bot and send its hello, if it has one."""
        peer = Peer(reads=reads)
        link = Link(peer, way, Random(0))
        self._streams.append((link, self.loop.create_task(self.gate.serve(bot, link))))
        if hello is not None:
            peer.send(hello)
        await turns()
        return peer

    def reserve(self, bot: str = "ann") -> Seat:
        """Take a place of a bot."""
        return self.lobby.session(bot).reserve()

    async def sit(
        self, bot: str = "ann", match_id: str = MATCH, time: TimeControl = TIME, attempt: int = 1
    ) -> Seat:
        """Take a place, announce a match, and say ready for the bot without its stream."""
        seat = self.reserve(bot)
        joined = seat.join(start(match_id, time, attempt))
        seat.ready()
        assert await joined
        await turns()
        return seat

    async def at(self, when: float) -> None:
        """Go on at a loop time."""
        await asyncio.sleep(when - self.loop.time())
        await turns()


async def turns(count: int = 10) -> None:
    """Give the loop some turns, in which no time passes."""
    for _ in range(count):
        await asyncio.sleep(0)


def start(match_id: str = MATCH, time: TimeControl = TIME, attempt: int = 1) -> MatchStart:
    """Return the announcement of a match."""
    players = (PlayerName("ann", "Ann"), PlayerName("bob", "Bob"))
    return MatchStart(match_id, attempt, *GAME, 1, 0, players, time, FaultRule(), b"commitment")


def end(match_id: str = MATCH, attempt: int = 1) -> MatchEnd:
    """Return the end of a match."""
    return MatchEnd(match_id, attempt, "finished", 0)


def question(
    decision_id: str = "d1",
    *,
    legal: Sequence[int] = (3, 5, 8),
    default: int = 3,
    time: TimeControl = TIME,
    replies: int = 3,
) -> Question:
    """Return a question."""
    return Question(decision_id, b"payload", tuple(legal), default, time, replies)


def kinds(peer: Peer) -> list[VerdictKind]:
    """Return the kinds of the verdicts that a bot got."""
    return [frame.kind for frame in peer.got(VerdictFrame)]
