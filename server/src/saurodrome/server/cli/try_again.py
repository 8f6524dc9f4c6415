"""One decision of a kept match, put to a bot again: `bot try FILE --at MATCH:STEP`."""

import re
import time
from pathlib import Path

from saurodrome.client import BotFault, InputError, LateReply, Strategy
from saurodrome.engine.game import State
from saurodrome.server.cli import records
from saurodrome.server.cli.failures import AnswerIsNo
from saurodrome.server.cli.position import Fault, fault_json, fault_lines, position
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import span
from saurodrome.server.port import FaultRule, MatchStart, PlayerName, TimeControl
from saurodrome.server.rpc.again import asked_again


def ask_again(terminal: Terminal, strategy: Strategy, at: str, folder: Path) -> None:
    """Asks a bot what it does in a position of the last dry run, and shows it.

    Raises:
        InputError: There is no such match or step.
        AnswerIsNo: The bot made a fault.
    """
    match, step = parse_at(at)
    path = folder / f"{match}.play"
    if not path.exists():
        do = f"one of those: saurodrome replay list {folder}"
        raise InputError("NO_MATCH", f"There is no match {match}.", where="--at", do=do)
    record = records.read(path)
    state, seat = position_at(record, step, strategy.name)
    decision = asked_again(state, start_of(record, seat))
    limit = decision.match.time.decision
    began = time.monotonic()
    try:
        action = strategy.answer(decision)
        took = time.monotonic() - began
        if took > limit:
            raise LateReply(
                "LATE",
                f"{span(took)} of {span(limit)}.",
                where=f"{path}, step {step}",
                do="aim at d.remaining minus 30 ms",
                decision=decision,
            )
    except BotFault as error:
        fault = Fault(error, match, step, strategy.path or Path("bot.py"), path)
        if terminal.json:
            terminal.data(fault_json(fault))
        else:
            terminal.note(fault_lines(fault))
        raise AnswerIsNo from None
    text = state.action_text(seat, action)
    if terminal.json:
        said = {"ok": True, "match": match, "step": step, "action": action, "text": text}
        terminal.data({**said, "took_s": took})
        return
    terminal.print(position(record, step, seat))
    terminal.print(f"{strategy.name} answers {action}, {text}, in {span(took)} of {span(limit)}")


def parse_at(text: str) -> tuple[int, int]:
    """Reads `MATCH:STEP`.

    Raises:
        InputError: It is not of that form.
    """
    match = re.fullmatch(r"(\d{1,6}):(\d{1,6})", text)
    if match is None:
        what = f"`{text}` names no decision."
        raise InputError("BAD_VALUE", what, where="--at", do="write MATCH:STEP, such as 7:5")
    return int(match[1]), int(match[2])


def position_at(record: Record, step: int, bot: str) -> tuple[State, int]:
    """Gives the position before a step and the seat of the bot.

    Raises:
        InputError: The record has no such step, or the bot did not decide there.
    """
    if not 1 <= step <= record.steps:
        do = f"1 to {record.steps}"
        what = f"{record.name} has no step {step}."
        raise InputError("NO_STEP", what, where="--at", do=do)
    state = record.states()[step - 1]
    seat = record.names.index(bot) if bot in record.names else -1
    if seat not in state.deciders():
        what = f"{bot} decides nothing in step {step} of {record.name}."
        raise InputError("NO_STEP", what, where="--at", do=f"players: {', '.join(record.names)}")
    return state, seat


def start_of(record: Record, seat: int) -> MatchStart:
    """Gives what the bot was told of the match, as far as the record knows it."""
    played = record.played
    limit = re.match(r"[\d.]+", record.tags.get("decision-time", ""))
    return MatchStart(
        match_id=record.tags.get("match", record.name),
        attempt=1,
        game=played.game,
        variant=played.variant,
        rules_version=played.rules_version,
        seat=seat,
        players=tuple(PlayerName(name, name) for name in record.names),
        time=TimeControl(decision=float(limit[0])) if limit else TimeControl(),
        faults=FaultRule(),
        commitment=b"",
    )
