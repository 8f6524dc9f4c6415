"""What happens in the arbiter, told to metrics and logs: one method an event, all optional."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from saurodrome.server.port import Answer
from saurodrome.server.store.records import Event, Result


class VoidWhy(StrEnum):
    """Why an attempt does not count; what people are told of it stands beside."""

    STOPPED = "stopped"
    """By an organiser, a rule, or the end of the server."""
    STALLED = "stalled"
    """The arbiter stood still inside a decision."""
    ERROR = "error"
    """In the arbiter."""


class Waits(StrEnum):
    """Why the scheduler starts nothing; what people are told of it stands beside."""

    NOTHING = ""
    BOTS = "waiting_for_bots"
    MAX_MATCHES = "max_matches"
    STORE_FAILING = "store_failing"
    DRAINING = "draining"


class Observer:
    """Hears of events. The methods do nothing here; they must not block and must not raise.

    Names of bots are passed as they are: a log writes them as values, metrics keep them
    out of labels.
    """

    def session_opened(self, bot: str, sdk: str, bot_version: str) -> None:
        """A bot's stream was accepted."""

    def session_closed(self, bot: str, reason: str) -> None:
        """A bot's stream ended; `reason` is a code, `disconnected` where the peer just went."""

    def session_refused(self, code: str) -> None:
        """A stream or call was refused with a code."""

    def surplus_frame(self, bot: str, kind: str) -> None:
        """A frame came that no decision had granted: stale, duplicate or unknown."""

    def decision_closed(
        self, bot: str, match_id: str, decision_id: str, answer: Answer, overhead: float
    ) -> None:
        """A decision was answered or timed out; `overhead`: the arbiter's own seconds."""

    def match_started(
        self, tournament: str, match_id: str, attempt: int, bots: tuple[str, ...]
    ) -> None:
        """An attempt began."""

    def match_void(
        self, tournament: str, match_id: str, attempt: int, why: VoidWhy, reason: str
    ) -> None:
        """An attempt ended without counting; `reason` is for people."""

    def match_finished(self, result: Result, seconds: float) -> None:
        """A result is committed; `seconds` from the attempt's start."""

    def forfeited(self, bot: str, match_id: str, kind: str) -> None:
        """A seat forfeited its match."""

    def loop_stalled(self, seconds: float) -> None:
        """The event loop stood still."""

    def loop_lagged(self, seconds: float) -> None:
        """The event loop came so late to a timer that is set ten times a second."""

    def call_began(self, method: tuple[str, str, str]) -> None:
        """A gRPC call began; `method` is its type (unary, ..., bidi_stream), service and name."""

    def call_ended(self, method: tuple[str, str, str], status: str, seconds: float) -> None:
        """A gRPC call ended; `status` is a name such as OK, CANCELLED if the caller vanished."""

    def commit_done(self, items: int, seconds: float, waited: float | None = None) -> None:
        """The recorder committed a batch; the oldest end of a match in it had `waited` by then."""

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        """The recorder could not commit and tries again in `retry` seconds."""

    def tournaments_found(self, going: Mapping[str, str], over: Mapping[str, int]) -> None:
        """At the start: the state of each tournament that is not over, the others by state."""

    def tournament_changed(self, tournament: str, state: str) -> None:
        """A tournament changed its state."""

    def tournament_event(self, event: Event) -> None:
        """An organiser or a rule did something to a tournament, and it is stored."""

    def error(self, where: str, error: BaseException) -> None:
        """Something went wrong in the arbiter itself."""

    def scheduler_waits(self, waits: Waits, reason: str) -> None:
        """The scheduler has work but starts none, or goes on; `reason` is for people."""


class Observers(Observer):
    """Passes every event on to those of several observers that listen for it."""

    def __init__(self, *observers: Observer) -> None:
        """Binds each event to the observers that override it."""
        for event, silent in vars(Observer).items():
            if event.startswith("_"):
                continue
            heard = [getattr(o, event) for o in observers if getattr(type(o), event) is not silent]
            if heard:
                setattr(self, event, heard[0] if len(heard) == 1 else _fan_out(heard))


def _fan_out(listeners: list[Callable[..., None]]) -> Callable[..., None]:
    def tell(*args: Any, **kwargs: Any) -> None:
        for listener in listeners:
            listener(*args, **kwargs)

    return tell
