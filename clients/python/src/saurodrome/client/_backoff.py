"""How long a bot waits before it connects again."""

import random
from collections.abc import Callable

LEAST, MOST = 0.2, 2.0


class Backoff:
    """200 ms to 2 s, doubling, with jitter, so that bots do not come back in step.

    The first try after a stream that worked comes within 100 ms: a decision may be open.

    Attributes:
        tries: How many tries have failed since `reset`.
    """

    def __init__(self, unit: Callable[[], float] = random.random) -> None:
        """Starts anew; `unit` gives numbers from 0 to 1."""
        self.tries = 0
        self._unit = unit

    def reset(self) -> None:
        """Begins anew, after a stream that worked."""
        self.tries = 0

    def next(self) -> float:
        """Gives the seconds to wait after one more failure."""
        self.tries += 1
        if self.tries == 1:
            return 0.1 * self._unit()
        most: float = min(LEAST * 2 ** min(self.tries - 1, 8), MOST)
        return LEAST + (most - LEAST) * self._unit()
