"""Payloads of decisions: put together from parts, they read as the whole message."""

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.server.frames import MAX_FRAME_BYTES, Decision
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import decision

GAME = registry.get("draftosaurus")


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 5])
def test_a_payload_is_observation_and_legal_actions(variant: str, players: int) -> None:
    codec = Codec("draftosaurus", variant)
    chance = FastChance(7)
    state = GAME.initial_state(variant, players, chance)
    longest = 0
    while deciders := state.deciders():
        public = codec.public(state.observation(0))
        for seat in deciders:
            legal = state.legal_actions(seat)
            observation = state.observation(seat)
            payload = codec.payload(public, observation, legal)
            frame = decision(Decision("m" * 80, "d" * 16, 1.5, legal[0], None, payload))
            got = bot_pb2.PlayResponse.FromString(frame).decision
            assert [action.id for action in got.legal_actions] == list(legal)
            assert {a.WhichOneof("action") for a in got.legal_actions} == {"draftosaurus"}
            assert got.draftosaurus.seat == seat
            assert got.draftosaurus.hands[seat].dinosaurs
            species = {a.draftosaurus.species for a in got.legal_actions}
            assert species <= set(got.draftosaurus.hands[seat].dinosaurs)
            longest = max(longest, len(frame))
        state = state.apply({seat: state.default_action(seat) for seat in deciders}, chance)
    assert longest < MAX_FRAME_BYTES


def test_cached_actions_are_the_same_bytes() -> None:
    codec = Codec("draftosaurus", "summer")
    state = GAME.initial_state("summer", 2, FastChance(1))
    observation, legal = state.observation(0), state.legal_actions(0)
    public = codec.public(observation)
    first = codec.payload(public, observation, legal)
    assert codec.payload(public, observation, legal) == first
    assert Codec("draftosaurus", "summer").payload(public, observation, legal) == first


def test_every_game_of_the_wire_can_be_made_and_no_other() -> None:
    fields = bot_pb2.Decision.DESCRIPTOR.oneofs_by_name["observation"].fields
    actions = bot_pb2.LegalAction.DESCRIPTOR.oneofs_by_name["action"].fields
    assert (
        {f.name for f in fields}
        == {f.name for f in actions}
        == {game.name for game in registry.games()}
    )
    for field in fields:
        for variant in registry.get(field.name).variants:
            Codec(field.name, variant)
    with pytest.raises(KeyError):
        Codec("chess", "usual")
