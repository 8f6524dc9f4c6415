"""What `tournament watch` shows: how far it is, the table, the trouble; pure functions."""

from collections.abc import Collection, Sequence

from saurodrome.client.tournaments import Fault, Standings, Tournament
from saurodrome.server.cli.faults import summary
from saurodrome.server.cli.standings import gone
from saurodrome.server.cli.standings import rows as standing_rows
from saurodrome.server.cli.states import (
    is_endless,
    left,
    played,
    share_done,
    since,
    state,
    title,
    void,
)
from saurodrome.server.cli.text import UNICODE, Column, Symbols, bar, count, cut, percent, table

LIVE_COLUMNS = (
    Column("rank", right=False),
    Column("bot", right=False),
    Column("Elo"),
    Column("95 %"),
    Column("matches"),
    Column("won", drop=2),
    Column("late"),
    Column("ill"),
    Column("forf"),
)
PICKED = (0, 1, 2, 3, 4, 5, 9, 10, 11)
MOST_ROWS = 10
MOST_TROUBLE = 4


def head(tournament: Tournament, symbols: Symbols = UNICODE) -> list[str]:
    """Says how far the tournament is and what it does now."""
    name = title(tournament, symbols)
    matches = f" matches  {played(tournament)}"
    if not is_endless(tournament):
        matches += f"  {bar(share_done(tournament))}  {percent(share_done(tournament))}"
    rest = left(tournament) if is_endless(tournament) else f"left {left(tournament)}"
    rate = f" rate     {tournament.rate:.2f}/s over the last minute     {rest}"
    pace = [rate] if state(tournament) == "RUNNING" else []
    now = f" now      {count(tournament.matches_running)} playing"
    if tournament.waiting_for:
        now += f"     waits: {tournament.waiting_for}"
    if tournament.attempts_void:
        now += f"     {void(tournament)}"
    return [
        cut(f"{name}   {state(tournament)} {since(tournament)}", 79),
        matches,
        *pace,
        cut(now, 79),
    ]


def screen(
    tournament: Tournament,
    standings: Standings | None,
    faults: Sequence[Fault],
    house: Collection[str] = (),
    symbols: Symbols = UNICODE,
) -> list[str]:
    """Gives the whole screen."""
    shown = head(tournament, symbols)
    if standings is not None:
        cells = standing_rows(standings.standings[:MOST_ROWS], house, symbols)
        shown += table(LIVE_COLUMNS, [[row[i] for i in PICKED] for row in cells])
        rest = len(standings.standings) - MOST_ROWS
        if rest > 0:
            shown.append(f" ...   {rest} more")
        if standings.rating_reference:
            shown.append(f" {standings.rating_reference}".replace("±", symbols.plus_minus))
        shown += [f" {line}" for line in gone(standings)]
    if faults:
        name = tournament.settings.name
        shown.append(f" trouble  the whole story: saurodrome tournament faults {name}")
        shown += summary(faults)[:MOST_TROUBLE]
    return [cut(line, 79, symbols) for line in shown]
