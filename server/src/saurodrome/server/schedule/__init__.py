"""Which bots meet at which table, in which seats and in which order."""

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import (
    Change,
    Draw,
    Drawn,
    Enter,
    Event,
    Form,
    Kind,
    Match,
    Planner,
    Readmit,
    Result,
    Role,
    SameOwner,
    Seating,
    Start,
    Void,
    Withdraw,
)
from saurodrome.server.schedule.placing import KnockoutPlacing, Placing, SwissPlacing
from saurodrome.server.schedule.planner import Plan, plan, planner_of
from saurodrome.server.schedule.round_robin import Block, Schedule, round_robin
from saurodrome.server.schedule.seatings import balanced_seatings, rotations

__all__ = [
    "Block",
    "Change",
    "Draw",
    "Drawn",
    "Enter",
    "Event",
    "Form",
    "Kind",
    "KnockoutPlacing",
    "Match",
    "Placing",
    "Plan",
    "Planner",
    "Readmit",
    "Result",
    "Role",
    "SameOwner",
    "Schedule",
    "ScheduleError",
    "Seating",
    "Start",
    "SwissPlacing",
    "Void",
    "Withdraw",
    "balanced_seatings",
    "plan",
    "planner_of",
    "rotations",
    "round_robin",
]
