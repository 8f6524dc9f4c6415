"""The little linear algebra that a rating fit needs, for pools of some dozens of bots."""

from collections.abc import Sequence
from math import sqrt

Matrix = list[list[float]]


def zeros(size: int) -> Matrix:
    """Return a square matrix of zeros."""
    return [[0.0] * size for _ in range(size)]


def solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Return x with ``matrix`` x = ``right``; the matrix is symmetric and positive definite."""
    lower = _cholesky(matrix)
    return _substitute(lower, right)


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a symmetric positive definite matrix."""
    size = len(matrix)
    lower = _cholesky(matrix)
    units = ([float(row == column) for row in range(size)] for column in range(size))
    return [_substitute(lower, unit) for unit in units]


def centred(matrix: Matrix) -> Matrix:
    """Return the covariance of deviations from the mean, given the covariance of the values."""
    size = len(matrix)
    means = [sum(row) / size for row in matrix]
    mean = sum(means) / size
    return [
        [value - means[i] - means[j] + mean for j, value in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def sandwich(bread: Matrix, meat: Matrix) -> Matrix:
    """Return bread * meat * bread of symmetric matrices."""
    half = _product(bread, meat)
    return _product(half, bread)


def _product(left: Matrix, symmetric: Matrix) -> Matrix:
    return [[_dot(row, column) for column in symmetric] for row in left]


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangle L, rows of growing length, with L * L transposed = matrix."""
    lower: Matrix = []
    for i, row in enumerate(matrix):
        entries: list[float] = []
        for j in range(i):
            inner = _dot(entries, lower[j][:j])
            entries.append((row[j] - inner) / lower[j][j])
        entries.append(sqrt(row[i] - _dot(entries, entries)))
        lower.append(entries)
    return lower


def _substitute(lower: Matrix, right: Sequence[float]) -> list[float]:
    solved: list[float] = []
    for row, value in zip(lower, right, strict=True):
        solved.append((value - _dot(row[:-1], solved)) / row[-1])
    for i in reversed(range(len(lower))):
        solved[i] /= lower[i][i]
        for j in range(i):
            solved[j] -= lower[i][j] * solved[i]
    return solved
