"""What `tournament watch` shows: how far it is, the table, the trouble; pure functions."""

from collections.abc import Collection, Sequence

from saurodrome.client.tournaments import Fault, Live, LiveMatch, Match, Standings, Tournament
from saurodrome.server.cli import placing
from saurodrome.server.cli.faults import summary
from saurodrome.server.cli.standings import NAMED, gone
from saurodrome.server.cli.standings import rows as standing_rows
from saurodrome.server.cli.states import (
    is_endless,
    is_over,
    left,
    played,
    share_done,
    since,
    state,
    title,
    void,
)
from saurodrome.server.cli.text import (
    UNICODE,
    Column,
    Symbols,
    bar,
    count,
    cut,
    percent,
    plural,
    table,
)

LIVE_COLUMNS = (
    Column("rank", right=False),
    Column("bot", right=False),
    Column("Elo"),
    Column("95 %"),
    Column("matches", drop=3),
    Column("won", drop=2),
    Column("late"),
    Column("ill"),
    Column("forf"),
)
PICKED = (0, 1, 2, 3, 4, 5, 9, 10, 11)
MOST_ROWS = 10
MOST_TROUBLE = 4
MOST_LIVE = 3


def head(tournament: Tournament, symbols: Symbols = UNICODE, live: Live | None = None) -> list[str]:
    """Says how far the tournament is and what it does now.

    Matches that are listed below it are counted, so that both are of one moment.
    """
    name = title(tournament, symbols)
    matches = f" matches  {played(tournament)}"
    if not is_endless(tournament):
        matches += f"  {bar(share_done(tournament))}  {percent(share_done(tournament))}"
    rest = left(tournament) if is_endless(tournament) else f"left {left(tournament)}"
    rate = f" rate     {tournament.rate:.2f}/s over the last minute     {rest}"
    pace = [rate] if state(tournament) == "RUNNING" else []
    playing = tournament.matches_running if live is None else len(live.matches) + live.more
    now = f" now      {count(playing)} playing"
    if tournament.waiting_for:
        now += f"     waits: {tournament.waiting_for}"
    if tournament.attempts_void:
        now += f"     {void(tournament)}"
    if tournament.matches_void:
        now += f"     results that count no more {count(tournament.matches_void)}"
    return [
        cut(f"{name}   {state(tournament)} {since(tournament)}", 79),
        matches,
        *pace,
        cut(now, 79),
    ]


def live_lines(live: Live | None) -> list[str]:
    """Says what is played, as far as every seat knows it; nothing where that is not shown."""
    if live is None or not live.matches:
        return []
    lines = [f"          {live_line(match)}" for match in live.matches[:MOST_LIVE]]
    if (more := len(live.matches) - MOST_LIVE + live.more) > 0:
        lines.append(f"          ... {count(more)} more")
    return lines


def live_line(match: LiveMatch) -> str:
    """Says of a match which turn it is and who plays."""
    at = f"turn {match.turn:>2}" if match.turn else match.phase or "getting ready"
    who = f": {' '.join(match.getting_ready)}" if match.getting_ready else ""
    return f"{match.match_id.partition('/')[2]}  {at}{who or '  ' + ' '.join(match.bots)}"


def over_lines(match_id: str, result: Match | None) -> list[str]:
    """Says how a match ended; None if its result is not there or may not be seen."""
    if result is None:
        return [f"{match_id} is not played any more; no result of it is shown"]
    void = f", and counts no more: {result.void_reason}" if result.void_reason else ""
    lines = [f"{match_id} is over: {result.termination}{void}"]
    for seat in sorted(result.seats, key=lambda seat: seat.placement):
        unplayed = seat.placement == 0
        lines.append(
            f"{'-' if unplayed else seat.placement:>3}  {seat.bot}"
            + ("" if unplayed else f"  {plural(seat.points, 'point')}")
        )
    return [cut(line, 79) for line in lines]


def board_lines(tournament: Tournament, live: Live) -> list[str]:
    """Gives one match with its board."""
    (match,) = live.matches
    sealed = "the board is shown when its block is over: other matches have the same deal"
    board = list(match.board) or [f" {sealed}"] * bool(match.phase)
    return [cut(line, 79) for line in [f"{tournament.settings.name}/{live_line(match)}", *board]]


def live_table(
    standings: Standings, house: Collection[str], symbols: Symbols = UNICODE
) -> list[str]:
    """Gives the best rows, with what their ranks follow from."""
    best = standings.standings[:MOST_ROWS]
    ranked = placing.columns(standings.standings)
    cells = []
    for row, of_all in zip(best, standing_rows(best, house, symbols), strict=True):
        rank, bot, *others = [of_all[i] for i in PICKED]
        cells.append([rank, bot, *placing.cells(row, ranked), *others])
    lines = table((*LIVE_COLUMNS[:NAMED], *ranked, *LIVE_COLUMNS[NAMED:]), cells)
    rest = len(standings.standings) - len(best)
    return [*lines, f" ...   {rest} more"] if rest > 0 else lines


def screen(
    tournament: Tournament,
    standings: Standings | None,
    faults: Sequence[Fault],
    house: Collection[str] = (),
    symbols: Symbols = UNICODE,
    live: Live | None = None,
) -> list[str]:
    """Gives the whole screen."""
    live = None if is_over(tournament) else live
    shown = head(tournament, symbols, live) + live_lines(live)
    if standings is not None:
        shown += live_table(standings, house, symbols)
        if standings.rating_reference:
            shown.append(f" {standings.rating_reference}".replace("±", symbols.plus_minus))
        shown += [f" {line}" for line in gone(standings)]
    if faults:
        name = tournament.settings.name
        shown.append(f" trouble  the whole story: saurodrome tournament faults {name}")
        shown += summary(faults)[:MOST_TROUBLE]
    return [cut(line, 79, symbols) for line in shown]
