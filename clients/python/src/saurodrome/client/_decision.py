"""What an author's functions are given: `Match` to get ready, `Decision` to choose."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import games
from saurodrome.client._errors import InputError


@dataclass(frozen=True, slots=True)
class Player:
    """One seat of a match.

    Attributes:
        bot: The bot's name.
        display_name: What people read.
    """

    bot: str
    display_name: str


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How time is kept, in seconds, from the server's write to its read.

    Attributes:
        ready: For getting ready, apart from the time for decisions.
        decision: For each decision.
        margin: Grace after it: a reply inside still counts, and is noted as late.
        sealed: For all steps of a sealed phase together, in place of `decision`.
        phases: For kinds of phases with a limit of their own, in place of these, by name.
        bank: For all decisions of the match together, beside these limits; 0 is none.
        increment: What each decision gives back to the bank when it is over.

    What a decision has left of all of them is its own `remaining`.
    """

    ready: float
    decision: float
    margin: float
    sealed: float = 0.0
    phases: tuple[tuple[str, float], ...] = ()
    bank: float = 0.0
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class FaultRule:
    """What faults cost.

    Attributes:
        strikes_in_a_row: Strikes of one kind in a row that forfeit the match.
        strikes_in_match: Strikes of one kind in the match that forfeit it.
        replies_per_decision: How many replies one decision takes.
    """

    strikes_in_a_row: int
    strikes_in_match: int
    replies_per_decision: int


@dataclass(frozen=True, eq=False)
class Match:
    """A match that wants this bot.

    Attributes:
        message: The message of the wire, for what has no property here.
        fetch: Gives a ruleset as JSON, by game and hash; None where there is no server.
    """

    message: bot_pb2.MatchStarted
    fetch: Callable[[str, str], str] | None = field(default=None, repr=False)

    @property
    def id(self) -> str:
        """Tournament/round/pairing/seating."""
        return self.message.match_id

    @property
    def attempt(self) -> int:
        """Which try at the match this is, from 1."""
        return self.message.attempt

    @property
    def game(self) -> str:
        """The game's name."""
        return self.message.game

    @property
    def variant(self) -> str:
        """The game's variant."""
        return self.message.variant

    @property
    def rules_version(self) -> int:
        """The version of the rules."""
        return self.message.rules_version

    @property
    def seat(self) -> int:
        """The bot's own seat, from 0."""
        return self.message.seat

    def ruleset_json(self) -> str:
        """Gives the ruleset of the match as the server sends it; it is asked once.

        Raises:
            ServerError: The server does not give it.
            InputError: There is no server to ask.
        """
        if self.fetch is None:
            raise InputError(
                "NO_SERVER",
                f"there is no server to ask for the ruleset of {self.game}.",
                where=f"match {self.id}",
                do="give Match(message, fetch) a function that knows it",
            )
        return self.fetch(self.game, self.message.ruleset_hash)

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """The players, by seat."""
        return tuple(Player(p.bot, p.display_name) for p in self.message.players)

    @cached_property
    def time(self) -> TimeControl:
        """How time is kept, in seconds."""
        wire = self.message.time_control
        return TimeControl(
            wire.ready.ToNanoseconds() / 1e9,
            wire.decision.ToNanoseconds() / 1e9,
            wire.margin.ToNanoseconds() / 1e9,
            wire.sealed.ToNanoseconds() / 1e9,
            tuple((p.phase, p.time.ToNanoseconds() / 1e9) for p in wire.phase_times),
            wire.bank_time.ToNanoseconds() / 1e9,
            wire.increment_time.ToNanoseconds() / 1e9,
        )

    @cached_property
    def faults(self) -> FaultRule:
        """What faults cost."""
        wire = self.message.fault_rule
        return FaultRule(wire.strikes_in_a_row, wire.strikes_in_match, wire.replies_per_decision)

    def __repr__(self) -> str:
        """Names the match and the seat."""
        return f"<Match {self.id} {self.game}/{self.variant} seat {self.seat}>"


@dataclass(frozen=True, slots=True)
class Previous:
    """How the server counted the bot's previous decision of the match.

    Attributes:
        charged: What was charged, in seconds.
        in_margin: It came after the limit, inside the margin.
        timed_out: None came in time: the default action was played.
        illegal_replies: How many illegal replies it got.
    """

    charged: float
    in_margin: bool
    timed_out: bool
    illegal_replies: int


@dataclass(frozen=True, eq=False)
class Decision:
    """One question: a whole picture, what may be done, and the time for it.

    It is immutable, and its parts are built when they are first read.

    Attributes:
        match: The match.
        message: The message of the wire, for what has no property here.
        deadline: When the time is up, by `clock`.
        clock: Gives the time in seconds.
    """

    match: Match
    message: bot_pb2.Decision
    deadline: float
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def received(
        cls,
        match: Match,
        message: bot_pb2.Decision,
        clock: Callable[[], float] = time.monotonic,
    ) -> "Decision":
        """Makes the view of a message that came just now: its time starts to run."""
        return cls(match, message, clock() + message.remaining.ToNanoseconds() / 1e9, clock)

    @property
    def match_id(self) -> str:
        """The match, as tournament/round/pairing/seating."""
        return self.message.match_id

    @property
    def game(self) -> str:
        """The game's name."""
        return self.match.game

    @property
    def variant(self) -> str:
        """The game's variant."""
        return self.match.variant

    @property
    def seat(self) -> int:
        """The bot's own seat, from 0."""
        return self.match.seat

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, by seat."""
        return self.match.players

    def ruleset_json(self) -> str:
        """Gives the ruleset of the match, see `Match.ruleset_json`."""
        return self.match.ruleset_json()

    @property
    def remaining(self) -> float:
        """Seconds left, without the margin: counts down, and stops at 0."""
        return max(0.0, self.deadline - self.clock())

    @cached_property
    def legal_actions(self) -> tuple["games.LegalAction", ...]:
        """What may be done, ids ascending: each a `LegalAction` of the game's own module."""
        return games.legal_actions(self.message)

    @cached_property
    def default(self) -> "games.LegalAction":
        """What is played if no legal answer comes in time."""
        wanted = self.message.default_action_id
        return next(a for a in self.legal_actions if a.id == wanted)

    @cached_property
    def state(self) -> Any:
        """All that the bot may know, a `State` of the game's own module; it needs no memory."""
        return games.state(self.message, self.match.message)

    @cached_property
    def previous(self) -> Previous | None:
        """How the previous decision of this match was counted; None at the first."""
        if not self.message.HasField("previous"):
            return None
        wire = self.message.previous
        charged = wire.charged.ToNanoseconds() / 1e9
        return Previous(charged, wire.in_margin, wire.timed_out, wire.illegal_replies)

    def __repr__(self) -> str:
        """Names the match, the turn and the time that is left."""
        return (
            f"<Decision {self.match_id} turn {self.state.turn}: "
            f"{len(self.message.legal_actions)} legal, {self.remaining * 1000:.0f} ms left>"
        )
