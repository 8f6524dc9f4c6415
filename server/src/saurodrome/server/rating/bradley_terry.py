"""The published rating: a pairwise Bradley-Terry fit with intervals robust to blocks."""

from collections.abc import Iterable
from typing import NamedTuple


class RatingError(ValueError):
    """A rating that was asked for cannot be: an unknown anchor, a bot twice at a table."""


class RatedMatch(NamedTuple):
    """What the fit needs of one match: its rated seats only."""

    block: str
    """Results with the same key may depend on each other; those of different keys do not."""
    placements: tuple[tuple[str, int], ...]
    """Bot and placement (1 is best, equal is a tie) of each rated seat."""


class RatedBot(NamedTuple):
    """One line of the rating table."""

    name: str
    elo: float
    err95: float
    """Half width of the 95 % interval about the reference of the component."""
    best_rank: int
    worst_rank: int
    """Ranks within the component that the intervals of the differences leave open."""
    matches: int
    unbounded: bool
    """True when results alone set no bound (unbeaten, winless, or linked one way only)."""


class Difference(NamedTuple):
    """How far one bot is above another, in Elo."""

    elo: float
    err95: float

    @property
    def certain(self) -> bool:
        """Whether the 95 % interval leaves out 0."""
        return abs(self.elo) > self.err95


class Component(NamedTuple):
    """Bots that met each other, directly or by way of others; only these compare."""

    bots: tuple[RatedBot, ...]
    """Best first."""
    reference: str
    """What ``err95`` is about: ``mean`` of the component or the name of the anchor."""
    prior_sd: float | None
    """Standard deviation in Elo of the prior that was needed; None when there was none."""
    covariance: tuple[tuple[float, ...], ...]
    """Covariance of the ratings about the mean, in Elo squared, in the order of ``bots``."""

    def difference(self, a: str, b: str) -> Difference:
        """Return rating of ``a`` minus rating of ``b`` with its own interval."""
        raise NotImplementedError


class Fit(NamedTuple):
    """The published ratings of one pool."""

    components: tuple[Component, ...]
    """Largest first; ratings of different components say nothing about each other."""
    matches: int
    blocks: int


def fit(
    matches: Iterable[RatedMatch],
    *,
    mean: float = 0.0,
    anchor: tuple[str, float] | None = None,
    prior_sd: float = 600.0,
) -> Fit:
    """Fit the ratings of all bots to all matches at once; their order does not matter."""
    raise NotImplementedError
