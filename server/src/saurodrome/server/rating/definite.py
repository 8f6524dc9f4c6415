"""Symmetric matrices, which many bots make large: inverses, solutions, products.

numpy has only LAPACK's for any matrix. These do without what symmetry makes needless, and leave
most of the rest to products of matrices.
"""

from collections.abc import Callable, Iterator

import numpy as np

from saurodrome.server.rating.games import Floats

FEW = 96
"""Size up to which numpy's own are as fast."""
_AT_ONCE = 30_000
"""Entries of a strip."""
_MOST_STEPS = 40
_CLOSE = 1e-7
"""Share of the first error, as the diagonal measures it, at which a solution is good."""


def strips(size: int) -> Iterator[slice]:
    """Yield rows of a square matrix in parts that the processor keeps at hand."""
    step = max(1, _AT_ONCE // size)
    return (slice(begin, begin + step) for begin in range(0, size, step))


def solution(times: Callable[[Floats], Floats], diagonal: Floats, right: Floats) -> Floats | None:
    """Return the x whose product with a matrix is given; None if that were slow, or they are few.

    By conjugate gradients, preconditioned with the diagonal: where most bots met, a dozen
    products with a vector are enough.

    Args:
        times: gives the product of the matrix with a vector.
        diagonal: of the matrix.
        right: the product that is wanted.

    Source: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear
    systems", Journal of Research of the National Bureau of Standards 49 (1952).
    """
    if len(right) <= FEW:
        return None
    at, left = np.zeros(len(right)), right
    towards = left / diagonal
    error = first = float(left @ towards)
    for _ in range(_MOST_STEPS):
        if error <= first * _CLOSE**2:
            return at
        ahead = times(towards)
        bend = float(towards @ ahead)
        if bend <= 0:  # by rounding: it is hardly definite
            return None
        far = error / bend
        at = at + far * towards
        left = left - far * ahead
        before, error = error, float(left @ (left / diagonal))
        towards = left / diagonal + error / before * towards
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


def sandwich(bread: Floats, filling: Floats) -> Floats:
    """Return bread @ filling @ bread of symmetric matrices, which is symmetric, too."""
    half = len(bread) // 2
    top = bread @ filling
    found = np.empty_like(top)
    np.matmul(top[:half], bread, out=found[:half])
    np.matmul(top[half:], bread[:, half:], out=found[half:, half:])
    found[half:, :half] = found[:half, half:].T
    return found
