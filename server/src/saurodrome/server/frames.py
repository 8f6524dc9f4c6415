"""The frames of a bot's stream as plain values, and the transport that carries them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from saurodrome.server.errors import Refused
from saurodrome.server.port import MatchEnd, MatchStart

MAX_FRAME_BYTES = 65_536
"""Bytes in a frame, both ways."""
MAX_NOTE_CHARS = 2_000
"""Characters in a reply's note."""


class Hello(NamedTuple):
    """The first frame of a stream. `games` maps a game to its variants; empty means all."""

    bot_version: str = ""
    sdk: str = ""
    games: Mapping[str, tuple[str, ...]] = {}
    max_concurrent: int = 1


class Ready(NamedTuple):
    """The bot is ready to play an attempt of a match."""

    match_id: str
    attempt: int


class Reply(NamedTuple):
    """The answer to a decision; `action` is None where the bot chose nothing.

    `thought` is what the bot says that it thought, in seconds; 0 if it says nothing.
    """

    decision_id: str
    action: int | None
    note: str = ""
    thought: float = 0.0


class Goodbye(NamedTuple):
    """The bot wants no new matches."""

    reason: str = ""


Inbound = Hello | Ready | Reply | Goodbye


class VerdictKind(StrEnum):
    """What was wrong with a reply, or that none came."""

    ILLEGAL = "illegal"
    STALE = "stale"
    DUPLICATE = "duplicate"
    TIMED_OUT = "timed_out"


class Welcome(NamedTuple):
    """The stream is accepted."""

    bot: str
    max_concurrent: int
    missed: tuple[MatchEnd, ...]
    open_matches: int


class MatchStarted(NamedTuple):
    """A match wants this bot; `ready` if it had been ready before its connection broke."""

    start: MatchStart
    ready: bool


class Previous(NamedTuple):
    """How a seat's previous decision was counted; `charged` in seconds."""

    charged: float
    in_margin: bool
    timed_out: bool
    illegal: int


class Decision(NamedTuple):
    """A question; `remaining` in seconds, without the margin."""

    match_id: str
    decision_id: str
    remaining: float
    default: int
    previous: Previous | None
    payload: bytes


class VerdictFrame(NamedTuple):
    """A reply that did not count; `remaining` and `charged` in seconds."""

    kind: VerdictKind
    match_id: str
    decision_id: str
    message: str
    remaining: float = 0.0
    replies_left: int = 0
    charged: float = 0.0


class Ended(NamedTuple):
    """A match, or one try at it, is over."""

    end: MatchEnd


class Draining(NamedTuple):
    """The server is about to stop; `remaining` in seconds."""

    remaining: float
    reason: str


Outbound = Welcome | MatchStarted | Decision | VerdictFrame | Ended | Draining


class Stamped(Protocol):
    """What wants to know the loop time at which its frame was written, first of all."""

    written: float | None


class Transport(Protocol):
    """A stream of frames. gRPC and a fault-injecting queue pair are its two implementations.

    One task reads and one task writes; a read is never wrapped in a timeout, since that
    would end a gRPC stream for good.
    """

    read_at: float
    """The loop time at which the frame that `recv` gave last had come, before it was decoded."""

    async def recv(self) -> Inbound | None:
        """Waits for the next frame; None when the stream has ended, however it ended.

        Raises:
            Refused: If what came is not a frame; the stream cannot go on.
        """
        ...

    async def send(self, frame: Outbound, stamped: Stamped | None = None) -> None:
        """Hands a frame over; may block while the peer does not read.

        The write is stamped once the frame is encoded, and before anything waits.

        Raises:
            ConnectionError: If the stream has ended.
        """
        ...

    def close(self, refusal: Refused | None) -> None:
        """Ends the stream: with OK, or with what was refused. Never blocks; twice is once."""
        ...
