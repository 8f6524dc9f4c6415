"""Simulated bots: good ones, and one for each way of being a nuisance."""

import asyncio
from collections.abc import Callable
from random import Random

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import (
    Decision,
    Goodbye,
    Hello,
    Inbound,
    MatchStarted,
    Outbound,
    Ready,
    Reply,
)
from tests.sim.ports import legal_of
from tests.sim.transport import Peer, Way
from tests.sim.world import World

FINAL = {"SUPERSEDED", "TAKEOVERS", "TOKEN_REVOKED"}
"""Refusals after which a program does not come back by itself."""


class Bot:
    """An honest bot that answers at once; the others differ from it in one habit."""

    hello = Hello("1", "sim", {}, 2)
    way = Way(0.0, 0.002)
    loads = 0.001
    """Seconds from the announcement of a match to `ready`."""
    comes_after = 0.0
    """Seconds until it connects for the first time."""
    returns_after = 0.2
    """Seconds from the loss of a stream to the next one."""

    def __init__(self, world: World, name: str, seed: object = 0) -> None:
        """Make a bot; `come` brings it in."""
        self.world = world
        self.name = name
        self.rng = Random(f"bot {name} {seed}")
        self.peer: Peer | None = None
        self.replies: dict[str, Reply] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._stopped = False
        self.later(self.comes_after, self.come)

    def come(self) -> None:
        """Open a stream and say hello."""
        if self._stopped:
            return
        peer = self.connect()
        self.peer = peer
        peer.ended.add_done_callback(lambda ended: self.lost(peer, ended.result()))
        self.greet()

    def connect(self) -> Peer:
        """Open a stream."""
        return self.world.connect(self.name, self.hears, self.way)

    def greet(self) -> None:
        """Say hello."""
        self.send(self.hello)

    def stop(self) -> None:
        """Go for good."""
        self._stopped = True
        for timer in self._timers:
            timer.cancel()
        if self.peer:
            self.peer.drop()

    def send(self, *frames: Inbound | Refused) -> None:
        """Send frames on the newest stream."""
        if self.peer:
            self.peer.send(*frames)

    def later(self, seconds: float, what: Callable[..., None], *args: object) -> None:
        """Do something some seconds from now."""

        def do() -> None:
            self._timers.discard(timer)
            what(*args)

        timer = self.world.loop.call_later(seconds, do)
        self._timers.add(timer)

    def lost(self, peer: Peer, refusal: Refused | None) -> None:
        """Come back after a while, unless another program took over."""
        if peer is self.peer and not (refusal and refusal.code in FINAL) and not self._stopped:
            self.later(self.returns_after, self.come)

    # what it hears

    def hears(self, frame: Outbound) -> None:
        """Take a frame."""
        if isinstance(frame, MatchStarted) and not frame.ready:
            self.later(self.loads, self.load, frame)
        elif isinstance(frame, Decision):
            self.asked(frame)

    def load(self, frame: MatchStarted) -> None:
        """Get ready."""
        self.send(Ready(frame.start.match_id, frame.start.attempt))

    def asked(self, decision: Decision) -> None:
        """Answer; a question that comes again gets the same answer, if it had one."""
        if said := self.replies.get(decision.decision_id):
            self.send(said)
        else:
            self.later(self.thinks(decision), self.answer, decision)

    def thinks(self, decision: Decision) -> float:
        """Return how many seconds to think."""
        return 0.001

    def answer(self, decision: Decision) -> None:
        """Send the reply."""
        self.reply(decision, self.rng.choice(legal_of(decision.payload)))

    def reply(self, decision: Decision, action: int | None, note: str = "") -> None:
        """Send a reply, and remember it."""
        self.replies[decision.decision_id] = said = Reply(decision.decision_id, action, note)
        self.send(said)

    def now_and_then(self, share: float) -> bool:
        """Tell whether to do it this time."""
        return self.rng.random() < share


class Slow(Bot):
    """Thinks nearly up to the limit, sometimes into the margin."""

    way = Way(0.001, 0.008)

    def thinks(self, decision: Decision) -> float:
        """Return most of the time that is left."""
        return decision.remaining * self.rng.uniform(0.5, 1.03)


class Late(Bot):
    """Sometimes answers just after limit and margin."""

    def thinks(self, decision: Decision) -> float:
        """Return now and then more than there is."""
        return decision.remaining * (1.2 if self.now_and_then(0.2) else 0.3)


class Silent(Bot):
    """Gets ready and never answers."""

    def asked(self, decision: Decision) -> None:
        """Say nothing."""


class Illegal(Bot):
    """Answers with what is not legal, sometimes until the decision is closed."""

    def answer(self, decision: Decision) -> None:
        """Send wrong replies before a right one."""
        for _ in range(self.rng.choice((0, 0, 0, 0, 1, 2, 3))):
            self.send(Reply(decision.decision_id, self.rng.choice((None, -1, 10**9))))
        super().answer(decision)


