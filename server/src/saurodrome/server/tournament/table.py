"""The published table: standings by the log, with live Elo and fitted ratings beside them."""

from collections.abc import Callable, Sequence

from saurodrome.server.contracts import Progress, Table, TableRow
from saurodrome.server.rating import Fit, RatedBot, RatedMatch, fit
from saurodrome.server.recorder import START
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.standings import MatchResult, Row, Standings
from saurodrome.server.standings import Termination as TableTermination
from saurodrome.server.store.records import Result, Termination

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
    results: Sequence[Result],
    progress: Progress,
    display_name: Callable[[str], str],
) -> Table:
    """Folds a log into its table; pure, and slow enough to belong off the event loop."""
    folded = Standings(settings.bots)
    for result in results:
        folded.add(match_result(result))
    fitted = fitted_ratings(settings, results)
    rated = {bot.name: bot for component in fitted.components for bot in component.bots}
    live = live_elo(results)
    rows = tuple(
        _row(row, display_name(row.name), live.get(row.name, START), rated.get(row.name))
        for row in folded.rows()
    )
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
    """The published ratings of all rated results."""
    matches = [
        RatedMatch(block(r.match_id), tuple((s.bot, s.placement) for s in r.seats if s.rated))
        for r in results
        if any(s.rated for s in r.seats)
    ]
    anchored = any(settings.anchor == bot for m in matches for bot, _ in m.placements)
    anchor = (settings.anchor, settings.anchor_rating) if anchored else None
    return fit(matches, mean=MEAN, anchor=anchor)


def live_elo(results: Sequence[Result]) -> dict[str, float]:
    """The live Elo after the last result of each bot."""
    return {seat.bot: seat.elo_after for result in results for seat in result.seats}


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
