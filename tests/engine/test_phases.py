"""Each game names all the kinds of phases that come up, so that time controls can."""

from random import Random

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Game


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_every_phase_that_comes_up_is_named(game: Game) -> None:
    seen: set[str] = set()
    for seed, variant in enumerate(game.variants[:8]):
        chance, rng = FastChance(seed), Random(seed)
        state = game.initial_state(variant, game.player_counts(variant)[0], chance)
        while deciders := state.deciders():
            seen.add(state.phase)
            seats = deciders[:1] if state.sealed else deciders
            state = state.apply({s: rng.choice(state.legal_actions(s)) for s in seats}, chance)
    assert seen <= set(game.phases)
    assert len(set(game.phases)) == len(game.phases)
