"""What a session asks of the bot that it belongs to."""

from pathlib import Path
from typing import Protocol

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._decision import Decision, Match
from saurodrome.client._errors import BotFault
from saurodrome.client._events import Event


class Cancellable(Protocol):
    """A job that may be dropped."""

    def cancel(self) -> None:
        """Drops it."""
        ...


class Host(Protocol):
    """What the session asks of the bot that it belongs to."""

    def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        """Sends a frame, if there is a stream."""
        ...

    def prepare(self, match: Match, /) -> Cancellable:
        """Has the bot get ready, and reports to `Session.prepared`."""
        ...

    def think(self, decision: Decision, /) -> Cancellable:
        """Has the bot choose, and reports to `Session.answered`."""
        ...

    def keep(self, decision: Decision, /) -> Path | None:
        """Saves a decision; gives the file, or None if that failed."""
        ...

    def tell(self, event: Event, /) -> None:
        """Passes an event on; the figures are up to date."""
        ...

    def fail(self, error: BotFault, /) -> None:
        """Ends the run with an error."""
        ...
