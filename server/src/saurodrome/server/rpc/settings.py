"""The settings of a tournament as a message, both ways, every field checked."""

from collections.abc import Mapping, Sequence
from math import comb
from typing import TypeVar

from saurodrome.engine.game import Game
from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.rpc import checks, durations, formats, sequential
from saurodrome.server.rpc.checks import invalid
from saurodrome.server.settings import (
    Entry,
    Format,
    Seating,
    TournamentSettings,
    check_display_name,
    check_name,
)
from saurodrome.tournament.v1 import messages_pb2 as messages

T = TypeVar("T")
K = TypeVar("K")

MAX_BOTS = 1_000
"""Entrants of one tournament."""
MAX_MATCHES = 500_000
"""Matches of one tournament; a subset of a larger plan may be chosen."""
_MAX_ROUNDS = 10_000
_MAX_STRIKES = 1_000
_MAX_CONCURRENCY = 1_024
_HOUR = 3_600.0
_MILLISECOND = 0.001
_MAX_RATING = 10_000.0
_MAX_GAMES = 99
_MAX_MOMENT = 253_402_300_799.0  # the end of the year 9999, as far as a timestamp goes
_STEPS = 10
"""Decisions' time that all steps of a sealed phase have together, unless it is said."""

_SEATINGS = {
    messages.SEATING_UNSPECIFIED: Seating.BALANCED,
    messages.SEATING_BALANCED: Seating.BALANCED,
    messages.SEATING_ROTATIONS: Seating.ROTATIONS,
}


def from_message(message: messages.TournamentSettings, games: Sequence[Game]) -> TournamentSettings:
    """The settings with their defaults filled in.

    Raises:
        Refused: A field holds what it may not; `where` names it.
    """
    name = check_name(message.name, "settings.name")
    game = _game(message, games)
    form = checks.choice(
        message.format, formats.FORMATS, Format.ROUND_ROBIN, "UNKNOWN_FORMAT", "settings.format"
    )
    formats.check_used(message, form)
    swiss = form in {Format.SWISS, Format.KNOCKOUT, Format.LADDER}
    settings = TournamentSettings(
        name=name,
        display_name=check_display_name(message.display_name, "settings.display_name") or name,
        game=game.name,
        variant=_variant(message, game),
        players=_players(message, game),
        bots=_bots(message),
        seating=_seating(message),
        rounds=checks.whole(message.rounds, 0 if swiss else 1, _MAX_ROUNDS, "settings.rounds"),
        matches=checks.whole(message.matches, 0, MAX_MATCHES, "settings.matches"),
        time=_time(message, game),
        faults=_faults(message),
        join_timeout=_span(message, "join_timeout", 30.0, _MILLISECOND, 24 * _HOUR),
        concurrency=checks.whole(message.concurrency, 16, _MAX_CONCURRENCY, "settings.concurrency"),
        seed=message.seed,
        anchor=message.anchor,
        anchor_rating=checks.finite(
            message.anchor_rating, 1000.0, _MAX_RATING, "settings.anchor_rating"
        ),
        format=form,
        games=checks.whole(message.games, 0, _MAX_GAMES, "settings.games"),
        seeds=tuple(message.seeds),
        candidates=tuple(message.candidates),
        fillers=tuple(message.fillers),
        window=checks.finite(message.window, 0.0, _MAX_RATING, "settings.window"),
        same_owner=_chosen(message, "same_owner", formats.SAME_OWNERS),
        deals=_chosen(message, "deals", formats.DEALS),
        trusted=message.trusted,
        blind=message.blind,
        start_at=_moment(message, "start_at"),
        entry=_chosen(message, "entry", formats.ENTRIES),
        entry_until=_moment(message, "entry_until"),
        publish_table=_chosen(message, "publish_table", formats.PUBLISHED),
        quarantine_after=checks.whole(
            message.quarantine_after, 0, _MAX_STRIKES, "settings.quarantine_after"
        ),
        sprt=sequential.from_message(message.sprt),
        publish_live=_chosen(message, "publish_live", formats.PUBLISHED_LIVE),
        publish_notes=_chosen(message, "publish_notes", formats.PUBLISHED_NOTES),
    )
    formats.check_format(settings)
    _check_together(settings)
    sequential.check(settings)
    return settings


