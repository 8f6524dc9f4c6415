"""What is asked of tournaments and bots: everything that changes nothing."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import suppress

from saurodrome.server.contracts import BotStatus, Listed, Progress, Spectacles, Table
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.lobby import Lobby
from saurodrome.server.roster import Roster
from saurodrome.server.scheduler import Scheduler
from saurodrome.server.settings import Deals, PublishLive, PublishNotes
from saurodrome.server.store import records
from saurodrome.server.store.interface import Store
from saurodrome.server.store.records import OVER, Event, Fault, TournamentState
from saurodrome.server.tournament.course import deal_of
from saurodrome.server.tournament.notes import without_notes
from saurodrome.server.tournament.shelf import Shelf
from saurodrome.server.tournament.spectacle import spectacle
from saurodrome.server.tournament.tables import Tables
from saurodrome.server.tournament.tournament import Tournament

WATCH_PAUSE = 0.5
"""Seconds between two updates to a watcher, at the least."""
WATCH_LOOK = 2.0
"""Seconds after which a watcher is told of a new reason to wait, though no match ended."""
MOST_LIVE = 64
"""Matches that are listed while they are played."""


class Reader:
    """All tournaments of this server, to be looked at."""

    def __init__(
        self,
        store: Store,
        roster: Roster,
        lobby: Lobby,
        scheduler: Scheduler,
        take_up: Callable[[records.Tournament], Awaitable[Tournament]],
    ) -> None:
        """Begins without tournaments.

        Args:
            store: Where tournaments, faults and records are kept.
            roster: The registered bots.
            lobby: Who is here.
            scheduler: Plays the matches of tournaments that run.
            take_up: Makes a tournament of what is stored of it.
        """
        self._store = store
        self._roster = roster
        self._lobby = lobby
        self._scheduler = scheduler
        self._shelf = Shelf(store, take_up)
        self._tables = Tables(roster.display_name, roster.owner)

    async def list_bots(self, after: str, limit: int) -> tuple[BotStatus, ...]:
        """At most `limit` bots by name, from the name behind `after`."""
        names = sorted(name for name in self._roster.bots if name > after)[:limit]
        return tuple(self._status(self._roster.bots[name]) for name in names)

    async def events(self, name: str, after: int, limit: int) -> tuple[Event, ...]:
        """What was done, oldest first, from the number behind `after`."""
        tournament = await self._shelf.find(name)
        return tuple(tournament.course.events[after : after + limit])

    async def get(self, name: str) -> Progress:
        """Where it stands."""
        return self._shown(await self._shelf.stands(name))

    async def list_tournaments(self, before: int | None, limit: int) -> tuple[Progress, ...]:
        """At most `limit` tournaments, newest first, with numbers below `before`."""
        return tuple(map(self._shown, await self._shelf.listed(before, limit)))

    def running(self) -> Iterator[Progress]:
        """Where those stand that run."""
        return (t.progress() for t in self._shelf.going if _runs(t))

    def latest(self, limit: int) -> list[Progress]:
        """Where at most `limit` tournaments stand: those that run, then the newest.

        Of those that are over, only so many of the newest are known without a read.
        """
        return [self._shown(progress) for progress in self._shelf.latest(limit)]

    async def watch(self, name: str) -> AsyncIterator[Progress]:
        """Where it stands: at once, after changes at most twice a second, and when it is over."""
        tournament = await self._shelf.find(name)
        while True:
            changed = tournament.changed()
            shown = self._shown(tournament.progress())
            yield shown
            if shown.tournament.state in OVER:
                return
            await asyncio.sleep(WATCH_PAUSE)
            while shown.waiting_for == self._shown(tournament.progress()).waiting_for:
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCH_LOOK):
                        await changed.wait()
                        break

    async def standings(
        self, name: str, position: int | None = None, event: int | None = None
    ) -> Table:
        """Its table, now or as it was at a position of the log.

        Made off the event loop, once for each position; what is new is added to the sums of
        the table before.
        """
        tournament = await self._shelf.find(name)
        if position is not None:
            return await self._tables.at(tournament, position, event)
        made = await self._tables.newest(tournament)
        shown, then = self._shown(tournament.progress()), made.progress
        # More may have come while the table was made: how far it is goes with its position.
        return made._replace(progress=shown._replace(position=then.position, done=then.done))

    async def faults(
        self, name: str, bot: str, before: int | None, limit: int
    ) -> tuple[tuple[int, Fault], ...]:
        """Faults with their ids, newest first, ids below `before`."""
        await self._shelf.stands(name)
        return await self._store.faults(name, bot, before, limit)

    async def matches(self, name: str, after: int, limit: int) -> tuple[Listed, ...]:
        """Results in the order of the log, from the position behind `after`."""
        tournament = await self._shelf.find(name)
        sealed = tournament.sealed_deals()
        return tuple(
            Listed(
                r._replace(has_record=r.has_record and deal_of(r.match_id) not in sealed),
                tournament.course.void_reason(r),
            )
            for r in tournament.results[after : after + limit]
        )

    def records_dropped(self, places: Collection[tuple[str, int]]) -> None:
        """Hears of results, by tournament and position, whose match records were deleted."""
        self._shelf.records_dropped(places)

    async def record(
        self, match_id: str, attempt: int, reader: str | None = None, *, for_all: bool = False
    ) -> bytes:
        """The text of a match record, UTF-8; see `contracts.Tournaments`."""
        name = match_id.partition("/")[0]
        stands = await self._stands(name)
        if stands and await self._sealed(stands, match_id):
            raise Refused(
                Kind.WRONG_STATE,
                "RECORD_SEALED",
                f"{match_id[:80]} shares its deal with matches that are still to come.",
                "match_id",
                "ask again when its block is over",
            )
        packed = await self._store.record(match_id, attempt)
        if packed is None:
            raise Refused(
                Kind.NOT_FOUND,
                "NO_RECORD",
                f"There is no match record of {match_id[:80]!a}.",
                "match_id",
                "match ids are tournament/round/pairing/seating; unplayed matches have no record",
            )
        text = zlib.decompress(packed)
        if stands is None:
            return text
        if reader is not None and not stands.table_is_public:
            self._check_own(await self._shelf.find(name), match_id, reader)
        notes = stands.tournament.settings.publish_notes
        if notes is PublishNotes.PUBLIC or (reader is None and not for_all):
            return text
        reads = "" if for_all else reader
        return await asyncio.to_thread(
            without_notes, text, lambda bot: bool(reads) and self._roster.owner(bot) == reads
        )

    def _check_own(self, of: Tournament, match_id: str, reader: str) -> None:
        result = of.course.result_of(match_id)
        bots = [seat.bot for seat in result.seats] if result else []
        if not any(self._roster.owner(bot) == reader for bot in bots):
            raise Refused(
                Kind.FORBIDDEN,
                "NOT_PUBLISHED",
                f"Results of {of.name} are published when it is over.",
                "settings.publish_table",
                "ask for matches of your own bots, or again then",
            )

    async def live(self, name: str, match_id: str, *, insider: bool) -> Spectacles:
        """The matches that are being played, as a spectator may see them."""
        tournament = await self._shelf.find(name)
        settings = tournament.settings
        if settings.publish_live is PublishLive.CLOSED and not insider:
            raise Refused(
                Kind.FORBIDDEN,
                "NOT_PUBLISHED",
                f"Matches of {name} are not shown while they are played.",
                "settings.publish_live",
                "look at their records when they are over, or ask an organiser",
            )
        named = insider or not settings.blind
        found = [self._scheduler.in_play(one) for one in tournament.playing]
        playing = [match for match in found if match is not None]
        if not match_id:
            shown = playing[:MOST_LIVE]
            matches = tuple(spectacle(match, named=named, board=False) for match in shown)
            return Spectacles(matches, len(playing) - len(shown))
        wanted = [match for match in playing if match.plan.match_id == match_id]
        if not wanted:
            raise _not_played(tournament, match_id)
        board = deal_of(match_id) not in tournament.sealed_deals()
        return Spectacles(tuple(spectacle(match, named=named, board=board) for match in wanted))

    # for those who change something

    async def _stands(self, name: str) -> Progress | None:
        """Where one stands; None if there is none."""
        try:
            return await self._shelf.stands(name)
        except Refused:
            return None

    async def _sealed(self, stands: Progress, match_id: str) -> bool:
        """Whether other matches with a match's deal are still to come."""
        settings = stands.tournament.settings
        if settings.deals is not Deals.DUPLICATE:
            return False
        return deal_of(match_id) in (await self._shelf.find(settings.name)).sealed_deals()

    def _shown(self, progress: Progress) -> Progress:
        """Where one stands, with what holds up all tournaments, if that is why it waits."""
        if progress.tournament.state is not TournamentState.RUNNING:
            return progress
        waits = self._scheduler.held_up or progress.waiting_for
        return progress._replace(waiting_for=waits or self._taken(progress))

    def _taken(self, progress: Progress) -> str:
        """Says so where the bots of its next match are here, but taken by other tournaments."""
        s = progress.tournament.settings
        tournament = self._shelf.at_hand(s.name)
        bots = tournament.wanted(self._lobby) if tournament else ()
        free = all(self._lobby.free(bot, s.game, s.variant) for bot in bots)
        return "" if free else "its bots play in other tournaments"

    def _status(self, bot: records.Bot) -> BotStatus:
        return BotStatus(bot, self._lobby.connected(bot.name), self._lobby.playing(bot.name))


def _runs(tournament: Tournament) -> bool:
    return tournament.record.state is TournamentState.RUNNING


def _not_played(tournament: Tournament, match_id: str) -> Refused:
    """Why a match is not shown while it is played: it is over, is still to come, or is none."""
    course, shown = tournament.course, f"{match_id[:80]!a}"
    if course.has_result(match_id):
        what, do = f"{shown} is over.", f"saurodrome replay show {match_id[:80]}"
    elif match_id in tournament.playing:
        what, do = f"{shown} is over: its result is being stored.", "ask again in a moment"
    elif match := course.due.get(course.planned_id(match_id)):
        due = course.match_id(match)
        what, do = f"{due} has not begun.", "ask again when it is played"
    else:
        what = f"There is no match {shown} in {tournament.name}, at least not so far."
        do = "match ids are tournament/round/pairing/seating; without one all that are played show"
        return Refused(Kind.NOT_FOUND, "UNKNOWN_MATCH", what, "match_id", do)
    return Refused(Kind.NOT_FOUND, "NOT_PLAYED", what, "match_id", do)
