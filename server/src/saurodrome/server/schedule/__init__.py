"""Which bots meet at which table, in which seats and in which order."""

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.round_robin import (
    Block,
    Match,
    Schedule,
    Seating,
    round_robin,
)
from saurodrome.server.schedule.seatings import balanced_seatings, rotations

__all__ = [
    "Block",
    "Match",
    "Schedule",
    "ScheduleError",
    "Seating",
    "balanced_seatings",
    "rotations",
    "round_robin",
]
