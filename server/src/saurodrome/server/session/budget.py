"""A token bucket."""


class Budget:
    """Allows a burst of `size` and as many again in each `period` seconds."""

    def __init__(self, size: int, period: float) -> None:
        """Starts full."""
        self._size = size
        self._rate = size / period
        self._left = float(size)
        self._seen = 0.0

    def spend(self, now: float) -> bool:
        """Takes one if there is one; `now` never runs backwards."""
        self._left = min(self._size, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
