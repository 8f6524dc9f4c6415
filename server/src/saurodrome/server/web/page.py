"""The pages: what is played now, as finished HTML without a script."""

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from saurodrome.server.contracts import (
    EntrantStatus,
    Progress,
    Spectacle,
    Spectacles,
    Table,
    TableRow,
)
from saurodrome.server.settings import Format
from saurodrome.server.store.records import TournamentState

STYLE = """\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
caption { text-align: start; font-weight: bold; padding: .5rem 0; }
th, td { border-bottom: 1px solid; padding: .25rem .75rem; text-align: start; }
pre { overflow-x: auto; }
.n { text-align: end; font-variant-numeric: tabular-nums; }
"""
"""The style sheet."""
MAX_ROWS = 50
"""Rows of a table."""

_TOURNAMENTS = ("Tournament", "Game", "State", "#Matches", "#In flight", "#A second", "Waits for")
_ALL = '<p><a href="/">All tournaments</a></p>'
_STANDINGS = ("#Rank", "Bot", "#Score", "#Rating", "#Live Elo", "#Matches", "#Won", "#Forfeits")
_SWISS = ("#Swiss points", "#Buchholz", "#Byes")
_KNOCKOUT = ("#Rounds passed", "#Left in round")
_STANDS = "<p>A disqualified bot is last, and what others have from pairings with it stays.</p>\n"


def status_page(
    version: str,
    progresses: Sequence[Progress],
    table: Table | None,
    live: Spectacles | None = None,
    one: Progress | None = None,
) -> str:
    """The page.

    Args:
        version: The server's version.
        progresses: Tournaments, those that run first.
        table: The table to show, if any.
        live: Matches that are being played, if they are shown.
        one: The tournament whose table and matches these are.
    """
    body = [_progress_table(progresses)] if progresses else ["<p>There is no tournament yet.</p>"]
    if live and live.matches:
        body.append(_live_table(live))
    if table and table.rows:
        body.append(_standings_table(table))
    elif one:
        called = _name(one.tournament.settings.display_name or one.tournament.settings.name)
        body.append(f"<p>There is no table of {called} to be shown yet.</p>")
    about = f"<p>Version {escape(version)}. Reload for the present state.</p>"
    return _page("Saurodrome", about, *body)


def live_page(match: Spectacle) -> str:
    """The page of a match that is being played."""
    about = "<p>As far as every seat knows it. Looks again every five seconds.</p>"
    who = f"<p>{_turn(match)}: {_bots(match)}</p>"
    sealed = "<p>The board is shown when its block is over: other matches have the same deal.</p>"
    board = f"<pre>{escape(chr(10).join(match.board))}</pre>" if match.board else sealed
    shown = board if match.phase else ""
    return _page(match.match_id, about, who, shown, _ALL, refresh=5)


def gone_page(match_id: str) -> str:
    """The page of a match that is not being played."""
    text = "It is not being played. A match that is over has a record: saurodrome replay show"
    return _page(match_id, f"<p>{text}</p>", _ALL)


def unknown_page(name: str) -> str:
    """The page of a tournament that there is not."""
    return _page(name, "<p>There is no such tournament.</p>", _ALL)


def unread_page(name: str, code: str) -> str:
    """The page of a tournament that is over and cannot be read from the store now."""
    text = f"It cannot be read now ({escape(code)}). Reload when the server's store is well."
    return _page(name, f"<p>{text}</p>", _ALL)


def _page(title: str, *body: str, refresh: int = 0) -> str:
    again = f'<meta http-equiv="refresh" content="{refresh}">' if refresh else ""
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta name="viewport" content="width=device-width">{again}',
            f'<title>{escape(title)}</title><link rel="stylesheet" href="/style.css"></head><body>',
            f"<h1>{_name(title)}</h1>",
            *body,
            "</body></html>\n",
        )
    )


def _live_table(live: Spectacles) -> str:
    rows = [
        (
            f'<a href="/live/{quote(match.match_id)}">{escape(match.match_id)}</a>',
            _turn(match),
            _bots(match),
        )
        for match in live.matches
    ]
    table = _table("Played now", ("Match", "Turn", "Bots by seat"), rows)
    return f"{table}\n<p>{live.more} more.</p>" if live.more else table


def _turn(match: Spectacle) -> str:
    if not match.phase:
        waits = ", ".join(map(_name, match.getting_ready))
        return f"getting ready: {waits}" if waits else "getting ready"
    return f"turn {match.turn}" if match.turn else escape(match.phase)


