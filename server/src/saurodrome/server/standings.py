"""The table of a tournament: a fold over its results, in any order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

_SHARE = 12
"""A share of opponents is kept as so many parts, twice: whole for tables of 2 to 5."""


class StandingsError(ValueError):
    """Results that contradict themselves, each other or the list of entrants."""


class Termination(StrEnum):
    """Why a match has the result that it has, as far as the table cares."""

    FINISHED = "finished"
    """Played to the end by the rules."""
    FORFEIT = "forfeit"
    """A seat forfeited by strikes and was placed last."""
    ABSENT = "absent"
    """Not played, since a bot did not come. Counts here, those absent last; is not rated."""
    NO_CONTEST = "no_contest"
    """Not played, since nobody came. Counts nowhere."""
    ABANDONED = "abandoned"
    """Given up after too many void attempts. Shown as a count only."""


class MatchResult(NamedTuple):
    """The result of one match; a void attempt has none."""

    match: str
    attempt: int
    block: str
    """Round/pairing, as the schedule has it."""
    seats: tuple[str, ...]
    """Names of the bots; this and the following tuples are by seat."""
    placements: tuple[int, ...]
    """1 is best, equal is shared; not looked at when no contest or abandoned. Of a bot that
    played alone against the game itself: 1 if it beat that opponent, else 2."""
    points: tuple[int, ...]
    """Points of the game; empty when it did not come to an outcome."""
    termination: Termination
    rated: tuple[bool, ...]
    timeouts: tuple[int, ...]
    illegal: tuple[int, ...]
    forfeited: tuple[bool, ...]
    """Lost the match by strikes."""
    absent: tuple[bool, ...]
    """Did not come within the join timeout."""


class Row(NamedTuple):
    """One bot's line of the table."""

    rank: int
    """Shared by bots that nothing tells apart (1, 2, 2, 4)."""
    name: str
    share: float | None
    """Mean share of opponents beaten, 0 to 1, ties half; None before the first match."""
    head_to_head: float | None
    """The same among the bots of equal share; None where it was not asked or says nothing."""
    matches: int
    won: int
    shared: int
    """Wins shared with others."""
    lost: int
    mean_points: float | None
    """Points a match, over the matches that came to an outcome."""
    late: int
    """Decisions that timed out."""
    illegal: int
    """Answers that were not legal."""
    forfeits: int
    """Matches forfeited, by strikes or by absence."""
    absences: int
    """Those forfeited by absence."""
    abandoned: int
    """Matches given up by the arbiter; not among ``matches``."""


class Cell(NamedTuple):
    """How the bot of a row did against the bot of a column."""

    share: float
    """Share of their tables at which it finished above, ties half."""
    tables: int


class Crosstable(NamedTuple):
    """Everybody against everybody, in the order of the table."""

    names: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    """By row and column; None where two never met."""


@dataclass(slots=True)
class _Tally:
    share_parts: int = 0
    matches: int = 0
    won: int = 0
    shared: int = 0
    points: int = 0
    outcomes: int = 0
    late: int = 0
    illegal: int = 0
    forfeits: int = 0
    absences: int = 0
    abandoned: int = 0

    @property
    def share(self) -> Fraction:
        return Fraction(self.share_parts, 2 * _SHARE * self.matches) if self.matches else Fraction()

    @property
    def mean_points(self) -> Fraction | None:
        return Fraction(self.points, self.outcomes) if self.outcomes else None


