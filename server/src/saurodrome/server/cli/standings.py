"""The table of a tournament as a screen, as JSON and as CSV; pure functions."""

from collections.abc import Collection, Iterable, Sequence
from math import inf, isfinite
from typing import Any

from rich.cells import cell_len

from saurodrome.client.tournaments import EntrantStatus, Standing, Standings, Tournament
from saurodrome.server.cli import placing
from saurodrome.server.cli.states import is_endless, played, since, state, title, void
from saurodrome.server.cli.text import (
    UNICODE,
    WIDTH,
    Column,
    Symbols,
    count,
    cut,
    table,
    wrapped,
)

NONE = "-"
MARKS = {
    EntrantStatus.ENTRANT_STATUS_WITHDRAWN: (" w", "w withdrawn"),
    EntrantStatus.ENTRANT_STATUS_DISQUALIFIED: (" d", "d disqualified: nothing of it counts"),
}
"""What a rank carries of a bot that plays no more, and what that means."""
MOST_GONE = 8
"""Bots that play no more of which a table says why."""
COLUMNS = (
    Column("rank", right=False),
    Column("bot", right=False),
    Column("Elo"),
    Column("95 %"),
    Column("matches", drop=4),
    Column("won", drop=5),
    Column("shared", drop=2),
    Column("lost", drop=1),
    Column("points", drop=3),
    Column("late"),
    Column("ill"),
    Column("forf"),
)

NAMED = 2
"""Columns that say which bot; what its rank follows from comes behind them."""


def ranks(row: Standing) -> str:
    """Gives the rank, or the range of ranks that the rating does not tell apart."""
    mark = MARKS.get(row.status, ("", ""))[0]
    if row.rank_low and row.rank_low != row.rank_high:
        return f"{row.rank_low}-{row.rank_high}{mark}"
    return f"{row.rank_low or row.rank}{mark}"


def rating(row: Standing) -> str:
    """Gives the rating without its bar."""
    return f"{row.rating:.0f}{'!' * row.unbounded}" if row.HasField("rating") else NONE


def bar_of(row: Standing, symbols: Symbols = UNICODE) -> str:
    """Gives the half width of the rating's 95 % interval."""
    return f"{symbols.plus_minus}{row.rating_error:.0f}" if row.HasField("rating_error") else NONE


def rows(
    standings: Iterable[Standing], house: Collection[str], symbols: Symbols = UNICODE
) -> list[list[str]]:
    """Gives the cells of the table; bots of the house carry a star."""
    return [
        [
            ranks(row),
            cut(row.bot) + (" *" if row.bot in house else ""),
            rating(row),
            bar_of(row, symbols),
            count(row.matches),
            count(row.won),
            count(row.shared),
            count(row.lost),
            f"{row.mean_points:.1f}",
            count(row.timeouts),
            count(row.illegal),
            count(row.forfeits),
        ]
        for row in standings
    ]


def table_lines(
    standings: Standings, house: Collection[str] = (), symbols: Symbols = UNICODE, top: int = 0
) -> list[str]:
    """Gives the table and what has to be said below it.

    Args:
        standings: What the server says.
        house: Names of bots of the house.
        symbols: What may be used beyond ASCII.
        top: Only so many rows; 0 means all.
    """
    shown = standings.standings[: top or None]
    ranked = placing.columns(standings.standings)
    cells = [
        [*of_all[:NAMED], *placing.cells(row, ranked), *of_all[NAMED:]]
        for row, of_all in zip(shown, rows(shown, house, symbols), strict=True)
    ]
    lines = table((*COLUMNS[:NAMED], *ranked, *COLUMNS[NAMED:]), cells)
    rest = len(standings.standings) - len(shown)
    if rest:
        lines.append(f" ...   {rest} more        --all")
    return [*lines, *below(standings, house, symbols)]


def below(
    standings: Standings, house: Collection[str] = (), symbols: Symbols = UNICODE
) -> list[str]:
    """Says what ranks, ratings and bars refer to, what marks mean and how the seats fared."""
    dot = f" {symbols.dot} "
    named = [part for part in (standings.rating_method, standings.rating_reference) if part]
    # The server's words hold no other letter beyond ASCII.
    words = "; ".join(named).replace("±", symbols.plus_minus)
    lines = wrapped(words) if named else []
    lines[:0] = wrapped(by) if (by := placing.words(standings.standings)) else []
    marks = []
    if any(row.bot in house for row in standings.standings):
        marks.append("* house bot")
    if fillers := standings.tournament.settings.fillers:
        marks.append(f"not rated, they fill seats: {', '.join(map(cut, fillers))}")
    left = {row.status for row in standings.standings}
    marks += [meaning for status, (_, meaning) in MARKS.items() if status in left]
    unsure = [ranks(row) for row in standings.standings if "-" in ranks(row)]
    if unsure:
        marks.append(f"rank {unsure[0]}: not told apart by the interval of their difference")
    if any(row.unbounded for row in standings.standings):
        marks.append("! results set no bound to it, the prior does")
    if marks:
        lines += wrapped(dot.join(marks))
    lines += gone(standings)
    facts = [f"log position {count(standings.tournament.log_position)}"]
    if is_partial(standings.tournament):
        facts.append(f"partial: {played(standings.tournament)}")
    facts.append("fixed sample")
    if standings.seat_wins:
        facts.append(by_seat(standings, symbols))
    if standings.effective_matches:
        facts.append(tells(standings))
    if standings.tournament.matches_abandoned:
        facts.append(f"abandoned {count(standings.tournament.matches_abandoned)}")
    facts += filter(None, [void(standings.tournament)])
    if standings.tournament.matches_void:
        facts.append(f"results that count no more {count(standings.tournament.matches_void)}")
    if standings.tournament.waiting_for:
        facts.append(f"waits: {standings.tournament.waiting_for}")
    return [*lines, *wrapped(dot.join(facts), hard=True)]


