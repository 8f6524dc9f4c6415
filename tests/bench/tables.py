"""Two-player tables between example bots without a server, for benches of strength."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import Decision, Match, Strategy, load
from saurodrome.client.testing import match
from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Outcome, State
from saurodrome.engine.games.draftosaurus import wire as drafto
from saurodrome.engine.games.duelosaur import wire as duel
from saurodrome.engine.playthrough import Playthrough, Recorder
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2
from saurodrome.games.duelosaur.v1 import actions_pb2, duelosaur_pb2

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"


def bot(name: str) -> Strategy:
    """Return an example bot, such as "greedy"."""
    return load(EXAMPLES / f"{name}_bot.py")


def seated(
    game: str, variant: str, seat: int, names: Sequence[str], seconds: float, number: int = 1
) -> Match:
    """Return a match as the bot of a seat is told of it."""
    of = match(f"table/{number}", variant=variant, seat=seat, players=names)
    of.message.game = game
    of.message.time_control.decision.FromNanoseconds(round(seconds * 1e9))
    document = registry.get(game).ruleset_json()
    return Match(of.message, lambda game, ruleset_hash: document)


def decision(state: State, seat: int, of: Match, seconds: float) -> Decision:
    """Return what the bot of a seat is asked, its time running from now on."""
    observation, legal = state.observation(seat), state.legal_actions(seat)
    codec: Any = CODECS[of.game](of.variant)
    action, whole = MESSAGES[of.game]
    message = bot_pb2.Decision(
        match_id=of.id, decision_id="any", default_action_id=state.default_action(seat)
    )
    for number, blob in zip(legal, codec.actions(observation, legal), strict=True):
        one = message.legal_actions.add(id=number)
        getattr(one, of.game).CopyFrom(action.FromString(blob))
    seen = codec.public(observation) + codec.private(observation)
    getattr(message, of.game).CopyFrom(whole.FromString(seen))
    message.remaining.FromNanoseconds(round(seconds * 1e9))
    return Decision.received(of, message)


CODECS = {"draftosaurus": drafto.DraftosaurusWire, "duelosaur": duel.DuelosaurWire}
MESSAGES: dict[str, tuple[Any, Any]] = {
    "draftosaurus": (draftosaurus_pb2.Action, draftosaurus_pb2.Observation),
    "duelosaur": (actions_pb2.Action, duelosaur_pb2.Observation),
}


def record(
    game: str, variant: str, bots: Sequence[Strategy], seed: int, seconds: float
) -> Playthrough:
    """Return what happened at one table; the start seat moves with the seed.

    Args:
        game: Name of the game.
        variant: The board, or the length.
        bots: By seat.
        seed: Of all chance.
        seconds: What each decision may take.
    """
    names = [strategy.name for strategy in bots]
    matches = [seated(game, variant, seat, names, seconds, seed) for seat in range(len(bots))]
    tags = {f"seat{seat}": name for seat, name in enumerate(names)}
    rules, chance, start = registry.get(game), FastChance(seed), seed % len(bots)
    table = Recorder(rules, variant, len(bots), chance, start=start, tags=tags)
    while deciders := table.state.deciders():
        table.step(
            {
                seat: bots[seat].answer(decision(table.state, seat, matches[seat], seconds))
                for seat in deciders
            }
        )
    return table.playthrough()


def play(game: str, variant: str, bots: Sequence[Strategy], seed: int, seconds: float) -> Outcome:
    """Return how one table ends, see `record`."""
    outcome = record(game, variant, bots, seed, seconds).outcome
    if outcome is None:
        raise AssertionError("a match without deciders has an outcome")
    return outcome
