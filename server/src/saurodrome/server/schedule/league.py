"""What round robin and gauntlet share: matches are known at the start, then bots come and go."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

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
from saurodrome.server.schedule.roster import Roster
from saurodrome.server.schedule.round_robin import Schedule
from saurodrome.server.schedule.shuffle import keyed_numbers


class League(Undrawn, ABC):
    """A format without a second look at results: who is in decides what is played."""

    def __init__(self, form: Form, seed: int) -> None:
        """Begin with nobody."""
        self.form = form
        self.seed = seed
        self.roster = Roster()
        self._started = False
        self._late = 0
        self.planned: set[str] = set()
        """Bots that have matches, played or not."""
        self.blocks_a_bot = 0.0
        """Blocks that a bot of the start plays on average."""
        self._matches: dict[str, Match] = {}
        self._of: dict[str, list[str]] = {}
        self._open: set[str] = set()
        self._results: dict[str, Result] = {}
        self._void: set[str] = set()
        self._pairings: Counter[int] = Counter()
        self._stood_in: Counter[str] = Counter()

    @abstractmethod
    def first(self) -> Schedule:
        """Return the schedule of those who are in at the start.

        Raises:
            ScheduleError: there is none.
        """

    @abstractmethod
    def further(self, newcomer: str, first_round: int) -> Schedule:
        """Return the matches that a late entry adds.

        Raises:
            ScheduleError: there are too many.
        """

    @abstractmethod
    def stand_ins(self, match: Match, seat: int) -> Sequence[str]:
        """Return the bots that may take a seat of a match instead of who sits there."""

    @property
    def rounds(self) -> int:
        """How often all of it is played."""
        return self.form.rounds or 1

    @property
    def total(self) -> int | None:
        """Matches in all; None before the start."""
        return len(self._open) + len(self._results) if self._started else None

    @property
    def over(self) -> bool:
        """Nothing is left to be played."""
        return self._started and not self._open

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
        match event:
            case Enter():
                return self._enter(event)
            case Start():
                return self._start()
            case Result():
                return self._result(event)
            case Void():
                return self._take_back(event.match)
            case Withdraw():
                self.roster.withdraw(event.bot)
                return self._without(event.bot) if self._started else Change()
            case Readmit():
                return self._readmit(event.bot)

    def _enter(self, event: Enter) -> Change:
        self.roster.enter(event)
        if not self._started:
            return Change()
        try:
            return self._late_entry(event.bot)
        except ScheduleError:
            self.roster.forget(event.bot)
            raise

    def _late_entry(self, bot: str) -> Change:
        more = self.further(bot, self.rounds * (self._late + 1) + 1)
        self._late += 1
        self.planned.add(bot)
        return Change(self._take(more.matches()))

    def _start(self) -> Change:
        if self._started:
            raise ScheduleError("STARTED", "It has begun already.", "start", "start once")
        schedule = self.first()
        if not any(map(self._allowed, schedule.matches())):
            raise ScheduleError(
                "ONE_OWNER",
                "Bots of one owner are kept apart, and there is no table without two of them.",
                "same_owner",
                "let them meet, enter bots of more owners, or play at smaller tables",
            )
        self._started = True
        self.planned.update(schedule.entrants)
        blocks = schedule.match_count / schedule.block_size
        self.blocks_a_bot = blocks * schedule.players / len(schedule.entrants)
        return Change(self._take(schedule.matches()))

    def _allowed(self, match: Match) -> bool:
        return self.form.same_owner == "meet" or not self.roster.related(match.seats)

    def _take(self, matches: Iterable[Match]) -> tuple[Match, ...]:
        """Add matches; return those that can be played."""
        return tuple(chain.from_iterable(map(self._taken, matches)))

    def _taken(self, match: Match) -> Iterator[Match]:
        if not self._allowed(match):
            return
        self._matches[match.id] = match
        self._pairings[match.round] = max(self._pairings[match.round], match.pairing)
        for bot in match.seats:
            self._of.setdefault(bot, []).append(match.id)
        if self.roster.all_in(match.seats):
            self._open.add(match.id)
            yield match

    def _result(self, result: Result) -> Change:
        self._known(result.match)
        if result.match in self._results:
            raise ScheduleError(
                "RESULT_TWICE", f"{result.match} has a result.", "match", "void it first"
            )
        self._results[result.match] = result
        self._open.discard(result.match)
        self._void.discard(result.match)
        return Change()

    def _take_back(self, match_id: str) -> Change:
        match = self._known(match_id)
        if self._results.pop(match_id, None) is None:
            raise ScheduleError("NO_RESULT", f"{match_id} has no result.", "match", "name another")
        void = frozenset({match_id})
        if not self.roster.all_in(match.seats):
            return Change(void=void)
        self._open.add(match_id)
        return Change((match,), void=void)

    def _without(self, bot: str) -> Change:
        mine = self._of.get(bot, ())
        gone = frozenset(match for match in mine if match in self._open)
        self._open -= gone
        missed = [match for match in mine if self._did_not_come(bot, match)]
        for match in missed:
            del self._results[match]
            self._void.add(match)
        return Change(self._take(self._replaced(bot, missed)), gone, frozenset(missed))

    def _did_not_come(self, bot: str, match_id: str) -> bool:
        result = self._results.get(match_id)
        if result is None or not result.placements:
            return False
        return self._matches[match_id].seats.index(bot) in result.absent

    def _replaced(self, bot: str, missed: Sequence[str]) -> Iterator[Match]:
        """Yield for each match its replacement, if there is somebody to sit down."""
        pairings: dict[tuple[int, int, str], int] = {}
        for match in map(self._matches.__getitem__, missed):
            seat = match.seats.index(bot)
            others = [name for name in match.seats if name != bot]
            able = [b for b in self.stand_ins(match, seat) if self._fits(b, others)]
            if not able or not self.roster.all_in(others):
                continue
            ties = keyed_numbers(self.seed, f"stand-in {match.id}", len(able))
            _, _, chosen = min((self._stood_in[b], ties[i], b) for i, b in enumerate(able))
            self._stood_in[chosen] += 1
            key = (match.round, match.pairing, chosen)
            if key not in pairings:
                self._pairings[match.round] += 1
                pairings[key] = self._pairings[match.round]
            seats = tuple(chosen if name == bot else name for name in match.seats)
            yield Match(match.round, pairings[key], match.seating, seats)

    def _fits(self, bot: str, others: Sequence[str]) -> bool:
        if bot in others:
            return False
        return self.form.same_owner == "meet" or not self.roster.related((bot, *others))

    def _readmit(self, bot: str) -> Change:
        self.roster.readmit(bot)
        if not self._started:
            return Change()
        if bot not in self.planned:
            try:
                return self._late_entry(bot)
            except ScheduleError:
                self.roster.withdraw(bot)
                raise
        back = tuple(self._matches[m] for m in self._of.get(bot, ()) if self._comes_back(m))
        self._open.update(match.id for match in back)
        return Change(back)

    def _comes_back(self, match_id: str) -> bool:
        waits = match_id not in self._open and match_id not in self._results
        return (
            waits
            and match_id not in self._void
            and self.roster.all_in(self._matches[match_id].seats)
        )

    def _known(self, match_id: str) -> Match:
        if match_id not in self._matches:
            raise ScheduleError(
                "UNKNOWN_MATCH", f"There is no match {match_id[:40]}.", "match", "name another"
            )
        return self._matches[match_id]