def to_message(settings: TournamentSettings) -> messages.TournamentSettings:
    """The settings as a message."""
    rotations = settings.seating is Seating.ROTATIONS
    return messages.TournamentSettings(
        name=settings.name,
        display_name=settings.display_name,
        game=settings.game,
        variant=settings.variant,
        players=settings.players,
        format=_named(settings.format, formats.FORMATS),
        seating=messages.SEATING_ROTATIONS if rotations else messages.SEATING_BALANCED,
        rounds=settings.rounds,
        matches=settings.matches,
        bots=settings.bots,
        ready_time=durations.duration(settings.time.ready),
        decision_time=durations.duration(settings.time.decision),
        margin=durations.duration(settings.time.margin),
        sealed_time=durations.duration(settings.time.sealed),
        phase_times=[
            messages.PhaseTime(phase=phase, time=durations.duration(seconds))
            for phase, seconds in settings.time.phases
        ],
        bank=durations.duration(settings.time.bank) if settings.time.bank else None,
        increment=durations.duration(settings.time.increment) if settings.time.bank else None,
        join_timeout=durations.duration(settings.join_timeout),
        strikes_in_a_row=settings.faults.strikes_in_a_row,
        strikes_in_match=settings.faults.strikes_in_match,
        concurrency=settings.concurrency,
        seed=settings.seed,
        anchor=settings.anchor,
        anchor_rating=settings.anchor_rating,
        games=settings.games,
        seeds=settings.seeds,
        candidates=settings.candidates,
        fillers=settings.fillers,
        window=settings.window,
        same_owner=_named(settings.same_owner, formats.SAME_OWNERS),
        deals=_named(settings.deals, formats.DEALS),
        trusted=settings.trusted,
        blind=settings.blind,
        start_at=durations.timestamp(settings.start_at) if settings.start_at else None,
        entry=_named(settings.entry, formats.ENTRIES),
        entry_until=durations.timestamp(settings.entry_until) if settings.entry_until else None,
        publish_table=_named(settings.publish_table, formats.PUBLISHED),
        quarantine_after=settings.quarantine_after,
        sprt=sequential.to_message(settings.sprt),
        publish_live=_named(settings.publish_live, formats.PUBLISHED_LIVE),
        publish_notes=_named(settings.publish_notes, formats.PUBLISHED_NOTES),
    )


def _chosen(message: messages.TournamentSettings, field: str, choices: Mapping[K, T]) -> T:
    """One of several choices, the first of which is the default."""
    usual = next(iter(choices.values()))
    code = f"UNKNOWN_{field.upper()}"
    return checks.choice(getattr(message, field), choices, usual, code, f"settings.{field}")


def _named(value: T, choices: Mapping[K, T]) -> K:
    """The number of a choice."""
    return next(number for number, choice in choices.items() if choice == value)


def _moment(message: messages.TournamentSettings, field: str) -> float:
    return checks.moment(message, field, _MAX_MOMENT, "settings")


def _game(message: messages.TournamentSettings, games: Sequence[Game]) -> Game:
    by_name = {game.name: game for game in games}
    name = checks.known(
        message.game, sorted(by_name), "UNKNOWN_GAME", "No game is called", "settings.game"
    )
    return by_name[name]


def _variant(message: messages.TournamentSettings, game: Game) -> str:
    what = f"{game.name} has no variant"
    where = "settings.variant"
    return checks.known(message.variant, game.variants, "UNKNOWN_VARIANT", what, where)


def _players(message: messages.TournamentSettings, game: Game) -> int:
    counts = game.player_counts(_variant(message, game))
    if message.players in counts:
        return message.players
    raise invalid(
        "BAD_PLAYER_COUNT",
        f"{game.name} {message.variant} is not played by {message.players}.",
        "settings.players",
        f"use {' or '.join(map(str, counts))}",
    )


def _bots(message: messages.TournamentSettings) -> tuple[str, ...]:
    if len(message.bots) > MAX_BOTS:
        what = f"{len(message.bots)} bots are too many."
        raise invalid("TOO_MANY_BOTS", what, "settings.bots", f"enter at most {MAX_BOTS}")
    seen: set[str] = set()
    for number, name in enumerate(message.bots):
        where = f"settings.bots[{number}]"
        if check_name(name, where) in seen:
            raise invalid("BOT_TWICE", f"{name} is entered twice.", where, "enter each bot once")
        seen.add(name)
    return tuple(message.bots)


