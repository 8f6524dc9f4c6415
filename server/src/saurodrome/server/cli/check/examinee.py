"""The bot that is checked, as the single checks reach it: streams, matches, decisions."""

import asyncio
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from saurodrome.server.cli.check.road import Way
from saurodrome.server.cli.check.sitting import Board, Sitting
from saurodrome.server.cli.check.visits import Door, Heard, Visit
from saurodrome.server.frames import (
    Ended,
    Goodbye,
    MatchStarted,
    Previous,
    Ready,
    Reply,
    VerdictFrame,
    VerdictKind,
    Welcome,
)
from saurodrome.server.port import MatchEnd, SeatEnd, TimeControl

BACK_WITHIN = 10.0
"""Seconds in which a bot must be back after its stream ended."""
TIME = TimeControl(ready=10.0, decision=1.0, margin=0.05)
"""The time control of most checks."""


class Mark(StrEnum):
    """What came of a check."""

    PASS = "pass"
    FAIL = "FAIL"
    ADVICE = "advice"
    UNTRIED = "-"


class Finding(NamedTuple):
    """What one check found: a sentence, and what to do about it if anything."""

    mark: Mark
    what: str
    do: str = ""


class Failed(Exception):
    """The bot did not do what a check asks for."""

    def __init__(self, what: str, do: str) -> None:
        """Keeps what it did, and what helps."""
        super().__init__(what)
        self.finding = Finding(Mark.FAIL, what, do)


class Asked(NamedTuple):
    """What came of a question: the reply, if one came in time, and the seconds it took."""

    reply: Reply | None
    took: float


class Examinee:
    """The bot, over all of its streams.

    Attributes:
        visit: Its present stream.
        twice: Decisions that it answered more than once, unasked.
        strange: Replies to decisions that never were.
        left: It has said goodbye.
    """

    visit: Visit

    def __init__(self, door: Door, road: Way, board: Board, seed: int = 1) -> None:
        """Waits for nobody yet."""
        self.door = door
        self.road = road
        self.board = board
        self.twice = 0
        self.strange = 0
        self.left = False
        self._seed = seed
        self._answered: set[str] = set()
        self._closed: set[str] = set()
        self._loop = asyncio.get_running_loop()

    @property
    def here(self) -> bool:
        """It has a stream."""
        return hasattr(self, "visit") and not self.visit.ended

    async def comes(
        self, within: float, open_matches: int = 0, missed: Sequence[MatchEnd] = ()
    ) -> bool:
        """Waits for a new stream and welcomes it; false if none came.

        Args:
            within: Seconds to wait.
            open_matches: How many matches are announced again behind the welcome.
            missed: Results that it is told.
        """
        visit = await self.door.next(self._loop.time() + within)
        if visit is None:
            return False
        self.visit = visit
        places = max(1, visit.hello.max_concurrent)
        await visit.send(Welcome("you", places, tuple(missed), open_matches))
        return True

    def sitting(
        self,
        name: str,
        time: TimeControl = TIME,
        others: tuple[str, ...] = (),
        attempt: int = 1,
    ) -> Sitting:
        """Makes a match."""
        return Sitting(self.board, name, time, self._seed, others, attempt)

    async def sits(self, sitting: Sitting, *, again: bool = False) -> float:
        """Announces a match and waits until the bot is ready; gives the seconds it took.

        Args:
            sitting: The match.
            again: It was announced on an earlier stream; the server does not know the ready.

        Raises:
            Failed: It did not get ready.
            Gone: Its stream ended.
        """
        await self.visit.send(MatchStarted(sitting.start, ready=False))
        begun = self._loop.time()
        until = begun + sitting.start.time.ready
        while heard := await self.visit.frame(until):
            match heard.frame:
                case Ready(match_id, attempt) if match_id == sitting.start.match_id:
                    if attempt == sitting.start.attempt:
                        return heard.when - begun
                case _:
                    await self._other(heard)
        which = " again, after it had come back" if again else ""
        raise Failed(
            f"no ready for a match within {sitting.start.time.ready:.0f} s{which}",
            "answer every match_started that has ready unset by ready, with its match_id and"
            " attempt",
        )

    async def asks(self, sitting: Sitting, limit: float, previous: Previous | None = None) -> Asked:
        """Asks the open decision of a match and waits for the reply until limit and margin.

        Raises:
            Gone: Its stream ended.
        """
        written = self._loop.time()
        await self.visit.send(sitting.question(limit, previous))
        return await self.answers(sitting, written, limit)

    async def answers(self, sitting: Sitting, since: float, limit: float) -> Asked:
        """Waits for the reply to the open decision of a match.

        Args:
            sitting: The match.
            since: The loop time from which it has time.
            limit: How many seconds; the margin comes on top.

        Raises:
            Gone: Its stream ended.
        """
        until = since + limit + sitting.start.time.margin
        while heard := await self.visit.frame(until):
            frame = heard.frame
            if isinstance(frame, Reply) and frame.decision_id == sitting.decision_id:
                self._answered.add(frame.decision_id)
                return Asked(frame, heard.when - since)
            await self._other(heard)
        self._closed.add(sitting.decision_id)
        return Asked(None, self._loop.time() - since)

    async def any_answer(self, waiting: Collection[str], until: float) -> Asked:
        """Waits for the reply to any of several decisions, by their ids, until a loop time.

        Raises:
            Gone: Its stream ended.
        """
        while heard := await self.visit.frame(until):
            frame = heard.frame
            if isinstance(frame, Reply) and frame.decision_id in waiting:
                self._answered.add(frame.decision_id)
                return Asked(frame, 0.0)
            await self._other(heard)
        self._closed.update(waiting)
        return Asked(None, 0.0)

    def gives_up(self, sitting: Sitting) -> None:
        """Closes the open decision of a match: replies to it are stale, and no fault."""
        self._closed.add(sitting.decision_id)

    async def judges(
        self,
        kind: VerdictKind,
        sitting: Sitting,
        message: str,
        remaining: float = 0.0,
        replies_left: int = 0,
    ) -> None:
        """Sends a verdict on the open decision of a match."""
        frame = VerdictFrame(
            kind,
            sitting.start.match_id,
            sitting.decision_id,
            message,
            remaining,
            replies_left,
            sitting.start.time.decision,
        )
        await self.visit.send(frame)

    async def ends(self, sitting: Sitting, *, void: bool = False, reason: str = "") -> None:
        """Ends a match: all share the first place, or it is void."""
        self.gives_up(sitting)
        places = () if void else (SeatEnd(1, 0, False, False, 1500.0, 1500.0),) * sitting.seats
        start = sitting.start
        termination = "void" if void else "finished"
        end = MatchEnd(start.match_id, start.attempt, termination, 0, places, b"", reason)
        await self.visit.send(Ended(end))

    async def _other(self, heard: Heard) -> None:
        """Deals with a frame that nobody waits for, as the arbiter does."""
        match heard.frame:
            case Goodbye():
                self.left = True
            case Reply(decision_id):
                if decision_id in self._answered:
                    self.twice += 1
                    kind = VerdictKind.DUPLICATE
                else:
                    self.strange += decision_id not in self._closed
                    kind = VerdictKind.STALE
                await self.visit.send(VerdictFrame(kind, "", decision_id, "nothing was changed"))