def is_partial(tournament: Tournament) -> bool:
    """Says whether matches are to come yet; of a log that is all there is, that is not known."""
    if state(tournament) == "FINISHED":
        return False
    return is_endless(tournament) or tournament.matches_done < tournament.matches_total


def gone(standings: Standings) -> list[str]:
    """Says of each bot that plays no more why, as far as that is known."""
    rows = [row for row in standings.standings if row.status in MARKS and row.status_reason]
    told = [f"{MARKS[row.status][0].strip()} {cut(row.bot)}: {row.status_reason}" for row in rows]
    shown = [line for text in told[:MOST_GONE] for line in wrapped(text, "  ", hard=True)]
    more = len(told) - MOST_GONE
    return [*shown, f"  and {more} more: tournament events"] if more > 0 else shown


def by_seat(standings: Standings, symbols: Symbols = UNICODE) -> str:
    """Gives the shares of wins by seat, with the widest half width of their 95 % intervals."""
    shares = " ".join(f"{share * 100:.0f}" for share in standings.seat_wins)
    widest = max(standings.seat_errors, default=inf)
    error = f" {symbols.plus_minus}{widest * 100:.0f}" if isfinite(widest) else ""
    return f"won by seat {shares}{error} %"


def tells(standings: Standings) -> str:
    """Says how many independent matches would tell as much, by the blocks."""
    rated = count(standings.rated_matches)
    return f"{rated} rated matches tell as much as {standings.effective_matches:,.0f}"


def heading(tournament: Tournament, symbols: Symbols = UNICODE) -> str:
    """Gives name, state and position on one line of full width."""
    left = title(tournament, symbols)
    middle = f"{state(tournament)} {since(tournament)}".rstrip()
    right = f"position {count(tournament.log_position)}"
    return spread(left, middle, right)


def spread(left: str, middle: str, right: str, width: int = WIDTH) -> str:
    """Sets three texts to the left, in the middle and to the right of a line."""
    room = max(2, width - cell_len(left) - cell_len(middle) - cell_len(right))
    return f"{left}{' ' * (room // 2)}{middle}{' ' * (room - room // 2)}{right}"


def as_json(standings: Standings) -> dict[str, Any]:
    """Gives the table as JSON, with the same figures and the log position."""
    return {
        "tournament": standings.tournament.settings.name,
        "state": state(standings.tournament).lower(),
        "log_position": standings.tournament.log_position,
        "matches_total": standings.tournament.matches_total,
        "matches_done": standings.tournament.matches_done,
        "waiting_for": standings.tournament.waiting_for,
        "rating_method": standings.rating_method,
        "rating_reference": standings.rating_reference,
        "seat_wins": list(standings.seat_wins),
        "seat_errors": [error if isfinite(error) else None for error in standings.seat_errors],
        "rated_matches": standings.rated_matches,
        "rated_blocks": standings.rated_blocks,
        "block_correlation": standings.block_correlation,
        "effective_matches": standings.effective_matches,
        "event": standings.event,
        "standings": [row_json(row) for row in standings.standings],
    }


def row_json(row: Standing) -> dict[str, Any]:
    """Gives one row as JSON: its figures by the names of the wire."""
    return {
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "bot": row.bot,
        "display_name": row.display_name,
        "rating": row.rating if row.HasField("rating") else None,
        "rating_error": row.rating_error if row.HasField("rating_error") else None,
        "elo_live": row.elo_live,
        "matches": row.matches,
        "won": row.won,
        "shared": row.shared,
        "lost": row.lost,
        "score": row.score,
        "mean_points": row.mean_points,
        "timeouts": row.timeouts,
        "illegal": row.illegal,
        "forfeits": row.forfeits,
        "status": _status(row),
        "status_reason": row.status_reason,
        "unbounded": row.unbounded,
        **placing.as_json(row),
    }


def _status(row: Standing) -> str:
    """Gives playing, withdrawn or disqualified."""
    word = EntrantStatus.Name(row.status).removeprefix("ENTRANT_STATUS_").lower()
    return "playing" if word == "unspecified" else word


def csv_rows(standings: Sequence[Standing]) -> list[list[Any]]:
    """Gives the table as rows of a CSV file, its heading first."""
    cells = [row_json(row) for row in standings]
    heads = list(row_json(Standing()))
    return [heads, *[["" if row[h] is None else row[h] for h in heads] for row in cells]]
