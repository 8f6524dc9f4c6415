"""What Swiss and knockout share: pairings follow from results, round by round."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

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
from saurodrome.server.schedule.roster import Roster
from saurodrome.server.schedule.series import Series
from saurodrome.server.schedule.shuffle import keyed_order


class Rounds(Undrawn, ABC):
    """A format of two-player series."""

    def __init__(self, form: Form, seed: int) -> None:
        """Begin with nobody.

        Raises:
            ScheduleError: tables of another size than two.
        """
        if form.players != 2:
            raise ScheduleError(
                "NO_SUCH_TABLE",
                f"A {form.kind} at tables of {form.players} cannot be.",
                "players",
                "use tables of 2, or another format",
            )
        self.form = form
        self.seed = seed
        self.roster = Roster()
        self.series: dict[tuple[int, int], Series] = {}
        self.open: dict[str, Match] = {}
        self._started = False
        self._matches: dict[str, Match] = {}
        self._results: dict[str, Result] = {}

    @abstractmethod
    def begin(self) -> None:
        """Look at who is in at the start.

        Raises:
            ScheduleError: they cannot play this.
        """

    @abstractmethod
    def further(self) -> Iterable[Series]:
        """Return the series that are due by now and have not been given before."""

    @abstractmethod
    def enter_late(self, entry: Enter) -> None:
        """Take a late entry.

        Raises:
            ScheduleError: it is too late.
        """

    @abstractmethod
    def come_back(self, bot: str) -> None:
        """Take a bot that had left."""

    @abstractmethod
    def reopen(self, match: Match) -> None:
        """Take back what followed from a result.

        Raises:
            ScheduleError: it is too late.
        """

    @property
    @abstractmethod
    def to_come(self) -> int:
        """Matches that are sure to come and are not due yet."""

    @property
    @abstractmethod
    def complete(self) -> bool:
        """No further series comes."""

    @property
    def total(self) -> int | None:
        """Matches in all, as far as can be said; None before the start."""
        if not self._started:
            return None
        return len(self.open) + len(self._results) + self.to_come

    @property
    def over(self) -> bool:
        """All that will ever be due has its result."""
        return self._started and not self.open and self.complete

    @property
    def started(self) -> bool:
        """It has begun."""
        return self._started

    def seeded(self, bots: Iterable[str]) -> list[str]:
        """Return bots in the order of their seeds: as listed, else by rating, else as drawn.

        Raises:
            ScheduleError: a seed did not enter.
        """
        names = sorted(bots)
        if strangers := [name for name in self.form.seeds if name not in names]:
            raise ScheduleError(
                "UNKNOWN_SEED",
                f"Seeded, but not entered: {', '.join(strangers)}.",
                "seeds",
                "seed entrants only",
            )
        drawn = [names[index] for index in keyed_order(self.seed, "seeds", len(names))]
        listed = {name: place for place, name in enumerate(self.form.seeds)}
        last = len(listed)
        return sorted(drawn, key=lambda b: (listed.get(b, last), -self.roster[b].rating))

    def add(self, event: Event) -> Change:
        """Take the next event; see `format`.

        Raises:
            ScheduleError: it cannot be.
        """
        match event:
            case Enter():
                self._enter(event)
                return Change()
            case Start():
                return self._start()
            case Result():
                return self._result(event)
            case Void():
                return self._take_back(event.match)
            case Withdraw():
                self.roster.withdraw(event.bot)
                return self._without(event.bot)
            case Readmit():
                self.roster.readmit(event.bot)
                if self._started:
                    self.come_back(event.bot)
                return Change()

    def _enter(self, entry: Enter) -> None:
        self.roster.check_new(entry.bot)
        if self._started:
            self.enter_late(entry)
        else:
            self.roster.enter(entry)

    def _start(self) -> Change:
        if self._started:
            raise ScheduleError("STARTED", "It has begun already.", "start", "start once")
        self.begin()
        self._started = True
        return Change(tuple(self._go_on()))

    def _result(self, result: Result) -> Change:
        match = self._known(result.match)
        if result.match in self._results:
            raise ScheduleError(
                "RESULT_TWICE", f"{result.match} has a result.", "match", "void it first"
            )
        self._results[result.match] = result
        self.open.pop(result.match, None)
        series = self.series[match.round, match.pairing]
        if series.absent:
            return Change()
        series.played(match, result)
        return Change((*self._due(series.grow()), *self._go_on()))

    def _take_back(self, match_id: str) -> Change:
        match = self._known(match_id)
        if match_id not in self._results:
            raise ScheduleError("NO_RESULT", f"{match_id} has no result.", "match", "name another")
        series = self.series[match.round, match.pairing]
        if not series.absent:
            self.reopen(match)
        del self._results[match_id]
        if not series.absent:
            series.take_back(match)
            series.absent.update(bot for bot in series.bots if bot not in self.roster)
        due = () if series.absent else tuple(self._due([match]))
        return Change((*due, *self._go_on()), void=frozenset({match_id}))

    def _without(self, bot: str) -> Change:
        """End the series of a bot that is not in any more; its opponents win them."""
        gone: set[str] = set()
        void: set[str] = set()
        for series in self.series.values():
            if bot in series.bots and not series.over:
                series.absent.add(bot)
                gone.update(self._open_of(series))
                void.update(self._missed_by(bot, series))
        for match_id in gone:
            del self.open[match_id]
        for match_id in void:
            del self._results[match_id]
        due = tuple(self._go_on()) if self._started else ()
        return Change(due, frozenset(gone), frozenset(void))

    def _go_on(self) -> Iterator[Match]:
        while not (self.lazy and self.to_be_drawn) and (found := list(self.further())):
            for series in found:
                self.series[series.number] = series
                series.absent.update(bot for bot in series.bots if bot not in self.roster)
                yield from self._due(series.grow())

    def _due(self, matches: Iterable[Match]) -> Iterator[Match]:
        for match in matches:
            self._matches[match.id] = self.open[match.id] = match
            yield match

    def _open_of(self, series: Series) -> list[str]:
        return [
            m for m, match in self.open.items() if (match.round, match.pairing) == series.number
        ]

    def _missed_by(self, bot: str, series: Series) -> Iterator[str]:
        for match_id, result in self._results.items():
            match = self._matches[match_id]
            ours = (match.round, match.pairing) == series.number and result.placements
            if ours and match.seats.index(bot) in result.absent:
                yield match_id

    def _known(self, match_id: str) -> Match:
        if match_id not in self._matches:
            raise ScheduleError(
                "UNKNOWN_MATCH", f"There is no match {match_id[:40]}.", "match", "name another"
            )
        return self._matches[match_id]
