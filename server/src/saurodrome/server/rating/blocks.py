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
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.games import Floats, Games, Ints, summed
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


def meat(games: Games, strengths: Floats, covariance: Floats | None) -> Meat:
    """Return what blocks tell.

    Args:
        games: the games that were fitted.
        strengths: the fitted strengths.
        covariance: their covariance by the model, about the mean; None for sums of the slopes as
            they are, without the correction.
    """
    size = len(strengths)
    by_block, by_match, told = np.zeros(size**2), np.zeros(size**2), np.zeros((2, size))
    whole, others = tables(games)
    for table in whole:
        share, information = _model(table.bots, strengths)
        slopes = table.points / (table.size - 1) - table.matches * share
        products = [(_products(slopes), table.matches), (_within(table, share), _ONE)]
        of_blocks, of_matches = corrected(table.bots, information, covariance, products)
        _add(by_block, table.bots, of_blocks)
        _add(by_match, table.bots, of_matches)
        _tell(told, table.bots, information * table.matches)
    for part in mixed(others, strengths):
        own = [(_products(part.slopes), _ONE)]
        _add(by_block, part.bots, *corrected(part.bots, part.information, covariance, own))
        _tell(told, part.bots, part.information)
    for table in map(singly, others):
        share, information = _model(table.bots, strengths)
        own = [(_within(table, share), _ONE)]
        _add(by_match, table.bots, *corrected(table.bots, information, covariance, own))
    return Meat(_whole(by_block), _whole(by_match), told[0] ** 2 / told[1])


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


def _add(total: Floats, bots: Ints, products: Floats) -> None:
    """Add products of two bots' slopes, half the matrix or both: `_whole` adds both ways."""
    size = round(len(total) ** 0.5)
    for of_two, (a, b) in zip(products, combinations(bots, 2), strict=True):
        total += summed(a * size + b, of_two, len(total))


def _whole(total: Floats) -> Floats:
    """Return the matrix of which products of two bots lie on either side of the diagonal."""
    size = round(len(total) ** 0.5)
    one_way = total.reshape(size, size)
    both = one_way + one_way.T
    both[np.diag_indices(size)] = -both.sum(axis=1)
    return np.asarray(both)


def _tell(told: Floats, bots: Ints, information: Floats) -> None:
    """Add what blocks tell of their bots, and its square."""
    own = np.zeros(bots.shape)
    for of_two, (a, b) in zip(information, combinations(range(len(bots)), 2), strict=True):
        own[a] += of_two
        own[b] += of_two
    for bot, known in zip(bots, own, strict=True):
        told[0] += summed(bot, known, len(told[0]))
        told[1] += summed(bot, known**2, len(told[1]))
