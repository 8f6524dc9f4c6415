"""What blocks of matches tell of the certainty of ratings, whatever their matches share.

The cluster-robust sandwich with blocks as clusters: bread * meat * bread, the meat summed from
each block's slope of the likelihood. With few blocks that is too small, since each block pulled
the fit towards itself; the correction CR2 undoes that exactly if blocks are as certain as the
model says, up to a common factor.

Slopes of a block add up to 0, and with them the rows of their products: so only products of two
different bots are summed.

Source: K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear models",
Biometrika 73 (1986).
"""

from itertools import combinations
from typing import NamedTuple, Self

import numpy as np

from saurodrome.server.rating.games import Floats, Games, Ints, block_sizes, summed
from saurodrome.server.rating.leverage import corrected
from saurodrome.server.rating.mixed import mixed
from saurodrome.server.rating.tables import Tables, singly, tables

_ONE = np.ones(1, np.int64)


class Meat(NamedTuple):
    """Sums of the products of slopes, by bot and bot."""

    by_block: Floats
    by_match: Floats
    """As if every match were a block of its own."""
    effective: Floats
    """By bot: of how many blocks of equal weight its certainty comes."""
    sizes: Ints
    """Matches of each block, in no order."""

    def in_order(self, order: Ints) -> Self:
        """Return the same for bots in another order."""
        return type(self)(
            self.by_block.take(order, 0).take(order, 1),
            self.by_match.take(order, 0).take(order, 1),
            self.effective[order],
            self.sizes,
        )


def meat(games: Games, strengths: Floats, covariance: Floats | None) -> Meat:
    """Return what blocks tell.

    Args:
        games: the games that were fitted.
        strengths: the fitted strengths.
        covariance: their covariance by the model, about the mean; None for sums of the slopes as
            they are, without the correction.
    """
    by_block, by_match = _Products(len(strengths)), _Products(len(strengths))
    known = np.zeros((2, len(strengths)))
    whole, others = tables(games)
    for table in whole:
        share, information = _model(table.bots, strengths)
        slopes = table.points / (table.size - 1) - table.matches * share
        products = [(_products(slopes), table.matches), (_within(table, share), _ONE)]
        of_blocks, of_matches = corrected(table.bots, information, covariance, products)
        by_block.add(table.bots, of_blocks)
        by_match.add(table.bots, of_matches)
        _add_known(known, table.bots, information * table.matches)
    for part in mixed(others, strengths):
        own = [(_products(part.slopes), _ONE)]
        by_block.add(part.bots, *corrected(part.bots, part.information, covariance, own))
        _add_known(known, part.bots, part.information)
    for table in map(singly, others):
        share, information = _model(table.bots, strengths)
        own = [(_within(table, share), _ONE)]
        by_match.add(table.bots, *corrected(table.bots, information, covariance, own))
    sizes = np.concatenate([*(table.matches for table in whole), block_sizes(others)])
    return Meat(by_block.matrix(), by_match.matrix(), known[0] ** 2 / known[1], sizes)


class _Products:
    """Sums of products of slopes, by bot and bot."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._at: list[Ints] = []
        self._products: list[Floats] = []

    def add(self, bots: Ints, products: Floats) -> None:
        """Add products by two bots and block."""
        for of_two, (a, b) in zip(products, combinations(bots, 2), strict=True):
            self._at.append(a * self._size + b)
            self._products.append(of_two)

    def matrix(self) -> Floats:
        """Return the sums; on the diagonal, what makes rows add up to 0."""
        at, products = np.concatenate(self._at), np.concatenate(self._products)
        one_way = summed(at, products, self._size**2).reshape(self._size, self._size)
        both = one_way + one_way.T
        both[np.diag_indices(self._size)] = -both.sum(axis=1)
        return np.asarray(both)


def _model(bots: Ints, strengths: Floats) -> tuple[Floats, Floats]:
    """Return by bot and block the share that it is expected to beat, and what a match tells.

    That is by two bots and block.
    """
    weights = np.exp(strengths)[bots]
    share, information = np.zeros(bots.shape), []
    for a, b in combinations(range(len(bots)), 2):
        chance = weights[a] / (weights[a] + weights[b])
        share[a] += chance
        share[b] += 1 - chance
        information.append(chance * (1 - chance))
    rivals = len(bots) - 1
    return share / rivals, np.stack(information) / rivals


def _products(slopes: Floats) -> Floats:
    return np.stack([slopes[a] * slopes[b] for a, b in combinations(range(len(slopes)), 2)])


def _within(table: Tables, share: Floats) -> Floats:
    """Return products of the slopes of a match by two bots and block, summed over matches."""
    points = table.points / (table.size - 1)
    found = table.products / (table.size - 1) ** 2
    for of_two, (a, b) in zip(found, combinations(range(table.size), 2), strict=True):
        of_two -= points[a] * share[b] + points[b] * share[a]
        of_two += table.matches * share[a] * share[b]
    return np.asarray(found)


def _add_known(known: Floats, bots: Ints, information: Floats) -> None:
    """Add what blocks tell of their bots, and its square."""
    own = np.zeros(bots.shape)
    for of_two, (a, b) in zip(information, combinations(range(len(bots)), 2), strict=True):
        own[a] += of_two
        own[b] += of_two
    for bot, of_bot in zip(bots, own, strict=True):
        known[0] += summed(bot, of_bot, len(known[0]))
        known[1] += summed(bot, of_bot**2, len(known[1]))
