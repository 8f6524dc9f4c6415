"""What learners are told at the end of a match."""

from saurodrome.engine.game import Outcome


def rewards(outcome: Outcome | None, players: int) -> list[float]:
    """Return the reward of each seat: 0 until the end, then from -1 to 1.

    That is the share of opponents beaten, ties half, times 2, minus 1.
    """
    if outcome is None:
        return [0.0] * players
    places = outcome.placements
    worse = [sum((other > own) - (other < own) for other in places) for own in places]
    return [one / (players - 1) for one in worse]
