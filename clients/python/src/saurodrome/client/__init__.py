"""Write a bot for Saurodrome: one function, the rest is done for you.

    from saurodrome.client import Decision, run

    def choose(d: Decision) -> int:
        return d.legal_actions[0].id

    if __name__ == "__main__":
        run(choose)

Public besides this name space: `saurodrome.client.games`, `saurodrome.client.tournaments`
and `saurodrome.client.testing`.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from saurodrome.client._errors import (
    BadReply,
    BotFault,
    BotFileError,
    BotRaised,
    IllegalAction,
    InputError,
    LateReply,
    NotReady,
    Refused,
    RequestError,
    SaurodromeError,
    ServerError,
    ServerTrouble,
    Unreachable,
)

if TYPE_CHECKING:
    from saurodrome.client._bot import Bot
    from saurodrome.client._botfile import load
    from saurodrome.client._choice import Move
    from saurodrome.client._decision import (
        Decision,
        FaultRule,
        Match,
        Player,
        Previous,
        TimeControl,
    )
    from saurodrome.client._events import (
        Connected,
        Decided,
        Disconnected,
        Draining,
        Event,
        Faulted,
        Judged,
        Leaving,
        MatchEnded,
        MatchStarted,
        SeatResult,
        Status,
        Termination,
        VerdictKind,
    )
    from saurodrome.client._last import load_decision, save_decision
    from saurodrome.client._run import play, run
    from saurodrome.client._strategy import Strategy, strategy_of
    from saurodrome.client.games import LegalAction

# Read when grpc is loaded, which no module does before this: its core prints lines of its own to
# stderr for each lost connection, beside our errors.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

__all__ = [
    "BadReply",
    "Bot",
    "BotFault",
    "BotFileError",
    "BotRaised",
    "Connected",
    "Decided",
    "Decision",
    "Disconnected",
    "Draining",
    "Event",
    "FaultRule",
    "Faulted",
    "IllegalAction",
    "InputError",
    "Judged",
    "LateReply",
    "Leaving",
    "LegalAction",
    "Match",
    "MatchEnded",
    "MatchStarted",
    "Move",
    "NotReady",
    "Player",
    "Previous",
    "Refused",
    "RequestError",
    "SaurodromeError",
    "SeatResult",
    "ServerError",
    "ServerTrouble",
    "Status",
    "Strategy",
    "Termination",
    "TimeControl",
    "Unreachable",
    "VerdictKind",
    "load",
    "load_decision",
    "play",
    "run",
    "save_decision",
    "strategy_of",
]

_LATER = {
    "_bot": "Bot",
    "_botfile": "load",
    "_choice": "Move",
    "_decision": "Decision FaultRule Match Player Previous TimeControl",
    "_events": (
        "Connected Decided Disconnected Draining Event Faulted Judged Leaving MatchEnded"
        " MatchStarted SeatResult Status Termination VerdictKind"
    ),
    "_last": "load_decision save_decision",
    "_run": "play run",
    "_strategy": "Strategy strategy_of",
    "games": "LegalAction",
}
"""What is loaded when it is asked for, by its module: grpc, which that needs, takes its time."""

if not TYPE_CHECKING:  # a checker is to know which names there are

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names.split():
                found = getattr(import_module(f"{__name__}.{module}"), name)
                globals()[name] = found
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
