"""Who meets whom in a round of a Swiss: a matching of the least cost."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

_WINDOW = 32
"""Bots that are drawn together where there are many more: the work grows with the cube."""
_MANY = 128
"""Bots from which on windows are half as large: a draw stays within a tenth of a second."""
_ALONE = 40
"""Bots up to which there is one window."""
_WIDEST = 200
"""Bots that are drawn together at the most, where fewer would meet again."""
_TIES = 32
"""Bits that decide between draws that are equally good."""


class Standing(NamedTuple):
    """A bot before the round, best first in its list."""

    bot: str
    points: int
    byes: int
    met: Mapping[str, int]
    """Opponents so far, and how often."""


Pairs = list[tuple[str, str]]


def pair_up(
    bots: Sequence[Standing],
    related: Callable[[str, str], bool],
    drawn: Callable[[int], list[int]],
) -> tuple[Pairs, str | None]:
    """Return the pairs of a round, best first, and who is left over.

    The costs of a draw, each of which counts only between draws that are equal in all before it:

    1. pairs that are related,
    2. pairs that met before, and byes of who had one,
    3. squares of the differences in points, a bye taken as a meeting with the lowest,
    4. within equal points, how far pairs are from "the upper half meets the lower half in order",
    5. drawn numbers, so that there is one best draw whatever finds it.

    Up to 40 bots the draw is the best one. More are cut into windows of bots that would meet
    anyway, each of which has its best draw; two windows become one where bots would meet again.

    Source: maximum weight matching after J. Edmonds, "Paths, trees, and flowers" (1965), as the
    networkx library has it.

    Args:
        bots: who plays, best first.
        related: whether two are to be kept apart if that can be.
        drawn: gives so many random numbers, the same ones every time.
    """
    seats: list[Standing | None] = [*bots, *([None] if len(bots) % 2 else [])]
    costs = _Costs(seats, related, drawn(len(seats)))
    matched = _drawn(costs, _windows(costs.in_halves()))
    pairs = [(seats[a], seats[b]) for a, b in sorted(matched)]
    left = next((a.bot for a, b in pairs if a and b is None), None)
    return [(a.bot, b.bot) for a, b in pairs if a and b], left


class _Costs:
    """The cost of every pair as one whole number, its parts one above the other."""

    def __init__(
        self,
        seats: Sequence[Standing | None],
        related: Callable[[str, str], bool],
        ties: Sequence[int],
    ) -> None:
        self._seats = seats
        self._related = related
        self._ties = ties
        known = [seat for seat in seats if seat]
        self._points = [seat.points if seat else known[-1].points for seat in seats]
        level = Counter(seat.points for seat in known)
        self._half = [level[points] // 2 for points in self._points]
        count = len(seats)
        span = self._points[0] - self._points[-1]
        most_met = max((n for seat in known for n in (*seat.met.values(), seat.byes)), default=0)
        self._fold = count << _TIES
        self._square = self._fold * (count * count + 1)
        self._again = self._square * (count * span * span + 1)
        self._apart = self._again * (count * most_met + 1)

    def of(self, a: int, b: int) -> int:
        """Return the cost of a pair of places, the better one first."""
        difference = self._points[a] - self._points[b]
        half = 1 if difference or self._seats[b] is None else self._half[a]
        tie = (self._ties[a] * (b + 1) + self._ties[b] * (a + 1)) % (1 << _TIES)
        fold = abs(b - a - half) * self._fold
        return self._trouble(a, b) + difference**2 * self._square + fold + tie

    def bad(self, pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether some pair met before, or ought to be kept apart."""
        return any(self._trouble(a, b) for a, b in pairs)

    def in_halves(self) -> list[int]:
        """Return all places so that those follow each other who would meet best."""
        order: list[int] = []
        for _, level in groupby(range(len(self._seats)), key=lambda place: self._points[place]):
            places = list(level)
            half = len(places) // 2
            pairs = zip(places[:half], places[half:], strict=False)
            order += [place for pair in pairs for place in pair]
            order += places[2 * half :]
        return order

    def _trouble(self, a: int, b: int) -> int:
        one, other = self._seats[a], self._seats[b]
        if one is None or other is None:
            return (one or other or _NOBODY).byes * self._again
        cost = one.met.get(other.bot, 0) * self._again
        return cost + (self._apart if self._related(one.bot, other.bot) else 0)


_NOBODY = Standing("", 0, 0, {})


def _windows(places: list[int]) -> list[list[int]]:
    """Cut places into even parts of about one window."""
    if len(places) <= _ALONE:
        return [places]
    size = _WINDOW if len(places) <= _MANY else _WINDOW // 2
    return [places[at : at + size] for at in range(0, len(places), size)]


def _drawn(costs: _Costs, windows: list[list[int]]) -> list[tuple[int, int]]:
    """Return the pairs of all windows; one in which bots meet again takes in a neighbour."""
    drawn = [_matched(costs, window) for window in windows]
    at = 0
    while at < len(windows):
        other = at + 1 if at + 1 < len(windows) else at - 1
        more = [*windows[at], *windows[other]] if other >= 0 else []
        if not costs.bad(drawn[at]) or not 0 < len(more) <= _WIDEST:
            at += 1
            continue
        at = min(at, other)
        windows[at : at + 2] = [more]
        drawn[at : at + 2] = [_matched(costs, more)]
    return [pair for pairs in drawn for pair in pairs]


def _matched(costs: _Costs, places: Sequence[int]) -> list[tuple[int, int]]:
    """Return all of an even number of places in pairs, the better one first."""
    import networkx  # takes a sixth of a second, and only a Swiss needs it

    edges = {(a, b): costs.of(a, b) for a, b in combinations(sorted(places), 2)}
    most = max(edges.values()) + 1
    graph = networkx.Graph()
    graph.add_weighted_edges_from((a, b, most - cost) for (a, b), cost in edges.items())
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(min(pair), max(pair)) for pair in found]
