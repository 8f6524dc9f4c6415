"""Playthroughs played again: state by state, or to find where the rules disagree."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from saurodrome.engine import registry
from saurodrome.engine.chance import Chance, ChanceMismatch, ReplayChance
from saurodrome.engine.errors import BadActionText, EngineError, ReplayMismatch, WrongDeciders
from saurodrome.engine.game import Game, Outcome, State
from saurodrome.engine.playthrough.record import Choice, Playthrough, Step

RULESET: Final = "ruleset"
"""The tag that names the component values of a match, where the game has any."""
RULESET_HASH: Final = "ruleset-hash"
"""The tag that says what those values are."""
_TOO_MANY: Final = 1 << 64
"""Outcomes that no rule ever asks for: a forged number must not stall the source."""


class Difference(NamedTuple):
    """Where a playthrough and the rules first disagree.

    Attributes:
        step: Number of the step, from 1; 0 is the setup.
        seat: The seat concerned, or None for the whole table.
        what: What differs, as a sentence without a full stop.
    """

    step: int
    seat: int | None
    what: str


def replay(record: Playthrough, game: Game | None = None) -> Iterator[State]:
    """Yield the initial state, then the state after each step.

    Args:
        record: What was played.
        game: The rules to replay it under; the registered game of that name by default.

    Raises:
        UnknownGame, UnknownVariant, BadPlayerCount, BadStart: No such match exists here.
        ReplayMismatch: The record and the rules disagree; the states so far were right.
    """
    game = game or registry.get(record.game)
    if game.rules_version != record.rules_version:
        raise ReplayMismatch(
            0,
            None,
            f"recorded under rules {record.rules_version}, these are rules {game.rules_version}",
        )
    _same_ruleset(game, dict(record.tags))
    game.validate(record.variant, record.players, record.start)
    state = _setup(game, record)
    yield state
    for number, step in enumerate(record.steps, start=1):
        state = _redo(state, number, step)
        yield state
    found = state.outcome()
    if found != record.outcome:
        what = f"the record says {_result(record.outcome)}, the rules {_result(found)}"
        raise ReplayMismatch(len(record.steps), _first_apart(record.outcome, found), what)


def verify(record: Playthrough, game: Game | None = None) -> Difference | None:
    """Return the first difference between a playthrough and the rules, or None.

    Args:
        record: What was played.
        game: The rules to check it under; the registered game of that name by default.

    Raises:
        UnknownGame, UnknownVariant, BadPlayerCount, BadStart: No such match exists here.
    """
    try:
        for _ in replay(record, game):
            pass
    except ReplayMismatch as mismatch:
        return Difference(mismatch.step, mismatch.seat, mismatch.what)
    return None


def redraw(record: Playthrough, chance: Chance) -> Difference | None:
    """Return the first recorded draw that a source does not give, or None if it gives them all.

    Args:
        record: What was played.
        chance: A fresh source, such as `SecureChance` of the secret that was committed to.
    """
    for number, draws in enumerate((record.setup, *(step.draws for step in record.steps))):
        for stream, n, value in draws:
            drawn = chance.draw(stream, n) if 0 < n < _TOO_MANY else None
            if drawn != value:
                what = f"{stream} of {n}: the record says {value}, the secret gives {drawn}"
                return Difference(number, None, what)
    return None


def _same_ruleset(game: Game, tags: Mapping[str, str]) -> None:
    """Refuse a record that says that it was played with other component values."""
    if tags.get(RULESET_HASH, game.ruleset_hash) != game.ruleset_hash:
        played, ours = tags.get(RULESET, "?"), game.ruleset or "none"
        what = f"recorded with ruleset {played}, this is ruleset {ours}, and they differ"
        raise ReplayMismatch(0, None, what)


def _setup(game: Game, record: Playthrough) -> State:
    chance = ReplayChance(record.setup)
    try:
        state = game.initial_state(record.variant, record.players, chance, record.start)
    except ChanceMismatch as mismatch:
        raise ReplayMismatch(0, None, str(mismatch)) from mismatch
    _nothing_left(chance, 0)
    return state


def _redo(state: State, number: int, step: Step) -> State:
    """Return the state after a recorded step."""
    actions: dict[int, int] = {}
    for choice in step.choices:
        if choice.seat in actions:
            raise ReplayMismatch(number, choice.seat, "this seat has two actions")
        actions[choice.seat] = _recorded_action(state, number, choice)
    chance = ReplayChance(step.draws)
    try:
        after = state.apply(actions, chance)
    except WrongDeciders as error:
        missing = [seat for seat in error.expected if seat not in actions]
        raise ReplayMismatch(number, next(iter(missing), None), str(error)) from error
    except EngineError as error:
        raise ReplayMismatch(number, None, str(error)) from error
    _nothing_left(chance, number)
    return after


def _recorded_action(state: State, number: int, choice: Choice) -> int:
    """Return the id of a recorded action, if it was legal."""
    if choice.seat not in state.deciders():
        raise ReplayMismatch(number, choice.seat, "this seat had nothing to decide")
    try:
        action = state.parse_action(choice.seat, choice.action)
    except BadActionText as error:
        raise ReplayMismatch(number, choice.seat, str(error)) from error
    if action not in state.legal_actions(choice.seat):
        raise ReplayMismatch(number, choice.seat, f"{choice.action!r} was not legal")
    return action


def _nothing_left(chance: ReplayChance, number: int) -> None:
    if chance.rest:
        stream, n, value = chance.rest[0]
        what = f"the rules draw nothing more, the record has {stream} {value} of {n}"
        raise ReplayMismatch(number, None, what)


def _first_apart(recorded: Outcome | None, found: Outcome | None) -> int | None:
    """Return the first seat whose results differ, if there are two results to compare."""
    if recorded is None or found is None:
        return None
    ours, theirs = zip(*recorded, strict=True), zip(*found, strict=True)
    pairs = enumerate(zip(ours, theirs, strict=True))
    return next((seat for seat, (one, other) in pairs if one != other), None)


def _result(outcome: Outcome | None) -> str:
    """Return an outcome as words."""
    if outcome is None:
        return "that it is not over"
    points = " ".join(map(str, outcome.points))
    places = " ".join(map(str, outcome.placements))
    return f"points {points}, placements {places}"
