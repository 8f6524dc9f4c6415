"""Every decision of Duelosaur Island fits into a frame, also those with hundreds of actions."""

from collections.abc import Callable

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.position import BUILD, Work
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from saurodrome.server.frames import MAX_FRAME_BYTES, Decision, Previous
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import decision
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.players import Player, at_random, greedy


def frame(state: DuelosaurState, seat: int) -> bytes:
    """What a bot is sent, its head as long as it can be."""
    codec = Codec("duelosaur", state.setting.variant)
    observation, legal = state.observation(seat), state.legal_actions(seat)
    payload = codec.payload(codec.public(observation), observation, legal)
    previous = Previous(123.456789, True, True, 3)
    head = ("m" * 80, "d" * 16, 3_599.999_999, legal[-1], previous)
    return decision(Decision(*head, payload))


def sizes(variant: str, players: list[Player], seed: int) -> list[tuple[int, int]]:
    """Bytes and number of legal actions of every decision of a match."""
    chance = FastChance(seed)
    state = GAME.initial_state(variant, len(players), chance)
    found = []
    while deciders := state.deciders():
        for seat in deciders:
            data = frame(state, seat)
            legal = state.legal_actions(seat)
            got = bot_pb2.PlayResponse.FromString(data).decision
            assert [action.id for action in got.legal_actions] == list(legal)
            found.append((len(data), len(legal)))
        state = state.apply({seat: players[seat](state, seat) for seat in deciders}, chance)
    return found


@pytest.mark.parametrize("variant", [*samples.VARIANTS, "long-twists-extra", "solo-dnaidan"])
@pytest.mark.parametrize("kind", [at_random, greedy])
def test_every_decision_of_a_match_is_far_smaller_than_a_frame(
    variant: str, kind: Callable[[int], Player]
) -> None:
    seats = GAME.setting(variant).players
    met = sizes(variant, [kind(seat) for seat in range(seats)], seed=1)
    assert max(size for size, _ in met) < MAX_FRAME_BYTES / 2


@pytest.mark.slow
@pytest.mark.parametrize("variant", samples.VARIANTS)
def test_every_decision_of_many_matches_fits_into_a_frame(variant: str) -> None:
    met = []
    for seed in range(60):
        players = [at_random(2 * seed), at_random(2 * seed + 1) if seed % 3 else greedy(0)]
        met += sizes(variant, players, seed)
    assert max(count for _, count in met) > 300
    assert max(size for size, _ in met) < MAX_FRAME_BYTES


def crowded(cards: int) -> DuelosaurState:
    """A Build with a hand of so many cards and much DNA of every colour."""
    hand = samples.cards(*[f"P{number:02}" for number in range(1, cards + 1)])
    rich = samples.company(
        coins=99, dna=(9,) * 6, seen=hand, specialists=samples.specialists("X01", "X02", "X03")
    )
    works: tuple[Work, ...] = tuple(samples.work(rich) for _ in range(2))
    return samples.position(companies=(rich, rich), works=works, stage=BUILD)


@pytest.mark.parametrize("cards", [16, 44])
def test_even_with_the_whole_deck_in_one_hand_a_build_fits_into_a_frame(cards: int) -> None:
    state = crowded(cards)  # 579 were the most actions in the matches of the rules' figures
    assert len(state.legal_actions(0)) > 579
    assert len(frame(state, 0)) < MAX_FRAME_BYTES
