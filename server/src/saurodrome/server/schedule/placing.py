"""What the rank of a bot follows from, where the format itself ranks."""

from typing import NamedTuple


class SwissPlacing(NamedTuple):
    """A bot in a Swiss: best are the most points, then the most Buchholz."""

    points: float = 0.0
    """1 for a pairing won and for a bye, 0.5 for a level one."""
    buchholz: float = 0.0
    """The sum of its opponents' points, once for each pairing; a bye adds nothing."""
    byes: int = 0


class KnockoutPlacing(NamedTuple):
    """A bot in a knockout: best are the most rounds passed."""

    passed: int = 0
    """Rounds that it won or passed without an opponent."""
    left_in: int = 0
    """The round in which it left, from 1; 0 while it is in, and for the winner."""
    rounds: int = 0
    """Rounds in all, the final included."""


Placing = SwissPlacing | KnockoutPlacing
