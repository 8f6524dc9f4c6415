"""The position of a bot's fault: board, hand, legal actions, what the answer would have meant."""

from pathlib import Path
from typing import Any, NamedTuple

from rich.cells import cell_len

from saurodrome.client import BotFault, IllegalAction
from saurodrome.server.cli import records
from saurodrome.server.cli.boards import actions, draw, meaning, refusal
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.text import WIDTH, wrapped

INDENT = "         "
ROOM = WIDTH - len(INDENT)


class Fault(NamedTuple):
    """A fault of a dry run, and where it can be seen.

    Attributes:
        error: The fault.
        match: Number of the match in the dry run, from 1; 0 where there was none.
        step: Step of the match, from 1; 0 before the first.
        file: The bot's file.
        record: The match record.
    """

    error: BotFault
    match: int
    step: int
    file: Path
    record: Path


def answered(error: BotFault) -> int | None:
    """Gives the id that the bot answered, where it answered one."""
    if not isinstance(error, IllegalAction):
        return None
    words = error.what.split()
    after = words[words.index("answered") + 1] if "answered" in words else ""
    number = after.strip(",.")
    return int(number) if number.lstrip("-").isdigit() else None


def fault_lines(fault: Fault, planned: int = 0) -> list[str]:
    """Gives the whole screen.

    Args:
        fault: The fault.
        planned: How many matches the dry run was to have; 0 where there was none.
    """
    error = fault.error
    record = records.read(fault.record) if fault.step and fault.record.exists() else None
    first = f"match {fault.match}" if fault.match else f"the decision in {fault.record}"
    first += f" of {planned} stopped" if planned else ""
    if record is not None:
        first += f" at step {fault.step}"
    lines = [first, *wrapped(f"error[{error.code}] {error.what}", "  ", hard=True)]
    body = error.where.split("\n")[:-1]  # the last line names the match as the server does
    if body:
        lines += wrapped(f"  where  {'; '.join(body)}", INDENT, hard=True)
    if record is not None:
        seat = error.match.seat if error.match is not None else 0
        board = position(record, fault.step, seat, answered(error))
        if not body and board[0].startswith(INDENT):
            board[0] = f"  where  {board[0].removeprefix(INDENT)}"
        lines += board
    return [*lines, *advice(fault)]


def position(record: Record, step: int, seat: int, number: int | None = None) -> list[str]:
    """Draws the position before a step as a seat knew it, with what it might do there.

    Args:
        record: The match.
        step: The step, from 1.
        seat: Who looks.
        number: The id that the seat answered, where it is not legal.
    """
    states = record.states()
    state = states[min(step, len(states)) - 1]
    lines = draw(record.played.game, state.observation(seat), record.names)
    room = max(ROOM, *(cell_len(line) for line in lines))
    lines += wrapped("legal   " + "; ".join(actions(state, seat)), "        ", room)
    ids = " ".join(map(str, state.legal_actions(seat)))
    lines += wrapped(f"ids     {ids}", "        ", room)
    if number is not None:
        why = refusal(record.played.game, state, seat, number) or "not legal here"
        text = f"{number:<7} {meaning(state, seat, number)}: {why}"
        lines += wrapped(text, " " * 8, room)
    return [" " * (WIDTH - room) + line for line in lines]


def advice(fault: Fault) -> list[str]:
    """Says what to do, and how to see the position again."""
    lines = wrapped(f"  do     {fault.error.do}", INDENT, hard=True) if fault.error.do else []
    head = INDENT if lines else "  do     "
    if fault.step:
        step = f" --step {fault.step}"
        lines.append(f"{head}board again  saurodrome replay show {fault.record}{step}")
    if fault.match and fault.step:
        at = f"{fault.match}:{fault.step}"
        lines.append(f"{INDENT}this again   saurodrome bot try {fault.file} --at {at}")
    return lines


def fault_json(fault: Fault) -> dict[str, Any]:
    """Gives the fault as JSON."""
    message = fault.error.decision.message if fault.error.decision is not None else None
    return {
        "ok": False,
        "match": fault.match,
        "step": fault.step,
        "record": str(fault.record),
        "legal": [action.id for action in message.legal_actions] if message else [],
        "error": fault.error.as_dict(),
    }
