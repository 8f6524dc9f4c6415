"""The search of Duelosaur Island: fair, repeatable, legal, and it sees what is plain to see."""

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import steps
from saurodrome.engine.games.duelosaur.state import GAME
from saurodrome.engine.search.duelosaur.builds import Outlook
from saurodrome.engine.search.duelosaur.search import Search, policy_of, reward
from tests.engine.duelosaur.players import at_random
from tests.engine.search.duelosaur.walks import positions


@pytest.mark.parametrize("variant", ["short-twists-extra", "solo-dnaidan"])
def test_every_kind_of_decision_can_be_searched(variant: str) -> None:
    phases = set()
    for state, seat in positions(variant, 2):
        legal = state.legal_actions(seat)
        if state.phase in phases or len(legal) == 1:
            continue
        phases.add(state.phase)
        search = Search(state.observation(seat), legal)
        search.run(2)
        assert search.best() in legal
        assert sorted(search.actions) == list(legal)
        assert search.played == 2
    assert {"pick", "build", "draw", "pr"} <= phases


def test_equal_seeds_give_equal_estimates() -> None:
    state, seat = next((s, p) for s, p in positions("medium", 1) if s.phase == "draw")
    legal = state.legal_actions(seat)
    first, same, other = [Search(state.observation(seat), legal, seed) for seed in (1, 1, 2)]
    for search in (first, same, other):
        search.run(6)
    assert first.estimates() == same.estimates() != other.estimates()
    assert sum(one.visits for one in first.estimates()) == 6


def test_what_the_rival_hides_changes_nothing() -> None:
    state, seat = next(
        (s, p) for s, p in positions("medium", 5) if s.phase == "pick" and s.companies[1 - p].hidden
    )
    legal = state.legal_actions(seat)
    found = []
    for number in range(3):
        alike = state.resample(seat, FastChance(number))
        search = Search(alike.observation(seat), legal)
        search.run(4)
        found.append(search.estimates())
    assert found[0] == found[1] == found[2]


def test_planned_steps_are_legal() -> None:
    builder = policy_of(GAME.setting("medium")).builder
    planned = 0
    for state, seat in positions("medium", 4):
        if state.phase != "build" or state.works[seat].due:
            continue
        outlook, work = Outlook(state), state.works[seat]
        for plan in builder.plans(state.setting, work):
            after = work
            for step in plan:
                assert step in steps.steps(state.setting, after)
                after = builder.carried_out(outlook, after, (step,))
                planned += 1
    assert planned > 50


def test_a_finished_match_is_worth_what_it_brought() -> None:
    chance, player = FastChance(4), at_random(4)
    state = GAME.initial_state("short", 2, chance)
    while deciders := state.deciders():
        state = state.apply({seat: player(state, seat) for seat in deciders}, chance)
    outcome = state.outcome()
    assert outcome is not None
    values = policy_of(state.setting).values
    for seat in (0, 1):
        ahead = outcome.points[seat] - outcome.points[1 - seat]
        share = {1: 1.0, 2: 0.0}[outcome.placements[seat]]
        assert reward(values, state, seat) == pytest.approx(share + max(-30, min(30, ahead)) / 100)


def test_a_spectator_cannot_search() -> None:
    state, seat = next(positions("medium", 1))
    with pytest.raises(ValueError, match="player"):
        Search(state.observation(None), (0,))
    with pytest.raises(ValueError, match="legal"):
        Search(state.observation(seat), ())
