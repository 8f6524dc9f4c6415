"""Bots with one habit each, put through the checks in virtual time."""

import asyncio
from collections.abc import Callable
from random import Random

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine import registry
from saurodrome.server.cli.check.exam import examine
from saurodrome.server.cli.check.examinee import Examinee, Finding
from saurodrome.server.cli.check.sitting import Board
from saurodrome.server.cli.check.visits import Door
from saurodrome.server.errors import Refused
from saurodrome.server.frames import (
    Decision,
    Hello,
    MatchStarted,
    Outbound,
    Ready,
    Reply,
    VerdictFrame,
    VerdictKind,
)
from tests.sim.loop import virtual
from tests.sim.transport import Link, Peer, Way

BOARD = Board(registry.get("draftosaurus"), "summer", 2)
NOTICES = 15.0
"""Seconds after which a connection without any sign of life is given up by pings."""


class Pupil:
    """Does everything as it should; the others differ from it in one habit."""

    hello = Hello("1.0", "sim", {}, 3)
    thinks = 0.01
    loads = 0.01
    returns_after: float | None = 0.1
    notices: float | None = NOTICES

    def __init__(self, school: "School") -> None:
        """Come at once."""
        self.school = school
        self.replies: dict[str, Reply] = {}
        self.open: dict[str, Decision] = {}
        self.peer: Peer | None = None
        self.come()

    def come(self) -> None:
        """Open a stream."""
        peer = self.peer = self.school.connect(self.hears)
        peer.ended.add_done_callback(lambda ended: self.lost(peer, ended.result()))
        self.greet()

    def greet(self) -> None:
        """Say hello."""
        self.send(self.hello)

    def send(self, *frames: object) -> None:
        """Send frames."""
        assert self.peer
        self.peer.send(*frames)  # type: ignore[arg-type]

    def later(self, seconds: float, what: Callable[..., None], *args: object) -> None:
        """Do something some seconds from now."""
        self.school.loop.call_later(seconds, what, *args)

    def lost(self, peer: Peer, refusal: Refused | None) -> None:
        """Come back, unless another program took over."""
        if peer is self.peer and not (refusal and refusal.code == "SUPERSEDED"):
            self.come_back()

    def come_back(self) -> None:
        """Come back when the door is open."""
        if self.returns_after is not None:
            if self.school.is_open:
                self.later(self.returns_after, self.come)
            else:
                self.later(0.2, self.come_back)

    def hears(self, frame: Outbound) -> None:
        """Take a frame."""
        match frame:
            case MatchStarted(start, ready) if not ready:
                self.later(self.loads, self.send, Ready(start.match_id, start.attempt))
            case Decision():
                self.open[frame.match_id] = frame
                self.asked(frame)
            case VerdictFrame(VerdictKind.ILLEGAL, match_id):
                self.refused(self.open[match_id])

    def asked(self, decision: Decision) -> None:
        """Answer once; a question that comes again gets the same answer."""
        if said := self.replies.get(decision.decision_id):
            self.send(said)
        else:
            self.later(self.thinks, self.answer, decision)

    def answer(self, decision: Decision) -> None:
        """Send the reply."""
        reply = Reply(decision.decision_id, self.chooses(decision))
        self.replies[decision.decision_id] = reply
        self.send(reply)

    def chooses(self, decision: Decision) -> int | None:
        """Return the first legal action that is not the default."""
        legal = legal_of(decision)
        return next((a for a in legal if a != decision.default), decision.default)

    def refused(self, decision: Decision) -> None:
        """Answer again, with the default."""
        self.send(Reply(decision.decision_id, decision.default))


class School:
    """The arbiter that checks, in virtual time; it is the way of connections, too."""

    def __init__(self) -> None:
        """Open the door."""
        self.loop = virtual()
        self.door = Door()
        self.is_open = True
        self.bot = Examinee(self.door, self, BOARD)
        self._peers: list[tuple[Peer, asyncio.Task[None]]] = []
        self._pupil: Pupil | None = None

    def connect(self, hears: Callable[[Outbound], None]) -> Peer:
        """Open a stream."""
        peer = Peer(hears)
        link = Link(peer, Way(0.0, 0.001), Random(0))
        self._peers.append((peer, self.loop.create_task(self.door.serve("you", link))))
        return peer

    def cut(self) -> None:
        """Break all connections."""
        for peer, _ in self._peers:
            peer.drop()

    def freeze(self) -> None:
        """Let pings find out."""
        assert self._pupil
        if self._pupil.notices is not None:
            self.loop.call_later(self._pupil.notices, self.cut)

    async def close(self) -> None:
        """Break all connections and let nobody in."""
        self.is_open = False
        self.cut()

    async def open_again(self) -> None:
        """Let them in again."""
        self.is_open = True

    async def examine(self, kind: type[Pupil], *, quick: bool = False) -> dict[str, Finding]:
        """Return what is found, by check."""
        found: dict[str, Finding] = {}
        self._pupil = kind(self)
        await examine(self.bot, found.__setitem__, quick=quick, wait=5.0)
        self._pupil.returns_after = None
        self.cut()
        await asyncio.gather(*(task for _, task in self._peers))
        return found


def legal_of(decision: Decision) -> list[int]:
    """Return the legal ids of a decision."""
    return [a.id for a in bot_pb2.Decision.FromString(decision.payload).legal_actions]
