"""Seat ports without a session: scripted answers, for tests of matches alone."""

import asyncio
from collections.abc import Callable

from saurodrome.engine.game import Observation
from saurodrome.server.port import Answer, MatchEnd, MatchStart, Question, Verdict

Script = Callable[[int, Question], Answer]
"""What is answered to a seat's question; its number counts from 0."""


class PlainCodec:
    """Encodes an observation as the text of its parts, and the legal ids behind it."""

    def public(self, observation: Observation) -> bytes:
        """Encode what everybody knows."""
        return repr(observation.public).encode()

    def payload(self, public: bytes, observation: Observation, legal: tuple[int, ...]) -> bytes:
        """Encode one seat's decision."""
        private = repr(observation.private).encode()
        return b"|".join((public, private, b" ".join(b"%d" % action for action in legal)))


def legal_of(payload: bytes) -> tuple[int, ...]:
    """Return the legal ids from a payload of `PlainCodec`."""
    return tuple(map(int, payload.rsplit(b"|", 1)[1].split()))


def first_legal(number: int, question: Question) -> Answer:
    """Answer with the first legal action, at once."""
    return Answer(question.legal[0], Verdict.ACCEPTED, 0.01)


def default_of(
    question: Question, verdict: Verdict, illegal: int = 0, stalled: float = 0.0
) -> Answer:
    """Return what a session answers when no legal reply came."""
    return Answer(question.default, verdict, question.time.decision, illegal, stalled=stalled)


def late_at(*numbers: int) -> Script:
    """Time out at these questions, and answer all others at once."""
    return failing_at(Verdict.TIMED_OUT, numbers)


def illegal_at(*numbers: int) -> Script:
    """Give only illegal replies to these questions."""
    return failing_at(Verdict.ILLEGAL, numbers)


def failing_at(verdict: Verdict, numbers: tuple[int, ...]) -> Script:
    """Get a verdict at these questions."""

    def script(number: int, question: Question) -> Answer:
        if number in numbers:
            return default_of(question, verdict, 3 if verdict is Verdict.ILLEGAL else 0)
        return first_legal(number, question)

    return script


class ScriptedPort:
    """A seat whose answers are scripted and take a scripted time."""

    def __init__(
        self,
        script: Script = first_legal,
        *,
        ready: bool = True,
        thinks: Callable[[int], float] = lambda number: 0.0,
        log: Callable[[str, int], None] = lambda event, number: None,
    ) -> None:
        """Script a seat.

        Args:
            script: What it answers.
            ready: Whether it gets ready.
            thinks: Seconds until it answers a question, by its number.
            log: Hears `asked` and `answered` with the number of the question.
        """
        self._script = script
        self._ready = ready
        self._thinks = thinks
        self._log = log
        self.started: list[MatchStart] = []
        self.asked: list[tuple[float, Question]] = []
        """Loop times and questions."""
        self.open = 0
        self.most_open = 0
        self.ends: list[MatchEnd] = []

    async def join(self, start: MatchStart) -> bool:
        """Note the announcement."""
        self.started.append(start)
        return self._ready

    def ask(self, question: Question) -> asyncio.Future[Answer]:
        """Answer by the script, after its time."""
        loop = asyncio.get_running_loop()
        number = len(self.asked)
        self.asked.append((loop.time(), question))
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        self._log("asked", number)
        answer: asyncio.Future[Answer] = loop.create_future()
        loop.call_later(self._thinks(number), self._answer, number, question, answer)
        return answer

    def leave(self, end: MatchEnd) -> None:
        """Note the end."""
        self.ends.append(end)

    def _answer(self, number: int, question: Question, answer: "asyncio.Future[Answer]") -> None:
        self.open -= 1
        if not answer.done():
            self._log("answered", number)
            answer.set_result(self._script(number, question))