def _bots(match: Spectacle) -> str:
    return ", ".join(map(_name, match.bots))


def _progress_table(progresses: Sequence[Progress]) -> str:
    rows = [
        (
            _linked(p),
            escape(f"{p.tournament.settings.game} {p.tournament.settings.variant}"),
            escape(p.tournament.state.value),
            _played(p),
            str(p.running),
            f"{p.rate:.2f}" if p.tournament.state is TournamentState.RUNNING else "",
            _name(p.waiting_for),
        )
        for p in progresses[:MAX_ROWS]
    ]
    return _table("Tournaments: those that run, then the newest", _TOURNAMENTS, rows)


def _linked(progress: Progress) -> str:
    """A tournament's name, which leads to its table and its matches."""
    settings = progress.tournament.settings
    name = _name(settings.display_name or settings.name)
    return f'<a href="/?tournament={quote(settings.name, safe="")}">{name}</a>'


def _played(progress: Progress) -> str:
    settings = progress.tournament.settings
    endless = settings.format is Format.LADDER and not settings.matches
    return f"{progress.done}" if endless else f"{progress.done} of {progress.total}"


def _standings_table(table: Table) -> str:
    settings = table.progress.tournament.settings
    caption = f"Standings of {_name(settings.display_name or settings.name)}"
    about = "; ".join(filter(None, (table.method, table.reference)))
    over = table.progress.tournament.state is TournamentState.FINISHED
    part = "" if over else f" Partial: {_played(table.progress)} matches."
    position = f"Log position {table.progress.position}.{part} {escape(about)}"
    heads, follows = _ranked(table.rows)
    rows = []
    for row in table.rows[:MAX_ROWS]:
        rank, name, *others = _standing(row)
        rows.append((rank, name, *(_placing(row) or [""] * len(heads)), *others))
    shown = _table(caption, (*_STANDINGS[:2], *heads, *_STANDINGS[2:]), rows)
    if follows and any(row.status is EntrantStatus.DISQUALIFIED for row in table.rows):
        follows += _STANDS
    return f"{shown}\n{follows}<p>{position}</p>"


def _ranked(rows: Sequence[TableRow]) -> tuple[tuple[str, ...], str]:
    """What heads stand for the ranks' reasons, and a paragraph; nothing if the table ranks."""
    if any(row.swiss for row in rows):
        return _SWISS, (
            "<p>Ranks go by Swiss points (1 for a pairing won or a bye, 0.5 for a level one), then"
            " by Buchholz (the sum of the opponents' points); bots equal in both share a"
            " rank.</p>\n"
        )
    if any(row.knockout for row in rows):
        return _KNOCKOUT, (
            "<p>Ranks go by rounds passed, won or without an opponent; bots equal in that share a"
            " rank.</p>\n"
        )
    return (), ""


def _placing(row: TableRow) -> tuple[str, ...]:
    if row.swiss:
        return f"{row.swiss.points:.1f}", f"{row.swiss.buchholz:.1f}", str(row.swiss.byes)
    if row.knockout:
        return str(row.knockout.passed), str(row.knockout.left_in or "")
    return ()


def _standing(row: TableRow) -> tuple[str, ...]:
    rank = str(row.rank)
    if row.rank_low and row.rank_high > row.rank_low:
        rank = f"{row.rank_low}-{row.rank_high}"
    rating = "" if row.rating is None else f"{row.rating:.0f}"
    if rating and row.rating_error is not None:
        rating += f" ± {row.rating_error:.0f}"
    name = _name(row.display_name or row.bot)
    if row.status is not EntrantStatus.PLAYING:
        why = f": {_name(row.status_reason)}" if row.status_reason else ""
        name += f" ({row.status}{why})"
    return (
        rank,
        name,
        f"{row.score:.3f}",
        rating,
        f"{row.elo_live:.0f}",
        str(row.matches),
        str(row.won),
        str(row.forfeits),
    )


def _name(text: str) -> str:
    """A text from outside: escaped, and unable to turn the direction of what follows."""
    return f"<bdi>{escape(text)}</bdi>"


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already; a head that begins with # is of numbers."""
    classes = [' class="n"' if head.startswith("#") else "" for head in heads]
    head = "".join(
        f'<th scope="col"{kind}>{escape(text.removeprefix("#"))}</th>'
        for kind, text in zip(classes, heads, strict=True)
    )
    body = "\n".join(
        "<tr>"
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(classes, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>\n{body}</table>"
