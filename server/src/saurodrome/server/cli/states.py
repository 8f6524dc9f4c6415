"""A tournament's state in words: the word, how far it is, how long it takes, what holds it."""

import time
from collections.abc import Callable
from datetime import datetime

from saurodrome.client.tournaments import Tournament, TournamentState
from saurodrome.server.cli.text import UNICODE, Symbols, bar, count, cut, percent, span

OVER = ("FINISHED", "CANCELLED")


def state(tournament: Tournament) -> str:
    """Gives the state as one word: PLANNED, RUNNING, PAUSED, FINISHED or CANCELLED."""
    return TournamentState.Name(tournament.state).removeprefix("TOURNAMENT_STATE_")


def is_over(tournament: Tournament) -> bool:
    """Tells whether nothing will change any more."""
    return state(tournament) in OVER


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
    rest = tournament.matches_total - tournament.matches_done
    if not rest:
        return "0 s"
    if tournament.matches_done == 0:
        return "unknown: no match finished yet"
    if tournament.rate <= 0:
        return "unknown: no match finished in the last minute"
    return span(rest / tournament.rate)


def progress_line(tournament: Tournament, now: Callable[[], float] = time.time) -> str:
    """Says on one line how far it is; the last word is its state once it is over."""
    spent = elapsed(tournament, now)
    rate = tournament.rate
    if is_over(tournament) and spent > 0:
        rate = tournament.matches_done / spent
    parts = [
        f"{count(tournament.matches_done)} of {count(tournament.matches_total)}",
        bar(share_done(tournament), 26),
        percent(share_done(tournament)),
        f"{rate:.1f}/s",
    ]
    if is_over(tournament):
        parts += [span(spent), state(tournament).lower()]
    elif tournament.waiting_for:
        parts.append(f"waits: {tournament.waiting_for}")
    else:
        parts.append(f"left {left(tournament).partition(':')[0]}")
    return cut("   ".join(parts), 79)
