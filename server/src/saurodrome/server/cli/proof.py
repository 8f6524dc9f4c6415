"""Whether a match record is what it says: its text, its moves, its draws and its results."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from saurodrome.client import InputError, SaurodromeError
from saurodrome.engine import registry
from saurodrome.engine.chance import SecureChance
from saurodrome.engine.errors import Edited, EngineError, PlaythroughError, ReplayMismatch
from saurodrome.engine.game import Outcome, State
from saurodrome.engine.playthrough import RULESET, RULESET_HASH, loads, redraw, replay
from saurodrome.engine.playthrough.text import MAGIC
from saurodrome.server.cli import boards
from saurodrome.server.cli.failures import Differs, sentence
from saurodrome.server.cli.records import Record, located

PROVED = "deal proved"
FETCH = "fetch the record again from where it was played, or ask who changed it"
RESULT = re.compile(r"place (\d+), (-?\d+) points")


class Finding(NamedTuple):
    """What was found out about one record.

    Attributes:
        name: Where the record comes from.
        error: What is wrong with it; None if it is verified.
        step: The step of the first difference, from 1; 0 is the deal; None where there is none.
        turn: The turn of that step, where the game counts turns.
        seat: The seat concerned; None for the whole table.
        players: Number of seats, 0 if it could not be read.
        steps: How many steps were played.
        deal: Whether the draws are those of the secret that was committed to.
    """

    name: str
    error: SaurodromeError | None
    step: int | None = None
    turn: int | None = None
    seat: int | None = None
    players: int = 0
    steps: int = 0
    deal: str = ""


class Apart(NamedTuple):
    """One place where a record and what must hold disagree; the end comes after the last step."""

    step: int
    seat: int | None
    code: str
    what: str


def prove(raw: bytes, name: str) -> Finding:
    """Reads a record and checks all that can be checked without the server.

    Args:
        raw: The file's content.
        name: What to call it.
    """
    try:
        text = decoded(raw)
        played = loads(text)
    except Edited as error:
        return edited(text, name, error)
    except EngineError as error:
        return Finding(name, readable(error, name))
    except SaurodromeError as error:
        error.where = name
        return Finding(name, error)
    return judge(Record(name, played, dict(played.tags)))


def decoded(raw: bytes) -> str:
    """Gives the text of a file; of a record with broken letters all that is left of it.

    Raises:
        InputError: It is no text, and does not begin as a record either.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        if any(half.encode() in raw[: len(MAGIC)] for half in MAGIC.split("-")):
            return raw.decode("utf-8", "replace")
        what = "This is no text, so it is no match record."
        raise InputError("RECORD_FOREIGN", what, do="give the name of a .play file") from None


def readable(error: EngineError, name: str) -> SaurodromeError:
    """Gives what the rules say of a record as an error that names it."""
    said = located(error, name)
    return said if isinstance(said, SaurodromeError) else InputError("BAD_VALUE", str(said))


def edited(text: str, name: str, error: Edited) -> Finding:
    """Says of a text that was changed where it first differs from the rules, if it does."""
    what, where = sentence(error.what), f"{name}, line {error.line}"
    try:
        played = loads(text, checked=False)
    except PlaythroughError as other:
        if not isinstance(other, Edited):
            what += " " + sentence(other.what)
            where = f"{name}, line {other.line}"
        return Finding(name, Differs("RECORD_EDITED", what, where=where, do=FETCH))
    found = judge(Record(name, played, dict(played.tags)))
    if found.error is None:
        what += " No move, draw or result differs: a name, a time or a note was changed."
        where = name
    else:
        what += " The first difference: " + found.error.what
        where = found.error.where
    return found._replace(error=Differs("RECORD_EDITED", what, where=where, do=FETCH))


def judge(record: Record) -> Finding:
    """Checks a record that could be read."""
    played = record.played
    try:
        game = registry.get(played.game)
        if game.rules_version != played.rules_version:
            return Finding(record.name, other_rules(record, game.rules_version))
        if record.tags.get(RULESET_HASH, game.ruleset_hash) != game.ruleset_hash:
            return Finding(record.name, other_ruleset(record, game.ruleset))
        states, mismatch = replayed(record)
    except EngineError as error:
        return Finding(record.name, readable(error, record.name))
    apart = [*mismatch, *deal_apart(record), *results_apart(record, states)]
    facts = Finding(record.name, None, players=played.players, steps=record.steps)
    if not apart:
        return facts._replace(deal=deal(record))
    first = min(apart, key=lambda one: one.step)
    turn = None
    if 0 < first.step <= record.steps:
        turn = boards.turn_of(played.game, states[first.step - 1])
    where = f"{record.name}, {place(record, first, turn)}"
    differs = Differs(first.code, sentence(first.what), where=where, do=FETCH)
    return facts._replace(error=differs, step=first.step, turn=turn, seat=first.seat)


def other_rules(record: Record, rules: int) -> InputError:
    """Says that a record was played under other rules than this program's."""
    theirs = record.played.rules_version
    which = "a newer" if theirs > rules else "an older"
    return InputError(
        "RULES_DIFFER",
        f"It was recorded under rules {theirs} of {record.played.game}, these are rules {rules}.",
        where=record.name,
        do=f"verify it with {which} version of the program",
    )


