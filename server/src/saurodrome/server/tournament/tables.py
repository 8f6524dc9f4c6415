"""The tables of all tournaments, made off the event loop and kept until the log has grown."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from saurodrome.server.contracts import Table
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.tournament.ledger import Ledger
from saurodrome.server.tournament.table import as_of, table
from saurodrome.server.tournament.tournament import Tournament

KEPT = 8
"""Tables of earlier positions that are kept."""
_NEVER = (-1, -1)


class Tables:
    """Makes each table once for each position of its log."""

    def __init__(self, display_name: Callable[[str], str], owner_of: Callable[[str], str]) -> None:
        """Begins without any; takes what people read of a bot, and who answers for it."""
        self._display_name = display_name
        self._owner_of = owner_of
        self._made: dict[str, tuple[tuple[int, int], Table]] = {}
        self._ledgers: dict[str, Ledger] = {}
        self._past: dict[tuple[str, int, int | None, int], Table] = {}
        self._looking_back = asyncio.Lock()
        self._folding: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def newest(self, tournament: Tournament) -> Table:
        """A tournament's table of this moment; what is new is added to the sums of the last."""
        course = tournament.course
        at, made = self._made.get(tournament.name, (_NEVER, None))
        if made is None or at != (len(course.results), len(course.events)):
            async with self._folding[tournament.name]:
                made = await self._make(tournament)
        return made

    async def at(self, tournament: Tournament, position: int, event: int | None) -> Table:
        """A tournament's table as it was at a position of the log.

        Raises:
            Refused: UNKNOWN_POSITION.
        """
        course, settings = tournament.course, tournament.settings
        if position > len(course.results) or (event or 0) > len(course.events):
            raise Refused(
                Kind.INVALID,
                "UNKNOWN_POSITION",
                f"The log of {tournament.name} has {len(course.results)} results and"
                f" {len(course.events)} events so far.",
                "log_position",
                "name an earlier position",
            )
        owner_of, results, events = self._owner_of, tuple(course.results), list(course.events)
        progress = tournament.progress()._replace(position=position)

        def made() -> Table:
            by_then = as_of(settings, owner_of, results, events, position=position, event=event)
            return table(settings, by_then, progress, self._display_name)

        key = (tournament.name, position, event, len(events))
        async with self._looking_back:  # a whole log is folded anew: one at a time
            if key not in self._past:
                self._past[key] = await asyncio.to_thread(made)
                while len(self._past) > KEPT:
                    self._past.pop(next(iter(self._past)))
            return self._past[key]._replace(progress=progress)

    async def _make(self, tournament: Tournament) -> Table:
        """Makes a table, unless who came before has just made it."""
        name, course = tournament.name, tournament.course
        now = (len(course.results), len(course.events))
        at, made = self._made.get(name, (_NEVER, None))
        if made is None or at != now:
            ledger = self._ledgers.setdefault(name, Ledger(tournament.settings))
            counted, progress = course.counted(), tournament.progress()
            made = await asyncio.to_thread(
                table, tournament.settings, counted, progress, self._display_name, ledger
            )
            self._made[name] = (now, made)
        return made
