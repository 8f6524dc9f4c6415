"""One decision, put to a bot again: `bot try FILE --at MATCH:STEP`, or `--at FILE`."""

import re
import time
from pathlib import Path
from typing import NamedTuple

from saurodrome.client import (
    BotFault,
    Decision,
    InputError,
    LateReply,
    Strategy,
    load_decision,
)
from saurodrome.engine.game import State
from saurodrome.server.cli import records
from saurodrome.server.cli.failures import AnswerIsNo
from saurodrome.server.cli.position import Fault, fault_json, fault_lines, position
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import span
from saurodrome.server.port import FaultRule, MatchStart, PlayerName, TimeControl
from saurodrome.server.rpc.again import asked_again


class Asked(NamedTuple):
    """A decision to be asked, and where it comes from.

    Attributes:
        decision: The decision.
        match: Number of the match in the dry run; 0 where it comes from a file of its own.
        step: Step of the match, from 1; 0 likewise.
        record: The match record, or the decision's own file.
    """

    decision: Decision
    match: int
    step: int
    record: Path


def ask_again(terminal: Terminal, strategy: Strategy, at: str, folder: Path) -> None:
    """Asks a bot what it does in a position of the last dry run, and shows it.

    Args:
        terminal: Where to show it.
        strategy: The bot.
        at: MATCH:STEP of the last dry run, or a file that keeps a decision.
        folder: The match records of the last dry run.

    Raises:
        InputError: There is no such match or step.
        AnswerIsNo: The bot made a fault.
    """
    asked = find(at, folder, strategy.name)
    limit = asked.decision.match.time.decision
    try:
        strategy.get_ready(asked.decision.match)
        action, took = answer(strategy, asked.decision, limit)
    except BotFault as error:
        path = strategy.path or Path("bot.py")
        fault = Fault(error, asked.match, asked.step, path, asked.record)
        if terminal.json:
            terminal.data(fault_json(fault))
        else:
            terminal.note(fault_lines(fault))
        raise AnswerIsNo from None
    text = str(next(a for a in asked.decision.legal_actions if a.id == action))
    if terminal.json:
        said = {"ok": True, "match": asked.match, "step": asked.step}
        terminal.data({**said, "action": action, "text": text, "took_s": took})
        return
    if asked.step:
        record = records.read(asked.record)
        terminal.print(position(record, asked.step, asked.decision.seat))
    terminal.print(f"{strategy.name} answers {action}, {text}, in {span(took)} of {span(limit)}")


def find(at: str, folder: Path, bot: str) -> Asked:
    """Finds the decision that is meant.

    Raises:
        InputError: There is none.
    """
    if at.endswith(".decision"):
        return Asked(load_decision(at), 0, 0, Path(at))
    match, step = parse_at(at)
    path = folder / f"{match}.play"
    if not path.exists():
        do = f"one of those: saurodrome replay list {folder}"
        raise InputError("NO_MATCH", f"There is no match {match}.", where="--at", do=do)
    record = records.read(path)
    state, seat = position_at(record, step, bot)
    return Asked(asked_again(state, start_of(record, seat)), match, step, path)


def answer(strategy: Strategy, decision: Decision, limit: float) -> tuple[int, float]:
    """Gives what a bot answers, and the seconds that it took.

    Raises:
        BotFault: It answered wrongly or too late.
    """
    began = time.monotonic()
    action = strategy.answer(decision)
    took = time.monotonic() - began
    if took > limit:
        raise LateReply(
            "LATE",
            f"{span(took)} of {span(limit)}.",
            do="aim at d.remaining minus 30 ms",
            decision=decision,
        )
    return action, took


def parse_at(text: str) -> tuple[int, int]:
    """Reads `MATCH:STEP`.

    Raises:
        InputError: It is not of that form.
    """
    match = re.fullmatch(r"(\d{1,6}):(\d{1,6})", text)
    if match is None:
        what = f"`{text}` names no decision."
        raise InputError(
            "BAD_VALUE",
            what,
            where="--at",
            do="write MATCH:STEP, such as 7:5, or name a .decision file",
        )
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
    played, tags = record.played, record.tags
    usual = TimeControl()
    decision = _seconds(tags.get("decision-time", ""), usual.decision)
    margin = _seconds(tags.get("margin", ""), usual.margin)
    shown = [tags.get(f"seat{one}-display", name) for one, name in enumerate(record.names)]
    return MatchStart(
        match_id=tags.get("match", record.name),
        attempt=int(tags["attempt"]) if tags.get("attempt", "").isdecimal() else 1,
        game=played.game,
        variant=played.variant,
        rules_version=played.rules_version,
        seat=seat,
        players=tuple(map(PlayerName, record.names, shown)),
        time=usual._replace(decision=decision, margin=margin),
        faults=FaultRule(),
        commitment=b"",
    )


def _seconds(text: str, usual: float) -> float:
    """Reads the number before a unit; what is usual if there is none."""
    found = re.match(r"[\d.]+", text)
    return float(found[0]) if found else usual
