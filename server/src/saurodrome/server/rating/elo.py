"""Live Elo: moves with every result, zero-sum, any number of players."""

from collections.abc import Sequence

WIDTH = 400.0
"""Elo points for odds of ten to one."""


def elo(
    ratings: Sequence[float],
    placements: Sequence[int],
    *,
    k: float,
    rated: Sequence[bool] | None = None,
) -> tuple[float, ...]:
    """Return the ratings after one match.

    Every pair of rated seats plays a game of Elo with factor ``k / (n - 1)``, n the number of
    rated seats, and with the ratings from before the match. Nothing is rounded, so the sum of
    the ratings stays.

    Args:
        ratings: ratings before the match by seat.
        placements: placements by seat, 1 is best, equal is a tie.
        k: largest gain of a winner over n - 1 far stronger opponents.
        rated: which seats are rated; the others keep their rating and count for nobody.
            All when absent.

    Raises:
        ValueError: the sequences differ in length.
    """
    raise NotImplementedError
