"""The games that this client has typed views of: one module a game, and a line here."""

from typing import Protocol, TypeAlias

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._errors import Refused
from saurodrome.client.games import draftosaurus, duelosaur
from saurodrome.client.games._action import LegalAction

__all__ = [
    "GAMES",
    "LegalAction",
    "State",
    "check",
    "draftosaurus",
    "duelosaur",
    "legal_actions",
    "state",
]

State: TypeAlias = draftosaurus.State | duelosaur.State


class GameViews(Protocol):
    """What the module of a game offers."""

    def legal_actions(self, decision: bot_pb2.Decision, /) -> tuple[LegalAction, ...]:
        """Makes the typed views of a decision's legal actions."""
        ...

    def state(self, decision: bot_pb2.Decision, match: bot_pb2.MatchStarted, /) -> State:
        """Makes the typed view of an observation."""
        ...


# By name: the game's, and its field's in the oneofs of bot.proto.
GAMES: dict[str, GameViews] = {"draftosaurus": draftosaurus, "duelosaur": duelosaur}


def legal_actions(decision: bot_pb2.Decision) -> tuple[LegalAction, ...]:
    """Makes the typed views of a decision's legal actions."""
    return _views(decision).legal_actions(decision)


def state(decision: bot_pb2.Decision, match: bot_pb2.MatchStarted) -> State:
    """Makes the typed view of a decision's observation."""
    return _views(decision).state(decision, match)


def check(decision: bot_pb2.Decision) -> None:
    """Refuses a decision of a game that this client does not know.

    Raises:
        Refused: CLIENT_TOO_OLD.
    """
    _views(decision)


def _views(decision: bot_pb2.Decision) -> GameViews:
    name = decision.WhichOneof("observation")
    if name is None:
        raise Refused(
            "CLIENT_TOO_OLD",
            "this client does not know the game of the decision.",
            where=f"match {decision.match_id}",
            do="pip install -U saurodrome-client",
        )
    return GAMES[name]
