"""The screen of `tournament plan`: what would be played, how much of it, how long."""

from math import comb
from typing import Any

from rich.cells import cell_len

from saurodrome.server.cli.planning.experience import NOTHING, Experience
from saurodrome.server.cli.planning.file import TournamentFile
from saurodrome.server.cli.planning.keys import KEYS
from saurodrome.server.cli.planning.limits import LONG
from saurodrome.server.cli.planning.rate import Rate
from saurodrome.server.cli.planning.shape import LEAGUES, Shape, tells_apart
from saurodrome.server.cli.text import Symbols, count, cut, moment, plural, span, times, wrapped
from saurodrome.server.schedule.swiss import usual_rounds
from saurodrome.server.settings import (
    Deals,
    Entry,
    Format,
    SameOwner,
    Seating,
    TournamentSettings,
)

_LABEL = 13


def plan_lines(
    file: TournamentFile,
    shape: Shape,
    rate: Rate,
    symbols: Symbols,
    seen: Experience = NOTHING,
) -> list[str]:
    """Give the screen, with what was seen before."""
    s = file.settings
    title = cut(s.display_name or s.name, 40, symbols)
    about = f"{s.game} {s.variant}, tables of {s.players}, {s.format}"
    head = f"{title}   {about}"
    lines = [head] if cell_len(head) <= 80 else [title, f" {about}"]
    facts = _facts(file, shape, rate)
    facts += [("disk", seen.disk)] if seen.disk else []
    for label, text in facts:
        lines += wrapped(f" {label:<{_LABEL - 1}}{text}", " " * _LABEL)
    return lines + _warnings(file, shape, rate, seen)


def plan_json(file: TournamentFile, shape: Shape, rate: Rate) -> dict[str, Any]:
    """Give the same figures for scripts."""
    s = file.settings
    return {
        "name": s.name,
        "display_name": s.display_name or s.name,
        "game": s.game,
        "variant": s.variant,
        "players": s.players,
        "format": s.format.value,
        "entries": shape.bots,
        "house": list(file.house),
        "matches": shape.matches,
        "fewest_matches_of_a_bot": shape.fewest,
        "most_matches_of_a_bot": shape.most,
        "matches_of_a_block": shape.block,
        "tables_at_once": shape.tables,
        "rate": rate.value,
        "rate_is": rate.source,
        "rate_is_slowest": rate.slowest,
        "seconds": seconds_of(shape, rate),
        "tells_apart_elo": _apart(s, shape),
    }


def key_lines() -> list[str]:
    """List all keys with their defaults and meanings."""
    lines = []
    for key in KEYS:
        head = f" {key.path:<25}{key.kind.name}"
        usual = f"  [default: {key.usual}]" if key.usual else ""
        lines += wrapped(head + usual, " " * 27)
        lines += wrapped(" " * 27 + key.about, " " * 27)
    return lines


def keys_json() -> list[dict[str, str]]:
    """List all keys for scripts."""
    return [
        {"key": key.path, "is": key.kind.name, "default": key.usual, "about": key.about}
        for key in KEYS
    ]


def seconds_of(shape: Shape, rate: Rate) -> float | None:
    """Return how long it takes: matches by rate."""
    return None if shape.matches is None else shape.matches / rate.value


def _facts(file: TournamentFile, shape: Shape, rate: Rate) -> list[tuple[str, str]]:
    s = file.settings
    facts = [
        ("entries", _entries(file, shape)),
        ("schedule", _schedule(s, shape) + _apart_note(s)),
        ("matches", _matches(s, shape)),
        ("deals", _deals(s)),
        ("time", _time(s)),
        ("starts", moment(s.start_at) if s.start_at else "by hand"),
        ("expected", _expected(s, shape, rate)),
    ]
    apart = _apart(s, shape)
    if apart is not None:
        facts.append(("tells apart", f"bots {apart:.0f} Elo or more from each other (95 %)"))
    return facts


def _entries(file: TournamentFile, shape: Shape) -> str:
    s = file.settings
    text = plural(shape.bots, "bot")
    if file.house:
        text += f", of the house: {', '.join(file.house)}"
    if s.entry is Entry.OPEN:
        until = f" until {moment(s.entry_until)}" if s.entry_until else ""
        text += f"; open{until}"
    return text


