"""What would be played: the schedule of a tournament before there is one."""

from collections import Counter
from math import log, sqrt
from typing import NamedTuple

from saurodrome.server.schedule import Enter, Match, Planner, Role, Start, planner_of
from saurodrome.server.settings import Format, TournamentSettings, form_of

LEAGUES = (Format.ROUND_ROBIN, Format.GAUNTLET)
"""Formats all of whose matches are known before the first one."""
ELO = 400 / log(10)
"""Points of Elo in one unit of strength."""


class Shape(NamedTuple):
    """How large a tournament is."""

    bots: int
    matches: int | None
    """In all, as far as can be said; None for a ladder without an end."""
    fewest: int | None
    """Matches of the bot that plays the fewest, as far as can be said."""
    most: int | None
    block: int
    """Matches of one table of bots."""
    tables: int
    """That can be played at once, each bot at one of them."""


def role_of(settings: TournamentSettings, bot: str) -> Role:
    """Say what an entrant is here for."""
    if bot in settings.candidates:
        return "candidate"
    if bot in settings.fillers:
        return "filler"
    return "anchor" if bot == settings.anchor else "entrant"


def with_entries(settings: TournamentSettings, entries: int | None) -> list[str]:
    """Name the entrants, and made-up ones until there are so many."""
    named = list(settings.bots)
    made_up = (f"entrant-{number}" for number in range(1, (entries or 0) + 1))
    for bot in made_up:
        if len(named) >= (entries or 0):
            break
        if bot not in named:
            named.append(bot)
    return named


def begun(
    settings: TournamentSettings, bots: list[str], seed: int
) -> tuple[Planner, tuple[Match, ...]]:
    """Start a format without a server; give what is due first.

    Raises:
        ScheduleError: it cannot be.
    """
    planner = planner_of(form_of(settings), seed)
    for bot in bots:
        entry = Enter(bot, role=role_of(settings, bot))
        if entry.role == "anchor":
            entry = entry._replace(rating=settings.anchor_rating)
        planner.add(entry)
    return planner, planner.add(Start()).due


def shape_of(settings: TournamentSettings, bots: list[str]) -> Shape:
    """Count what would be played.

    Raises:
        ScheduleError: it cannot be.
    """
    planner, due = begun(settings, bots, settings.seed)
    first = next(iter(due), None)
    block = sum(m[:2] == first[:2] for m in due) if first else 0
    fewest, most = _by_bot(settings, bots, planner, due)
    tables = min(settings.concurrency, max(1, len(bots) // settings.players))
    return Shape(len(bots), planner.total, fewest, most, block, tables)


def _by_bot(
    settings: TournamentSettings, bots: list[str], planner: Planner, due: tuple[Match, ...]
) -> tuple[int | None, int | None]:
    if settings.format in LEAGUES:
        counts = Counter(bot for match in due for bot in match.seats)
        return min(counts[bot] for bot in bots), max(counts.values())
    total = planner.total
    if total is None:
        return None, None
    each = total * settings.players / len(bots)
    if settings.format is Format.KNOCKOUT:
        games = settings.games or 3
        return games // 2 + 1, games * (len(bots) - 1).bit_length()
    return int(each), -(-total * settings.players // len(bots))


def tells_apart(matches: float, players: int) -> float:
    """Return by how many Elo two bots differ that are told apart at 95 %, at the least.

    For bots of about equal strength, each of which plays so many matches against many others:
    the share of opponents beaten at a table of n varies by (n + 1) / (12 (n - 1)) a match, that
    is a uniform place's, and moves by a quarter for a unit of strength.
    """
    varies = (players + 1) / (12 * (players - 1))
    return 1.96 * sqrt(2) * ELO * 4 * sqrt(varies / matches)
