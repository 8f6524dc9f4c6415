"""The tables of all tournaments, made off the event loop and kept until the log has grown."""

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from saurodrome.server.contracts import Table
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.tournament.ledger import Ledger
from saurodrome.server.tournament.table import as_of, table
from saurodrome.server.tournament.tournament import Tournament

KEPT = 8
"""Tables of earlier positions that are kept."""


class Tables:
    """Makes each table once for each position of its log."""

    def __init__(self, display_name: Callable[[str], str], owner_of: Callable[[str], str]) -> None:
        """Begins without any; takes what people read of a bot, and who answers for it."""
        self._display_name = display_name
        self._owner_of = owner_of
        self._of: WeakKeyDictionary[Tournament, _Sums] = WeakKeyDictionary()
        self._past: dict[tuple[str, int, int | None, int], Table] = {}
        self._looking_back = asyncio.Lock()

    async def newest(self, tournament: Tournament) -> Table:
        """A tournament's table of this moment; what is new is added to the sums of the last."""
        sums = self._of.get(tournament) or _Sums(tournament.settings)
        self._of[tournament] = sums
        if (made := sums.made_at(tournament)) is None:
            async with sums.folding:
                # Unless who came before has just made it.
                made = sums.made_at(tournament) or await self._make(tournament, sums)
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

    async def _make(self, tournament: Tournament, sums: "_Sums") -> Table:
        course, progress = tournament.course, tournament.progress()
        now = _moment(tournament)
        made = await asyncio.to_thread(
            table, course.settings, course.counted(), progress, self._display_name, sums.ledger
        )
        sums.at, sums.made = now, made
        return made


class _Sums:
    """What is kept of a tournament from one table to the next, as long as it is in memory."""

    def __init__(self, settings: TournamentSettings) -> None:
        self.ledger = Ledger(settings)
        self.folding = asyncio.Lock()
        self.at = (-1, -1)
        self.made: Table | None = None

    def made_at(self, tournament: Tournament) -> Table | None:
        """The table of this moment, if it was made."""
        return self.made if self.at == _moment(tournament) else None


def _moment(tournament: Tournament) -> tuple[int, int]:
    return len(tournament.course.results), len(tournament.course.events)
