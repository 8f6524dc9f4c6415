"""What is rated: matches as seen by the fit, and which of the bots in them can be compared."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from saurodrome.server.rating.elo import score


class RatingError(ValueError):
    """A rating that was asked for cannot be."""


class RatedMatch(NamedTuple):
    """What the fit needs of one match: its rated seats only."""

    block: str
    """Matches with the same key may depend on each other, those of different keys do not."""
    placements: tuple[tuple[str, int], ...]
    """Bot and placement (1 is best, equal is a tie) of each rated seat, in any order."""


class Game(NamedTuple):
    """Two bots of one match; ``score`` is that of the first, 1, 0.5 or 0."""

    first: str
    second: str
    score: float
    weight: float
    """1/(n - 1) in a match of n, so that a bot's games of one match weigh 1 together."""


class Group(NamedTuple):
    """Bots that met each other, directly or by way of others, and all of their matches."""

    names: tuple[str, ...]
    """Ascending."""
    matches: tuple[RatedMatch, ...]
    """In an order that depends on what they say alone."""


def games(match: RatedMatch) -> Iterator[Game]:
    """Yield every two bots of a match once."""
    weight = 1 / (len(match.placements) - 1)
    for (a, place_a), (b, place_b) in combinations(match.placements, 2):
        yield Game(a, b, score(place_a, place_b), weight)


def groups(matches: Iterable[RatedMatch]) -> list[Group]:
    """Split matches into groups of bots that compare, the largest first.

    Matches with fewer than two rated seats say nothing and are left out.

    Raises:
        RatingError: a bot sits twice at a table.
    """
    told = sorted(_normal(match) for match in matches if len(match.placements) > 1)
    met: dict[str, set[str]] = {}
    for match in told:
        names = {name for name, _ in match.placements}
        for name in names:
            met.setdefault(name, set()).update(names)
    parts = sorted(_parts(met), key=lambda names: (-len(names), names))
    part_of = {name: index for index, names in enumerate(parts) for name in names}
    matches_of: list[list[RatedMatch]] = [[] for _ in parts]
    for match in told:
        matches_of[part_of[match.placements[0][0]]].append(match)
    return [Group(names, tuple(m)) for names, m in zip(parts, matches_of, strict=True)]


def bounded(group: Group) -> frozenset[str]:
    """Return the bots whose ratings among each other the results alone determine.

    Between two bots there is a bound both ways if each is above or level with the other along
    some chain of results. The largest set of bots for which that holds is returned, empty if
    several are the largest; the fit is finite without a prior only if that is the whole group.

    Source: L. R. Ford, "Solution of a ranking problem from binary comparisons" (1957).
    """
    above: dict[str, set[str]] = {name: set() for name in group.names}
    below: dict[str, set[str]] = {name: set() for name in group.names}
    for match in group.matches:
        for game in games(match):
            if game.score > 0:
                above[game.first].add(game.second)
                below[game.second].add(game.first)
            if game.score < 1:
                above[game.second].add(game.first)
                below[game.first].add(game.second)
    parts = {frozenset(_reach(name, above) & _reach(name, below)): None for name in group.names}
    largest = max(len(part) for part in parts)
    found = [part for part in parts if len(part) == largest]
    return found[0] if len(found) == 1 else frozenset()


def _normal(match: RatedMatch) -> RatedMatch:
    if len({name for name, _ in match.placements}) < len(match.placements):
        raise RatingError(f"a bot sits twice at a table of block {match.block}")
    return RatedMatch(match.block, tuple(sorted(match.placements)))


def _parts(met: Mapping[str, set[str]]) -> Iterator[tuple[str, ...]]:
    left = set(met)
    while left:
        part = _reach(min(left), met)
        left -= part
        yield tuple(sorted(part))


def _reach(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    reached = {start}
    ends = [start]
    while ends:
        fresh = edges[ends.pop()] - reached
        reached |= fresh
        ends += fresh
    return reached