def _seating(message: messages.TournamentSettings) -> Seating:
    seating = _SEATINGS.get(message.seating)
    if seating is None:
        what = f"{message.seating} is no seating."
        do = "use SEATING_BALANCED or SEATING_ROTATIONS"
        raise invalid("UNKNOWN_SEATING", what, "settings.seating", do)
    return seating


def _time(message: messages.TournamentSettings, game: Game) -> TimeControl:
    usual = TimeControl()
    decision = _span(message, "decision_time", usual.decision, _MILLISECOND, _HOUR)
    return TimeControl(
        ready=_span(message, "ready_time", usual.ready, _MILLISECOND, _HOUR),
        decision=decision,
        margin=_span(message, "margin", usual.margin, 0.0, 60.0),
        sealed=_span(message, "sealed_time", _STEPS * decision, _MILLISECOND, _STEPS * _HOUR),
        phases=_phases(message, game),
        bank=_span(message, "bank", 0.0, _MILLISECOND, 24 * _HOUR),
        increment=_increment(message),
    )


def _phases(message: messages.TournamentSettings, game: Game) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for number, entry in enumerate(message.phase_times):
        where = f"settings.phase_times[{number}]"
        what = f"{game.name} has no phase"
        phase = checks.known(entry.phase, game.phases, "UNKNOWN_PHASE", what, f"{where}.phase")
        if phase in found or not entry.HasField("time"):
            what = f"{phase} has {'two times' if phase in found else 'no time'}."
            raise invalid("BAD_PHASE_TIME", what, where, "give each phase one time")
        found[phase] = checks.span(entry, "time", 0.0, _MILLISECOND, _STEPS * _HOUR, where)
    return tuple(found.items())


def _increment(message: messages.TournamentSettings) -> float:
    """A bank that is never filled up would leave nothing to think with in the end."""
    if message.HasField("bank") != message.HasField("increment"):
        what = "A bank and its increment go together."
        raise invalid("BANK_AND_INCREMENT", what, "settings.increment", "set both, or none")
    return _span(message, "increment", 0.0, _MILLISECOND, _HOUR)


def _span(
    message: messages.TournamentSettings, field: str, default: float, low: float, high: float
) -> float:
    return checks.span(message, field, default, low, high, "settings")


def _faults(message: messages.TournamentSettings) -> FaultRule:
    usual = FaultRule()
    return usual._replace(
        strikes_in_a_row=checks.whole(
            message.strikes_in_a_row,
            usual.strikes_in_a_row,
            _MAX_STRIKES,
            "settings.strikes_in_a_row",
        ),
        strikes_in_match=checks.whole(
            message.strikes_in_match,
            usual.strikes_in_match,
            _MAX_STRIKES,
            "settings.strikes_in_match",
        ),
    )


def _check_together(settings: TournamentSettings) -> None:
    """Checks what no field shows alone.

    Raises:
        Refused: TOO_FEW_BOTS, UNKNOWN_ANCHOR or PLAN_TOO_LONG.
    """
    bots, players = len(settings.bots), settings.players
    if bots < players and settings.entry is not Entry.OPEN:
        entered = f"{bots} is" if bots == 1 else f"{bots or 'none'} are"
        what = f"Tables of {players} need {players} bots, {entered} entered."
        do = f"enter {players - bots} more, a house bot will do"
        smaller = f", or set settings.players to {bots}" if bots > 1 else ""
        raise invalid("TOO_FEW_BOTS", what, "settings.bots", do + smaller)
    if settings.anchor and settings.anchor not in settings.bots:
        what = f"The anchor {settings.anchor[:40]!a} is not entered."
        raise invalid("UNKNOWN_ANCHOR", what, "settings.anchor", "name an entrant, or nobody")
    if settings.format is not Format.ROUND_ROBIN:
        return
    balanced = settings.seating is Seating.BALANCED
    seatings = players * max(1, players - 1) if balanced else players
    planned = comb(bots, players) * seatings * settings.rounds
    if min(planned, settings.matches or planned) > MAX_MATCHES:
        raise invalid(
            "PLAN_TOO_LONG",
            f"That makes {planned} matches.",
            "settings",
            f"choose a balanced subset with `matches`, at most {MAX_MATCHES}, or smaller tables",
        )
