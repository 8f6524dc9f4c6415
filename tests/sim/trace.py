"""All that happened in a simulation, in order: frames by stream, events, questions."""

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from saurodrome.server.deals import Deal, Dealer
from tests.sim.heard import Event, Heard


class Frame(NamedTuple):
    """A frame that the server's end of a stream wrote (`out`) or read (`in`)."""

    when: float
    bot: str
    stream: int
    direction: str
    frame: object


class Asked(NamedTuple):
    """A question that a match put to a seat; `number` is the seat's own, from 0."""

    when: float
    process: int
    match_id: str
    attempt: int
    seat: int
    number: int
    decision_id: str


class Trace(Heard):
    """An observer that keeps one list of everything."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.lines: list[Frame | Asked | Event] = []
        self.process = 1
        """The number of the arbiter's process."""
        self.dealt: dict[tuple[str, int], Deal] = {}
        """Deals by match and attempt."""

    def keep(self, event: Event) -> None:
        """Keep an event of the observer."""
        super().keep(event)
        self.lines.append(event)

    def frame(self, bot: str, stream: int, direction: str, frame: object) -> None:
        """Keep a frame."""
        now = asyncio.get_running_loop().time()
        self.lines.append(Frame(now, bot, stream, direction, frame))

    def asked(self, match_id: str, attempt: int, seat: int, number: int, decision_id: str) -> None:
        """Keep a question."""
        now = asyncio.get_running_loop().time()
        asked = Asked(now, self.process, match_id, attempt, seat, number, decision_id)
        self.lines.append(asked)

    def restarted(self) -> None:
        """Keep that the process of the arbiter ended; the next one begins."""
        self.process += 1
        self.keep(Event(asyncio.get_running_loop().time(), "restarted", ()))

    def frames(self) -> list[Frame]:
        """Return all frames."""
        return [line for line in self.lines if isinstance(line, Frame)]

    def text(self) -> str:
        """Return everything as text, one line a thing: equal runs give equal texts."""
        return "\n".join(map(repr, self.lines))


class TracingDealer:
    """Passes deals on; a deal is asked for the id of each decision in the moment it opens."""

    def __init__(self, inner: Dealer, trace: Trace) -> None:
        """Wrap a dealer."""
        self._inner = inner
        self._trace = trace

    def deal(self, match_id: str, attempt: int) -> Deal:
        """Return the deal, traced."""
        trace = self._trace

        class Traced(Deal):
            """A deal that tells which decisions open."""

            def decision_ids(self, seat: int) -> Iterator[str]:
                """Yield the ids, and note each that is asked for."""
                for count, decision_id in enumerate(super().decision_ids(seat)):
                    trace.asked(match_id, attempt, seat, count, decision_id)
                    yield decision_id

        deal = self._inner.deal(match_id, attempt)
        trace.dealt[match_id, attempt] = deal
        return Traced(*deal)