class Duplicating(Bot):
    """Says everything twice, the second time something else."""

    way = Way(0.0, 0.002, twice=0.1)

    def answer(self, decision: Decision) -> None:
        """Send two replies."""
        super().answer(decision)
        if self.now_and_then(0.2):
            self.send(Reply(decision.decision_id, legal_of(decision.payload)[-1]))


class Stale(Bot):
    """Repeats old answers and makes up decisions before it answers the one that is open."""

    def answer(self, decision: Decision) -> None:
        """Send old replies before the new one."""
        if self.replies and self.now_and_then(0.2):
            self.send(self.rng.choice(list(self.replies.values())))
        if self.now_and_then(0.1):
            self.send(Reply(f"{self.rng.randrange(2**64):016x}", 0))
        super().answer(decision)


class Returning(Bot):
    """Loses its connection in the middle of things and comes back."""

    def asked(self, decision: Decision) -> None:
        """Now and then, break the connection before or after the answer."""
        super().asked(decision)
        if self.peer and self.now_and_then(0.15):
            self.returns_after = self.rng.uniform(0.01, 0.3)
            self.later(self.rng.uniform(0.0, 0.003), self.peer.drop, self.rng.uniform(0.0, 0.1))


class TakingOver(Bot):
    """Starts a second program of itself now and then."""

    def asked(self, decision: Decision) -> None:
        """Now and then, open another stream while the old one is there."""
        super().asked(decision)
        if self.now_and_then(0.05):
            self.come()

    def lost(self, peer: Peer, refusal: Refused | None) -> None:
        """Go on with the program that stayed, or start again when none did."""
        if refusal and refusal.code in FINAL:
            self.later(1.0, self.come_if_away)
        else:
            super().lost(peer, refusal)

    def come_if_away(self) -> None:
        """Come unless the newest program is still there."""
        if self.peer and self.peer.ended.done():
            self.come()


class NeverReady(Bot):
    """Does not get ready, but for every third match."""

    def load(self, frame: MatchStarted) -> None:
        """Say ready now and then."""
        if self.now_and_then(0.3):
            super().load(frame)


class Latecomer(Bot):
    """Comes long after the beginning."""

    comes_after = 8.0


class Leaving(Bot):
    """Says goodbye in the middle of a match and comes back later."""

    returns_after = 1.0

    def load(self, frame: MatchStarted) -> None:
        """Get ready, and now and then say goodbye."""
        super().load(frame)
        if self.now_and_then(0.2):
            self.later(0.1, self.send, Goodbye("tea"))


class Deaf(Bot):
    """Stops reading after a while, is cut, and comes back."""

    way = Way(0.0, 0.002, window=2)
    returns_after = 1.5

    def connect(self) -> Peer:
        """Open a stream that is read from for a while only."""
        peer = super().connect()
        self.later(self.rng.uniform(0.5, 4.0), self.close_ears, peer)
        return peer

    def close_ears(self, peer: Peer) -> None:
        """Read no more; drop the stream a good while later."""
        peer.reads = False
        self.later(3.0, peer.drop)


class Chatty(Bot):
    """Floods the server until it is refused."""

    def asked(self, decision: Decision) -> None:
        """Now and then, send a hundred frames that nobody asked for."""
        super().asked(decision)
        if self.now_and_then(0.03):
            self.send(*(Reply(f"chat {number}", number) for number in range(100)))


class Garbling(Bot):
    """Sends bytes that are no frame, a second hello, or no hello at all."""

    def greet(self) -> None:
        """Now and then, begin with something else."""
        if self.now_and_then(0.2):
            self.send(Goodbye())
        super().greet()

    def asked(self, decision: Decision) -> None:
        """Now and then, break the rules of the stream."""
        super().asked(decision)
        if self.now_and_then(0.04):
            self.send(self.rng.choice((GARBAGE, self.hello)))


class Elsewhere(Bot):
    """Is connected for another game."""

    hello = Hello("1", "sim", {"another-game": ()}, 2)


class Crowded(Bot):
    """Plays eight matches at once."""

    hello = Hello("1", "sim", {}, 8)


class Alone(Bot):
    """Plays one match at a time, and loses its connection often."""

    hello = Hello("1", "sim", {}, 1)

    def asked(self, decision: Decision) -> None:
        """Now and then, break the connection."""
        super().asked(decision)
        if self.peer and self.now_and_then(0.05):
            self.later(0.001, self.peer.drop)


GARBAGE = Refused(Kind.INVALID, "MALFORMED", "These bytes are no frame.")
HABITS: tuple[type[Bot], ...] = (
    Bot,
    Slow,
    Late,
    Silent,
    Illegal,
    Duplicating,
    Stale,
    Returning,
    TakingOver,
    NeverReady,
    Latecomer,
    Leaving,
    Deaf,
    Chatty,
    Garbling,
    Elsewhere,
    Crowded,
    Alone,
)