class Standings:
    """Results so far and the table that follows from them.

    All sums are whole numbers, so the order of the results makes no difference.
    """

    def __init__(self, entrants: Sequence[str]) -> None:
        """Begin without results.

        Raises:
            StandingsError: a name comes twice.
        """
        self._results: dict[str, MatchResult] = {}
        self._tallies = {name: _Tally() for name in entrants}
        self._halves = {name: dict.fromkeys(entrants, 0) for name in entrants}
        """Half points of one bot against another: 2 for a table above it, 1 for a tie."""
        self._tables = {name: dict.fromkeys(entrants, 0) for name in entrants}
        if len(self._tallies) != len(entrants):
            raise StandingsError("an entrant comes twice")

    def enter(self, name: str) -> None:
        """Add an entrant; one that is there changes nothing."""
        if name not in self._tallies:
            others = [*self._tallies, name]
            for other in self._tallies:
                self._halves[other][name] = self._tables[other][name] = 0
            self._tallies[name] = _Tally()
            self._halves[name] = dict.fromkeys(others, 0)
            self._tables[name] = dict.fromkeys(others, 0)

    def add(self, result: MatchResult) -> None:
        """Count a result; the same one again changes nothing.

        Raises:
            StandingsError: the match has another result already, or this one is impossible.
        """
        if (known := self._results.get(result.match)) is not None:
            if known != result:
                raise StandingsError(f"match {result.match} has two different results")
            return
        self._check(result)
        self._results[result.match] = result
        if result.termination is Termination.ABANDONED:
            for name in result.seats:
                self._tallies[name].abandoned += 1
        elif result.termination is not Termination.NO_CONTEST:
            self._count_placements(result)
            self._count_faults(result)
            if result.termination is not Termination.ABSENT:
                self._count_play(result)

    def rows(self) -> list[Row]:
        """Return the table, best bot first.

        Order: mean share of opponents beaten; among bots of the same share the share of each
        other that they beat, where all of them met another one of them; then mean points. What
        is still equal has the same rank and is listed by name. Bots without a match come last.
        """
        rows: list[Row] = []
        for _, equal in groupby(sorted(self._tallies, key=self._main_key), key=self._main_key):
            rows += self._rows_of_equals(sorted(equal), len(rows) + 1)
        return rows

    def crosstable(self) -> Crosstable:
        """Return everybody against everybody, in the order of the table."""
        names = tuple(row.name for row in self.rows())
        return Crosstable(names, tuple(tuple(self._cell(a, b) for b in names) for a in names))

    def _check(self, result: MatchResult) -> None:
        seats = len(result.seats)
        by_seat = (result.rated, result.timeouts, result.illegal, result.forfeited, result.absent)
        if not 1 <= seats <= 5 or len(set(result.seats)) != seats:
            raise StandingsError(f"match {result.match}: not 1 to 5 different bots")
        if any(len(values) != seats for values in by_seat):
            raise StandingsError(f"match {result.match}: not one value a seat")
        if unknown := set(result.seats) - self._tallies.keys():
            raise StandingsError(
                f"match {result.match}: {', '.join(sorted(unknown))} did not enter"
            )
        if result.termination in (Termination.NO_CONTEST, Termination.ABANDONED):
            return
        if len(result.placements) != seats or len(result.points) not in (0, seats):
            raise StandingsError(f"match {result.match}: not one placement a seat")
        if seats == 1 and result.placements[0] not in (1, 2):
            raise StandingsError(f"match {result.match}: a lone bot is placed 1 or 2")
        pairs = list(zip(result.placements, result.absent, strict=True))
        came = max((place for place, away in pairs if not away), default=0)
        if any(place <= came for place, away in pairs if away):
            raise StandingsError(f"match {result.match}: an absent bot is not placed last")

    def _count_placements(self, result: MatchResult) -> None:
        firsts = result.placements.count(1)
        for name, place in zip(result.seats, result.placements, strict=True):
            halves = 0
            for other, theirs in zip(result.seats, result.placements, strict=True):
                if other != name:
                    half = 2 if place < theirs else 1 if place == theirs else 0
                    self._halves[name][other] += half
                    self._tables[name][other] += 1
                    halves += half
            tally = self._tallies[name]
            tally.matches += 1
            if len(result.seats) == 1:  # the game itself was the opponent
                halves = 2 * (place == 1)
            tally.share_parts += halves * _SHARE // max(1, len(result.seats) - 1)
            tally.won += place == 1 and firsts == 1
            tally.shared += place == 1 and firsts > 1

    def _count_faults(self, result: MatchResult) -> None:
        for seat, name in enumerate(result.seats):
            tally = self._tallies[name]
            tally.late += result.timeouts[seat]
            tally.illegal += result.illegal[seat]
            tally.forfeits += result.forfeited[seat] or result.absent[seat]
            tally.absences += result.absent[seat]

    def _count_play(self, result: MatchResult) -> None:
        """Count what only matches that were played have: points."""
        for name, points in zip(result.seats, result.points, strict=False):
            self._tallies[name].points += points
            self._tallies[name].outcomes += 1

    def _main_key(self, name: str) -> tuple[bool, Fraction]:
        tally = self._tallies[name]
        return tally.matches == 0, -tally.share

    def _rows_of_equals(self, names: list[str], first_rank: int) -> Iterator[Row]:
        """Yield the rows of bots with the same share."""
        met = self._head_to_head(names)

        def key(name: str) -> tuple[Fraction, bool, Fraction]:
            points = self._tallies[name].mean_points
            return -met.get(name, Fraction()), points is None, -(points or Fraction())

        rank = first_rank
        for _, equal in groupby(sorted(names, key=key), key=key):
            same = list(equal)
            for name in same:
                yield self._row(rank, name, met.get(name))
            rank += len(same)

    def _head_to_head(self, names: list[str]) -> dict[str, Fraction]:
        """Return each bot's share of tables above the others, or nothing if one met none."""
        shares = {}
        for name in names:
            others = [other for other in names if other != name]
            tables = sum(self._tables[name][other] for other in others)
            if tables == 0:
                return {}
            halves = sum(self._halves[name][other] for other in others)
            shares[name] = Fraction(halves, 2 * tables)
        return shares

    def _row(self, rank: int, name: str, head_to_head: Fraction | None) -> Row:
        tally = self._tallies[name]
        return Row(
            rank=rank,
            name=name,
            share=float(tally.share) if tally.matches else None,
            head_to_head=None if head_to_head is None else float(head_to_head),
            matches=tally.matches,
            won=tally.won,
            shared=tally.shared,
            lost=tally.matches - tally.won - tally.shared,
            mean_points=None if tally.mean_points is None else float(tally.mean_points),
            late=tally.late,
            illegal=tally.illegal,
            forfeits=tally.forfeits,
            absences=tally.absences,
            abandoned=tally.abandoned,
        )

    def _cell(self, row: str, column: str) -> Cell | None:
        tables = self._tables[row].get(column, 0)
        return Cell(self._halves[row][column] / (2 * tables), tables) if tables else None


def standings(results: Iterable[MatchResult], entrants: Sequence[str]) -> list[Row]:
    """Return the table of all results, best bot first; see `Standings.rows`."""
    table = Standings(entrants)
    for result in results:
        table.add(result)
    return table.rows()


def absence_placements(absent: Sequence[bool]) -> tuple[int, ...]:
    """Return placements by seat of a match not played: who came shares the first place."""
    came = len(absent) - sum(absent)
    return tuple(came + 1 if away else 1 for away in absent)
