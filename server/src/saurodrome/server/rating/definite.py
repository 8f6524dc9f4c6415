"""Inverses and solutions of symmetric positive definite systems, which many bots make large.

numpy has only LAPACK's for any matrix. These do without what symmetry makes needless, and leave
most of the rest to products of matrices.
"""

import numpy as np

from saurodrome.server.rating.games import Floats

FEW = 96
"""Size up to which numpy's own are as fast."""
_MOST_STEPS = 40
_CLOSE = 1e-10
"""Share of the first error, as the diagonal measures it, at which a solution is good."""


def solution(matrix: Floats, right: Floats) -> Floats:
    """Return the x of matrix @ x = right.

    By conjugate gradients, preconditioned with the diagonal: where most bots met, a dozen
    products with a vector are enough. Where that takes many, or bots are few, it is solved
    directly.

    Source: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear
    systems", Journal of Research of the National Bureau of Standards 49 (1952).
    """
    found = _by_gradients(matrix, right) if len(right) > FEW else None
    return np.asarray(np.linalg.solve(matrix, right)) if found is None else found


def _by_gradients(matrix: Floats, right: Floats) -> Floats | None:
    scale = np.diag(matrix)
    at, left = np.zeros(len(right)), right
    towards = left / scale
    error = first = float(left @ towards)
    for _ in range(_MOST_STEPS):
        if error <= first * _CLOSE**2:
            return at
        ahead = matrix @ towards
        far = error / float(towards @ ahead)
        at = at + far * towards
        left = left - far * ahead
        before, error = error, float(left @ (left / scale))
        towards = left / scale + error / before * towards
    return None


def inverse(matrix: Floats) -> Floats:
    """Return the inverse, symmetric as the matrix is.

    By halves: that of one, and that of what the other adds to it, its Schur complement.

    Source: W. J. Duncan, "Some devices for the solution of large sets of simultaneous linear
    equations", Philosophical Magazine 35 (1944).
    """
    if len(matrix) <= FEW:
        return np.linalg.inv(matrix).astype(np.float64)
    half = len(matrix) // 2
    one, shared, other = matrix[:half, :half], matrix[:half, half:], matrix[half:, half:]
    of_one = inverse(one)
    through = of_one @ shared
    of_other = inverse(other - shared.T @ through)
    across = through @ of_other
    found = np.empty_like(matrix)
    found[:half, :half] = of_one + across @ through.T
    found[:half, half:] = -across
    found[half:, :half] = -across.T
    found[half:, half:] = of_other
    return found
