"""What a tournament's log comes to: a fold over results and events, the same after every restart.

The log is results by position, with events between them. Nothing here reads a clock or waits.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from saurodrome.server import schedule
from saurodrome.server.contracts import Entrant, EntrantStatus
from saurodrome.server.schedule import (
    Change,
    Draw,
    Drawn,
    Enter,
    Match,
    Placing,
    Planner,
    Role,
)
from saurodrome.server.settings import Deals, Format, TournamentSettings, form_of
from saurodrome.server.store.records import Event, EventKind, NewEvent, Result, Termination
from saurodrome.server.tournament.told import check_seats, told


class Counted(NamedTuple):
    """What a table is made of."""

    results: tuple[Result, ...]
    """Those that count, in the order of the log."""
    entrants: tuple[Entrant, ...]
    void: Mapping[str, str] = {}
    """Why other results do not count, by match id."""
    missed: Mapping[str, int] = {}
    """Matches that bots did not come to and that do not count, by bot."""
    ranking: tuple[tuple[str, ...], ...] = ()
    """Best first, where the format itself ranks; else empty."""
    position: int = 0
    """Results in the log, those included that do not count."""
    event: int = 0
    """The number of the last event; 0 if there is none."""
    placings: Mapping[str, Placing] = {}
    """What that ranking follows from, of each bot in it."""


class Course:
    """A log that grows."""

    def __init__(self, settings: TournamentSettings, owner_of: Callable[[str], str]) -> None:
        """Begins with the entrants of the settings.

        Args:
            settings: The tournament's.
            owner_of: Gives the owner of a bot, who never changes.

        Raises:
            ScheduleError: The format cannot be.
        """
        self.settings = settings
        self.results: list[Result] = []
        self.events: list[Event] = []
        self.entrants: dict[str, Entrant] = {}
        self.due: dict[str, Match] = {}
        """Matches without a result, by their ids in the schedule."""
        self.streaks: Counter[str] = Counter()
        """Forfeits in a row, by bot."""
        self.started = False
        self.abandoned = 0
        """Matches that were given up, and have no other result."""
        self._owner_of = owner_of
        self._planner: Planner = schedule.planner_of(form_of(settings), settings.seed)
        self._void: dict[str, str] = {}
        self._void_known: tuple[int, int, dict[str, str]] = (0, 0, {})
        self._given_up: dict[str, str] = {}
        """Deals of blocks that the arbiter gave up, and the match that it was for."""
        self._missed: Counter[str] = Counter()
        self._again: Counter[str] = Counter()
        self._newest: dict[str, Result] = {}
        self._ids: set[str] = set()
        for bot in settings.bots:
            role = role_of(settings, bot)
            self._planner.add(self._entry(bot, role))
            self.entrants[bot] = Entrant(bot, role)

    # what it comes to

    @property
    def total(self) -> int:
        """Matches in all, as far as can be said; without an end those that are due so far."""
        total = self._planner.total
        return self.done + len(self.due) if total is None else total

    @property
    def done(self) -> int:
        """Matches whose result is taken by the schedule."""
        return len(self.results) - len(self._void)

    @property
    def void_count(self) -> int:
        """Results that count no more."""
        return len(self._void_reasons())

    @property
    def over(self) -> bool:
        """All that will ever be due has its result."""
        return self.started and self._planner.over

    @property
    def takes_entries(self) -> bool:
        """Whether a bot may still enter: a knockout has no place for it once it began."""
        return not (self.started and self.settings.format is Format.KNOCKOUT)

    @property
    def playing(self) -> list[str]:
        """The bots that play, in the order of their entry."""
        return [e.bot for e in self.entrants.values() if e.status is EntrantStatus.PLAYING]

    def counted(self) -> Counted:
        """What a table is made of."""
        void = dict(self._void_reasons())
        return Counted(
            tuple(r for r in self.results if r.match_id not in void),
            tuple(self.entrants.values()),
            void,
            dict(self._missed),
            self._planner.ranking() if self.started else (),
            len(self.results),
            len(self.events),
            self._planner.placings() if self.started else {},
        )

    def _void_reasons(self) -> Mapping[str, str]:
        """Why results do not count, by match id; looks at all of them after an event only."""
        events, seen, void = self._void_known
        if events != len(self.events):
            seen, void = 0, {}
        for result in self.results[seen:]:
            if reason := self.void_reason(result):
                void[result.match_id] = reason
        self._void_known = (len(self.events), len(self.results), void)
        return void

    def void_reason(self, result: Result) -> str:
        """Why a result does not count, in words; empty if it does."""
        if reason := self._void.get(result.match_id):
            return reason
        if match_id := self._given_up.get(deal_of(result.match_id)):
            return f"the arbiter gave up {match_id} of its block"
        for seat in result.seats:
            entrant = self.entrants.get(seat.bot)
            if entrant and entrant.status is EntrantStatus.DISQUALIFIED:
                return f"{seat.bot} was disqualified"
        return ""

    def given_up(self, result: Result) -> bool:
        """Whether it does not count since the arbiter gave up its block, and not for more."""
        return result.match_id not in self._void and deal_of(result.match_id) in self._given_up

    def event_of(self, request_id: str) -> Event | None:
        """The event that a request gave, if it came before."""
        return next((e for e in self.events if request_id and e.request_id == request_id), None)

    def result_of(self, match_id: str) -> Result | None:
        """The result of a match, by its id in the log."""
        result = self._newest.get(self.planned_id(match_id))
        return result if result and result.match_id == match_id else None

    def has_result(self, match_id: str) -> bool:
        """Whether a match is in the log, by its id there; its result may count no more."""
        return match_id in self._ids

    # ids

    @property
    def duplicate(self) -> bool:
        """The matches of a block share a deal."""
        return self.settings.deals is Deals.DUPLICATE

    def match_id(self, match: Match) -> str:
        """The id in the log: a match that is played anew gets another one, in r1, r2 and so on.

        Of duplicate deals a block is played anew as a whole.
        """
        again = self._again[self._key(match)]
        return f"{self.settings.name}/{match.id}" + (f"r{again}" if again else "")

    def _key(self, match: Match) -> str:
        """What is played anew together."""
        return block_of(match.id) if self.duplicate else match.id

    def planned_id(self, match_id: str) -> str:
        """The id in the schedule of a match in the log."""
        return match_id.removeprefix(f"{self.settings.name}/").partition("r")[0]

    # what happens

    def start(self) -> Change:
        """The roster of the start is complete; may take seconds for a large schedule.

        Raises:
            ScheduleError: No schedule can be made of it; nothing has changed.
        """
        change = self._planner.add(schedule.Start())
        self.started = True
        return self._took(change)

    def result(self, result: Result) -> Change:
        """Takes the next result of the log.

        Raises:
            ScheduleError: The schedule has other bots in that match: a server made it that had
                another way to put tables together.
        """
        planned = self.planned_id(result.match_id)
        match = self.due.get(planned)
        wanted = match is not None and self.match_id(match) == result.match_id
        if match is not None and wanted:
            check_seats(match, result)
        self.results.append(result)
        self._ids.add(result.match_id)
        self.abandoned += result.termination is Termination.ABANDONED
        for seat in result.seats:
            self.streaks[seat.bot] += 1
            if not (seat.forfeited or seat.absent):
                self.streaks[seat.bot] = 0
        if not wanted:
            self._void[result.match_id] = "it had been called off before its result came"
            return Change()
        if result.termination is Termination.ABANDONED and self.duplicate:
            self._give_up(planned, result.match_id)
        counts = deal_of(result.match_id) not in self._given_up
        change = self._planner.add(told(planned, result, counts=counts))
        del self.due[planned]
        self._newest[planned] = result
        return self._took(change)

    def _give_up(self, planned: str, match_id: str) -> None:
        """A block that shares a deal counts as a whole, or not at all."""
        deal = deal_of(match_id)
        if deal not in self._given_up:
            self._given_up[deal] = match_id
            self._void_known = (-1, 0, {})
            for other, result in self._newest.items():
                if block_of(other) == block_of(planned):  # its round is not over: nothing follows
                    self._planner.add(schedule.Void(other))
                    self._planner.add(told(other, result, counts=False))

    def draw(self) -> Draw | None:
        """How the next round is drawn, if that is to be done and left to others: off the loop."""
        return self._planner.draw() if self._planner.lazy else None

    def drawn(self, found: Drawn) -> Change:
        """Takes what `draw` gave; no event and no result came between."""
        return self._took(self._planner.drawn(found))

    def leave_draws(self) -> None:
        """Leaves draws to others from now on, since they may take seconds."""
        self._planner.lazy = True

    def scheduled(self, event: NewEvent | Event) -> Change:
        """What the schedule makes of a start or an entry, before `take`.

        May take seconds. Of the course only its planner changes, so that others may look at the
        rest meanwhile.

        Raises:
            ScheduleError: It cannot be; nothing has changed.
        """
        if event.kind is EventKind.STARTED:
            return self._planner.add(schedule.Start())
        return self._planner.add(self._entry(event.bot, _role(event.role)))

    def take(self, event: NewEvent | Event, scheduled: Change | None = None) -> Change:
        """Takes an event; once it is stored, `noted` follows.

        Args:
            event: What happens.
            scheduled: What the schedule makes of it, if it was asked before.

        Raises:
            ScheduleError: It cannot be; nothing has changed.
        """
        match event.kind:
            case EventKind.STARTED | EventKind.JOINED:
                change = self.scheduled(event) if scheduled is None else scheduled
                if event.kind is EventKind.STARTED:
                    self.started = True
                else:
                    self.entrants[event.bot] = Entrant(event.bot, _role(event.role))
                return self._took(change)
            case EventKind.VOIDED:
                return self._take_back(event)
            case _:
                return self._moved(event)

    def noted(self, event: Event) -> None:
        """An event that was taken is stored."""
        self.events.append(event)

    def _entry(self, bot: str, role: Role) -> Enter:
        entry = Enter(bot, self._owner_of(bot), role)
        if role == "anchor":
            entry = entry._replace(rating=self.settings.anchor_rating)
        return entry

    def _moved(self, event: NewEvent | Event) -> Change:
        """A bot leaves or is back."""
        bot, kind = event.bot, event.kind
        entrant = self.entrants[bot]
        change, reason = Change(), event.reason
        if kind is EventKind.READMITTED:
            reason = ""
            change = self._planner.add(schedule.Readmit(bot))
            self.streaks[bot] = 0
        elif entrant.status is EntrantStatus.PLAYING:
            change = self._planner.add(schedule.Withdraw(bot))
        self.entrants[bot] = entrant._replace(status=_STATUS[kind], reason=reason)
        return self._took(change, bot)

    def _take_back(self, event: NewEvent | Event) -> Change:
        """A match, or what was played of a block, counts no more.

        The planner is told of all results of a block before any of it is due again.
        """
        planned = self.planned_id(event.match_id)
        block = [planned]
        if self.duplicate:
            block = [m for m in self._newest if block_of(m) == planned]
        due: dict[str, Match] = {}
        gone: set[str] = set()
        for match_id in block:
            change = self._planner.add(schedule.Void(match_id))
            result = self._newest.pop(match_id)
            self._void[result.match_id] = event.reason
            self.abandoned -= result.termination is Termination.ABANDONED
            due |= {match.id: match for match in change.due}
            gone |= change.gone
        if self.duplicate:  # what was not played yet goes on under the new deal
            due = {m.id: m for m in self.due.values() if block_of(m.id) == planned} | due
        self._again[planned] += 1
        return self._took(Change(tuple(due.values()), frozenset(gone)))

    def _took(self, change: Change, bot: str = "") -> Change:
        """Keeps in step with the planner."""
        for match_id in change.gone:
            self.due.pop(match_id, None)
        for match_id in change.void:
            if result := self._newest.pop(match_id, None):
                self._void[result.match_id] = f"{bot} left; it had not come to this match"
                self._missed[bot] += 1
        for match in change.due:
            self.due[match.id] = match
            if self._ids and self.match_id(match) in self._ids:  # every result has an id of its own
                self._again[self._key(match)] += 1
        return change


def role_of(settings: TournamentSettings, bot: str) -> Role:
    """What an entrant of the settings is here for."""
    if bot in settings.candidates:
        return "candidate"
    if bot in settings.fillers:
        return "filler"
    return "anchor" if bot == settings.anchor else "entrant"


def block_of(planned_id: str) -> str:
    """The block of a match of the schedule: round/pairing."""
    return planned_id.rpartition("/")[0]


def deal_of(match_id: str) -> str:
    """The name of the deal that a match in the log shares with its block: every try has one."""
    block, _, seating = match_id.rpartition("/")
    return block + "".join(seating.partition("r")[1:])


def _role(text: str) -> Role:
    roles: dict[str, Role] = {"candidate": "candidate", "filler": "filler", "anchor": "anchor"}
    return roles.get(text, "entrant")


_STATUS = {
    EventKind.WITHDRAWN: EntrantStatus.WITHDRAWN,
    EventKind.DISQUALIFIED: EntrantStatus.DISQUALIFIED,
    EventKind.READMITTED: EntrantStatus.PLAYING,
}
