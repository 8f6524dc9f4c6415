"""Two-player tables between example bots without a server, for benches of strength."""

from collections.abc import Sequence
from pathlib import Path

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import Decision, Match, Strategy, load
from saurodrome.client.testing import match
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Outcome
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.engine.games.draftosaurus.wire import DraftosaurusWire, encode
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as wire

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"


def bot(name: str) -> Strategy:
    """Return an example bot, such as "greedy"."""
    return load(EXAMPLES / f"{name}_bot.py")


def decision(state: DraftosaurusState, seat: int, of: Match, seconds: float) -> Decision:
    """Return what the bot of a seat is asked, its time running from now on."""
    codec = DraftosaurusWire(of.variant)
    observation, legal = state.observation(seat), state.legal_actions(seat)
    message = bot_pb2.Decision(
        match_id=of.id,
        decision_id="any",
        default_action_id=state.default_action(seat),
        legal_actions=[
            bot_pb2.LegalAction(id=action, draftosaurus=wire.Action.FromString(blob))
            for action, blob in zip(legal, codec.actions(observation, legal), strict=True)
        ],
        draftosaurus=wire.Observation.FromString(encode(observation)),
    )
    message.remaining.FromNanoseconds(round(seconds * 1e9))
    return Decision.received(of, message)


def play(variant: str, bots: Sequence[Strategy], seed: int, seconds: float) -> Outcome:
    """Return how one table ends; the start seat moves with the seed.

    Args:
        variant: The board.
        bots: By seat.
        seed: Of the deal and the die.
        seconds: What each decision may take.
    """
    chance = FastChance(seed)
    matches = []
    for seat in range(len(bots)):
        names = [strategy.name for strategy in bots]
        of = match(f"table/{seed}", variant=variant, seat=seat, players=names)
        of.message.time_control.decision.FromNanoseconds(round(seconds * 1e9))
        matches.append(of)
    state = GAME.initial_state(variant, len(bots), chance, seed % len(bots))
    while deciders := state.deciders():
        actions = {
            seat: bots[seat].answer(decision(state, seat, matches[seat], seconds))
            for seat in deciders
        }
        state = state.apply(actions, chance)
    outcome = state.outcome()
    if outcome is None:
        raise AssertionError("a match without deciders has an outcome")
    return outcome
