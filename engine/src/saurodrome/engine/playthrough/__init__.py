"""Trajectories: what chance and the players did in one match, enough to replay it exactly.

A `Recorder` collects one while a match is played; `dumps` and `loads` turn it into text and
back; `replay` walks through it again; `verify` finds the first place where the rules disagree,
`redraw` the first draw that another source does not give.
"""

from saurodrome.engine.playthrough.record import Choice, Playthrough, Recorder, Step
from saurodrome.engine.playthrough.replay import (
    RULESET,
    RULESET_HASH,
    Difference,
    redraw,
    replay,
    verify,
)
from saurodrome.engine.playthrough.text import dumps, loads

__all__ = [
    "RULESET",
    "RULESET_HASH",
    "Choice",
    "Difference",
    "Playthrough",
    "Recorder",
    "Step",
    "dumps",
    "loads",
    "redraw",
    "replay",
    "verify",
]
