"""The settings of a tournament, with their defaults and bounds."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.rating.sprt import Model
from saurodrome.server.schedule import Form

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}\Z")
"""What a name may be: used in ids, labels, logs and URLs."""


class Format(StrEnum):
    """How tables are put together."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class SameOwner(StrEnum):
    """Whether bots of one owner sit at one table."""

    MEET = "meet"
    APART = "apart"


class Deals(StrEnum):
    """Where the hidden chance of a match comes from."""

    FRESH = "fresh"
    """Every match has a deal of its own."""
    DUPLICATE = "duplicate"
    """The matches of a block share one; only where bots are trusted to remember nothing."""


class Entry(StrEnum):
    """How bots come in after the creation."""

    ORGANISER = "organiser"
    OPEN = "open"
    """A registered bot that connects for the game and variant enters by itself, too."""


class Publish(StrEnum):
    """When people other than the organisers may see the table."""

    NOW = "now"
    END = "end"


class PublishLive(StrEnum):
    """What people other than the organisers see of matches while they are played."""

    OPEN = "open"
    """Who plays, which turn, and the board as far as every seat knows it."""
    CLOSED = "closed"
    """How many are played."""


class PublishNotes(StrEnum):
    """Who reads what bots noted with their replies, once a match is over."""

    AUTHOR = "author"
    """Who answers for the bot, and organisers."""
    PUBLIC = "public"
    """Whoever reads match records; exports have them, too."""


class Seating(StrEnum):
    """From which seats a table is played."""

    BALANCED = "balanced"
    ROTATIONS = "rotations"


class SprtRule(NamedTuple):
    """A sequential test of a bot against others; there is none while `bot` is empty.

    Who loses the test is withdrawn: the bot if it is rejected, the others if it is accepted.
    That ends a tournament between the two, and lets a ladder take a new version for an old one.
    Leads are in Elo, see `rating.sprt.Hypotheses`.
    """

    bot: str = ""
    against: tuple[str, ...] = ()
    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = Model.NORMALISED.value


NO_TEST = SprtRule()
"""No test."""


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What an organiser decides before the start; durations in seconds, moments in Unix seconds.

    `ruleset` and `ruleset_hash` are not chosen: they pin what the game was at the creation. What
    0 and nothing mean for a format is said by `schedule.Form`; a moment of 0 is none.
    """

    name: str
    game: str
    variant: str
    players: int
    bots: tuple[str, ...]
    display_name: str = ""
    seating: Seating = Seating.BALANCED
    rounds: int = 1
    matches: int = 0
    time: TimeControl = TimeControl()
    faults: FaultRule = FaultRule()
    join_timeout: float = 30.0
    concurrency: int = 16
    seed: int = 0
    anchor: str = ""
    anchor_rating: float = 1000.0
    ruleset: str = ""
    ruleset_hash: str = ""
    format: Format = Format.ROUND_ROBIN
    games: int = 0
    seeds: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    fillers: tuple[str, ...] = ()
    window: float = 0.0
    same_owner: SameOwner = SameOwner.MEET
    deals: Deals = Deals.FRESH
    trusted: bool = False
    blind: bool = False
    start_at: float = 0.0
    entry: Entry = Entry.ORGANISER
    entry_until: float = 0.0
    publish_table: Publish = Publish.NOW
    quarantine_after: int = 0
    sprt: SprtRule = NO_TEST
    publish_live: PublishLive = PublishLive.OPEN
    publish_notes: PublishNotes = PublishNotes.AUTHOR


def form_of(settings: TournamentSettings) -> Form:
    """The format of a tournament, as schedules are made from it."""
    form = Form(
        settings.format.value,
        settings.players,
        settings.seating.value,
        settings.rounds,
        settings.matches,
        settings.games,
        settings.same_owner.value,
        settings.seeds,
    )
    return form._replace(window=settings.window) if settings.window else form


def check_name(value: str, where: str) -> str:
    """Gives a name back if it is one.

    Raises:
        Refused: BAD_NAME.
    """
    if NAME.match(value):
        return value
    raise Refused(
        Kind.INVALID,
        "BAD_NAME",
        f"{value[:40]!a} is not a name.",
        where,
        "use 1 to 32 of a-z 0-9 . _ - and begin with a letter or digit;"
        " any script is welcome in the display name",
    )


def check_display_name(value: str, where: str) -> str:
    """Gives a display name back in NFC if people can read it safely.

    Raises:
        Refused: BAD_DISPLAY_NAME.
    """
    text = unicodedata.normalize("NFC", value)
    wrong = _unreadable(text)
    if not wrong:
        return text
    raise Refused(
        Kind.INVALID,
        "BAD_DISPLAY_NAME",
        f"The display name is {wrong}.",
        where,
        "use 1 to 64 characters of any script, no control or direction marks",
    )


def _unreadable(text: str) -> str:
    """What is wrong with a display name, in words; empty if nothing."""
    kinds = [unicodedata.category(c) for c in text]
    bad = [c for c, kind in zip(text, kinds, strict=True) if kind in _BAD or c in _BIDI]
    if len(text) > 64:
        return "longer than 64 characters"
    if bad:
        return f"not readable: it has {bad[0]!a}"
    return "blank" if text and all(kind[0] in "ZC" for kind in kinds) else ""


_BAD = frozenset({"Cc", "Cs", "Cn", "Zl", "Zp"})
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
