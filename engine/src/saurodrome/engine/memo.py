"""Results of pure functions, kept in bounds."""

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """What a function gives, by its argument: `memo[key]` is `make(key)`, made when first asked.

    Once it is full it forgets everything. `functools.lru_cache` forgets one at a time, and pays
    for that at every hit: it moves the entry to the front of a list, through memory that is used
    for nothing else.
    """

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        """Start empty.

        Args:
            make: A pure function of one hashable argument.
            most: Results that are kept.
        """
        self._make = make
        self._most = most

    def __missing__(self, key: K) -> V:
        """Make a result and keep it."""
        value = self._make(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value
