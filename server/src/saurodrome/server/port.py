"""The seat port: the only way a match reaches a bot."""

from collections.abc import Awaitable
from enum import StrEnum
from typing import NamedTuple, Protocol


class Verdict(StrEnum):
    """What was made of one decision."""

    ACCEPTED = "accepted"
    """A legal reply came inside the limit."""
    IN_MARGIN = "in_margin"
    """A legal reply came after the limit, inside the grace margin; it counts."""
    TIMED_OUT = "timed_out"
    """No legal reply came in time; the default action is played."""
    ILLEGAL = "illegal"
    """Every reply that the decision takes was illegal; the default action is played."""
    VOID = "void"
    """The arbiter stood still too long, twice; nothing is played, the attempt is void."""


class TimeControl(NamedTuple):
    """How time is kept in a match, in seconds.

    Attributes:
        ready: For getting ready.
        decision: For each decision.
        margin: Grace after it.
        sealed: For all steps of a sealed phase together, in place of `decision`.
        phases: For kinds of phases that have a limit of their own, by name: in place of
            `decision`, or of `sealed` where the phase is.
        bank: For all decisions of a match together, beside these limits; 0 is none.
        increment: What a decision, or a sealed phase, gives back to the bank when it is over.
    """

    ready: float = 20.0
    decision: float = 1.0
    margin: float = 0.05
    sealed: float = 10.0
    phases: tuple[tuple[str, float], ...] = ()
    bank: float = 0.0
    increment: float = 0.0


class FaultRule(NamedTuple):
    """What faults cost in a match."""

    strikes_in_a_row: int = 3
    strikes_in_match: int = 5
    replies_per_decision: int = 3


class PlayerName(NamedTuple):
    """A player of a match, as the others may see it."""

    bot: str
    display_name: str


class MatchStart(NamedTuple):
    """What a bot is told of a match before it begins."""

    match_id: str
    attempt: int
    game: str
    variant: str
    rules_version: int
    seat: int
    players: tuple[PlayerName, ...]
    time: TimeControl
    faults: FaultRule
    commitment: bytes
    ruleset: str = ""
    ruleset_hash: str = ""


class Question:
    """One decision, as a match puts it to a seat.

    A plain class, as `Answer` is, and no tuple: at every decision one is made, cheaper so.

    Attributes:
        decision_id: Opaque, unguessable from other seats' ids.
        payload: The game's part of the frame, made by the codec; the session never looks inside.
        legal: The legal action ids, ascending.
        default: The id that is played if no legal reply comes in time.
        time: The limits.
        replies: How many replies the decision takes.
    """

    __slots__ = ("decision_id", "default", "legal", "payload", "replies", "time")

    def __init__(
        self,
        decision_id: str,
        payload: bytes,
        legal: tuple[int, ...],
        default: int,
        time: TimeControl,
        replies: int,
    ) -> None:
        """Takes what is asked."""
        self.decision_id = decision_id
        self.payload = payload
        self.legal = legal
        self.default = default
        self.time = time
        self.replies = replies


class Answer:
    """What came of a question.

    Attributes:
        action: The id to play: the bot's, or the default.
        verdict: What was made of it.
        charged: Seconds charged to the bot.
        illegal: How many illegal replies the decision got.
        note: The bot's remark for the record.
        stalled: Seconds that the arbiter itself stood still inside the decision's window.
        thought: Seconds that the bot says it thought, at most those charged; 0 if unsaid. The
            rest of what is charged is the way there and back.
        queue: Seconds from the opening until the frame's turn to be written came.
        encode: Seconds to make the frame's bytes.
        decode: Seconds from the reply's last byte to its judgement.
    """

    __slots__ = (
        "action",
        "charged",
        "decode",
        "encode",
        "illegal",
        "note",
        "queue",
        "stalled",
        "thought",
        "verdict",
    )

    def __init__(
        self,
        action: int,
        verdict: Verdict,
        charged: float,
        illegal: int = 0,
        note: str = "",
        stalled: float = 0.0,
        thought: float = 0.0,
        queue: float = 0.0,
        encode: float = 0.0,
        decode: float = 0.0,
    ) -> None:
        """Takes what came."""
        self.action = action
        self.verdict = verdict
        self.charged = charged
        self.illegal = illegal
        self.note = note
        self.stalled = stalled
        self.thought = thought
        self.queue = queue
        self.encode = encode
        self.decode = decode

    def __repr__(self) -> str:
        """All that it holds."""
        asked = (self.action, self.verdict, self.charged, self.illegal, self.note, self.stalled)
        return f"Answer{(*asked, self.thought, self.queue, self.encode, self.decode)}"


class SeatEnd(NamedTuple):
    """How one seat came out of a match."""

    placement: int
    points: int
    forfeited: bool
    rated: bool
    elo_before: float
    elo_after: float


class MatchEnd(NamedTuple):
    """What a bot is told when a match, or one try at it, is over.

    `termination` is a value of `saurodrome.server.store.records.Termination`, or `void`.
    """

    match_id: str
    attempt: int
    termination: str
    seat: int
    results: tuple[SeatEnd, ...] = ()
    secret: bytes = b""
    reason: str = ""


class SeatPort(Protocol):
    """One bot's seat at one match."""

    def join(self, start: MatchStart) -> Awaitable[bool]:
        """Announces the match; true once the bot is ready, false if its READY budget ends."""
        ...

    def ask(self, question: Question) -> Awaitable[Answer]:
        """Puts a decision to the bot and keeps its clock; always answers, never raises."""
        ...

    def leave(self, end: MatchEnd) -> None:
        """Tells the bot that the match is over and frees its place."""
        ...
