"""The published table: ratings of all bots from all results, with intervals and rank ranges."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from saurodrome.server.rating.bradley_terry import BradleyTerry
from saurodrome.server.rating.pool import Group, RatedMatch, RatingError, bounded, groups
from saurodrome.server.rating.spread import ELO, Spread, spread

PRIOR_SD = 600.0
"""Standard deviation in Elo of the prior, where one is needed."""


class RatedBot(NamedTuple):
    """One line of the rating table."""

    name: str
    elo: float
    err95: float
    """Half width of the 95 % interval about the mean of the component, in Elo."""
    best_rank: int
    """Best rank within the component that the intervals of the differences leave open."""
    worst_rank: int
    """Worst rank that they leave open."""
    matches: int
    unbounded: bool
    """Whether results alone set no bound to it: unbeaten, winless, or linked one way only."""


class Difference(NamedTuple):
    """How far one bot is above another, in Elo."""

    elo: float
    err95: float
    """Half width of its own 95 % interval."""

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return abs(self.elo) > self.err95


class Component(NamedTuple):
    """Bots that met each other, directly or by way of others; only these compare."""

    bots: tuple[RatedBot, ...]
    """Best first."""
    reference: str
    """What is set to a given rating: ``mean``, or the name of the anchor."""
    matches: int
    blocks: int
    prior_sd: float | None
    """Standard deviation in Elo of the prior; None where none was needed."""
    spread: Spread
    """In the order of ``bots``."""

    def difference(self, a: str, b: str) -> Difference:
        """Return how far ``a`` is above ``b``.

        Raises:
            RatingError: a bot is not in this component.
        """
        places = {bot.name: place for place, bot in enumerate(self.bots)}
        if strangers := {a, b} - places.keys():
            raise RatingError(f"does not compare: {', '.join(sorted(strangers))}")
        i, j = places[a], places[b]
        err95 = 0.0 if i == j else self.spread.err95(i, j)
        return Difference(self.bots[i].elo - self.bots[j].elo, err95)

    @property
    def method(self) -> str:
        """What the numbers are, for the head of a table."""
        basis = {
            "blocks": "by block",
            "model": "by the model (few blocks)",
            "wider": "by block or by the model, the wider",
        }[self.spread.basis]
        prior = "" if self.prior_sd is None else f"; prior sd {self.prior_sd:g}"
        return f"Bradley-Terry, 95 % {basis}, ± about the pool's mean{prior}"


class Fit(NamedTuple):
    """The published ratings of one pool."""

    components: tuple[Component, ...]
    """Largest first; ratings of different ones say nothing about each other."""
    matches: int
    blocks: int

    def bot(self, name: str) -> RatedBot | None:
        """Return a bot's line, or None if it has no rated match."""
        rated = (bot for component in self.components for bot in component.bots)
        return next((bot for bot in rated if bot.name == name), None)


def fit(
    matches: Iterable[RatedMatch],
    *,
    mean: float = 0.0,
    anchor: tuple[str, float] | None = None,
    prior_sd: float = PRIOR_SD,
) -> Fit:
    """Fit the ratings of all bots to all matches at once.

    The order of the matches and of their seats makes no difference, to the last bit. A component
    in which results set no bound to some ratings (a bot unbeaten or winless, or two parts linked
    one way only) gets a Gaussian prior about its mean on all of its bots; others get none.
    The work grows with matches times pairs at a table, and the cube of the number of bots.

    Args:
        matches: rated seats of the matches; those with fewer than two are left out.
        mean: mean rating of a component.
        anchor: a bot and the rating that it is set to, which moves its component as a whole;
            intervals stay those about the mean.
        prior_sd: standard deviation of the prior in Elo.

    Raises:
        RatingError: the anchor has no rated match, or a bot sits twice at a table.
    """
    found = groups(matches)
    if anchor is not None and all(anchor[0] not in group.names for group in found):
        raise RatingError(f"the anchor {anchor[0]} has no rated match")
    return Fit(
        tuple(_component(group, mean, anchor, prior_sd) for group in found),
        sum(len(group.matches) for group in found),
        len({match.block for group in found for match in group.matches}),
    )


def _component(
    group: Group, mean: float, anchor: tuple[str, float] | None, prior_sd: float
) -> Component:
    names = group.names
    within = bounded(group)
    prior = len(within) < len(names)
    model = BradleyTerry(group, (ELO / prior_sd) ** 2 if prior else 0.0)
    strengths = model.strengths()
    reference, level = "mean", mean
    if anchor is not None and anchor[0] in names:
        reference = anchor[0]
        level = anchor[1] - ELO * strengths[names.index(reference)]
    order = sorted(range(len(names)), key=lambda bot: (-round(strengths[bot], 9), names[bot]))
    blocks = len({match.block for match in group.matches})
    certainty = spread(model, strengths, order, blocks, prior=prior)
    played = Counter(name for match in group.matches for name, _ in match.placements)
    elos = [level + ELO * strengths[bot] for bot in order]
    bots = tuple(
        RatedBot(
            names[bot],
            elos[place],
            certainty.err95(place),
            *_ranks(place, elos, certainty),
            played[names[bot]],
            names[bot] not in within,
        )
        for place, bot in enumerate(order)
    )
    return Component(
        bots, reference, len(group.matches), blocks, prior_sd if prior else None, certainty
    )


def _ranks(place: int, elos: list[float], certainty: Spread) -> tuple[int, int]:
    """Return the best and the worst rank that intervals of differences leave open."""
    better = worse = 0
    for other, elo in enumerate(elos):
        if other != place and abs(elo - elos[place]) > certainty.err95(place, other):
            better += elo > elos[place]
            worse += elo < elos[place]
    return 1 + better, len(elos) - worse
