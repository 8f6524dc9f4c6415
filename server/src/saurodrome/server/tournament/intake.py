"""Takes tournaments up: new ones if they can be played at all, stored ones where their log is."""

import asyncio

from saurodrome.engine import registry
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.roster import Roster
from saurodrome.server.schedule import ScheduleError
from saurodrome.server.settings import Entry, TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.interface import Store
from saurodrome.server.tournament.course import Course
from saurodrome.server.tournament.fold import fold, trial
from saurodrome.server.tournament.tournament import Listener, Tournament


class Intake:
    """Makes tournaments in memory from what is stored of them."""

    def __init__(self, store: Store, roster: Roster, listener: Listener) -> None:
        """Takes where tournaments are kept, who their bots are, and who hears of them."""
        self._store = store
        self._roster = roster
        self._listener = listener

    async def check(self, settings: TournamentSettings) -> None:
        """Checks a tournament that is to be created; its schedule is tried off the event loop.

        Raises:
            Refused: A bot is not registered, or there is no such schedule.
        """
        for bot in settings.bots:
            self._roster.require(bot, "settings.bots")
        if settings.anchor and settings.anchor not in settings.bots:
            raise Refused(
                Kind.INVALID,
                "BAD_SETTING",
                f"{settings.anchor} is no entrant.",
                "settings.anchor",
                "name one of settings.bots",
            )
        try:
            await asyncio.to_thread(trial, settings, self._roster.owner, ())
        except ScheduleError as error:
            if settings.entry is Entry.OPEN and error.code.startswith("TOO_FEW"):
                return
            raise Refused(
                Kind.INVALID, error.code, error.what, f"settings.{error.where}", error.do
            ) from None

    async def take_up(self, record: records.Tournament) -> Tournament:
        """Takes up a tournament where its log leaves it; folds that off the event loop."""
        settings = record.settings
        unreadable = ""
        try:
            course = await asyncio.to_thread(
                fold,
                settings,
                self._roster.owner,
                await self._store.results(settings.name),
                await self._store.events(settings.name),
                started=record.started is not None,
            )
        except ScheduleError as error:  # of a server whose formats were others
            course, unreadable = Course(settings, self._roster.owner), str(error)
        tournament = Tournament(
            record,
            course,
            registry.get(settings.game),
            self._roster.display_name,
            await self._store.attempts(settings.name),
            await self._store.void_attempts(settings.name),
            self._listener,
        )
        tournament.unreadable = unreadable
        return tournament


def check_playable(tournament: Tournament) -> None:
    """Checks that this server plays what a tournament was begun with.

    Raises:
        Refused: RULES_CHANGED, RULESET_CHANGED or LOG_UNREADABLE.
    """
    record = tournament.record
    game = registry.get(record.settings.game)
    if game.rules_version != record.rules_version:
        raise _changed(
            "RULES_CHANGED",
            f"{record.settings.name} was begun under rules {record.rules_version} of"
            f" {game.name}; this server plays rules {game.rules_version}.",
            "rules_version",
            "finish it with the server version that began it, or cancel it and plan anew",
        )
    if game.ruleset_hash != record.settings.ruleset_hash:
        raise _changed(
            "RULESET_CHANGED",
            f"{record.settings.name} was begun with ruleset {record.settings.ruleset} of"
            f" {game.name}; this server plays {game.ruleset}, and they differ.",
            "ruleset_hash",
            "finish it with the component data that it was begun with, or cancel it",
        )
    if tournament.unreadable:
        raise _changed(
            "LOG_UNREADABLE",
            f"This server cannot follow the log of {record.settings.name}: {tournament.unreadable}",
            "format",
            "finish it with the server version that began it, or cancel it",
        )


def _changed(code: str, what: str, where: str, do: str) -> Refused:
    return Refused(Kind.WRONG_STATE, code, what, where, do)
