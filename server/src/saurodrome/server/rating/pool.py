"""What is rated: matches as seen by the fit, gathered in columns as the log grows."""

from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from saurodrome.server.rating.matches import RatedMatch, RatingError


class Seats(NamedTuple):
    """All matches with the same number of rated seats, one a column."""

    blocks: NDArray[np.integer[Any]]
    """Number of the block, by match."""
    bots: NDArray[np.integer[Any]]
    """Number of the bot, by seat and match."""
    places: NDArray[np.integer[Any]]
    """Its placement, by seat and match."""

    @property
    def size(self) -> int:
        """How many rated seats each match has."""
        return len(self.bots)

    def some(self, matches: NDArray[np.integer[Any] | np.bool_] | slice) -> Self:
        """Return some of the matches, by number, by flag, or from one to another."""
        return type(self)(self.blocks[matches], self.bots[:, matches], self.places[:, matches])


class Pool:
    """The rated matches of one pool, in columns by table size.

    A match is added in a microsecond or two, so that a table refitted after each result reads
    only the news; a million matches take some 30 MB.
    """

    def __init__(self, matches: Iterable[RatedMatch] = ()) -> None:
        """Begin with some matches.

        Raises:
            RatingError: a bot sits twice at a table.
        """
        self._bots: dict[str, int] = {}
        self._blocks: dict[str, int] = {}
        self._columns: dict[int, tuple[array[int], ...]] = {}
        """By table size: blocks, then bots by seat, then placements by seat."""
        for match in matches:
            self.add(match)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the names of blocks behind: a copy is fitted elsewhere, and does not grow.

        Columns go as views, which protocol 5 of pickle can hand on without copying them.
        """
        columns = {
            size: tuple(np.frombuffer(column, np.intc) for column in of_size)
            for size, of_size in self._columns.items()
        }
        return {"_bots": self._bots, "_blocks": {}, "_columns": columns}

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, by their numbers."""
        return tuple(self._bots)

    @property
    def matches(self) -> int:
        """How many matches it has."""
        return sum(len(columns[0]) for columns in self._columns.values())

    def add(self, match: RatedMatch) -> None:
        """Add a match; one with fewer than two rated seats says nothing and is left out.

        Raises:
            RatingError: a bot sits twice at the table.
        """
        size = len(match.placements)
        if size < 2:
            return
        if len(dict(match.placements)) < size:
            raise RatingError(f"a bot sits twice at a table of block {match.block}")
        columns = self._columns.get(size) or self._begun(size)
        columns[0].append(self._blocks.setdefault(match.block, len(self._blocks)))
        for seat, (name, place) in enumerate(match.placements, 1):
            columns[seat].append(self._bots.setdefault(name, len(self._bots)))
            columns[size + seat].append(place)

    def _begun(self, size: int) -> tuple["array[int]", ...]:
        columns = tuple(array("i") for _ in range(1 + 2 * size))
        self._columns[size] = columns
        return columns

    def seats(self) -> list[Seats]:
        """Return the matches, smallest tables first; a copy, so that the pool may grow."""
        return [
            Seats(
                np.array(columns[0], np.int32),
                np.stack([np.asarray(column) for column in columns[1 : size + 1]]),
                np.stack([np.asarray(column) for column in columns[size + 1 :]]),
            )
            for size, columns in sorted(self._columns.items())
        ]
