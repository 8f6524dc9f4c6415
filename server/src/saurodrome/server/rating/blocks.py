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
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.bradley_terry import win_probability
from saurodrome.server.rating.games import Floats, Games, Ints, summed

_AT_ONCE = 20_000
"""Blocks that are worked on together, which bounds the memory."""
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


def meat(games: Games, of: Ints, strengths: Floats, covariance: Floats) -> Meat:
    """Return what blocks tell.

    Args:
        games: the games that were fitted.
        of: the block of each game; or its match, for what matches would tell as blocks.
        strengths: the fitted strengths.
        covariance: their covariance by the model, about the mean.
    """
    size = len(games.names)
    cells = _cells(games, of, strengths)
    plain, corrected = np.zeros(size * size), np.zeros(size * size)
    for bots, slopes, information in _together(cells):
        own = covariance[bots[:, :, None], bots[:, None, :]]
        pairs = (bots[:, :, None] * size + bots[:, None, :]).ravel()
        for total, told in ((plain, slopes), (corrected, _corrected(slopes, information, own))):
            products = (told[:, :, None] * told[:, None, :]).ravel()
            total += summed(pairs, products, size * size)
    told = summed(cells.bot, cells.information, size)
    squares = summed(cells.bot, cells.information**2, size)
    effective = told**2 / squares
    return Meat(plain.reshape(size, size), corrected.reshape(size, size), effective)


def _cells(games: Games, of: Ints, strengths: Floats) -> _Cells:
    size = len(games.names)
    chance = win_probability(strengths[games.first] - strengths[games.second])
    surprise = games.weight * (games.score - chance)
    among = games.weight * chance * (1 - chance)
    keys = np.concatenate([of * size + games.first, of * size + games.second])
    known, cell = np.unique(keys, return_inverse=True)
    half = len(of)
    return _Cells(
        known // size,
        known % size,
        summed(cell, np.concatenate([surprise, -surprise]), len(known)),
        summed(cell, np.concatenate([among, among]), len(known)),
        cell[:half],
        cell[half:],
        among,
    )


def _together(cells: _Cells) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Yield blocks of as many bots: bots and slopes by block, information by block and pair."""
    starts = np.flatnonzero(np.diff(cells.block, prepend=-1))
    sizes = np.diff(starts, append=len(cells.block))
    block = np.cumsum(np.diff(cells.block, prepend=cells.block[0]) > 0)  # by cell, from 0
    of_game = block[cells.first]
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        for begin in range(0, len(chosen), _AT_ONCE):
            some = chosen[begin : begin + _AT_ONCE]
            row_of = np.full(len(sizes), -1)
            row_of[some] = np.arange(len(some))
            within = starts[some][:, None] + np.arange(size)
            mine = np.flatnonzero(row_of[of_game] >= 0)
            row, first = row_of[of_game[mine]], cells.first[mine] - starts[of_game[mine]]
            second = cells.second[mine] - starts[of_game[mine]]
            shape = (len(some), size, size)
            flat = summed(
                np.ravel_multi_index((row, first, second), shape),
                cells.among[mine],
                len(some) * size * size,
            ).reshape(shape)
            information = -flat - flat.transpose(0, 2, 1)
            information[:, np.arange(size), np.arange(size)] += cells.information[within]
            yield cells.bot[within], cells.slope[within], information


def _corrected(slopes: Floats, information: Floats, covariance: Floats) -> Floats:
    """Return slopes as they would be if no block had pulled the fit towards itself.

    With I a block's information and V the covariance of all, the slope left after the fit has
    the variance I - I V I. The slope is multiplied by R (1 - R V R)^(-1/2) R^(-1), where R is
    the root of I, which gives it the variance I again.
    """
    if slopes.shape[1] == 2:
        difference = covariance[:, 0, 0] + covariance[:, 1, 1] - 2 * covariance[:, 0, 1]
        return np.asarray(slopes * _inverse_root(1 - information[:, 0, 0] * difference)[:, None])
    values, vectors = np.linalg.eigh(information)
    free = values > _NOTHING * values.max(axis=1, keepdims=True)
    roots = np.sqrt(np.where(free, values, 1))
    root = _compose(vectors, np.where(free, roots, 0))
    back = _compose(vectors, np.where(free, 1 / roots, 0))
    left = np.eye(slopes.shape[1]) - root @ covariance @ root
    values, vectors = np.linalg.eigh(left)
    raised = root @ _compose(vectors, _inverse_root(values)) @ back
    return np.asarray((raised @ slopes[:, :, None])[:, :, 0])


def _inverse_root(values: Floats) -> Floats:
    some = values > _NOTHING
    return np.where(some, 1 / np.sqrt(np.where(some, values, 1)), 0)


def _compose(vectors: Floats, values: Floats) -> Floats:
    return np.asarray((vectors * values[:, None, :]) @ vectors.transpose(0, 2, 1))