def other_ruleset(record: Record, ours: str) -> InputError:
    """Says that a record was played with other component values than this program's."""
    theirs = record.tags.get(RULESET, "without a name")
    return InputError(
        "RULESET_DIFFERS",
        f"It was recorded with ruleset {theirs}, this is ruleset {ours}, and they differ.",
        where=record.name,
        do="verify it with the files of that set: saurodrome --components FOLDER replay verify ...",
    )


def replayed(record: Record) -> tuple[Sequence[State], list[Apart]]:
    """Gives the states that follow from a record, and where the rules end them, if they do.

    Raises:
        UnknownGame, UnknownVariant, BadPlayerCount, BadStart: No such match exists here.
    """
    states: list[State] = []
    try:
        for state in replay(record.played):
            states.append(state)  # noqa: PERF402 - those before a mismatch are kept
    except ReplayMismatch as error:
        at_the_end = len(states) > record.steps
        what = error.what if at_the_end else explained(record, states, error)
        return states, [Apart(error.step + at_the_end, error.seat, "DIFFERS", what)]
    return states, []


def explained(record: Record, states: Sequence[State], error: ReplayMismatch) -> str:
    """Gives what a mismatch says, and of an illegal action why it was not legal."""
    if error.seat is None or not 0 < error.step <= len(states):
        return error.what
    state = states[error.step - 1]
    for choice in record.played.steps[error.step - 1].choices:
        if choice.seat == error.seat and "not legal" in error.what:
            action = state.parse_action(choice.seat, choice.action)
            why = boards.refusal(record.played.game, state, choice.seat, action)
            return f"{error.what}: {why}" if why else error.what
    return error.what


def deal_apart(record: Record) -> Iterator[Apart]:
    """Checks the draws against the secret, and the secret against the commitment."""
    secret, commitment = record.tags.get("secret"), record.tags.get("commitment")
    if secret is None:
        return
    if re.fullmatch(r"[0-9a-f]{64}", secret) is None:
        yield Apart(0, None, "SECRET_DIFFERS", "the secret is not 64 hexadecimal digits")
        return
    if commitment not in (None, hashlib.sha256(bytes.fromhex(secret)).hexdigest()):
        what = "the secret is not the one that was committed to before the match"
        yield Apart(0, None, "SECRET_DIFFERS", what)
    drawn = redraw(record.played, SecureChance(bytes.fromhex(secret)))
    if drawn is not None:
        yield Apart(drawn.step, None, "DEAL_DIFFERS", drawn.what)


def results_apart(record: Record, states: Sequence[State]) -> Iterator[Apart]:
    """Checks the results in the tags against those of the rules.

    Forfeits place seats by faults, which no rule of the game knows: there only points count.
    """
    if len(states) <= record.steps:
        return
    end, how = record.steps + 1, record.tags.get("termination")
    outcome = states[-1].outcome()
    if outcome is None:
        if how == "finished":
            yield Apart(end, None, "DIFFERS", "the record says finished, but the match goes on")
        return
    for seat in range(record.played.players):
        tag = record.tags.get(f"seat{seat}-result")
        if tag is None:
            continue
        said = RESULT.match(tag)
        if said is None or told(said, how) != meant(outcome, seat, how):
            what = f"the record says {tag!r}, the rules {result(outcome, seat)!r}"
            yield Apart(end, seat, "DIFFERS", what)


def told(said: re.Match[str], how: str | None) -> tuple[int, ...]:
    """Gives the figures of a result that must agree with the rules."""
    place, points = int(said[1]), int(said[2])
    return (points,) if how == "forfeit" else (place, points)


def meant(outcome: Outcome, seat: int, how: str | None) -> tuple[int, ...]:
    """Gives the same figures by the rules."""
    place, points = outcome.placements[seat], outcome.points[seat]
    return (points,) if how == "forfeit" else (place, points)


def result(outcome: Outcome, seat: int) -> str:
    """Gives a seat's result as records write it."""
    return f"place {outcome.placements[seat]}, {outcome.points[seat]} points"


def deal(record: Record) -> str:
    """Says what is known of a deal in which nothing differs."""
    if "secret" not in record.tags:
        return "deal not proved: the record holds no secret"
    return PROVED if "commitment" in record.tags else "draws fit the secret, no commitment kept"


def place(record: Record, first: Apart, turn: int | None) -> str:
    """Says where in a match something is: `turn 7, seat 2 (greedy)`."""
    if first.step == 0:
        where = "the first deal"
    elif first.step > record.steps:
        where = "the end"
    elif turn in (None, first.step):
        where = f"turn {turn}" if turn else f"step {first.step}"
    else:
        where = f"turn {turn} (step {first.step})"
    return where if first.seat is None else f"{where}, {record.seat_name(first.seat)}"


def as_json(finding: Finding) -> dict[str, Any]:
    """Gives a finding as JSON."""
    error = finding.error
    return {
        "record": finding.name,
        "verified": error is None,
        "deal_proved": finding.deal == PROVED,
        "players": finding.players,
        "steps": finding.steps,
        "step": finding.step,
        "turn": finding.turn,
        "seat": finding.seat,
        "error": error.as_dict() if error is not None else None,
    }
