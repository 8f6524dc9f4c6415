"""The ladder: bots come and go, and meet others of about their rating without waiting long."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, permutations

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import (
    Change,
    Enter,
    Event,
    Form,
    Match,
    Readmit,
    Result,
    Start,
    Undrawn,
    Void,
    Withdraw,
)
from saurodrome.server.schedule.placing import Placing
from saurodrome.server.schedule.queue import Queue
from saurodrome.server.schedule.roster import Roster
from saurodrome.server.schedule.seatings import balanced_seatings, rotations
from saurodrome.server.schedule.shuffle import keyed_numbers


class Ladder(Undrawn):
    """A table is a block of matches; who has none left waits for the next in a `Queue`.

    The order in which a block begins keeps neighbours even: of all orders, the one whose
    neighbours have followed each other least.
    """

    def __init__(self, form: Form, seed: int) -> None:
        """Begin with nobody.

        Raises:
            ScheduleError: there is no such ladder.
        """
        if not 2 <= form.players <= 5:
            raise ScheduleError(
                "NO_SUCH_TABLE",
                f"A ladder at tables of {form.players} cannot be.",
                "players",
                "use 2 to 5",
            )
        if form.window <= 0:
            raise ScheduleError(
                "BAD_WINDOW", f"A window of {form.window} is none.", "window", "use 1 or more"
            )
        self.form = form
        self.seed = seed
        self.roster = Roster()
        self.queue = Queue(form, self.roster)
        balanced = form.seating == "balanced"
        self._seatings = (balanced_seatings if balanced else rotations)(form.players)
        self._started = False
        self._blocks = 0
        self._matches: dict[str, Match] = {}
        self._of: dict[str, list[str]] = {}
        self._open: dict[str, Match] = {}
        self._results: dict[str, Result] = {}
        self._followed: Counter[tuple[str, str]] = Counter()

    @property
    def total(self) -> int | None:
        """Matches in all; None before the start or without an end."""
        if not self._started or not self.form.matches:
            return None
        size = len(self._seatings)
        blocks_to_come = max(0, -(-self.form.matches // size) - self._blocks)
        return len(self._open) + len(self._results) + blocks_to_come * size

    @property
    def over(self) -> bool:
        """As many matches were played as were asked for."""
        return self._started and self._full and not self._open

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Empty: the table's own order holds."""
        return ()

    def placings(self) -> dict[str, Placing]:
        """Empty: it ranks nobody."""
        return {}

    def add(self, event: Event) -> Change:
        """Take the next event; see `format`.

        Raises:
            ScheduleError: it cannot be.
        """
        gone: frozenset[str] = frozenset()
        void: frozenset[str] = frozenset()
        again: tuple[Match, ...] = ()
        match event:
            case Enter():
                self.roster.enter(event)
                self.queue.enter(event.bot, keyed_numbers(self.seed, f"bot {event.bot}", 1)[0])
            case Start():
                self._start()
            case Result():
                self._result(event)
            case Void():
                again, void = self._take_back(event.match)
            case Withdraw():
                self.roster.withdraw(event.bot)
                gone, void = self._without(event.bot)
            case Readmit():
                self.roster.readmit(event.bot)
                self.queue.come_back(event.bot)
        return Change((*again, *self._match_up()), gone, void)

    @property
    def _full(self) -> bool:
        return 0 < self.form.matches <= self._blocks * len(self._seatings)

    def _start(self) -> None:
        if self._started:
            raise ScheduleError("STARTED", "It has begun already.", "start", "start once")
        self._started = True

    def _result(self, result: Result) -> None:
        match = self._known(result.match)
        if result.match in self._results:
            raise ScheduleError(
                "RESULT_TWICE", f"{result.match} has a result.", "match", "void it first"
            )
        self._results[result.match] = result
        self._close([result.match])
        for bot, rating in zip(match.seats, result.ratings, strict=False):
            self.queue.rate(bot, rating)

    def _take_back(self, match_id: str) -> tuple[tuple[Match, ...], frozenset[str]]:
        match = self._known(match_id)
        if self._results.pop(match_id, None) is None:
            raise ScheduleError("NO_RESULT", f"{match_id} has no result.", "match", "name another")
        void = frozenset({match_id})
        if not self.roster.all_in(match.seats):
            return (), void
        return tuple(self._open_up([match])), void

    def _without(self, bot: str) -> tuple[frozenset[str], frozenset[str]]:
        gone = [match for match in self._of.get(bot, ()) if match in self._open]
        self._close(gone)
        missed = [match for match in self._of.get(bot, ()) if self._did_not_come(bot, match)]
        for match_id in missed:
            del self._results[match_id]
        return frozenset(gone), frozenset(missed)

    def _did_not_come(self, bot: str, match_id: str) -> bool:
        result = self._results.get(match_id)
        if result is None or not result.placements:
            return False
        return self._matches[match_id].seats.index(bot) in result.absent

    def _match_up(self) -> Iterator[Match]:
        """Seat as many tables as can be now."""
        while self._started and not self._full:
            table = self.queue.table(urgent=not self._open)
            if table is None:
                return
            self._blocks += 1
            yield from self._open_up(self._block(table))

    def _block(self, table: Sequence[str]) -> Iterator[Match]:
        order = self._order(table)
        for number, seats in enumerate(self._seatings, start=1):
            match = Match(1, self._blocks, number, tuple(order[player] for player in seats))
            self._matches[match.id] = match
            for bot in table:
                self._of.setdefault(bot, []).append(match.id)
            self._followed.update(_neighbours(match.seats))
            yield match

    def _order(self, table: Sequence[str]) -> tuple[str, ...]:
        """Return the order of the bots whose neighbours have followed each other least."""
        ties = keyed_numbers(self.seed, f"seats {self._blocks}", len(table))
        first, *others = (table[i] for i in sorted(range(len(table)), key=ties.__getitem__))
        orders = ((first, *rest) for rest in permutations(others))
        return min(orders, key=lambda order: sum(self._followed[n] for n in _neighbours(order)))

    def _open_up(self, matches: Iterable[Match]) -> Iterator[Match]:
        for match in matches:
            self._open[match.id] = match
            for bot in match.seats:
                self.queue.busy(bot)
            yield match

    def _close(self, match_ids: Iterable[str]) -> None:
        for match_id in match_ids:
            if match := self._open.pop(match_id, None):
                for bot in match.seats:
                    self.queue.done(bot)

    def _known(self, match_id: str) -> Match:
        if match_id not in self._matches:
            raise ScheduleError(
                "UNKNOWN_MATCH", f"There is no match {match_id[:40]}.", "match", "name another"
            )
        return self._matches[match_id]


def _neighbours(seats: Sequence[str]) -> Iterator[tuple[str, str]]:
    return pairwise((*seats, seats[0]))
