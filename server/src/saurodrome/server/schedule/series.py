"""Games of two bots that belong together: all of so many, or the best of so many."""

from collections.abc import Iterator

from saurodrome.server.schedule.format import Match, Result

EXTRA_PAIRS = 3
"""Pairs of games after a level series; after them, the bot with the better seed goes on."""


class Series:
    """One pairing: the bots change seats after every game.

    Points count twice, so that they are whole: a win 2, a tie 1, and a game that counts nowhere
    gives nothing to either.
    """

    def __init__(
        self, number: tuple[int, int], bots: tuple[str, str], first: int, games: int, best_of: bool
    ) -> None:
        """Begin a series; its games come from `grow`.

        Args:
            number: round and pairing.
            bots: who plays, the better seed first.
            first: index of the bot in the first seat of the first game.
            games: how many.
            best_of: end as soon as it is decided, and go on while it is level.
        """
        self.number = number
        self.bots = bots
        self.absent: set[str] = set()
        """Bots that left before it was over; what was played says no more who wins."""
        self.first = first
        self._games = games
        self._best_of = best_of
        self._begun = 0
        self._points: dict[int, tuple[int, int]] = {}

    @property
    def points(self) -> tuple[int, int]:
        """Points of both bots, doubled."""
        ours, theirs = zip(*self._points.values(), strict=True) if self._points else ((), ())
        return sum(ours), sum(theirs)

    @property
    def over(self) -> bool:
        """Nothing of it is left to be played."""
        return bool(self.absent) or (len(self._points) == self._begun > 0 and not self._wanted())

    def scores(self) -> tuple[int, int]:
        """What it is worth to both bots: 2 and 0, 1 and 1, or nothing if neither came."""
        if self.absent:
            here = [bot not in self.absent for bot in self.bots]
            return 2 * here[0], 2 * here[1]
        a, b = self.points
        if a == b:
            return (1, 1) if a else (0, 0)
        return (2, 0) if a > b else (0, 2)

    def winner(self) -> str | None:
        """Who goes on; a series level to the end goes to the better seed. None: neither came."""
        if self.absent:
            return next((bot for bot in self.bots if bot not in self.absent), None)
        a, b = self.points
        return self.bots[0] if a >= b else self.bots[1]

    def grow(self) -> Iterator[Match]:
        """Yield the games that are due now: as many as are surely played."""
        wanted = 0 if len(self._points) < self._begun or self.absent else self._wanted()
        for game in range(self._begun + 1, self._begun + wanted + 1):
            turned = (game + self.first) % 2 == 0
            yield Match(*self.number, game, self.bots[::-1] if turned else self.bots)
        self._begun += wanted

    def played(self, match: Match, result: Result) -> None:
        """Take the result of a game."""
        first, second = 0, 0
        if result.placements:
            a, b = result.placements
            first, second = (2, 0) if a < b else (0, 2) if a > b else (1, 1)
        turned = match.seats != self.bots
        self._points[match.seating] = (second, first) if turned else (first, second)

    def take_back(self, match: Match) -> None:
        """Forget the result of a game."""
        del self._points[match.seating]

    def _wanted(self) -> int:
        """Return how many more games are surely needed once all that were begun are over."""
        a, b = self.points
        lead, left = abs(a - b), self._games - self._begun
        if not self._best_of:
            return max(0, left)
        if left <= 0:
            extra = self._begun - self._games
            return 2 if lead == 0 and extra < 2 * EXTRA_PAIRS else 0
        return 0 if lead > 2 * left else (2 * left - lead) // 4 + 1
