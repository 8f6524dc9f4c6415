"""A tournament's state in words: the word, how far it is, how long it takes, what holds it."""

import time
from collections.abc import Callable
from datetime import datetime

from rich.cells import cell_len

from saurodrome.client.tournaments import Format, Tournament, TournamentState
from saurodrome.server.cli.text import (
    UNICODE,
    Symbols,
    bar,
    count,
    cut,
    percent,
    span,
    visible,
)

OVER = ("FINISHED", "CANCELLED")


def state(tournament: Tournament) -> str:
    """Gives the state as one word: PLANNED, RUNNING, PAUSED, FINISHED or CANCELLED."""
    return TournamentState.Name(tournament.state).removeprefix("TOURNAMENT_STATE_")


def is_over(tournament: Tournament) -> bool:
    """Tells whether nothing will change any more."""
    return state(tournament) in OVER


def is_endless(tournament: Tournament) -> bool:
    """Tells whether it goes on until somebody ends it: a ladder that no `matches` bound."""
    settings = tournament.settings
    return settings.format == Format.FORMAT_LADDER and not settings.matches


def played(tournament: Tournament) -> str:
    """Says how much of it is played."""
    if is_endless(tournament):
        return f"{count(tournament.matches_done)} played"
    return f"{count(tournament.matches_done)} of {count(tournament.matches_total)}"


def title(tournament: Tournament, symbols: Symbols = UNICODE, width: int = 38) -> str:
    """Gives what people call it."""
    return cut(tournament.settings.display_name or tournament.settings.name, width, symbols)


def since(tournament: Tournament) -> str:
    """Says since when the state holds, by the clock of this machine."""
    stamps = (tournament.ended, tournament.started, tournament.created)
    stamp = next((s for s in stamps if s.seconds), None)
    if stamp is None:
        return ""
    return datetime.fromtimestamp(stamp.seconds).strftime("%a %H:%M")


def share_done(tournament: Tournament) -> float:
    """Gives how much of it is done, 0 to 1."""
    if not tournament.matches_total:
        return 0.0
    return tournament.matches_done / tournament.matches_total


def elapsed(tournament: Tournament, now: Callable[[], float] = time.time) -> float:
    """Gives the seconds since its start, up to its end."""
    if not tournament.started.seconds:
        return 0.0
    end = tournament.ended.ToNanoseconds() / 1e9 if tournament.ended.seconds else now()
    return max(0.0, end - tournament.started.ToNanoseconds() / 1e9)


def left(tournament: Tournament) -> str:
    """Says how long it will take, or why that is not known."""
    if is_endless(tournament):
        return "without an end: until it is cancelled"
    rest = tournament.matches_total - tournament.matches_done
    if not rest:
        return "0 s"
    if tournament.matches_done == 0:
        return "unknown: no match finished yet"
    if tournament.rate <= 0:
        return "unknown: no match finished in the last minute"
    return span(rest / tournament.rate)


def void(tournament: Tournament) -> str:
    """Says how many attempts did not count, and what became of them; empty if none did."""
    number = tournament.attempts_void
    again = "" if state(tournament) == "CANCELLED" else " and played again"
    return f"void{again} {count(number)}" if number else ""


def progress_line(
    tournament: Tournament, now: Callable[[], float] = time.time, width: int = 79
) -> str:
    """Says on one line how far it is; the last word is its state unless it runs.

    Where the line is too wide its bar gives way, so that no figure is cut.
    """
    first = played(tournament)
    rest = _course(tournament, elapsed(tournament, now))
    if is_endless(tournament):
        return cut("   ".join([first, *rest]), width)
    rest = [percent(share_done(tournament)), *rest]
    taken = cell_len(visible("   ".join([first, *rest])))
    room = min(26, width - taken - 3)
    drawn = [bar(share_done(tournament), room)] if room >= 5 else []
    return cut("   ".join([first, *drawn, *rest]), width)


def _course(tournament: Tournament, spent: float) -> list[str]:
    """Gives its pace and what comes of it, as far as there is a pace."""
    word = state(tournament)
    if word == "FINISHED":
        pace = [f"{tournament.matches_done / spent:.1f}/s", span(spent)] if spent > 0 else []
        return [*pace, "finished"]
    if word == "CANCELLED":
        return [*([span(spent)] if spent > 0 else []), "cancelled"]
    if word != "RUNNING":
        return [word.lower()]
    if tournament.waiting_for:
        return [f"{tournament.rate:.1f}/s", f"waits: {tournament.waiting_for}"]
    short = left(tournament).partition(":")[0]
    return [f"{tournament.rate:.1f}/s", short if is_endless(tournament) else f"left {short}"]
