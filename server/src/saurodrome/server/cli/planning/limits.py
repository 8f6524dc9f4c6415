"""What to think over before a start: a plan that takes days, a limit that is too short."""

import math
import time
from collections.abc import Iterator
from math import comb

from saurodrome.client import InputError
from saurodrome.engine import registry
from saurodrome.server.cli import vitals
from saurodrome.server.cli.home import running_server
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning.rate import Rate, measured
from saurodrome.server.cli.text import count, moment, span
from saurodrome.server.settings import Format, Seating, TournamentSettings

TOO_LONG = 3 * 24 * 3600.0
"""Seconds from which on a plan asks for `--accept`."""
LONG = 24 * 3600.0
"""Seconds from which on a plan is warned of, and that a smaller one is proposed for."""
_FEW = 1_000
"""Matches that never take that long."""
_OFTEN = 0.99
_ROOM = 3


def matches_of(settings: TournamentSettings, bots: int) -> int:
    """Count the matches of a plan without making it; 0 where others than the settings decide."""
    if settings.matches:
        return settings.matches
    rounds = max(1, settings.rounds)
    if settings.format is Format.ROUND_ROBIN:
        return rounds * _round(settings, bots, settings.players)
    if settings.format is Format.GAUNTLET:
        tried = len(settings.candidates)
        groups = comb(bots - tried, settings.players - 1)
        return rounds * tried * groups * _seatings(settings, settings.players)
    return 0


def longest(settings: TournamentSettings) -> str:
    """Name the key that makes a plan long: its rounds, or that it plays all matches of one."""
    return "rounds" if settings.rounds > 1 and not settings.matches else "matches"


def check_length(
    settings: TournamentSettings, bots: int, matches: int, rate: Rate, where: str
) -> None:
    """Refuse what takes days at a rate that was measured or told.

    Raises:
        InputError: PLAN_TOO_LONG.
    """
    seconds = matches / rate.value
    if rate.slowest or seconds <= TOO_LONG:
        return
    ways = [*_smaller(settings, bots, matches, rate), "say --accept"]
    raise InputError(
        "PLAN_TOO_LONG",
        f"{count(matches)} matches take about {span(seconds)} at {rate.value:.3g}/s,"
        f" {rate.source}.",
        where=where,
        do=", or ".join(ways),
    )


def check_created(settings: TournamentSettings, connection: Connection, where: str) -> None:
    """Refuse to create what would take days; a plan that is short asks no server.

    Raises:
        InputError: PLAN_TOO_LONG.
    """
    bots = len(settings.bots)
    matches = matches_of(settings, bots)
    if matches > _FEW and (rate := measured(settings, connection)):
        check_length(settings, bots, matches, rate, where)


def short_limit(settings: TournamentSettings, connection: Connection) -> str:
    """Warn of a limit that the way to the bots nearly uses up, as measured here; empty if not."""
    lost = _lost() if connection.server is None else None
    decision = settings.time.decision
    if lost is None or decision >= 2 * lost:
        return ""
    enough = math.ceil(200 * _ROOM * lost) / 200
    return (
        f"warning[LIMIT_TOO_SHORT] {span(decision)} a decision, but the way and the arbiter alone"
        f" took {span(lost)} (99 % stayed below that, on the server that runs): take"
        f" {span(enough)} or more, or bots will be late through no fault of theirs"
    )


def begins_at_once(settings: TournamentSettings, now: float | None = None) -> str:
    """Warn of a start in the past, which a server makes up for at once; empty if it is not."""
    at = settings.start_at
    if not 0 < at <= (time.time() if now is None else now):
        return ""
    return (
        f"warning[START_IN_PAST] start_at is {moment(at)}, which is over: it starts by itself as"
        " soon as it is created"
    )


def cautions(settings: TournamentSettings, connection: Connection) -> list[str]:
    """Warn of what a plan and a creation are both warned of."""
    found = (short_limit(settings, connection), begins_at_once(settings))
    return [warning for warning in found if warning]


def _smaller(settings: TournamentSettings, bots: int, matches: int, rate: Rate) -> Iterator[str]:
    """Name plans that are done in a day: a part of this one, or smaller tables."""
    if longest(settings) == "rounds":
        if rounds := int(LONG * rate.value * settings.rounds / matches):
            yield f"set rounds = {rounds}"
    elif settings.format in (Format.ROUND_ROBIN, Format.GAUNTLET):
        part = max(1, int(LONG * rate.value) // 1000) * 1000
        yield f"set matches = {part} (a balanced part)"
    if settings.format is Format.ROUND_ROBIN:
        counts = registry.get(settings.game).player_counts(settings.variant)
        rounds = max(1, settings.rounds)
        sizes = [(p, rounds * _round(settings, bots, p)) for p in counts if p < settings.players]
        fitting = [(p, n) for p, n in sizes if n <= LONG * rate.value]
        if fitting:
            players, fewer = max(fitting)
            yield f"players = {players} ({count(fewer)} matches)"


def _round(settings: TournamentSettings, bots: int, players: int) -> int:
    return comb(bots, players) * _seatings(settings, players)


def _seatings(settings: TournamentSettings, players: int) -> int:
    balanced = settings.seating is Seating.BALANCED
    return players * max(1, players - 1) if balanced else players


def _lost() -> float | None:
    """Return what the way and the arbiter took of 99 in 100 decisions, if a server here knows."""
    running = running_server()
    if running is None:
        return None
    try:
        page = vitals.page(f"{running.web}/metrics")
    except OSError:  # a plan needs no server
        return None
    wire = "\n".join(line for line in page.splitlines() if 'part="wire"' in line)
    parts = [
        vitals.quantile(wire, "saurodrome_decision_part_seconds", _OFTEN),
        vitals.quantile(page, "saurodrome_arbiter_overhead_seconds", _OFTEN),
    ]
    return None if None in parts else sum(part for part in parts if part is not None)
