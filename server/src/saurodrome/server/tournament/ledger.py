"""What a tournament's results sum up to, kept from one table to the next.

A table is asked for again and again while a tournament runs, and its log may hold a million
results: each is read once. Where other results count no more than before, all are read anew.
"""

from collections import defaultdict

from saurodrome.server.rating.elo import elo
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.seats import SeatWins
from saurodrome.server.recorder import START, K
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.standings import MatchResult, Standings
from saurodrome.server.standings import Termination as TableTermination
from saurodrome.server.store.records import Result, Termination
from saurodrome.server.tournament.course import Counted

_PLAYED = {
    Termination.FINISHED: TableTermination.FINISHED,
    Termination.FORFEIT: TableTermination.FINISHED,
    Termination.ABSENT: TableTermination.ABSENT,
    Termination.NO_CONTEST: TableTermination.NO_CONTEST,
    Termination.ABANDONED: TableTermination.ABANDONED,
}


class Ledger:
    """Sums over the results that count. Not for two threads at once."""

    def __init__(self, settings: TournamentSettings) -> None:
        """Begins without results."""
        self._fillers = frozenset(settings.fillers)
        self._begin(frozenset())

    def take(self, counted: Counted) -> None:
        """Reads what is new in a log."""
        if counted.void.keys() != self._void:
            self._begin(frozenset(counted.void))
        for entrant in counted.entrants:
            self.standings.enter(entrant.bot)
        for result in counted.results[self._known :]:
            self._add(result)

    def _begin(self, void: frozenset[str]) -> None:
        self.standings = Standings(())
        self.pool = Pool()
        """The rated seats; fillers are left out."""
        self.seats = SeatWins()
        self.live: defaultdict[str, float] = defaultdict(lambda: START)
        """Live Elo after the last result of each bot. It stands in the log; but where results
        count no more, what they had moved is taken out by folding the others anew."""
        self._void = void
        self._known = 0

    def _add(self, result: Result) -> None:
        told = match_result(result)
        self.standings.add(told)
        if told.termination is TableTermination.FINISHED and len(told.seats) > 1:
            self.seats.add(told.block, told.placements)
        if (match := rated_match(result, self._fillers)) is not None:
            self.pool.add(match)
        self._move(result)
        self._known += 1

    def _move(self, result: Result) -> None:
        if self._void:
            before = [self.live[seat.bot] for seat in result.seats]
            placements = [seat.placement for seat in result.seats]
            after = elo(before, placements, k=K, rated=[seat.rated for seat in result.seats])
        else:
            after = tuple(seat.elo_after for seat in result.seats)
        self.live.update(zip((seat.bot for seat in result.seats), after, strict=True))


def match_result(result: Result) -> MatchResult:
    """A result as standings want it."""
    cut_short = result.termination is Termination.FORFEIT and len(result.seats) <= 2
    unplayed = result.termination in {Termination.NO_CONTEST, Termination.ABANDONED}
    pointless = cut_short or unplayed or result.termination is Termination.ABSENT
    seats = result.seats
    return MatchResult(
        result.match_id,
        result.attempt,
        block(result.match_id),
        tuple(s.bot for s in seats),
        () if unplayed else tuple(s.placement for s in seats),
        () if pointless else tuple(s.points for s in seats),
        _PLAYED[result.termination],
        tuple(s.rated for s in seats),
        tuple(s.timeouts for s in seats),
        tuple(s.illegal for s in seats),
        tuple(s.forfeited for s in seats),
        tuple(s.absent for s in seats),
    )


def rated_match(result: Result, fillers: frozenset[str] = frozenset()) -> RatedMatch | None:
    """A result as the fit wants it; None where it says nothing of two bots that are rated."""
    rated = (seat for seat in result.seats if seat.rated and seat.bot not in fillers)
    placements = tuple((seat.bot, seat.placement) for seat in rated)
    return RatedMatch(block(result.match_id), placements) if len(placements) > 1 else None


def block(match_id: str) -> str:
    """The block of a match: `tournament/round/pairing`."""
    return match_id.rsplit("/", 1)[0]
