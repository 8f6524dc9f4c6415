"""A decision of a match record, asked again: as the bot's client saw it on the wire."""

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import Decision, Match
from saurodrome.engine import registry
from saurodrome.engine.game import State
from saurodrome.server import frames
from saurodrome.server.port import MatchStart
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import About, Encoder


def asked_again(state: State, start: MatchStart) -> Decision:
    """Makes the decision that a seat has in a state; its time starts to run now.

    Args:
        state: The position; the seat must be one of its deciders.
        start: What the bot was told of the match, its seat included.
    """
    observation = state.observation(start.seat)
    codec = Codec(start.game, start.variant)
    payload = codec.payload(codec.public(observation), observation, state.legal_actions(start.seat))
    asked = frames.Decision(
        match_id=start.match_id,
        decision_id="again",
        remaining=start.time.decision,
        default=state.default_action(start.seat),
        previous=None,
        payload=payload,
    )
    encode = Encoder(About("", 0))
    started = bot_pb2.PlayResponse.FromString(encode(frames.MatchStarted(start, ready=True)))
    decision = bot_pb2.PlayResponse.FromString(encode(asked))
    match = Match(started.match_started, _ruleset)
    return Decision.received(match, decision.decision)


def _ruleset(game: str, content: str) -> str:
    """The ruleset of a game as a server sends it."""
    return registry.get(game).ruleset_json()
