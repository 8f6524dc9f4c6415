"""A bot's presence at a server: streams that come and go, threads that think, one session."""

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._backoff import Backoff
from saurodrome.client._choice import Answer
from saurodrome.client._decision import Decision, Match
from saurodrome.client._errors import BotFault, ServerError, Unreachable
from saurodrome.client._events import Disconnected, Event, Status
from saurodrome.client._last import save_decision
from saurodrome.client._session import Session
from saurodrome.client._strategy import Strategy
from saurodrome.client._transport import Transport
from saurodrome.client._workers import Job, Workers

STEADY_SECONDS = 2.0
"""A stream that lasted this long has worked: the back-off begins anew."""
LINGER_SECONDS = 2.0
"""How long a server may take to end the stream of a bot that has nothing left to do."""

_S = TypeVar("_S")
_T = TypeVar("_T")


class Presence:
    """Keeps a bot at a server until it has nothing left to do; the `Host` of its session."""

    def __init__(
        self,
        strategy: Strategy,
        session: Callable[["Presence"], Session],
        connect: Callable[[], Transport],
        *,
        workers: int,
        explain: Callable[[ServerError], Awaitable[ServerError]],
        on_event: Callable[[Event, Status], object] | None = None,
        last_decision: Path,
        give_up_after: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Connects nothing yet.

        Args:
            strategy: The bot's brain.
            session: Makes the session.
            connect: Opens a stream; called in the loop, once a try.
            workers: How many threads may think at once.
            explain: Finds out more about a first connection that failed.
            on_event: Told every event and the figures after it.
            last_decision: Where to keep the newest decision with a fault.
            give_up_after: Seconds without a stream after which to give up.
            clock: Gives the time in seconds.
            sleep: Waits for so many seconds.
        """
        self.session = session(self)
        self._strategy = strategy
        self._connect = connect
        self._worker_count = workers
        self._explain = explain
        self._on_event = on_event
        self._last_decision = last_decision
        self._give_up_after = give_up_after
        self._clock = clock
        self._sleep = sleep
        self._loop: asyncio.AbstractEventLoop | None = None
        self._outbox: asyncio.Queue[bot_pb2.PlayRequest] | None = None
        self._leave_early = False

    async def play(self) -> Status:
        """Plays until nothing is left to do, or `leave` or `stop` is called.

        Raises:
            ServerError: The server does not let the bot in, or did not answer for too long.
            BotFault: In strict mode: the bot's first fault.
        """
        self._loop = asyncio.get_running_loop()
        self._workers = Workers(self._worker_count, self._loop, self._finish)
        self._end: asyncio.Future[None] = self._loop.create_future()
        streams = asyncio.create_task(self._streams())
        try:
            if self._leave_early:
                self._leave()
            await asyncio.wait([streams, self._end], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._workers.close()
            streams.cancel()
            outcome = (await asyncio.gather(streams, return_exceptions=True))[0]
            self._loop = None
        if self._end.done():
            self._end.result()
        elif outcome is not None:
            raise outcome
        return self.session.status

    def leave(self) -> None:
        """Takes no new matches and ends when the open ones have ended; from any thread."""
        if self._loop is None:
            self._leave_early = True
        else:
            self._loop.call_soon_threadsafe(self._leave)

    def stop(self) -> None:
        """Ends at once; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._finish, None)

    def _leave(self) -> None:
        self.session.leave()
        self._settle()

    def _settle(self) -> None:
        """Ends a bot that has nothing left to do, even if the server does not end its stream."""
        if self._loop is not None and self.session.finished:
            wait = LINGER_SECONDS if self.session.welcomed else 0
            self._loop.call_later(wait, self._finish, None)

    def _finish(self, error: BaseException | None) -> None:
        if self._end.done():
            return
        if error is None:
            self._end.set_result(None)
        else:
            self._end.set_exception(error)

    async def _streams(self) -> None:
        """Opens streams, one after the other, until nothing is left to do."""
        backoff = Backoff()
        last_up = self._clock()
        while not self.session.finished:
            opened = self._clock()
            error = await self._stream()
            now = self._clock()
            if self.session.welcomed:
                last_up = now
                if now - opened >= STEADY_SECONDS:
                    backoff.reset()
            self.session.closed()
            if not self.session.finished:
                await self._wait(error, backoff, now - last_up)

    async def _wait(self, error: ServerError, backoff: Backoff, away: float) -> None:
        """Waits before the next try, or gives up.

        Args:
            error: Why the last stream ended.
            backoff: Knows how long to wait.
            away: Seconds without a stream.

        Raises:
            ServerError: To try again would not help, or it took too long.
        """
        if not self.session.ever_welcomed:
            error = await self._explain(error)
        delay = backoff.next()
        if not (error.retry or self._passes(error)):
            raise error
        if self._give_up_after is not None and away + delay > self._give_up_after:
            raise error
        self.tell(Disconnected(error, delay, backoff.tries))
        await self._sleep(delay)

    def _passes(self, error: ServerError) -> bool:
        """Tells whether an error may pass, since the bot was welcome before.

        What answers in place of the server may only be there for a while; and after a link that
        flapped, the stream that must not be replaced so often is a dead one of our own.
        """
        return self.session.ever_welcomed and (
            error.status == "UNAVAILABLE" or error.code == "TAKEOVERS"
        )

    async def _stream(self) -> ServerError:
        """Serves one stream to its end; gives why it ended."""
        transport = self._connect()
        outbox = self._outbox = asyncio.Queue()
        writer = asyncio.create_task(_write(transport, outbox))
        self.session.opened()
        try:
            while (frame := await transport.recv()) is not None:
                self.session.receive(frame)
                self._settle()
        except ServerError as error:
            return error
        finally:
            self._outbox = None
            writer.cancel()
            await transport.close()
        return Unreachable("STREAM_ENDED", "the server ended the stream.", retry=True)

    def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        """Puts a frame into the outbox of the present stream; without one, it is lost."""
        if self._outbox is not None:
            self._outbox.put_nowait(frame)

    def prepare(self, match: Match, /) -> Job[BotFault | None]:
        """Has a thread get ready for a match."""
        report = functools.partial(self._report, self.session.prepared, match)
        return self._workers.submit(lambda: self._get_ready(match), report)

    def think(self, decision: Decision, /) -> Job[Answer]:
        """Has a thread choose."""
        report = functools.partial(self._report, self.session.answered, decision)
        return self._workers.submit(lambda: self._answer(decision), report)

    def _report(self, receive: Callable[[_S, _T], None], subject: _S, outcome: _T) -> None:
        """Hands an outcome to the session; an error in our own code ends the run."""
        try:
            receive(subject, outcome)
            self._settle()
        except Exception as error:
            self._finish(error)

    def _get_ready(self, match: Match) -> BotFault | None:
        try:
            self._strategy.get_ready(match)
        except BotFault as fault:
            return fault
        return None

    def _answer(self, decision: Decision) -> Answer:
        started = self._clock()
        choice = self._strategy.ask(decision)
        return Answer(choice, self._clock() - started)

    def keep(self, decision: Decision, /) -> Path | None:
        """Saves a decision; a bot in a read-only folder plays all the same."""
        try:
            return save_decision(decision, self._last_decision)
        except OSError:
            return None

    def tell(self, event: Event, /) -> None:
        """Passes an event on, with the figures."""
        if self._on_event is not None:
            self._on_event(event, self.session.status)

    def fail(self, error: BotFault, /) -> None:
        """Ends the run with an error."""
        self._finish(error)


async def _write(transport: Transport, outbox: asyncio.Queue[bot_pb2.PlayRequest]) -> None:
    """Sends what is in the outbox; ends with the stream, of which the reader tells more."""
    while True:
        frame = await outbox.get()
        try:
            await transport.send(frame)
        except ConnectionError:
            return
