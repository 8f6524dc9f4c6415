"""Live Elo: moves with every result, zero-sum, for any number of players."""

from collections.abc import Sequence
from itertools import combinations
from math import log, tanh

WIDTH = 400.0
"""Elo points between bots of which one wins ten times as often as the other."""


def expected(difference: float, *, width: float = WIDTH) -> float:
    """Return the expected score, 0 to 1, of a bot that is rated higher by so many points."""
    return (1 + tanh(difference * log(10) / (2 * width))) / 2


def score(placement: int, other: int) -> float:
    """Return the score of one placement against another: 1 above, 0.5 tied, 0 below."""
    return 1.0 if placement < other else 0.5 if placement == other else 0.0


def elo(
    ratings: Sequence[float],
    placements: Sequence[int],
    *,
    k: float,
    rated: Sequence[bool] | None = None,
    width: float = WIDTH,
) -> tuple[float, ...]:
    """Return the ratings after one match.

    Every pair of rated seats counts as a game of Elo with factor ``k / (n - 1)``, n the number
    of rated seats, and with the ratings from before the match. Nothing is rounded, so what one
    gains others lose.

    Args:
        ratings: ratings before the match by seat.
        placements: placements by seat, 1 is best, equal is a tie.
        k: most that a match can move a rating.
        rated: which seats are rated; the others keep their rating and are nobody's opponents.
            All seats, when left out.
        width: points between bots of which one wins ten times as often as the other.

    Raises:
        ValueError: the sequences differ in length.
    """
    if rated is None:
        rated = (True,) * len(ratings)
    if not len(ratings) == len(placements) == len(rated):
        raise ValueError("ratings, placements and rated differ in length")
    seats = [seat for seat, counts in enumerate(rated) if counts]
    after = list(ratings)
    for a, b in combinations(seats, 2):
        surprise = score(placements[a], placements[b]) - expected(
            ratings[a] - ratings[b], width=width
        )
        gain = k / (len(seats) - 1) * surprise
        after[a] += gain
        after[b] -= gain
    return tuple(after)
