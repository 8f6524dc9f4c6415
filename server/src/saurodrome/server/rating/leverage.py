"""The correction CR2: slopes as they would be if no block had pulled the fit towards itself.

With I a block's information and V the covariance of its bots, the slope left after the fit has
the variance I - I V I. The slope is multiplied by R (1 - R V R)^(-1/2) R^(-1), where R is the
root of I, which gives it the variance I again. A block of k matches among the same bots has k
times the information of one, and the same eigenvectors: so one decomposition serves both.

Source: R. M. Bell, D. F. McCaffrey, "Bias reduction in standard errors for linear regression
with multi-stage samples", Survey Methodology 28 (2002).
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from saurodrome.server.rating.games import Floats, Ints

_NOTHING = 1e-8
"""What is left of a block's slope, in shares, below which the fit followed that block alone."""


def corrected(
    bots: Ints,
    information: Floats,
    covariance: Floats | None,
    products: Sequence[tuple[Floats, Ints]],
) -> list[Floats]:
    """Return products of slopes, corrected; by two bots and block, like all that comes in.

    Every two bots in the order of `itertools.combinations`.

    Args:
        bots: by row and block.
        information: of one match.
        covariance: of all strengths by the model; None leaves products as they are.
        products: of slopes, each with the number of matches that these are of, by block or one
            for all.
    """
    if covariance is None:
        return [told for told, _ in products]
    if len(bots) == 2:
        a, b = bots
        own = np.diag(covariance).copy()
        shared = covariance.ravel().take(a * len(covariance) + b)
        pull: Floats = information * (own[a] + own[b] - 2 * shared)
        return [told * _inverse(1 - pull * matches) for told, matches in products]
    pull, into, back = _levers(bots, information, covariance)
    found = []
    for told, matches in products:
        root = np.sqrt(_inverse(1 - pull * matches[:, None]))
        lever = (into * root[:, None, :]) @ back
        found.append(_beside(lever @ _matrices(told) @ lever.transpose(0, 2, 1)))
    return found


def _matrices(by_pair: Floats) -> Floats:
    """Return matrices by block whose rows add up to 0, given what lies beside their diagonals."""
    size = round((1 + (1 + 8 * len(by_pair)) ** 0.5) / 2)
    found = np.zeros((by_pair.shape[1], size, size))
    for value, (a, b) in zip(by_pair, combinations(range(size), 2), strict=True):
        found[:, a, b] = found[:, b, a] = value
        found[:, a, a] -= value
        found[:, b, b] -= value
    return found


def _beside(matrices: Floats) -> Floats:
    """Return what lies beside the diagonals of symmetric matrices, by two bots and block."""
    return np.stack([matrices[:, a, b] for a, b in combinations(range(matrices.shape[1]), 2)])


def _levers(bots: Ints, information: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats]:
    """Return by block the eigenvalues of R V R, and what goes before and behind these."""
    values, vectors = np.linalg.eigh(_matrices(-information))
    free = values > _NOTHING * values.max(axis=1, keepdims=True)
    roots = np.sqrt(np.where(free, values, 1))
    root = _composed(vectors, np.where(free, roots, 0))
    back = _composed(vectors, np.where(free, 1 / roots, 0))
    own = covariance[bots.T[:, :, None], bots.T[:, None, :]]
    pull, vectors = np.linalg.eigh(root @ own @ root)
    return pull, root @ vectors, vectors.transpose(0, 2, 1) @ back


def _inverse(left: Floats) -> Floats:
    return np.divide(1, left, out=np.zeros_like(left), where=left > _NOTHING)


def _composed(vectors: Floats, values: Floats) -> Floats:
    return np.asarray((vectors * values[:, None, :]) @ vectors.transpose(0, 2, 1))
