"""One bot's session: outlives its streams, holds its seats, judges its frames."""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import (
    Ended,
    Goodbye,
    Hello,
    Inbound,
    Outbound,
    Ready,
    Reply,
    VerdictFrame,
    VerdictKind,
    Welcome,
)
from saurodrome.server.observer import Observer
from saurodrome.server.port import Answer, MatchEnd
from saurodrome.server.session.budget import Budget
from saurodrome.server.session.decision import Clock, OpenDecision
from saurodrome.server.session.seat import Seat
from saurodrome.server.session.stream import Stream

MAX_CONCURRENT = 64
"""Matches at once that a bot may declare."""
MAX_SURPLUS = 60
"""Surplus frames (stale, duplicate, unknown) in a minute; illegal replies are bounded by the
decisions that they answer."""
MAX_TAKEOVERS = 3
"""Times in a minute that a newer stream may replace the one that is there."""
_KEPT_RESULTS = 32
_KEPT_CLOSED = 256  # at least; twice as many before the older half is forgotten
_KEPT_PRESENCES = 8


class Load(NamedTuple):
    """Decisions that wait for a reply, and frames that were not written yet."""

    decisions: int
    frames: int


class Session:
    """The presence of one bot, from its first stream to the end of the process."""

    def __init__(
        self, bot: str, clock: Clock, observer: Observer, changed: Callable[["Session"], None]
    ) -> None:
        """Opens a session without a stream.

        Args:
            bot: Whose.
            clock: What time is kept with.
            observer: Hears of everything.
            changed: Called when the bot came or went, and when a place was taken or freed.
        """
        self.bot = bot
        self.clock = clock
        self._changed = changed
        self._opened = clock.loop.time()
        self._presences: deque[tuple[Hello, float]] = deque(maxlen=_KEPT_PRESENCES)
        self._observer = observer
        self._stream: Stream | None = None
        self._hello = Hello()
        self._leaving = False
        self._places: set[Seat] = set()
        self._seats: dict[str, Seat] = {}
        self._decisions: dict[str, OpenDecision] = {}
        self._answered: dict[str, str] = {}
        self._answered_before: dict[str, str] = {}
        self._missed: deque[MatchEnd] = deque(maxlen=_KEPT_RESULTS)
        self._surplus = Budget(MAX_SURPLUS, 60.0)
        self._takeovers = Budget(MAX_TAKEOVERS, 60.0)

    # the stream's side

    def attach(self, stream: Stream, hello: Hello) -> None:
        """Takes a stream; one that is there already is superseded.

        Raises:
            Refused: TAKEOVERS, when streams of this bot fight; the one that is there stays.
        """
        if self._stream:
            if not self._takeovers.spend(self.clock.loop.time()):
                raise _FIGHT()
            self._went()
            superseded = _SUPERSEDED()
            self._stream.close(superseded)
            self._keep_ends(self._stream)
            self._observer.session_closed(self.bot, superseded.code)
        self._stream, self._hello, self._leaving = stream, hello, False
        self._changed(self)
        missed = tuple(self._missed)
        self._missed.clear()
        self.send(Welcome(self.bot, self.capacity, missed, len(self._seats)))
        self._observer.session_opened(self.bot, hello.sdk, hello.bot_version)
        for seat in tuple(self._seats.values()):
            seat.resume()

    def detach(self, stream: Stream) -> None:
        """Forgets a stream that has ended, unless a newer one is there already."""
        if self._stream is stream:
            self._went()
            self._stream = None
            self._changed(self)
            self._keep_ends(stream)
            self._observer.session_closed(self.bot, stream.reason)

    def receive(self, frame: Inbound, read_at: float) -> None:
        """Takes a frame from the stream, with the loop time at which it had come.

        Raises:
            Refused: The stream must end: HELLO_TWICE or SURPLUS_FRAMES.
        """
        match frame:
            case Reply():
                self._reply(frame, read_at)
            case Ready():
                self._ready(frame)
            case Goodbye():
                self._goodbye()
            case Hello():
                raise _HELLO_TWICE()

    def close(self, refusal: Refused | None) -> None:
        """Ends the stream, if there is one."""
        if self._stream:
            self._stream.close(refusal)

    # the lobby's side

    @property
    def connected(self) -> bool:
        """A stream is there and the bot has not said goodbye."""
        return self._stream is not None and not self._leaving

    @property
    def presence(self) -> Hello | None:
        """What the bot declared; None while it is not connected."""
        return self._hello if self.connected else None

    @property
    def has_place(self) -> bool:
        """The bot is here and can take one more match."""
        return self.connected and len(self._places) < self.capacity

    @property
    def capacity(self) -> int:
        """Matches at once, as declared within bounds."""
        return max(1, min(self._hello.max_concurrent, MAX_CONCURRENT))

    @property
    def playing(self) -> int:
        """Places taken."""
        return len(self._places)

    @property
    def waiting(self) -> Load:
        """What waits for the bot."""
        return Load(len(self._decisions), len(self._stream.unwritten()) if self._stream else 0)

    def plays(self, game: str, variant: str) -> bool:
        """The bot declared this game and variant, or none at all."""
        return _declares(self._hello, game, variant)

    def last_here(self, game: str, variant: str) -> float:
        """Loop time at which a bot that is away was last here for this game.

        Streams that declare other games do not count: a bot cannot put off its absence by them.
        """
        times = (until for hello, until in self._presences if _declares(hello, game, variant))
        return max(times, default=self._opened)

    def reserve(self) -> Seat:
        """Takes a place; the caller has checked that one is free."""
        seat = Seat(self)
        self._places.add(seat)
        self._changed(self)
        return seat

    # the seats' side

    def seated(self, seat: Seat) -> None:
        """A seat's match begins."""
        self._seats[seat.start.match_id] = seat

    def left(self, seat: Seat) -> None:
        """A seat's match is over."""
        self._places.discard(seat)
        self._changed(self)
        if seat in self._seats.values():
            del self._seats[seat.start.match_id]

    def opened(self, decision: OpenDecision) -> None:
        """A decision waits for a reply."""
        self._decisions[decision.question.decision_id] = decision

    def forget(self, decision: OpenDecision) -> None:
        """A decision's match is gone."""
        self._decisions.pop(decision.question.decision_id, None)

    def closed(self, decision: OpenDecision, answer: Answer) -> None:
        """A decision has its answer."""
        decision_id = decision.question.decision_id
        del self._decisions[decision_id]
        if len(self._answered) >= _KEPT_CLOSED:
            self._answered_before, self._answered = self._answered, {}
        self._answered[decision_id] = answer.verdict
        self._observer.decision_closed(
            self.bot, decision.match_id, decision_id, answer, decision.overhead
        )

    def send(self, frame: Outbound, decision: OpenDecision | None = None) -> None:
        """Writes a frame if the bot is there."""
        if self._stream:
            self._stream.send(frame, decision)

    def send_or_keep(self, frame: Ended) -> None:
        """Writes a result, or keeps it until the bot is back."""
        if self._stream:
            self._stream.send(frame)
            self._finish_if_idle()
        else:
            self._missed.append(frame.end)

    # frames

    def _goodbye(self) -> None:
        if self._leaving:
            self._spend("duplicate")
            return
        self._went()
        self._leaving = True
        self._changed(self)
        self._finish_if_idle()

    def _ready(self, frame: Ready) -> None:
        seat = self._seats.get(frame.match_id)
        if not seat or seat.start.attempt != frame.attempt:
            self._spend("unknown")
        elif not seat.ready():
            self._spend("duplicate")

    def _reply(self, reply: Reply, read_at: float) -> None:
        decision = self._decisions.get(reply.decision_id)
        if decision is None or decision.answer.done():  # done: its match was just stopped
            self._unasked(reply)
            return
        if decision.judge(reply, read_at) is None:
            self.send(_ask_again(decision, reply, read_at))

    def _unasked(self, reply: Reply) -> None:
        answered = self._answered.get(reply.decision_id)
        verdict = answered or self._answered_before.get(reply.decision_id)
        duplicate = verdict in {"accepted", "in_margin"}
        kind = VerdictKind.DUPLICATE if duplicate else VerdictKind.STALE
        self._spend(kind if verdict else "unknown")
        self.send(VerdictFrame(kind, "", reply.decision_id[:64], _UNASKED[kind]))

    def _spend(self, kind: str) -> None:
        self._observer.surplus_frame(self.bot, kind)
        if not self._surplus.spend(self.clock.loop.time()):
            raise _SURPLUS()

    def _keep_ends(self, stream: Stream) -> None:
        """Results that did not leave any more are told on the next stream."""
        for frame in stream.unwritten():
            if isinstance(frame, Welcome):  # nor did those that it brought
                self._missed.extend(frame.missed)
            elif isinstance(frame, Ended):
                self._missed.append(frame.end)

    def _went(self) -> None:
        if self.connected:
            self._presences.append((self._hello, self.clock.loop.time()))

    def _finish_if_idle(self) -> None:
        if self._leaving and self._stream and not self._places:
            self._stream.finish()


