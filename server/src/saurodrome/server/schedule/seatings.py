"""Orders in which one table of bots sits, so that no seat and no neighbour is favoured."""

from collections.abc import Callable
from functools import cache

Seats = tuple[int, ...]

# The field of four elements, 0, 1, x and x + 1: addition is exclusive or, products by table.
_PRODUCTS_OF_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


@cache
def balanced_seatings(players: int) -> tuple[Seats, ...]:
    """Return the players * (players - 1) seatings that treat all seats and neighbours alike.

    They are the maps ``seat -> a * seat + b`` (``a`` not 0) over the finite field of that many
    elements. Any two different seats hold every ordered pair of players exactly once, hence each
    player sits in each seat equally often and has each other player as its next neighbour
    equally often. Every run of ``players`` seatings with the same ``a`` already has each player
    in each seat once, so a block that is cut there is still balanced by seat.

    Args:
        players: number of seats, 1 to 5; who sits alone has one seating.

    Returns:
        Seatings; each lists by seat the index of the player who sits there. The first one is
        the identity.
    """
    if players == 1:
        return rotations(players)
    affine = _affine_of_four if players == 4 else _affine_of_prime(players)
    return tuple(
        tuple(affine(a, seat, b) for seat in range(players))
        for a in range(1, players)
        for b in range(players)
    )


@cache
def rotations(players: int) -> tuple[Seats, ...]:
    """Return the ``players`` seatings that turn one order round the table.

    Every player sits in every seat once and keeps its neighbours.
    """
    return tuple(
        tuple((seat + turn) % players for seat in range(players)) for turn in range(players)
    )


def _affine_of_prime(prime: int) -> Callable[[int, int, int], int]:
    return lambda a, seat, b: (a * seat + b) % prime


def _affine_of_four(a: int, seat: int, b: int) -> int:
    return _PRODUCTS_OF_FOUR[a][seat] ^ b
