"""The round robin: every group of bots meets at one table, from all its seatings."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

Seating = Literal["balanced", "rotations"]


class ScheduleError(ValueError):
    """A schedule that was asked for cannot exist.

    Attributes:
        what: what is wrong, one clause.
        where: the argument at fault.
        do: what would work instead.
    """

    def __init__(self, what: str, where: str, do: str) -> None:
        """Keep the three parts that a user reads."""
        super().__init__(f"{what} (where: {where}; do: {do})")
        self.what = what
        self.where = where
        self.do = do


class Match(NamedTuple):
    """One match of the schedule; the three numbers count from 1."""

    round: int
    pairing: int
    seating: int
    seats: tuple[str, ...]
    """Names of the bots by seat."""

    @property
    def id(self) -> str:
        """``round/pairing/seating``, unique within the tournament."""
        return f"{self.round}/{self.pairing}/{self.seating}"


class Block(NamedTuple):
    """One pairing in one round: the same bots in all seatings, played in this order."""

    round: int
    pairing: int
    bots: tuple[str, ...]
    """Names in the order of entry."""
    matches: tuple[Match, ...]

    @property
    def id(self) -> str:
        """``round/pairing``: the key by which results of this block belong together."""
        return f"{self.round}/{self.pairing}"


class Schedule(NamedTuple):
    """All matches of a round robin in the order of play; blocks are built when asked for."""

    entrants: tuple[str, ...]
    players: int
    seating: Seating
    seed: int
    pairings: tuple[tuple[int, ...], ...]
    """Bots at the table (indices of entrants) by pairing number - 1."""
    match_count: int
    """Matches in the whole schedule; the last block may be cut short."""

    @property
    def block_size(self) -> int:
        """Matches in a whole block."""
        raise NotImplementedError

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in the order of play."""
        raise NotImplementedError

    def matches(self) -> Iterator[Match]:
        """Yield the matches in the order of play."""
        raise NotImplementedError


def round_robin(
    entrants: Sequence[str],
    players: int,
    *,
    seed: int,
    seating: Seating = "balanced",
    rounds: int = 1,
    matches: int | None = None,
) -> Schedule:
    """Return the schedule in which every group of ``players`` entrants meets.

    Raises:
        ScheduleError: too few entrants, a name twice, or a count that cannot be.
    """
    raise NotImplementedError
