"""`saurodrome replay ask`: a recorded decision, put to a bot; its answer beside what was played."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from saurodrome.client import BotFault, InputError, Strategy, load
from saurodrome.engine.game import State
from saurodrome.engine.playthrough import Choice
from saurodrome.server.cli import moments, records
from saurodrome.server.cli.failures import AnswerIsNo
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.position import Fault, fault_json, fault_lines, position
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import cut, plural, span, wrapped
from saurodrome.server.cli.try_again import answer, start_of
from saurodrome.server.cli.values import whole
from saurodrome.server.rpc.again import asked_again


class Asked(NamedTuple):
    """One decision of a record, and what a bot answers to it.

    Attributes:
        step: The step, from 1.
        turn: The turn that it belongs to.
        played: What the seat did in the match.
        action: The id that the bot answers.
        text: The same in words.
        took: Seconds that it took.
        limit: Seconds that it had.
    """

    step: int
    turn: int
    played: Choice
    action: int
    text: str
    took: float
    limit: float

    @property
    def same(self) -> bool:
        """Whether the bot answers what was played."""
        return self.text == self.played.action


@click.command()
@click.argument("match")
@moments.turn_option
@moments.step_option
@click.option("--seat", type=whole(0), required=True, help="Whose decision, from 0")
@click.option("--bot", "file", type=FILE, required=True, help="The bot's file")
@connection_options
@json_option
@click.pass_obj
def ask(
    terminal: Terminal,
    match: str,
    turn: int | None,
    step: int | None,
    seat: int,
    file: Path,
    connection: Connection,
) -> None:
    """Put a recorded decision to a bot.

    MATCH is a .play file, or the id of a match of the server. The bot in a file is asked what
    the seat was asked in that turn, with exactly what it could know then, and its answer is
    shown beside what was played. Without a turn or step it is asked every decision of the seat.
    Exit code 1 if the bot made a fault.
    """
    record = records.fetch(match, connection)
    if seat >= record.played.players:
        last = record.played.players - 1
        what = f"{record.name} has no seat {seat}."
        raise InputError("NO_SEAT", what, where="--seat", do=f"0 to {last}")
    states = record.states()
    numbers = [
        number
        for number in moments.steps_of(record, states, turn, step)
        if choice_of(record, number, seat) is not None
    ]
    if not numbers:
        what = f"{record.seat_name(seat)} decided nothing there."
        raise InputError("NO_DECISION", what, where=record.name, do="name another turn or seat")
    asked = put(terminal, record, states, numbers, seat, load(file))
    if terminal.json:
        return
    if turn is None and step is None:
        same = sum(one.same for one in asked)
        terminal.print(f"{plural(len(asked), 'decision')}, {same} answered as played")


def put(
    terminal: Terminal,
    record: Record,
    states: Sequence[State],
    numbers: Sequence[int],
    seat: int,
    strategy: Strategy,
) -> list[Asked]:
    """Puts decisions to a bot, in their order, and shows each.

    Raises:
        AnswerIsNo: The bot made a fault, which is shown.
    """
    asked: list[Asked] = []
    boards = len(numbers) < record.steps and len(numbers) <= 2
    for number in numbers:
        try:
            one = ask_one(record, states, number, seat, strategy, first=not asked)
        except BotFault as error:
            fault = Fault(error, 0, number, strategy.path or Path("bot.py"), Path(record.name))
            if terminal.json:
                terminal.data(fault_json(fault))
            else:
                terminal.note(fault_lines(fault))
            raise AnswerIsNo from None
        asked.append(one)
        if terminal.json:
            terminal.data(as_json(record, seat, strategy.name, one))
        else:
            board = position(record, number, seat) if boards else []
            terminal.print([*board, *lines(record, seat, strategy.name, one)])
    return asked


def ask_one(
    record: Record,
    states: Sequence[State],
    number: int,
    seat: int,
    strategy: Strategy,
    first: bool,
) -> Asked:
    """Asks a bot one decision.

    Args:
        record: The match.
        states: Its states.
        number: The step.
        seat: The seat, which decided in it.
        strategy: The bot.
        first: It was not asked before, and gets ready.

    Raises:
        BotFault: It answered wrongly or too late.
    """
    decision = asked_again(states[number - 1], start_of(record, seat))
    if first:
        strategy.get_ready(decision.match)
    limit = decision.match.time.decision
    action, took = answer(strategy, asked_again(states[number - 1], start_of(record, seat)), limit)
    played = choice_of(record, number, seat)
    if played is None:
        raise AssertionError("only decisions that were made are asked again")
    text = states[number - 1].action_text(seat, action)
    turn = moments.turn_at(record, states, number)
    return Asked(number, turn, played, action, text, took, limit)


def choice_of(record: Record, number: int, seat: int) -> Choice | None:
    """Gives what a seat did in a step, or None if it had nothing to decide."""
    choices = record.played.steps[number - 1].choices
    return next((choice for choice in choices if choice.seat == seat), None)


def lines(record: Record, seat: int, name: str, asked: Asked) -> list[str]:
    """Gives what was played, and what the bot answers."""
    at = f"turn {asked.turn}" + (f" (step {asked.step})" if asked.step != asked.turn else "")
    note = f"   {asked.played.note}" if asked.played.note else ""
    took = f"{span(asked.took)} of {span(asked.limit)}"
    verdict = "the same" if asked.same else "another choice"
    return [
        *wrapped(f"{at}, {record.seat_name(seat)}", hard=True),
        *wrapped(f"  played           {asked.played.action}{note}", " " * 19, hard=True),
        *wrapped(f"  {cut(name):<16} {asked.text}   {took}   {verdict}", " " * 19),
    ]


def as_json(record: Record, seat: int, name: str, asked: Asked) -> dict[str, Any]:
    """Gives the same as JSON."""
    played = asked.played
    return {
        "ok": True,
        "record": record.name,
        "turn": asked.turn,
        "step": asked.step,
        "seat": seat,
        "played": {"by": record.names[seat], "text": played.action, "note": played.note},
        "answer": {"by": name, "action": asked.action, "text": asked.text, "took_s": asked.took},
        "same": asked.same,
    }
