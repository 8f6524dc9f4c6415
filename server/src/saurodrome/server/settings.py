"""The settings of a tournament, with their defaults and bounds."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.port import FaultRule, TimeControl

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}\Z")
"""What a name may be: used in ids, labels, logs and URLs."""


class Seating(StrEnum):
    """From which seats a table is played."""

    BALANCED = "balanced"
    ROTATIONS = "rotations"


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What an organiser decides before the start; durations in seconds.

    `ruleset` and `ruleset_hash` are not chosen: they pin what the game was at the creation.
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
