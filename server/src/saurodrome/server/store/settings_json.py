"""The settings of a tournament as JSON and back.

An object whose keys are the fields of `TournamentSettings`; `time` and `faults` are objects
of their own fields, `seating` is its text, `bots` an array. A key that is missing takes its
default, so fields may be added; a key that is unknown raises, so none is lost.
"""

from dataclasses import fields
from typing import Any

from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.settings import Seating, TournamentSettings


def to_json(settings: TournamentSettings) -> dict[str, Any]:
    """Gives settings as values that `json.dumps` takes."""
    plain = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return plain | {
        "seating": settings.seating.value,
        "bots": list(settings.bots),
        "time": settings.time._asdict(),
        "faults": settings.faults._asdict(),
    }


def from_json(plain: dict[str, Any]) -> TournamentSettings:
    """Gives settings back from what `to_json` made of them.

    Raises:
        TypeError: A key is unknown.
        ValueError: A seating is unknown.
    """
    known = dict(plain)
    known["bots"] = tuple(plain["bots"])
    if "seating" in plain:
        known["seating"] = Seating(plain["seating"])
    if "time" in plain:
        known["time"] = TimeControl(**plain["time"])
    if "faults" in plain:
        known["faults"] = FaultRule(**plain["faults"])
    return TournamentSettings(**known)