def _schedule(s: TournamentSettings, shape: Shape) -> str:
    block = f"in blocks of {plural(shape.block, 'match')}"
    often = times(s.rounds)
    match s.format:
        case Format.ROUND_ROBIN:
            groups = comb(shape.bots, s.players)
            if s.matches:
                part = -(-s.matches // max(1, shape.block))
                return (
                    f"{count(part)} of {plural(groups, 'group')} of {s.players}, balanced, {block}"
                )
            return f"{plural(groups, 'group')} of {s.players}, each {often}, {block}"
        case Format.GAUNTLET:
            field = shape.bots - len(s.candidates)
            groups = comb(field, s.players - 1)
            share = "a balanced part of them" if s.matches else f"each {often}"
            return (
                f"{plural(len(s.candidates), 'candidate')} against {plural(groups, 'group')} of"
                f" {s.players - 1} of the field, {share}, {block}"
            )
        case Format.SWISS:
            few = "" if s.rounds else " (to tell a winner, and one more)"
            games = plural(shape.block, "game")
            return (
                f"{plural(s.rounds or usual_rounds(shape.bots), 'round')}{few}, {games} a pairing"
            )
        case Format.KNOCKOUT:
            return f"{plural((shape.bots - 1).bit_length(), 'round')}, best of {s.games or 3}"
        case Format.LADDER:
            return f"bots within {s.window or 200:.0f} Elo meet without waiting, {block}"


def _apart_note(s: TournamentSettings) -> str:
    """Say what nobody knows without a server: who the owners are."""
    left_out = s.same_owner is SameOwner.APART and s.format in LEAGUES
    return "; tables with two bots of one owner go, which the server knows" if left_out else ""


def _matches(s: TournamentSettings, shape: Shape) -> str:
    if shape.matches is None:
        return "without an end: until it is cancelled, or set matches"
    text = count(shape.matches)
    if s.format is Format.KNOCKOUT:
        text += f" at the least; a bot plays {shape.fewest} or more"
    elif shape.fewest == shape.most:
        text += f"; a bot plays {count(shape.fewest or 0)}"
    else:
        text += f"; a bot plays {count(shape.fewest or 0)} to {count(shape.most or 0)}"
    even = s.format is Format.ROUND_ROBIN and not s.matches and shape.fewest == shape.most
    if even and s.players > 1 and shape.fewest:
        text += f", in every seat {times(shape.fewest // s.players)}"
    return text


def _deals(s: TournamentSettings) -> str:
    if s.deals is Deals.DUPLICATE:
        return "one for all seatings of a table; you vouch that bots remember nothing"
    seats = "and neighbours " if s.seating is Seating.BALANCED and s.players > 2 else ""
    return f"fresh for every match; seats {seats}are even over a block"


def _time(s: TournamentSettings) -> str:
    bank = ""
    if s.time.bank:
        bank = f", a bank of {span(s.time.bank)} + {span(s.time.increment)} each"
    phases = "".join(f", {span(seconds)} for {phase}" for phase, seconds in s.time.phases)
    return (
        f"{span(s.time.decision)} a decision{phases}{bank}, {span(s.time.margin)} margin,"
        f" {span(s.time.ready)} to get ready, {s.faults.strikes_in_match} strikes a match"
    )


def _expected(s: TournamentSettings, shape: Shape, rate: Rate) -> str:
    seconds = seconds_of(shape, rate)
    pace = f"{rate.value:.3g} matches/s"
    at_once = f"{plural(shape.tables, 'table')} at once"
    if seconds is None:
        return f"{pace}, {rate.source}; {at_once}"
    # A cup plays more where series go on, and fewer at once from round to round.
    bound = "at least " if s.format is Format.KNOCKOUT else "at most "
    word = bound if rate.slowest else ""
    return f"{word}{span(seconds)} at {pace}, {rate.source}; {at_once}"


def _apart(s: TournamentSettings, shape: Shape) -> float | None:
    """Return what differences show; None where strengths are mixed on purpose, or nobody knows."""
    mixed = s.format in (Format.KNOCKOUT, Format.GAUNTLET)
    if mixed or s.players < 2 or not shape.fewest:
        return None
    return tells_apart(shape.fewest, s.players)


def _warnings(file: TournamentFile, shape: Shape, rate: Rate, seen: Experience) -> list[str]:
    found = [*seen.warnings]
    seconds = seconds_of(shape, rate)
    if seconds is not None and seconds > LONG:
        about = "up to" if rate.slowest else "about"
        found.append(
            f"warning[PLAN_LONG] {about} {span(seconds)}: set `matches` for a balanced part,"
            " smaller tables, or a Swiss"
        )
    if file.settings.deals is Deals.DUPLICATE:
        found.append(
            "warning[DUPLICATE_DEALS] a bot that remembers the first match of a block plays the"
            " others with open cards"
        )
    return [line for text in found for line in wrapped(text, "  ")]
