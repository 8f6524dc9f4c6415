"""The search bot knows what the engine says that its player knows, and keeps its time."""

import pytest

from clients.examples import search_bot
from saurodrome.client import Match
from saurodrome.engine import registry
from saurodrome.engine.games.draftosaurus.state import GAME
from saurodrome.engine.games.duelosaur.state import GAME as DUELOSAUR
from saurodrome.engine.xorshift import XorshiftChance
from tests.bench.tables import bot, decision, seated
from tests.engine.search.duelosaur.walks import positions


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_it_reads_its_view_as_the_engines_observation(variant: str, players: int) -> None:
    chance = XorshiftChance(players)
    state = GAME.initial_state(variant, players, chance, 1)
    names = [f"bot-{seat}" for seat in range(players)]
    while deciders := state.deciders():
        for seat in deciders:
            of = seated("draftosaurus", variant, seat, names, 1.0)
            found = search_bot.drafto_seen(decision(state, seat, of, 1.0))
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


@pytest.mark.parametrize("variant", ["medium", "short-twists-extra", "solo-dnaidan"])
def test_it_reads_its_view_of_duelosaur_likewise(variant: str) -> None:
    names = ["search", "other"][: DUELOSAUR.setting(variant).players]
    for state, seat in positions(variant, 3):
        of = seated("duelosaur", variant, seat, names, 1.0)
        found = search_bot.duel_seen(decision(state, seat, of, 1.0))
        expected = state.observation(seat)
        public = expected.public._replace(pools=(), sheets=(), scripts=())
        private = expected.private
        if private.work is not None:
            kinds = tuple(
                step._replace(item=-1, cards=(), spent=(), made=()) for step in private.work.script
            )
            company = private.work.company
            shown = expected.public.hands[seat]
            seen = company._replace(seen=company.hand & shown, hidden=company.hand & ~shown)
            private = private._replace(work=private.work._replace(script=kinds, company=seen))
        assert found == expected._replace(public=public, private=private)


@pytest.mark.parametrize(("game", "variant"), [("draftosaurus", "winter"), ("duelosaur", "medium")])
def test_it_stops_in_time_and_answers_legally(game: str, variant: str) -> None:
    state = registry.get(game).initial_state(variant, 2, XorshiftChance(1))
    of = seated(game, variant, 0, ["search", "other"], 0.02)
    chosen = bot("search").answer(decision(state, 0, of, 0.02))
    assert chosen in state.legal_actions(0)


def test_other_component_values_are_refused() -> None:
    of = seated("duelosaur", "medium", 0, ["search", "other"], 1.0)
    search_bot.prepare(of)
    other = Match(
        of.message,
        lambda game, ruleset_hash: of.ruleset_json().replace(DUELOSAUR.ruleset_hash, "0" * 64),
    )
    with pytest.raises(RuntimeError, match="other component values"):
        search_bot.prepare(other)
