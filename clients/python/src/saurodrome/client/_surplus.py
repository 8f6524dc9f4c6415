"""How many illegal replies a bot may send before the server would end its stream."""

from collections.abc import Callable

PERIOD_SECONDS = 60.0
UNTOLD = 20
"""What a server is taken to allow that does not tell."""


class Allowance:
    """Half of the surplus frames that the server allows in a minute.

    The other half is left for replies that are stale or sent again.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Starts full, with what a server allows that does not tell."""
        self._clock = clock
        self._size = self._left = UNTOLD / 2
        self._seen = clock()

    def grant(self, surplus_frames: int) -> None:
        """Takes what a server allows in a minute; 0 means that it does not tell.

        What was spent on an earlier stream stays spent.
        """
        spent = self._size - self._left
        self._size = (surplus_frames or UNTOLD) / 2
        self._left = max(0.0, self._size - spent)

    def spend(self) -> bool:
        """Takes one if there is one."""
        now = self._clock()
        back = (now - self._seen) * self._size / PERIOD_SECONDS
        self._left, self._seen = min(self._size, self._left + back), now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
