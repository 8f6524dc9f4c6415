"""The published table: standings by the log, with live Elo and fitted ratings beside them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from saurodrome.server.contracts import (
    Entrant,
    EntrantStatus,
    Progress,
    Reliability,
    Table,
    TableRow,
)
from saurodrome.server.rating.fit import RatedBot
from saurodrome.server.recorder import START
from saurodrome.server.refit import Ratings, ratings
from saurodrome.server.schedule import KnockoutPlacing, Placing, SwissPlacing
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.standings import Row
from saurodrome.server.store.records import Event, Result
from saurodrome.server.tournament.course import Counted
from saurodrome.server.tournament.fold import fold
from saurodrome.server.tournament.ledger import Ledger

MEAN = START
"""The mean of a pool's fitted ratings where no anchor is named: where live Elo starts."""
DIGITS = 4
"""Decimals of published ratings. The fit is good for eight, so that each machine, and each
order of the same results, gives the same."""


def table(
    settings: TournamentSettings,
    counted: Counted,
    progress: Progress,
    display_name: Callable[[str], str],
    ledger: Ledger | None = None,
) -> Table:
    """Folds a log into its table; pure, and slow enough to belong off the event loop.

    Args:
        settings: The tournament's.
        counted: The log.
        progress: How far the tournament is.
        display_name: Gives what people read of a bot.
        ledger: What was summed up for an earlier table; takes what is new.
    """
    ledger = ledger or Ledger(settings)
    ledger.take(counted)
    fitted = ratings(ledger.pool, MEAN, anchor_of(settings, ledger))
    rated = {bot.name: bot for bot in fitted.bots}
    entrants = {entrant.bot: entrant for entrant in counted.entrants}
    rows = tuple(
        _marked(
            _row(row, display_name(row.name), ledger.live[row.name], rated.get(row.name)),
            entrants[row.name],
            counted.missed.get(row.name, 0),
            counted.placings.get(row.name),
        )
        for row in ledger.standings.rows()
    )
    seats = ledger.seats.shares()
    return Table(
        progress,
        ranked(rows, counted.ranking),
        tuple(seat.share for seat in seats),
        fitted.method,
        _reference(settings, fitted),
        tuple(seat.err95 for seat in seats),
        _reliability(fitted),
        counted.event,
    )


def as_of(
    settings: TournamentSettings,
    owner_of: Callable[[str], str],
    results: Sequence[Result],
    events: Iterable[Event],
    *,
    position: int,
    event: int | None = None,
) -> Counted:
    """What counted at a position of the log: what a table of that moment was made of.

    Args:
        settings: The tournament's.
        owner_of: Gives the owner of a bot.
        results: The log, up to the position at least.
        events: What was done, by number.
        position: Results in the log then.
        event: The number of the last event then; all up to the position, when left out.

    Raises:
        ScheduleError: The log cannot be followed: it is of another version of the format.
    """
    by_then = (
        one
        for one in events
        if (one.position <= position if event is None else one.number <= event)
    )
    course = fold(settings, owner_of, results[:position], by_then, started=position > 0)
    return course.counted()


def anchor_of(settings: TournamentSettings, ledger: Ledger) -> tuple[str, float] | None:
    """The bot whose rating is set, once it has a rated match."""
    anchored = settings.anchor in ledger.pool.names
    return (settings.anchor, settings.anchor_rating) if anchored else None


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
    return tuple(_placed(row, first[key(row)], alone=bool(ranking)) for row in in_order)


def _placed(row: TableRow, rank: int, *, alone: bool) -> TableRow:
    """A row at its rank; ratings make a range of it, unless the format alone decides."""
    if alone or row.rating is None:
        return row._replace(rank=rank, rank_low=rank, rank_high=rank)
    return row._replace(rank=rank)


def _marked(row: TableRow, entrant: Entrant, missed: int, placing: Placing | None) -> TableRow:
    """A row with what became of its bot; what it did not come to is told, though it is void."""
    return row._replace(
        status=entrant.status,
        status_reason=entrant.reason,
        forfeits=row.forfeits + missed,
        swiss=placing if isinstance(placing, SwissPlacing) else None,
        knockout=placing if isinstance(placing, KnockoutPlacing) else None,
    )


def _reference(settings: TournamentSettings, fitted: Ratings) -> str:
    if fitted.anchored:
        return f"{settings.anchor} is set to {settings.anchor_rating:.0f}"
    return f"the pool's mean is set to {MEAN:.0f}" if fitted.bots else ""


def _reliability(fitted: Ratings) -> Reliability:
    return Reliability(
        fitted.matches,
        fitted.blocks,
        round(fitted.correlation, DIGITS),
        round(fitted.effective_matches, DIGITS),
    )


def _row(row: Row, display_name: str, elo_live: float, rated: RatedBot | None) -> TableRow:
    return TableRow(
        row.rank,
        row.name,
        display_name,
        elo_live,
        round(rated.elo, DIGITS) if rated else None,
        round(rated.err95, DIGITS) if rated else None,
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
        unbounded=bool(rated and rated.unbounded),
    )
