"""What blocks of matches tell of the certainty of ratings, whatever their matches share.

The cluster-robust sandwich with blocks as clusters: bread * meat * bread, the meat summed from
each block's slope of the likelihood. With few blocks that is too small, since each block pulled
the fit towards itself; CR2 undoes that exactly if blocks are as certain as the model says, up to
a common factor.

Sources: K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear models",
Biometrika 73 (1986); R. M. Bell, D. F. McCaffrey, "Bias reduction in standard errors for linear
regression with multi-stage samples", Survey Methodology 28 (2002).
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.bradley_terry import win_probability
from saurodrome.server.rating.games import Floats, Games, Ints, summed

_AT_ONCE = 400_000
"""Entries of blocks' matrices that are worked on together, which bounds the memory."""
_NOTHING = 1e-8
"""What is left of a block's slope, in shares, below which the fit followed that block alone."""


class Meat(NamedTuple):
    """Sums over blocks of the products of their slopes, by bot and bot."""

    plain: Floats
    corrected: Floats
    """CR2."""
    effective: Floats
    """By bot: of how many blocks of equal weight its certainty comes."""


class _Cells(NamedTuple):
    """Bots within blocks: each block's bots lie side by side, ascending."""

    block: Ints
    bot: Ints
    slope: Floats
    information: Floats
    first: Ints
    """By game: the cell of its first bot."""
    second: Ints
    among: Floats
    """By game: the information that it adds about its two bots."""


def meat(games: Games, strengths: Floats, covariance: Floats) -> Meat:
    """Return what blocks tell.

    Args:
        games: the games that were fitted.
        strengths: the fitted strengths.
        covariance: their covariance by the model, about the mean.
    """
    size = len(games.names)
    cells = _cells(games, strengths)
    plain, corrected = np.zeros((size, size)), np.zeros((size, size))
    differences = differences_of(covariance)
    for bots, slopes, information in _together(cells):
        _add_products(plain, bots, slopes)
        slopes = _corrected(bots, slopes, information, covariance, differences)
        _add_products(corrected, bots, slopes)
    told = summed(cells.bot, cells.information, size)
    effective = told**2 / summed(cells.bot, cells.information**2, size)
    return Meat(_both_ways(plain), _both_ways(corrected), effective)


def _add_products(total: Floats, bots: Ints, slopes: Floats) -> None:
    """Add the products of every two slopes of a block above the diagonal, half a square on it."""
    size = len(total)
    own = summed(bots.ravel(), (slopes**2).ravel() / 2, size)
    total[np.diag_indices(size)] += own
    for a, b in combinations(range(bots.shape[1]), 2):
        products = summed(bots[:, a] * size + bots[:, b], slopes[:, a] * slopes[:, b], size**2)
        total += products.reshape(size, size)


def _both_ways(upper: Floats) -> Floats:
    return np.asarray(upper + upper.T)


def variance_by_match(games: Games, strengths: Floats, covariance: Floats) -> float:
    """Return the sum of the variances of all ratings, if matches were independent.

    That is the trace of the sandwich with each match as a block of its own.
    """
    square = covariance @ covariance
    differences, of_square = differences_of(covariance), differences_of(square)
    total = 0.0
    for bots, slopes, information in _by_match(games, strengths):
        slopes = _corrected(bots, slopes, information, covariance, differences)
        # Slopes of a match add up to 0, so the differences between its bots say it all.
        for a, b in combinations(range(bots.shape[1]), 2):
            products = slopes[:, a] * slopes[:, b]
            total -= float(products @ of_square[bots[:, a], bots[:, b]])
    return total


def _surprises(games: Games, strengths: Floats) -> tuple[Floats, Floats]:
    """Return by game the slope for its first bot, and what it tells of the two."""
    chance = win_probability(strengths[games.first] - strengths[games.second])
    return games.weight * (games.score - chance), games.weight * chance * (1 - chance)


