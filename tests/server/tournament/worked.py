"""A Swiss of five and a knockout of three, small enough for a pencil: a test says who wins."""

from collections.abc import Sequence

from saurodrome.client.tournaments import Standings
from saurodrome.server.contracts import Progress, Table
from saurodrome.server.recorder import START
from saurodrome.server.rpc import convert
from saurodrome.server.settings import Format, TournamentSettings
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
from saurodrome.server.tournament.table import table

Pairing = tuple[str, str]
ROUNDS: tuple[tuple[tuple[Pairing, ...], str, str], ...] = (
    ((("ann", "bob"), ("dan", "eve")), "cyd", "ann"),
    ((("ann", "cyd"), ("dan", "bob")), "eve", "cyd dan"),
    ((("cyd", "eve"), ("ann", "dan")), "bob", "ann"),
)
"""By round: pairings, who has the bye, and who wins both games of its pairing; others are level.

    points         1    2    3   sum   opponents                        Buchholz
    cyd           bye   1    ½   2.5   ann 2, eve 2                          4.0
    ann            1    0    1   2.0   bob 1, cyd 2.5, dan 1.5               5.0
    eve            ½   bye   ½   2.0   dan 1.5, cyd 2.5                      4.0
    dan            ½    1    0   1.5   eve 2, bob 1, ann 2                   5.0
    bob            0    0   bye  1.0   ann 2, dan 1.5                        3.5
"""


class Worked:
    """A tournament that is played as a test says."""

    def __init__(self, form: Format, bots: Sequence[str], games: int) -> None:
        """Begins; the first round of a Swiss is still to be drawn."""
        self.settings = TournamentSettings(
            "cup",
            "draftosaurus",
            "summer",
            2,
            tuple(bots),
            format=form,
            games=games,
            rounds=3 if form is Format.SWISS else 0,
            seeds=() if form is Format.ROUND_ROBIN else tuple(bots),
        )
        self.course = Course(self.settings, lambda bot: "")
        self.course.leave_draws()
        self.act(EventKind.STARTED)

    def act(self, kind: EventKind, bot: str = "") -> None:
        """Takes an event."""
        at, number = len(self.course.results), len(self.course.events) + 1
        event = Event(number, "cup", at, kind, bot, "", "", "why", "me", 0.0, f"r{number}")
        self.course.take(event)
        self.course.noted(event)

    def play(self, winners: Sequence[str]) -> None:
        """Plays what is due: a winner wins its games; without one each wins from the first seat."""
        while self.course.due:
            match = next(iter(self.course.due.values()))
            won = next((bot for bot in match.seats if bot in winners), match.seats[0])
            seats = tuple(
                RatedSeat(bot, 1 if bot == won else 2, 20, 0, 0, False, False, True, START, START)
                for bot in match.seats
            )
            number = len(self.course.results) + 1
            match_id = self.course.match_id(match)
            self.course.result(
                Result(number, "cup", match_id, 1, Termination.FINISHED, seats, 0.0, False)
            )

    def table(self) -> Table:
        """Makes its table."""
        record = records.Tournament(1, self.settings, TournamentState.FINISHED, 1, 0.0, "")
        done = len(self.course.results)
        progress = Progress(record, self.course.total, done, position=done)
        return table(self.settings, self.course.counted(), progress, str.title)

    def standings(self) -> Standings:
        """Makes its table as the wire has it."""
        return convert.table(self.table())


def swiss(rounds: int = 3) -> Worked:
    """Plays so many rounds of the Swiss."""
    worked = Worked(Format.SWISS, ("ann", "bob", "cyd", "dan", "eve"), games=2)
    for pairs, bye, winners in ROUNDS[:rounds]:
        worked.course.drawn((pairs, bye))
        worked.play(winners.split())
    return worked


def knockout() -> Worked:
    """Plays a knockout: ann passes round 1 without an opponent, and loses the final to bob."""
    worked = Worked(Format.KNOCKOUT, ("ann", "bob", "cyd"), games=1)
    worked.play(["bob"])
    return worked
