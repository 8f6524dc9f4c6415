"""The matches of a tournament that have no result yet, found by who is free to play."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence

from saurodrome.server.schedule import Match


class Pairings:
    """Matches in scheduled order, indexed by bot.

    The next match is one whose bots are all free: the earliest of the free bot that has begun
    the fewest. So play may run ahead of the schedule, a slow bot does not stall the others,
    and nobody is left behind for long.
    """

    def __init__(self, matches: Iterable[Match]) -> None:
        """Takes the matches that are left, in scheduled order."""
        self._order: dict[str, int] = {}
        self._left: dict[str, Match] = {}
        self._of: dict[str, dict[str, Match]] = {}
        self._begun: dict[str, int] = {}
        for order, match in enumerate(matches):
            self._order[match.id] = order
            self._left[match.id] = match
            for bot in match.seats:
                self._of.setdefault(bot, {})[match.id] = match

    def __len__(self) -> int:
        """Matches that nobody has begun."""
        return len(self._left)

    def playable(self, free: Collection[str]) -> Match | None:
        """The next match among bots that are all free."""
        for bot in sorted(free, key=lambda b: self._begun.get(b, 0)):
            for match in self._of.get(bot, {}).values():
                if all(seat in free for seat in match.seats):
                    return match
        return None

    def due(self, bots: Collection[str], horizon: int) -> Match | None:
        """The first match of these bots among the first `horizon` that are left."""
        for match, _ in zip(self._left.values(), range(horizon), strict=False):
            if any(seat in bots for seat in match.seats):
                return match
        return None

    def take(self, match: Match) -> None:
        """A match begins."""
        del self._left[match.id]
        for bot in match.seats:
            del self._of[bot][match.id]
            self._begun[bot] = self._begun.get(bot, 0) + 1

    def put_back(self, match: Match) -> None:
        """A match is to be begun again, at its place in the order."""
        self._left = self._sorted([*self._left.values(), match])
        for bot in match.seats:
            self._of[bot] = self._sorted([*self._of[bot].values(), match])
            self._begun[bot] -= 1

    def _sorted(self, matches: Sequence[Match]) -> dict[str, Match]:
        return {m.id: m for m in sorted(matches, key=lambda m: self._order[m.id])}


class Rate:
    """Events a second over the last minute."""

    def __init__(self, time: Callable[[], float]) -> None:
        """Counts from now on; `time` in seconds, monotonic."""
        self._time = time
        self._since = time()
        self._events: deque[float] = deque()

    def note(self) -> None:
        """An event happens now."""
        self._events.append(self._time())

    def value(self) -> float:
        """Events a second."""
        now = self._time()
        while self._events and self._events[0] < now - 60.0:
            self._events.popleft()
        span = min(60.0, now - self._since)
        return len(self._events) / span if span > 0 else 0.0
