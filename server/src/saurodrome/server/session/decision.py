"""One open decision: its clock, and the judgement of the replies to it."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from saurodrome.server.frames import Reply
from saurodrome.server.port import Answer, Question, Verdict
from saurodrome.server.session.alarm import Alarm
from saurodrome.server.session.stalls import STALL, StallMeter

SECOND_LOOK = 0.1
"""The longest wait, in seconds, for a reply that may lie unread after a stall; a decision with a
longer stall inside is timed again."""
_TURNS = 3  # a frame in the socket needs a turn of the loop to be seen, one to wake its reader


class Clock(NamedTuple):
    """What decisions keep time with."""

    loop: asyncio.AbstractEventLoop
    stalls: StallMeter


class OpenDecision:
    """A question that waits for its answer.

    The clock starts when the decision opens, whether the bot is there or not, and counts from
    the write of the frame where there is one. At the limit the loop gets a few turns, so that
    a reply which has arrived is read. If the loop stood still inside the window, the session
    looks again a little later; after a stall longer than that the decision is timed once more
    from the start, and after a second one the attempt is void.
    """

    def __init__(
        self,
        question: Question,
        match_id: str,
        clock: Clock,
        alarm: Alarm,
        closed: Callable[["OpenDecision", Answer], None],
    ) -> None:
        """Opens the decision now.

        Args:
            question: What is asked.
            match_id: The match that asks.
            clock: What time is kept with.
            alarm: Rings at the limit; no other decision uses it while this one is open.
            closed: Called once when the answer is set.
        """
        self.question = question
        self.match_id = match_id
        self.illegal = 0
        self.taken: float | None = None
        """When the frame's turn to be written came; its bytes were made then."""
        self.written: float | None = None
        self.answer: asyncio.Future[Answer] = clock.loop.create_future()
        self._clock = clock
        self._alarm = alarm
        self._closed = closed
        self._retimed = False
        self._open()

    def _open(self) -> None:
        self.opened = self._clock.loop.time()
        self._total = self.question.time.decision + self.question.time.margin
        self._alarm.set(self.opened + self._total, self._at_limit)

    @property
    def _since(self) -> float:
        return self.opened if self.written is None else self.written

    @property
    def overhead(self) -> float:
        """Seconds from the opening to the write of the frame; 0 while it is not written."""
        return 0.0 if self.written is None else max(0.0, self.written - self.opened)

    def remaining(self, now: float) -> float:
        """Seconds left without the margin, at least 0."""
        charged, _ = self._charge(now)
        return max(0.0, self.question.time.decision - charged)

    def judge(self, reply: Reply, now: float) -> Verdict | None:
        """Takes a reply that was read at `now`; None means illegal with replies left."""
        charged, stalled = self._charge(now)
        question = self.question
        if charged > self._total:
            return self._close_default(Verdict.TIMED_OUT, charged, stalled)
        if reply.action in question.legal:
            late = charged > question.time.decision
            verdict = Verdict.IN_MARGIN if late else Verdict.ACCEPTED
            thought = min(reply.thought, charged)
            self._close(reply.action, verdict, charged, stalled, now, reply.note, thought)
            return verdict
        self.illegal += 1
        if self.illegal >= question.replies:
            return self._close_default(Verdict.ILLEGAL, charged, stalled)
        return None

    def cancel(self) -> None:
        """Forgets the question because its match is gone."""
        self._alarm.clear()
        self.answer.cancel()

    def _charge(self, now: float) -> tuple[float, float]:
        since = self.opened if self.written is None else self.written
        stalled = self._clock.stalls.within(since, now)
        return max(0.0, now - since - stalled), stalled

    def _at_limit(self) -> None:
        limit = self._since + self._total
        if limit > self._clock.loop.time():  # the frame was written later than it opened
            self._alarm.set(limit, self._at_limit)
        else:
            self._drain(_TURNS)

    def _drain(self, turns: int) -> None:
        if self.answer.done():
            return
        if turns:
            self._clock.loop.call_soon(self._drain, turns - 1)
            return
        _, stalled = self._charge(self._clock.loop.time())
        if stalled > STALL:
            wait = SECOND_LOOK if self._stood_still() else stalled
            self._look_again(wait)
        else:
            self._expire()

    def _expire(self) -> None:
        if self.answer.done():
            return
        charged, stalled = self._charge(self._clock.loop.time())
        if not self._stood_still():
            left = self._total - charged
            if left > STALL:  # it stalled again while it looked
                self._look_again(left)
            else:
                self._close_default(Verdict.TIMED_OUT, max(charged, self._total), stalled)
        elif self._retimed:
            self._close_default(Verdict.VOID, charged, stalled)
        else:
            self._retimed, self.written, self.taken = True, None, None
            self._open()

    def _look_again(self, wait: float) -> None:
        self._alarm.set(self._clock.loop.time() + wait, self._expire)

    def _stood_still(self) -> bool:
        """Whether one stall was too long; many short ones only give their time back."""
        now = self._clock.loop.time()
        return self._clock.stalls.longest(self._since, now) > SECOND_LOOK

    def _close_default(self, verdict: Verdict, charged: float, stalled: float) -> Verdict:
        now = self._clock.loop.time()
        self._close(self.question.default, verdict, charged, stalled, now)
        return verdict

    def _close(
        self,
        action: int,
        verdict: Verdict,
        charged: float,
        stalled: float,
        read_at: float,
        note: str = "",
        thought: float = 0.0,
    ) -> None:
        self._alarm.clear()
        queue = encode = 0.0  # the arbiter's own shares: nobody is charged for them
        if self.taken is not None and self.written is not None:
            queue, encode = self.taken - self.opened, self.written - self.taken
        decode = self._clock.loop.time() - read_at
        answer = Answer(
            action, verdict, charged, self.illegal, note, stalled, thought, queue, encode, decode
        )
        self.answer.set_result(answer)
        self._closed(self, answer)
