"""The published table: standings by the log, with live Elo and fitted ratings beside them."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from saurodrome.server.contracts import Entrant, EntrantStatus, Progress, Table, TableRow
from saurodrome.server.rating import Fit, RatedBot, RatedMatch, fit
from saurodrome.server.rating.elo import elo
from saurodrome.server.recorder import START, K
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.standings import MatchResult, Row, Standings
from saurodrome.server.standings import Termination as TableTermination
from saurodrome.server.store.records import RatedSeat, Result, Termination
from saurodrome.server.tournament.course import Counted

MEAN = START
"""The mean of a pool's fitted ratings where no anchor is named: where live Elo starts."""
_PLAYED = {
    Termination.FINISHED: TableTermination.FINISHED,
    Termination.FORFEIT: TableTermination.FINISHED,
    Termination.ABSENT: TableTermination.ABSENT,
    Termination.NO_CONTEST: TableTermination.NO_CONTEST,
    Termination.ABANDONED: TableTermination.ABANDONED,
}


def table(
    settings: TournamentSettings,
    counted: Counted,
    progress: Progress,
    display_name: Callable[[str], str],
) -> Table:
    """Folds a log into its table; pure, and slow enough to belong off the event loop."""
    results = counted.results
    folded = Standings([entrant.bot for entrant in counted.entrants])
    for result in results:
        folded.add(match_result(result))
    fitted = fitted_ratings(settings, results)
    rated = {bot.name: bot for component in fitted.components for bot in component.bots}
    live = live_elo(results, some_are_void=bool(counted.void))
    entrants = {entrant.bot: entrant for entrant in counted.entrants}
    rows = tuple(
        _marked(
            _row(row, display_name(row.name), live.get(row.name, START), rated.get(row.name)),
            entrants[row.name],
            counted.missed.get(row.name, 0),
        )
        for row in folded.rows()
    )
    rows = ranked(rows, counted.ranking)
    method = fitted.components[0].method if fitted.components else ""
    return Table(progress, rows, folded.seat_wins(), method, _reference(settings, fitted))


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


def block(match_id: str) -> str:
    """The block of a match: `tournament/round/pairing`."""
    return match_id.rsplit("/", 1)[0]


def fitted_ratings(settings: TournamentSettings, results: Sequence[Result]) -> Fit:
    """The published ratings of all rated results; fillers are left out of them."""
    fillers = frozenset(settings.fillers)
    placements = (
        (block(r.match_id), tuple((s.bot, s.placement) for s in _fitted(r, fillers)))
        for r in results
    )
    matches = [RatedMatch(of, places) for of, places in placements if len(places) > 1]
    anchored = any(settings.anchor == bot for m in matches for bot, _ in m.placements)
    anchor = (settings.anchor, settings.anchor_rating) if anchored else None
    return fit(matches, mean=MEAN, anchor=anchor)


def _fitted(result: Result, fillers: frozenset[str]) -> list[RatedSeat]:
    return [seat for seat in result.seats if seat.rated and seat.bot not in fillers]


def live_elo(results: Sequence[Result], *, some_are_void: bool = False) -> dict[str, float]:
    """The live Elo after the last result of each bot.

    It stands in the log, but where results between these count no more: what they had moved is
    taken out by folding the others anew.
    """
    if not some_are_void:
        return {seat.bot: seat.elo_after for result in results for seat in result.seats}
    live: defaultdict[str, float] = defaultdict(lambda: START)
    for result in results:
        before = [live[seat.bot] for seat in result.seats]
        placements = [seat.placement for seat in result.seats]
        after = elo(before, placements, k=K, rated=[seat.rated for seat in result.seats])
        live.update(zip((seat.bot for seat in result.seats), after, strict=True))
    return dict(live)


def ranked(rows: tuple[TableRow, ...], ranking: Sequence[Sequence[str]]) -> tuple[TableRow, ...]:
    """Rows in the order of a format that ranks by itself; the disqualified come last anyway."""
    places: Mapping[str, int] = {bot: at for at, bots in enumerate(ranking) for bot in bots}

    def key(row: TableRow) -> tuple[bool, int]:
        place = places.get(row.bot, len(ranking)) if ranking else row.rank
        return row.status is EntrantStatus.DISQUALIFIED, place

    in_order = sorted(rows, key=key)
    first: dict[tuple[bool, int], int] = {}
    for number, row in enumerate(in_order, 1):
        first.setdefault(key(row), number)
    return tuple(row._replace(rank=first[key(row)]) for row in in_order)


def _marked(row: TableRow, entrant: Entrant, missed: int) -> TableRow:
    """A row with what became of its bot; what it did not come to is told, though it is void."""
    return row._replace(
        status=entrant.status, status_reason=entrant.reason, forfeits=row.forfeits + missed
    )


def _reference(settings: TournamentSettings, fitted: Fit) -> str:
    if any(component.reference == settings.anchor for component in fitted.components):
        return f"{settings.anchor} is set to {settings.anchor_rating:.0f}"
    return f"the pool's mean is set to {MEAN:.0f}" if fitted.components else ""


def _row(row: Row, display_name: str, elo_live: float, rated: RatedBot | None) -> TableRow:
    return TableRow(
        row.rank,
        row.name,
        display_name,
        elo_live,
        rated.elo if rated else None,
        rated.err95 if rated else None,
        row.matches,
        row.won,
        row.shared,
        row.lost,
        row.share or 0.0,
        row.mean_points or 0.0,
        row.late,
        row.illegal,
        row.forfeits,
        rated.best_rank if rated else row.rank,
        rated.worst_rank if rated else row.rank,
    )
