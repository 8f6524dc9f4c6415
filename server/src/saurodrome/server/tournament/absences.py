"""Who of a tournament is away, and for how long."""

from collections.abc import Callable

from saurodrome.server.lobby import Lobby
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.tournament.course import Course

MOST_NAMED = 4


class Absences:
    """Asks the lobby for those who are away only when somebody came, left or entered."""

    def __init__(self, settings: TournamentSettings, time: Callable[[], float]) -> None:
        """Counts from now on; `time` in seconds, monotonic."""
        self._settings = settings
        self._time = time
        self._absent: tuple[tuple[int, int], list[str]] = ((-1, -1), [])
        self.begin()

    def begin(self) -> None:
        """Nobody was missed before now: the tournament runs again."""
        self._since = self._time()

    def away(self, course: Course, lobby: Lobby) -> list[tuple[str, float]]:
        """Bots that play but are away, and for how many seconds."""
        s = self._settings
        known = (lobby.comings_and_goings, len(course.events))
        if self._absent[0] != known:
            absent = [b for b in course.playing if lobby.away_for(b, s.game, s.variant) is not None]
            self._absent = (known, absent)
        running = self._time() - self._since
        away = ((bot, lobby.away_for(bot, s.game, s.variant)) for bot in self._absent[1])
        return [(bot, min(seconds, running)) for bot, seconds in away if seconds is not None]

    def missing(self, course: Course, lobby: Lobby) -> str:
        """Who is away, in words; empty if nobody."""
        away = [bot for bot, _ in self.away(course, lobby)]
        if not away:
            return ""
        first = away[:MOST_NAMED]
        named = (f"{b} (for another game)" if lobby.connected(b) else b for b in first)
        names = ", ".join(named) + (", ..." if len(away) > len(first) else "")
        return f"{len(away)} of {len(course.playing)} bots not connected: {names}"
