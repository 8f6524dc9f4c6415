"""Swiss: in every round bots of about the same score meet, none twice while that can be."""

from collections import Counter
from collections.abc import Mapping, Sequence

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Change, Draw, Drawn, Enter, Form, Match
from saurodrome.server.schedule.matching import Standing, pair_up
from saurodrome.server.schedule.placing import SwissPlacing
from saurodrome.server.schedule.rounds import Rounds
from saurodrome.server.schedule.series import Series
from saurodrome.server.schedule.shuffle import keyed_numbers, keyed_order

GAMES = 2
"""Games of a pairing, unless it is said: one from each seat."""
WIN = 2
"""Points of a pairing won, and of a bye; a level one gives half."""


class Swiss(Rounds):
    """A round is drawn when the one before it is over; its pairings play all of their games.

    Who has more points from the games of a pairing wins it. Who is left over has a bye, which
    counts as a pairing won: nobody has two while that can be.
    """

    def __init__(self, form: Form, seed: int) -> None:
        """Begin with nobody.

        Raises:
            ScheduleError: there is no such Swiss.
        """
        super().__init__(form, seed)
        self.games = form.games or GAMES
        self.round = 0
        self._rounds = form.rounds
        self._order: list[str] = []
        self._byes: Counter[str] = Counter()
        self._met: dict[str, Counter[str]] = {}
        self._first: Counter[str] = Counter()
        self._found: Drawn | None = None

    def begin(self) -> None:
        """Look at who is in."""
        self._order = self.seeded(self.roster.present())
        if len(self._order) < 2:
            raise ScheduleError(
                "TOO_FEW_ENTRANTS",
                f"{len(self._order)} bots cannot play a Swiss.",
                "entrants",
                "enter 2 or more",
            )
        self._rounds = self._rounds or usual_rounds(len(self._order))

    def further(self) -> list[Series]:
        """Return the pairings of the next round, if the last one is over."""
        if self.open or self.complete:
            return []
        if len(bots := self._here()) < 2:
            self._rounds = self.round
            return []
        pairs, bye = self._found or self._to_draw(bots)()
        self._found = None
        self.round += 1
        self._byes.update([bye] if bye else [])
        return [self._pairing(place, pair) for place, pair in enumerate(pairs, start=1)]

    @property
    def to_be_drawn(self) -> bool:  # type: ignore[override]
        """The last round is over, and the next one is not drawn."""
        waits = self.started and not self.open and not self.complete
        return waits and self._found is None and len(self._here()) > 1

    def draw(self) -> Draw | None:
        """Return how the next round is drawn, if the last one is over."""
        return self._to_draw(self._here()) if self.to_be_drawn else None

    def drawn(self, found: Drawn) -> Change:
        """Take the pairs of the next round."""
        self._found = found
        return Change(tuple(self._go_on()))

    def enter_late(self, entry: Enter) -> None:
        """Let a bot play from the next round."""
        if self.round >= self._rounds:
            raise ScheduleError(
                "ENTRY_CLOSED",
                f"The last round is drawn, {entry.bot} is too late.",
                "entrants",
                "enter bots before the last round",
            )
        self.roster.enter(entry)
        self._order.append(entry.bot)

    def come_back(self, bot: str) -> None:
        """Let a bot play from the next round that left before, or even before the start."""
        if bot not in self._order:
            self._order.append(bot)

    def reopen(self, match: Match) -> None:
        """Let any result be taken back: rounds drawn since then stay, later ones wait for it."""

    @property
    def to_come(self) -> int:
        """Those of the rounds to come, if everybody stays."""
        bots = sum(bot in self.roster for bot in self._order)
        return (self._rounds - self.round) * (bots // 2) * self.games

    @property
    def complete(self) -> bool:
        """All rounds are drawn."""
        return self.round >= self._rounds

    def points(self) -> dict[str, int]:
        """Return the points of all bots so far, 2 a pairing won."""
        points = {bot: WIN * self._byes[bot] for bot in self._order}
        for series in self.series.values():
            if series.over:
                for bot, worth in zip(series.bots, series.scores(), strict=True):
                    points[bot] += worth
        return points

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Bots by points, then by the sum of their opponents' points (Buchholz)."""
        if not self.started:
            return ()
        key = {bot: (one.points, one.buchholz) for bot, one in self.placings().items()}
        levels = sorted(set(key.values()), reverse=True)
        return tuple(tuple(b for b in self._order if key[b] == level) for level in levels)

    def placings(self) -> dict[str, SwissPlacing]:
        """Return what the ranks follow from, in points of 1 a pairing won."""
        if not self.started:
            return {}
        points = self.points()
        return {
            bot: SwissPlacing(points[bot] / WIN, self._buchholz(bot, points) / WIN, self._byes[bot])
            for bot in self._order
        }

    def _buchholz(self, bot: str, points: Mapping[str, int]) -> int:
        """Return the sum of the points of all opponents of a bot."""
        return sum(points[other] * times for other, times in self._opponents(bot).items())

    def _opponents(self, bot: str) -> Counter[str]:
        return self._met.setdefault(bot, Counter())

    def _here(self) -> list[str]:
        return [bot for bot in self._order if bot in self.roster]

    def _to_draw(self, bots: Sequence[str]) -> Draw:
        points = self.points()
        apart = self.form.same_owner == "apart"
        standings = [
            Standing(bot, points[bot], self._byes[bot], dict(self._opponents(bot)))
            for bot in sorted(bots, key=lambda bot: -points[bot])
        ]
        owners = {bot: self.roster[bot].owner for bot in bots}
        drawing = f"round {self.round + 1}"
        return lambda: pair_up(
            standings,
            lambda a, b: apart and owners[a] != "" and owners[a] == owners[b],
            lambda count: keyed_numbers(self.seed, drawing, count),
        )

    def _pairing(self, place: int, pair: tuple[str, str]) -> Series:
        for bot, other in (pair, pair[::-1]):
            self._opponents(bot)[other] += 1
        first = self._seated_first(pair)
        self._first[pair[first]] += 1
        return Series((self.round, place), pair, first, self.games, best_of=False)

    def _seated_first(self, pair: tuple[str, str]) -> int:
        """Return who sits first in the first game: who has done so less often."""
        a, b = (self._first[bot] for bot in pair)
        if a != b:
            return int(b < a)
        return keyed_order(self.seed, f"seats {self.round} {' '.join(pair)}", 2)[0]


def usual_rounds(bots: int) -> int:
    """Return as many rounds as tell a winner of so many bots, and one more."""
    most = bots - 1 if bots % 2 == 0 else bots
    return min(most, (bots - 1).bit_length() + 1)
