"""A log as a server keeps it, played without a server: results, and events between them."""

from collections import defaultdict
from random import Random

from saurodrome.client.tournaments import (
    Bot,
    Match,
    Standings,
    Tournament,
    TournamentClient,
    TournamentEvent,
)
from saurodrome.server.contracts import Listed, Progress
from saurodrome.server.rating.elo import elo
from saurodrome.server.recorder import START, K
from saurodrome.server.rpc import convert
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.records import (
    Event,
    EventKind,
    RatedSeat,
    Result,
    Termination,
    TournamentState,
)
from saurodrome.server.tournament.course import Course
from saurodrome.server.tournament.table import as_of, table

BOTS = ("ann", "bob", "cyd", "dan", "eve")


class Played:
    """A cup of five, better ones later in the alphabet; stands for a server, too."""

    def __init__(self, players: int = 2, rounds: int = 3, **settings: object) -> None:
        """Begins, with nothing played."""
        self.settings = TournamentSettings(
            "cup",
            "draftosaurus",
            "summer",
            players,
            BOTS,
            rounds=rounds,
            **settings,  # type: ignore[arg-type]
        )
        self.course = Course(self.settings, self.owner)
        self.act(EventKind.STARTED)
        self._random = Random(1)
        self._live: defaultdict[str, float] = defaultdict(lambda: START)

    def owner(self, bot: str) -> str:
        """Says whose a bot is."""
        return f"of {bot}"

    def act(self, kind: EventKind, bot: str = "", match_id: str = "", reason: str = "why") -> None:
        """Takes an event."""
        course = self.course
        at, number = len(course.results), len(course.events) + 1
        event = Event(number, "cup", at, kind, bot, match_id, "", reason, "me", 0.0, f"r{number}")
        course.take(event)
        course.noted(event)

    def play(self, count: int) -> None:
        """Plays the next matches."""
        for _ in range(count):
            match = next(iter(self.course.due.values()))
            form = {bot: BOTS.index(bot) / 3 + self._random.gauss(0, 1) for bot in match.seats}
            order = sorted(match.seats, key=lambda bot: -form[bot])
            places = [order.index(bot) + 1 for bot in match.seats]
            before = [self._live[bot] for bot in match.seats]
            after = elo(before, places, k=K)
            self._live.update(zip(match.seats, after, strict=True))
            seats = tuple(
                RatedSeat(bot, place, 30 - place, 0, 0, False, False, True, old, new)
                for bot, place, old, new in zip(match.seats, places, before, after, strict=True)
            )
            number = len(self.course.results) + 1
            self.course.result(
                Result(
                    number,
                    "cup",
                    self.course.match_id(match),
                    1,
                    Termination.FINISHED,
                    seats,
                    1_790_000_000.0 + number,
                    has_record=False,
                )
            )

    # what a client gives

    def list_bots(self) -> list[Bot]:
        """Gives the bots."""
        return [Bot(name=bot, display_name=bot.title(), owner=self.owner(bot)) for bot in BOTS]

    def get(self, name: str) -> Tournament:
        """Gives the tournament."""
        return convert.tournament(self._progress(len(self.course.results)))

    def matches(self, name: str) -> list[Match]:
        """Gives the results."""
        void = self.course.void_reason
        return [convert.match(Listed(r, void(r))) for r in self.course.results]

    def events(self, name: str) -> list[TournamentEvent]:
        """Gives the events."""
        return [convert.event(event) for event in self.course.events]

    def standings(
        self, name: str, *, position: int | None = None, event: int | None = None
    ) -> Standings:
        """Gives the table."""
        counted = self.course.counted()
        if position is not None:
            course = self.course
            counted = as_of(
                self.settings,
                self.owner,
                course.results,
                course.events,
                position=position,
                event=event,
            )
        made = table(self.settings, counted, self._progress(counted.position), str.title)
        return convert.table(made)

    def record(self, match_id: str, *, attempt: int = 0, for_all: bool = False) -> bytes:
        """Gives no record: there is none."""
        raise AssertionError

    def close(self) -> None:
        """Has nothing to close."""

    def __enter__(self) -> "Played":
        """Is its own client."""
        return self

    def __exit__(self, *_: object) -> None:
        """Has nothing to close."""

    def client(self) -> TournamentClient:
        """Stands for a client, and for a connection that gives one."""
        return self  # type: ignore[return-value]

    def _progress(self, position: int) -> Progress:
        record = records.Tournament(1, self.settings, TournamentState.RUNNING, 1, 0.0, "")
        return Progress(record, self.course.total, position, position=position)