def _declares(hello: Hello, game: str, variant: str) -> bool:
    games = hello.games
    return not games or (game in games and (not games[game] or variant in games[game]))


def _ask_again(decision: OpenDecision, reply: Reply, now: float) -> VerdictFrame:
    legal = " ".join(map(str, decision.question.legal[:24]))
    more = " ..." if len(decision.question.legal) > 24 else ""
    chosen = "nothing" if reply.action is None else str(reply.action)
    return VerdictFrame(
        VerdictKind.ILLEGAL,
        decision.match_id,
        decision.question.decision_id,
        f"answered {chosen}, legal are {legal}{more}: answer again with one of these ids",
        remaining=decision.remaining(now),
        replies_left=decision.question.replies - decision.illegal,
    )


_UNASKED = {
    VerdictKind.STALE: "no open decision has this id; nothing was changed",
    VerdictKind.DUPLICATE: "this decision was answered before; the first reply counts",
}
_SUPERSEDED = partial(
    Refused,
    Kind.SUPERSEDED,
    "SUPERSEDED",
    "Another program took this bot's place.",
    "Play",
    "this one stops, it would only fight; use one token a program",
)
_FIGHT = partial(
    Refused,
    Kind.EXHAUSTED,
    "TAKEOVERS",
    f"More than {MAX_TAKEOVERS} programs a minute wanted this bot's place; the first stays.",
    "Play",
    "stop the other program, or use a token of its own for each",
)
_HELLO_TWICE = partial(
    Refused,
    Kind.WRONG_STATE,
    "HELLO_TWICE",
    "A second hello came on this stream.",
    "Play",
    "send hello once, as the first frame; see the table at the top of bot.proto",
)
_SURPLUS = partial(
    Refused,
    Kind.EXHAUSTED,
    "SURPLUS_FRAMES",
    f"More than {MAX_SURPLUS} stale, duplicate or unknown frames in a minute.",
    "Play",
    "answer each decision once, with one of its legal ids; the open matches go on",
)
