"""Worlds of Duelosaur Island look to their player like what it observed."""

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.knowledge import Observation
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from saurodrome.engine.search.duelosaur.worlds import Worlds
from tests.engine.search.duelosaur.walks import positions

VARIANTS = ["medium", "short-twists-extra", "solo-dnaidan"]


def comparable(seen: Observation) -> Observation:
    """Return an observation without what only others could learn of a world.

    That is where the observer's own cards may be, and the hand it had before its Build.
    """
    if seen.private.work is None:
        return seen._replace(public=seen.public._replace(pools=()))
    companies = tuple(one._replace(hand=0) for one in seen.public.companies)
    public = seen.public._replace(companies=companies, pools=(), hands=())
    work = seen.private.work
    company = work.company._replace(seen=work.company.hand, hidden=0)
    private = seen.private._replace(work=work._replace(company=company))
    return seen._replace(public=public, private=private)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_world_looks_like_the_observation(variant: str) -> None:
    for number, (state, seat) in enumerate(positions(variant, 5)):
        seen = state.observation(seat)
        world = DuelosaurState._make(Worlds(seen).draw(FastChance(number)))
        assert comparable(world.observation(seat)) == comparable(seen), state.phase
        assert world.legal_actions(seat) == state.legal_actions(seat)
        assert world.default_action(seat) == state.default_action(seat)


def test_what_the_rival_holds_is_drawn_anew() -> None:
    state = next(
        state
        for state, seat in positions("medium", 5)
        if seat == 0 and state.companies[1].hidden and state.phase == "pick"
    )
    worlds = Worlds(state.observation(0))
    hands = {worlds.draw(FastChance(number)).companies[1].hidden for number in range(20)}
    assert len(hands) > 3


def test_a_spectator_has_no_worlds() -> None:
    state, _ = next(positions("medium", 1))
    with pytest.raises(ValueError, match="spectator"):
        Worlds(state.observation(None))
