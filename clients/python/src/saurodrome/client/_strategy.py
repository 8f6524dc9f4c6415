"""A bot's brain: `choose`, `prepare`, and the file that they come from."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from saurodrome.client._decision import Decision, Match


@dataclass(frozen=True, slots=True)
class Strategy:
    """What an author wrote, ready to be asked.

    Attributes:
        choose: Takes a `Decision`, gives the id of one of its legal actions, or the action.
        prepare: Takes a `Match` before the bot says that it is ready; may be None.
        name: The bot's name: the file's stem unless told otherwise.
        version: The author's version of the bot; may be empty.
        path: The file; None if the functions were given directly.
    """

    choose: Callable[[Decision], Any]
    prepare: Callable[[Match], object] | None = None
    name: str = "bot"
    version: str = ""
    path: Path | None = None

    def answer(self, decision: Decision) -> int:
        """Asks `choose` and checks what it gives.

        Returns:
            The id of a legal action.

        Raises:
            BotRaised: `choose` raised; the exception is the cause.
            BadReply: It gave neither an id nor a legal action.
            IllegalAction: The id is not among the legal ones.
        """
        raise NotImplementedError

    def get_ready(self, match: Match) -> None:
        """Calls `prepare`, if there is one.

        Raises:
            BotRaised: It raised; the exception is the cause.
        """
        raise NotImplementedError


def strategy_of(choose: object, prepare: Callable[[Match], object] | None = None) -> Strategy:
    """Makes a strategy of a function, or of an object with `choose` and maybe `prepare`.

    Raises:
        InputError: It is neither.
    """
    raise NotImplementedError


def load(path: str | Path) -> Strategy:
    """Loads a bot from a Python file that offers `choose` and maybe `prepare`.

    Raises:
        BotFileError: The file is missing, is no Python, raises, or has no `choose`.
    """
    raise NotImplementedError
