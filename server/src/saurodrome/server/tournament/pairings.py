"""The matches of a tournament that nobody has begun, found by who is free to play."""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from heapq import merge

from saurodrome.server.schedule import Match


class _Block:
    """What is left of one block: matches of the same bots, which follow each other."""

    def __init__(self, bots: Collection[str]) -> None:
        self.bots = frozenset(bots)
        self.matches: dict[str, Match] = {}

    def first(self) -> Match:
        return next(iter(self.matches.values()))


class Pairings:
    """Matches in the order of play, indexed by bot.

    The next match is one whose bots are all free: the earliest of the free bot that has begun
    the fewest, and of several such bots the one whose matches come first. So play may run ahead
    of the schedule, a slow bot does not stall the others, and nobody is left behind for long.
    """

    def __init__(self, matches: Iterable[Match] = ()) -> None:
        """Takes the matches that are left, in the order of play.

        Matches of one block have the same bots, and one bot's blocks do not overlap: a bot's
        earliest match is the first one of its first block.
        """
        self._left: dict[str, Match] = {}
        self._returned: dict[str, Match] = {}
        """Those of them that are not in the order of play: they had begun once."""
        self._order: dict[str, int] = {}
        self._count = 0
        self._blocks: dict[tuple[int, int], _Block] = {}
        self._of: dict[str, dict[_Block, int]] = {}
        self._begun: dict[str, int] = {}
        self.add(matches)

    def __len__(self) -> int:
        """Matches that nobody has begun."""
        return len(self._left)

    def add(self, matches: Iterable[Match]) -> None:
        """Further matches are due, behind all others; those that are here stay in their place."""
        for match in matches:
            if match.id not in self._left:
                self._order[match.id] = self._count
                self._count += 1
                self._left[match.id] = match
                block = self._block(match)
                block.matches[match.id] = match
                for bot in match.seats:
                    self._of.setdefault(bot, {}).setdefault(block, self._order[match.id])

    def drop(self, match_ids: Iterable[str]) -> None:
        """Matches are not to be begun any more; those that are not here are left alone."""
        for match_id in match_ids:
            if match := self._left.get(match_id):
                self._remove(match)

    def playable(self, free: Collection[str]) -> Match | None:
        """The next match among bots that are all free."""
        at_hand = frozenset(free)
        for bot in sorted((bot for bot in at_hand if self._of.get(bot)), key=self._turn):
            for block in self._of[bot]:
                if block.bots <= at_hand:
                    return block.first()
        return None

    def due(self, bots: Collection[str], horizon: int) -> Match | None:
        """The first match of these bots among the first `horizon` that are left."""
        never_begun = (m for m in self._left.values() if m.id not in self._returned)
        in_order = merge(self._returned.values(), never_begun, key=self._place)
        for match, _ in zip(in_order, range(horizon), strict=False):
            if any(seat in bots for seat in match.seats):
                return match
        return None

    def take(self, match: Match) -> None:
        """A match begins."""
        self._remove(match)
        for bot in match.seats:
            self._begun[bot] = self._begun.get(bot, 0) + 1

    def put_back(self, match: Match) -> None:
        """A match is to be begun again, at its place in the order."""
        self._left[match.id] = match
        self._returned = self._sorted([*self._returned.values(), match])
        block = self._block(match)
        block.matches = self._sorted([*block.matches.values(), match])
        for bot in match.seats:
            blocks = self._of.get(bot, {}) | {block: self._order[match.id]}
            self._of[bot] = dict(sorted(blocks.items(), key=lambda item: item[1]))
            self._begun[bot] -= 1

    def _block(self, match: Match) -> _Block:
        key = (match.round, match.pairing)
        if key not in self._blocks:
            self._blocks[key] = _Block(match.seats)
        return self._blocks[key]

    def _place(self, match: Match) -> int:
        return self._order[match.id]

    def _remove(self, match: Match) -> None:
        del self._left[match.id]
        self._returned.pop(match.id, None)
        block = self._block(match)
        del block.matches[match.id]
        if not block.matches:
            for bot in match.seats:
                del self._of[bot][block]

    def _turn(self, bot: str) -> tuple[int, int, str]:
        first = next(iter(self._of[bot])).first()
        return self._begun.get(bot, 0), self._order[first.id], bot

    def _sorted(self, matches: Iterable[Match]) -> dict[str, Match]:
        return {m.id: m for m in sorted(matches, key=self._place)}


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
        self._forget()

    def value(self) -> float:
        """Events a second."""
        span = min(60.0, self._forget() - self._since)
        return len(self._events) / span if span > 0 else 0.0

    def _forget(self) -> float:
        """Keeps no event for longer than a minute; gives the time."""
        now = self._time()
        while self._events and self._events[0] < now - 60.0:
            self._events.popleft()
        return now
