"""Match records: read from files or text, and what their tags say."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from saurodrome.client import InputError
from saurodrome.engine.errors import EngineError
from saurodrome.engine.game import State
from saurodrome.engine.playthrough import Playthrough, loads, replay
from saurodrome.server.cli.failures import from_engine


class Record(NamedTuple):
    """A match record, read.

    Attributes:
        name: Where it comes from: a path or a match id.
        played: The playthrough.
        tags: Its tags.
    """

    name: str
    played: Playthrough
    tags: dict[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, by seat."""
        seats = range(self.played.players)
        return tuple(self.tags.get(f"seat{seat}", f"seat {seat}") for seat in seats)

    @property
    def results(self) -> tuple[str, ...]:
        """How the seats came out, in words."""
        seats = range(self.played.players)
        return tuple(self.tags.get(f"seat{seat}-result", "") for seat in seats)

    @property
    def steps(self) -> int:
        """How many steps were played."""
        return len(self.played.steps)

    def states(self) -> Sequence[State]:
        """Plays it again: the first state, then the state after each step.

        Raises:
            SaurodromeError: DIFFERS, UNKNOWN_GAME and the like.
        """
        try:
            return list(replay(self.played))
        except EngineError as error:
            raise located(error, self.name) from error


def parse(text: str, name: str) -> Record:
    """Reads a record.

    Raises:
        SaurodromeError: It is none, or was changed.
    """
    try:
        played = loads(text)
    except EngineError as error:
        raise located(error, name) from error
    return Record(name, played, dict(played.tags))


def read(path: Path) -> Record:
    """Reads a record from a file.

    Raises:
        SaurodromeError: It cannot be read, is no record, or was changed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        what = f"{path} is no text, so it is no match record."
        raise InputError("RECORD_FOREIGN", what, do="give the name of a .play file") from None
    return parse(text, str(path))


def located(error: EngineError, name: str) -> Exception:
    """Gives an error of the rules with the record that it is about."""
    said = from_engine(error)
    said.where = f"{name}, {said.where}" if said.where else name
    return said
