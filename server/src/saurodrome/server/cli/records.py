"""Match records: read from files or text, and what their tags say."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from saurodrome.client import InputError
from saurodrome.engine.errors import EngineError
from saurodrome.engine.game import State
from saurodrome.engine.playthrough import Playthrough, loads, replay
from saurodrome.server.cli.failures import from_engine
from saurodrome.server.cli.options import Connection

NUMBER = re.compile(r"(\d+)")


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
        by_rules = [""] * self.played.players
        if self.played.outcome is not None:
            both = zip(*self.played.outcome, strict=True)
            by_rules = [f"place {place}, {points} points" for points, place in both]
        return tuple(self.tags.get(f"seat{seat}-result", by_rules[seat]) for seat in seats)

    @property
    def steps(self) -> int:
        """How many steps were played."""
        return len(self.played.steps)

    def seat_name(self, seat: int) -> str:
        """Names a seat and who sits there."""
        known = self.tags.get(f"seat{seat}")
        return f"seat {seat} ({known})" if known else f"seat {seat}"

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


def fetch(match: str, connection: Connection) -> Record:
    """Reads a record from a file or from the server.

    Raises:
        SaurodromeError: There is none, or it is not readable.
    """
    path = Path(match)
    if path.exists() or match.endswith(".play"):
        return read(path)
    if match.count("/") != 3:
        raise InputError(
            "NO_RECORD",
            f"{match} is neither a file nor the id of a match.",
            do="saurodrome replay list DIR; ids are tournament/round/pairing/seating",
        )
    with connection.client() as client:
        return parse(client.record(match).decode(), match)


def order(path: Path) -> list[tuple[int, str]]:
    """Sorts 2.play before 10.play."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in NUMBER.split(path.stem)]


def located(error: EngineError, name: str) -> Exception:
    """Gives an error of the rules with the record that it is about."""
    said = from_engine(error)
    said.where = f"{name}, {said.where}" if said.where else name
    return said
