"""Who of a ladder waits for a table, and whom they may sit with."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from saurodrome.server.schedule.format import Form
from saurodrome.server.schedule.roster import Roster

_ANCHOR_ROUNDS = 4
"""Rounds after which an anchor is met whatever its rating."""
_AGAIN = 4
"""To sit together twice in a row is as bad as a whole window between the ratings."""


@dataclass(slots=True)
class _Waiting:
    """A bot of the ladder."""

    rating: float
    tie: int
    due: float
    """Rounds of the ladder at which it has had its share of tables."""
    open: int = 0
    """Matches that it has to play."""
    last: frozenset[str] = frozenset()
    """Whom it met at its last table."""
    met: Counter[str] = field(default_factory=Counter)


class Queue:
    """Waiting is counted in rounds, since nothing here reads a clock.

    A round is as many tables as seat everybody once. Who is furthest behind, a table a round, is
    served first, with the nearest in rating among those within its window, less and less so with
    who is ahead; about equally near ones go by who was met least. The window doubles with every
    round that a bot is behind. After two, or where nothing is being played at all, any bot will
    do, those of the last table and fillers too: so nobody falls behind further than that and
    until enough others are free.

    Anchors ask for no table of their own. One that sat nowhere for four rounds is as good as the
    nearest bot, however far it is: the others' ratings hang on it.
    """

    def __init__(self, form: Form, roster: Roster) -> None:
        """Begin with nobody."""
        self._form = form
        self._roster = roster
        self._bots: dict[str, _Waiting] = {}
        self._rounds = 0.0

    def enter(self, bot: str, tie: int) -> None:
        """Let a bot wait from now on; ``tie`` decides between equals."""
        self._bots[bot] = _Waiting(self._roster[bot].rating, tie, self._rounds)

    def come_back(self, bot: str) -> None:
        """Let a bot wait from now on that had left."""
        self._bots[bot].due = max(self._bots[bot].due, self._rounds)

    def rate(self, bot: str, rating: float) -> None:
        """Take the rating of a bot after a match; anchors keep theirs."""
        if self._roster[bot].role != "anchor":
            self._bots[bot].rating = rating

    def busy(self, bot: str) -> None:
        """Count a match that a bot has to play."""
        self._bots[bot].open += 1

    def done(self, bot: str) -> None:
        """Count a match as over; after the last one the bot waits."""
        self._bots[bot].open -= 1

    def table(self, *, urgent: bool) -> tuple[str, ...] | None:
        """Return the bots of the next table, or None if nobody can be seated now.

        Args:
            urgent: nothing is being played, so that waiting would not help.
        """
        present = self._roster.present()
        free = [bot for bot in present if self._bots[bot].open == 0]
        heads = sorted(filter(self._asks, free), key=self._turn)
        for pressed in (False, True) if urgent else (False,):
            for head in heads:
                table = self._around(head, free, pressed=pressed)
                if len(table) == self._form.players:
                    self._meet(table, sum(map(self._asks, present)))
                    return table
        return None

    def _asks(self, bot: str) -> bool:
        return self._roster[bot].role not in ("anchor", "filler")

    def _turn(self, bot: str) -> tuple[float, int]:
        return self._bots[bot].due, self._bots[bot].tie

    def _around(self, head: str, free: Sequence[str], *, pressed: bool) -> tuple[str, ...]:
        behind = self._rounds - self._bots[head].due
        anybody = pressed or behind >= 2
        window = self._form.window * 2 ** min(max(behind, 0.0), 2.0)
        others = [b for b in free if b != head and (anybody or self._suits(head, b, window))]
        level = min((self._bots[bot].due for bot in others if self._asks(bot)), default=0.0)
        others.sort(key=lambda bot: self._cost(head, bot, level))
        table = [head]
        for bot in others:
            if len(table) < self._form.players and self._may_join(bot, table):
                table.append(bot)
        return tuple(table)

    def _suits(self, head: str, bot: str, window: float) -> bool:
        far = abs(self._bots[head].rating - self._bots[bot].rating) > window
        again = self._form.players == 2 and bot in self._bots[head].last
        wanted = not far or self._overdue(bot)
        return wanted and not again and self._roster[bot].role != "filler"

    def _overdue(self, bot: str) -> bool:
        """Whether it is an anchor that nobody has met for long."""
        anchor = self._roster[bot].role == "anchor"
        return anchor and self._rounds - self._bots[bot].due >= _ANCHOR_ROUNDS

    def _cost(self, head: str, bot: str, level: float) -> tuple[bool, int, int, float, int]:
        one, other = self._bots[head], self._bots[bot]
        difference = 0.0 if self._overdue(bot) else abs(one.rating - other.rating)
        ahead = other.due - level if self._asks(bot) else 0.0
        return (
            self._roster[bot].role == "filler",
            int(4 * difference / self._form.window + ahead**2 + _AGAIN * (bot in one.last)),
            one.met[bot],
            difference,
            other.tie,
        )

    def _may_join(self, bot: str, table: Sequence[str]) -> bool:
        return self._form.same_owner == "meet" or not self._roster.related((*table, bot))

    def _meet(self, table: Sequence[str], asking: int) -> None:
        self._rounds += sum(map(self._asks, table)) / asking
        for bot in table:
            waiting = self._bots[bot]
            waiting.due = waiting.due + 1 if self._asks(bot) else self._rounds
            others = [other for other in table if other != bot]
            waiting.last = frozenset(others)
            waiting.met.update(others)
