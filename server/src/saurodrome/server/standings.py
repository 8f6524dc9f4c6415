"""The table of a tournament: a fold over its results, in any order."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple


class Termination(StrEnum):
    """Why a match ended, as far as the table cares."""

    FINISHED = "finished"
    """Played to its end; some seats may have forfeited on the way."""
    ABSENT = "absent"
    """Not played: some bots did not appear. Counts here, is not rated."""
    NO_CONTEST = "no_contest"
    """Not played: no bot appeared. Counts nowhere."""
    ABANDONED = "abandoned"
    """Given up after too many void attempts. Shown as a count only."""


class MatchResult(NamedTuple):
    """The result of one match; a void attempt has none."""

    match: str
    attempt: int
    block: str
    """Key of the block: ``round/pairing``."""
    seats: tuple[str, ...]
    """Names of the bots; this and the following tuples are by seat."""
    placements: tuple[int, ...]
    """1 is best, equal is shared; empty when no contest or abandoned."""
    points: tuple[int, ...]
    """Points of the game; empty when it was not played to an outcome."""
    termination: Termination
    rated: tuple[bool, ...]
    timeouts: tuple[int, ...]
    illegal: tuple[int, ...]
    forfeited: tuple[bool, ...]
    """Lost the match by strikes."""
    absent: tuple[bool, ...]
    """Did not appear within the join timeout."""


class Row(NamedTuple):
    """One bot's line of the table."""

    rank: int
    """Shared by bots that nothing tells apart (1, 2, 2, 4)."""
    name: str
    share: float | None
    """Mean share of opponents beaten, 0 to 1, ties half; None before the first match."""
    head_to_head: float | None
    """The same among bots of equal share; None where that did not decide anything."""
    matches: int
    won: int
    shared: int
    """Wins shared with others."""
    lost: int
    mean_points: float | None
    """Points a match over the matches that were played."""
    late: int
    """Decisions that timed out."""
    illegal: int
    forfeits: int
    """Matches forfeited, by strikes or by absence."""
    absences: int
    """Those of the forfeits in which the bot did not appear."""
    abandoned: int


def standings(results: Iterable[MatchResult], entrants: Sequence[str]) -> list[Row]:
    """Return the table, best bot first."""
    raise NotImplementedError


def absence_placements(absent: Sequence[bool]) -> tuple[int, ...]:
    """Return placements by seat of a match not played: who appeared shares the first place."""
    appeared = len(absent) - sum(absent)
    return tuple(appeared + 1 if away else 1 for away in absent)
