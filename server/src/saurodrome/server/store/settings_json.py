"""The settings of a tournament as JSON and back.

An object whose keys are the fields of `TournamentSettings`; `time`, `faults` and `sprt` are
objects of their own fields, choices such as `seating` are their text, lists of bots arrays. A key
that is missing takes its default, so fields may be added; a key that is unknown raises, so
none is lost.
"""

from dataclasses import fields
from typing import Any

from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.settings import (
    Deals,
    Entry,
    Format,
    Publish,
    PublishLive,
    PublishNotes,
    SameOwner,
    Seating,
    SprtRule,
    TournamentSettings,
)

_CHOICES = {
    "seating": Seating,
    "format": Format,
    "same_owner": SameOwner,
    "deals": Deals,
    "entry": Entry,
    "publish_table": Publish,
    "publish_live": PublishLive,
    "publish_notes": PublishNotes,
}
_LISTS = ("bots", "seeds", "candidates", "fillers")


def to_json(settings: TournamentSettings) -> dict[str, Any]:
    """Gives settings as values that `json.dumps` takes."""
    plain = {field.name: getattr(settings, field.name) for field in fields(settings)}
    plain |= {key: plain[key].value for key in _CHOICES}
    plain |= {key: list(plain[key]) for key in _LISTS}
    sprt = settings.sprt._asdict() | {"against": list(settings.sprt.against)}
    return plain | {
        "time": settings.time._asdict(),
        "faults": settings.faults._asdict(),
        "sprt": sprt,
    }


def from_json(plain: dict[str, Any]) -> TournamentSettings:
    """Gives settings back from what `to_json` made of them.

    Raises:
        TypeError: A key is unknown.
        ValueError: A seating, format or the like is unknown.
    """
    known = dict(plain)
    known |= {key: tuple(plain[key]) for key in _LISTS if key in plain}
    known |= {key: choice(plain[key]) for key, choice in _CHOICES.items() if key in plain}
    if "time" in plain:
        time = TimeControl(**plain["time"])
        known["time"] = time._replace(phases=tuple((str(p), s) for p, s in time.phases))
    if "faults" in plain:
        known["faults"] = FaultRule(**plain["faults"])
    if "sprt" in plain:
        sprt = SprtRule(**plain["sprt"])
        known["sprt"] = sprt._replace(against=tuple(sprt.against))
    return TournamentSettings(**known)
