"""The search bot knows what the engine says that its player knows, and keeps its time."""

import pytest

from clients.examples import search_bot
from saurodrome.client.testing import match
from saurodrome.engine.games.draftosaurus.state import GAME
from saurodrome.engine.xorshift import XorshiftChance
from tests.bench.tables import bot, decision


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_it_reads_its_view_as_the_engines_observation(variant: str, players: int) -> None:
    chance = XorshiftChance(players)
    state = GAME.initial_state(variant, players, chance, 1)
    names = [f"bot-{seat}" for seat in range(players)]
    while deciders := state.deciders():
        for seat in deciders:
            of = match("table/1", variant=variant, seat=seat, players=names)
            found = search_bot.seen(decision(state, seat, of, 1.0))
            expected = state.observation(seat)
            # Who discarded what, and what was revealed last, changes nothing any more.
            public = expected.public._replace(
                discards=found.public.discards, reveal=(), start=found.public.start
            )
            assert found == expected._replace(public=public)
            assert sum(found.public.discards) == sum(expected.public.discards)
            assert found.public.roller == expected.public.roller
        actions = {}
        for seat in deciders:
            legal = state.legal_actions(seat)
            actions[seat] = legal[chance.below(len(legal))]
        state = state.apply(actions, chance)


def test_it_stops_in_time_and_answers_legally() -> None:
    state = GAME.initial_state("winter", 2, XorshiftChance(1))
    of = match("table/1", variant="winter", seat=0, players=["search", "other"])
    of.message.time_control.decision.FromNanoseconds(20_000_000)
    asked = decision(state, 0, of, 0.02)
    chosen = bot("search").answer(asked)
    assert chosen in state.legal_actions(0)
