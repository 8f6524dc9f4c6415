"""A bot's seat at one match: the session's implementation of the seat port."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from saurodrome.server.frames import (
    Decision,
    Ended,
    MatchStarted,
    Previous,
    VerdictFrame,
    VerdictKind,
)
from saurodrome.server.port import Answer, MatchEnd, MatchStart, Question, Verdict
from saurodrome.server.session.alarm import Alarm
from saurodrome.server.session.decision import OpenDecision
from saurodrome.server.session.stalls import STALL

if TYPE_CHECKING:
    from saurodrome.server.session.session import Session


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long


class Seat:
    """Holds one place of a session's capacity until its match leaves."""

    start: MatchStart

    def __init__(self, session: "Session") -> None:
        """Takes a place; `join` comes next, or `release` if nothing comes of it."""
        self._session = session
        self._clock = session.clock
        self._previous: Previous | None = None
        self._ready: asyncio.Future[bool] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._alarm = Alarm(session.clock.loop)
        self.decision: OpenDecision | None = None

    def join(self, start: MatchStart) -> asyncio.Future[bool]:
        """Announces the match; true once the bot is ready, false if its READY budget ends."""
        self.start = start
        self._joined = self._clock.loop.time()
        self._ready = self._clock.loop.create_future()
        self._timer = self._clock.loop.call_later(start.time.ready, self._budget_ends, True)
        self._session.seated(self)
        self._session.send(MatchStarted(start, ready=False))
        return self._ready

    def ready(self) -> bool:
        """Notes that the bot is ready; false if nobody waits for that (any more)."""
        waits = self._ready is not None and not self._ready.done()
        self._settle(is_ready=True)
        return waits

    def ask(self, question: Question) -> asyncio.Future[Answer]:
        """Puts a decision to the bot and keeps its clock."""
        decision = OpenDecision(
            question, self.start.match_id, self._clock, self._alarm, self._closed
        )
        self.decision = decision
        self._session.opened(decision)
        self._session.send(self._frame(decision, question.time.decision), decision)
        return decision.answer

    def resume(self) -> None:
        """Tells a new stream where this match stands."""
        if self._ready is None:
            return
        self._session.send(MatchStarted(self.start, self._is_ready))
        if self.decision and not self.decision.answer.done():
            # Its write is not stamped: the clock ran while the bot was away.
            remaining = self.decision.remaining(self._clock.loop.time())
            self._session.send(self._frame(self.decision, remaining))

    def leave(self, end: MatchEnd) -> None:
        """Tells the bot that the match is over, if it heard of it, and frees its place."""
        self.release()
        if self._ready is not None:
            self._session.send_or_keep(Ended(end))

    def release(self) -> None:
        """Frees the place without a word."""
        if self.decision:
            self.decision.cancel()
            self._session.forget(self.decision)
        self._alarm.stop()
        self._settle(is_ready=False)
        self._session.left(self)

    def _frame(self, decision: OpenDecision, remaining: float) -> Decision:
        question = decision.question
        told = (
            self.start.match_id,
            question.decision_id,
            remaining,
            question.default,
            self._previous,
            question.payload,
        )
        return _new(Decision, told)

    @property
    def _is_ready(self) -> bool:
        ready = self._ready
        return ready is not None and ready.done() and not ready.cancelled() and ready.result()

    def _budget_ends(self, may_extend: bool) -> None:
        stalled = self._clock.stalls.within(self._joined, self._clock.loop.time())
        if may_extend and stalled > STALL:
            self._timer = self._clock.loop.call_later(stalled, self._budget_ends, False)
        else:
            self._settle(is_ready=False)

    def _settle(self, *, is_ready: bool) -> None:
        if self._timer:
            self._timer.cancel()
        if self._ready and not self._ready.done():
            self._ready.set_result(is_ready)

    def _closed(self, decision: OpenDecision, answer: Answer) -> None:
        self.decision = None
        verdict = answer.verdict
        in_margin, timed_out = verdict is Verdict.IN_MARGIN, verdict is Verdict.TIMED_OUT
        self._previous = _new(Previous, (answer.charged, in_margin, timed_out, answer.illegal))
        self._session.closed(decision, answer)
        if verdict in _TOLD:
            self._session.send(_verdict(decision, answer))


_TOLD: dict[Verdict, VerdictKind] = {
    Verdict.TIMED_OUT: VerdictKind.TIMED_OUT,
    Verdict.ILLEGAL: VerdictKind.ILLEGAL,
}
_MESSAGES: dict[Verdict, Callable[[OpenDecision, Answer], str]] = {
    Verdict.TIMED_OUT: lambda d, a: (
        f"{a.charged * 1000:.0f} ms of {d.question.time.decision * 1000:.0f}:"
        " the default action was played, a strike"
    ),
    Verdict.ILLEGAL: lambda d, a: (
        f"{a.illegal} illegal replies: the default action was played, a strike"
    ),
}


def _verdict(decision: OpenDecision, answer: Answer) -> VerdictFrame:
    return VerdictFrame(
        _TOLD[answer.verdict],
        decision.match_id,
        decision.question.decision_id,
        _MESSAGES[answer.verdict](decision, answer),
        charged=answer.charged,
    )
