"""Which moment of a match is meant: a turn of the game, or a step of its record."""

from collections.abc import Sequence

import click

from saurodrome.client import InputError
from saurodrome.engine.game import State
from saurodrome.server.cli import boards
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.text import plural
from saurodrome.server.cli.values import whole

turn_option = click.option(
    "--turn",
    type=whole(1),
    help="Only this turn, from 1  [default: all of them]",
)
step_option = click.option(
    "--step",
    type=whole(1),
    help="Only this step, from 1; a turn may have several  [default: all of them]",
)


def steps_of(
    record: Record, states: Sequence[State], turn: int | None, step: int | None
) -> list[int]:
    """Gives the steps that are meant, from 1: all of a turn, one, or all of the match.

    In a game that counts no turns a turn is a step.

    Args:
        record: The match.
        states: Its states, the first one and that after each step.
        turn: The turn, from 1.
        step: The step, from 1.

    Raises:
        InputError: NO_TURN, NO_STEP; BAD_VALUE where both are told.
    """
    if turn is not None and step is not None:
        raise InputError("BAD_VALUE", "A turn and a step are told.", where="--turn, --step")
    if step is not None:
        if step > record.steps:
            what = f"{record.name} has {plural(record.steps, 'step')}, no {step}."
            raise InputError("NO_STEP", what, where="--step", do=f"1 to {record.steps}")
        return [step]
    numbers = range(1, record.steps + 1)
    if turn is None:
        return list(numbers)
    turns = [turn_at(record, states, number) for number in numbers]
    found = [number for number in numbers if turns[number - 1] == turn]
    if not found:
        last = max(turns, default=0)
        what = f"{record.name} has {plural(last, 'turn')}, no {turn}."
        raise InputError("NO_TURN", what, where="--turn", do=f"1 to {last}")
    return found


def turn_at(record: Record, states: Sequence[State], step: int) -> int:
    """Gives the turn that a step belongs to."""
    turn = boards.turn_of(record.played.game, states[step - 1])
    return step if turn is None else turn