def _by_match(games: Games, strengths: Floats) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Yield matches of as many bots, as `_together` does blocks; their games lie side by side."""
    surprise, among = _surprises(games, strengths)
    players = np.rint(1 / games.weight).astype(np.int64) + 1
    for size in np.flatnonzero(np.bincount(players)):
        pairs = list(combinations(range(size), 2))
        mine = np.flatnonzero(players == size).reshape(-1, len(pairs))
        for some in np.array_split(mine, 1 + len(mine) * size**2 // _AT_ONCE):
            rivals = games.second[some[:, : size - 1]]  # of the first bot: all others
            bots = np.concatenate([games.first[some[:, :1]], rivals], axis=1)
            slopes = np.zeros((len(some), size))
            information = np.zeros((len(some), size, size))
            for game, (a, b) in zip(some.T, pairs, strict=True):
                slopes[:, a] += surprise[game]
                slopes[:, b] -= surprise[game]
                information[:, a, a] += among[game]
                information[:, b, b] += among[game]
                information[:, a, b] = information[:, b, a] = -among[game]
            yield bots, slopes, information


def _cells(games: Games, strengths: Floats) -> _Cells:
    size, of = len(games.names), games.block
    surprise, among = _surprises(games, strengths)
    keys = np.stack([of * size + games.first, of * size + games.second], axis=1).ravel()
    order = np.argsort(keys, kind="stable")  # nearly in order already: the log is
    in_order = keys[order]
    starts = np.diff(in_order, prepend=-1) > 0
    cell = np.empty_like(keys)
    cell[order] = np.cumsum(starts) - 1
    known = in_order[starts]
    return _Cells(
        known // size,
        known % size,
        summed(cell, np.stack([surprise, -surprise], axis=1).ravel(), len(known)),
        summed(cell, np.repeat(among, 2), len(known)),
        cell[0::2],
        cell[1::2],
        among,
    )


def _together(cells: _Cells) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Yield blocks of as many bots: bots and slopes by block, information by block and pair."""
    starts = np.flatnonzero(np.diff(cells.block, prepend=-1))
    sizes = np.diff(starts, append=len(cells.block))
    block = np.repeat(np.arange(len(starts)), sizes)[cells.first]  # by game, from 0
    first, second = cells.first - starts[block], cells.second - starts[block]
    for size in np.flatnonzero(np.bincount(sizes)):
        chosen = sizes == size
        row = (np.cumsum(chosen) - 1)[block]
        mine = chosen[block]
        shape = (int(chosen.sum()), int(size), int(size))
        at = np.ravel_multi_index((row[mine], first[mine], second[mine]), shape)
        shared = summed(at, cells.among[mine], int(np.prod(shape))).reshape(shape)
        within = starts[chosen][:, None] + np.arange(size)
        for some in np.array_split(np.arange(len(within)), 1 + shared.size // _AT_ONCE):
            information = -shared[some] - shared[some].transpose(0, 2, 1)
            information[:, range(size), range(size)] += cells.information[within[some]]
            yield cells.bot[within[some]], cells.slope[within[some]], information


def differences_of(covariance: Floats) -> Floats:
    """Return the variance of the difference of every two, given their covariance."""
    own = np.diag(covariance)
    return np.asarray(own[:, None] + own - covariance - covariance.T)


def _corrected(
    bots: Ints, slopes: Floats, information: Floats, covariance: Floats, differences: Floats
) -> Floats:
    """Return slopes as they would be if no block had pulled the fit towards itself.

    With I a block's information and V the covariance of its bots, the slope left after the fit
    has the variance I - I V I. The slope is multiplied by R (1 - R V R)^(-1/2) R^(-1), where R
    is the root of I, which gives it the variance I again.
    """
    if bots.shape[1] == 2:
        left = 1 - information[:, 0, 0] * differences[bots[:, 0], bots[:, 1]]
        return np.asarray(slopes * _inverse_root(left)[:, None])
    values, vectors = np.linalg.eigh(information)
    free = values > _NOTHING * values.max(axis=1, keepdims=True)
    roots = np.sqrt(np.where(free, values, 1))
    root = _compose(vectors, np.where(free, roots, 0))
    back = _compose(vectors, np.where(free, 1 / roots, 0))
    own = covariance[bots[:, :, None], bots[:, None, :]]
    left = np.eye(bots.shape[1]) - root @ own @ root
    values, vectors = np.linalg.eigh(left)
    raised = root @ _compose(vectors, _inverse_root(values)) @ back
    return np.asarray((raised @ slopes[:, :, None])[:, :, 0])


def _inverse_root(values: Floats) -> Floats:
    some = values > _NOTHING
    return np.where(some, 1 / np.sqrt(np.where(some, values, 1)), 0)


def _compose(vectors: Floats, values: Floats) -> Floats:
    return np.asarray((vectors * values[:, None, :]) @ vectors.transpose(0, 2, 1))
