"""Duelosaur Island as an environment: PettingZoo's own tests, and what its arrays say."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import BadPlayerCount
from saurodrome.engine.games.duelosaur import draft, steps
from saurodrome.engine.games.duelosaur.position import bits
from saurodrome.engine.games.duelosaur.state import GAME
from saurodrome.engine.rl import duelosaur_arrays as arrays
from saurodrome.engine.rl.duelosaur import env
from saurodrome.engine.rl.duelosaur_batch import DuelosaurBatch


# A dictionary with an action mask is PettingZoo's own convention, and `render_modes` says that
# nothing is drawn; its test warns all the same.
@pytest.mark.filterwarnings("ignore:Environment has not defined a render")
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("variant", ["short", "long-twists-extra"])
def test_pettingzoo_accepts_the_environment(variant: str) -> None:
    api_test(env(variant), num_cycles=400)
    seed_test(lambda: env(variant), num_cycles=100)


def test_arrays_say_what_the_state_says() -> None:
    chance = FastChance(3)
    state = GAME.initial_state("short", 2, chance)
    cards, seen_phases = len(state.setting.cards), set()
    head = len(arrays.PHASES) + 11
    while deciders := state.deciders():
        seat = deciders[-1]
        legal = state.legal_actions(seat)
        seen, allowed = arrays.observe(state, seat), arrays.mask_of(state, seat)
        assert seen.shape == (arrays.length(state.setting),)
        assert seen.dtype == np.int16
        assert tuple(np.flatnonzero(allowed)) == legal[: arrays.MOST_ACTIONS]
        assert arrays.PHASES[int(np.argmax(seen[: len(arrays.PHASES)]))] == state.phase
        own = state.works[seat].company if state.works else state.companies[seat]
        assert seen[head] == own.coins
        assert tuple(seen[head + 1 : head + 7]) == own.dna
        park = seen[head + 13 : head + 13 + cards]
        assert list(np.flatnonzero(park)) == bits(own.dinosaurs)
        meaning = arrays.meanings(state, seat)
        assert tuple(np.flatnonzero(meaning[:, 0])) == tuple(np.flatnonzero(allowed))
        seen_phases.add(state.phase)
        chosen = legal[chance.draw("choice", len(legal))]
        state = state.apply({seat: chosen}, chance)
    assert {"setup", "draw", "pick", "build", "pr"} <= seen_phases
    assert not arrays.mask_of(state, 0).any()


def test_picks_and_steps_are_told_by_their_parts() -> None:
    chance = FastChance(8)
    state = GAME.initial_state("short", 2, chance)
    while state.phase != "pick":
        state = state.apply({s: state.default_action(s) for s in state.deciders()}, chance)
    seat = state.deciders()[0]
    for row, pick in zip(arrays.meanings(state, seat), draft.picks(state, seat), strict=False):
        assert tuple(row[1:5]) == (pick.kind, pick.item + 1, pick.option + 1, pick.out + 1)
        assert row[5:11].sum() == len(pick.colours)
    while state.phase != "build":
        state = state.apply({s: state.default_action(s) for s in state.deciders()}, chance)
    known = steps.steps(state.setting, state.works[1])
    for row, step in zip(arrays.meanings(state, 1), known, strict=False):
        assert tuple(row[1:3]) == (step.kind, step.item + 1)
        assert (row[5:11].sum(), row[11:17].sum()) == (len(step.spent), len(step.made))


def test_a_hidden_card_is_not_shown() -> None:
    chance = FastChance(2)
    state = GAME.initial_state("short", 2, chance)
    while not state.companies[1].hidden or state.deciders() != (0,):
        state = state.apply({s: state.default_action(s) for s in state.deciders()}, chance)
    for number in range(5):
        alike = state.resample(0, FastChance(number))
        assert np.array_equal(arrays.observe(alike, 0), arrays.observe(state, 0))


def test_what_the_mask_forbids_becomes_the_default_action() -> None:
    table = env("short")
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(500)
    assert table.infos[agent] == {"illegal": True}


def test_a_solo_match_is_refused() -> None:
    with pytest.raises(BadPlayerCount):
        env("solo-dnaidan")


def test_a_batch_plays_on_by_itself() -> None:
    random = np.random.default_rng(1)
    batch = DuelosaurBatch(3, "short", seed=2)
    view, ended = batch.look(), 0
    for _ in range(700):
        actions = [random.choice(np.flatnonzero(mask)) for mask in view.masks]
        view, gained, over = batch.step(actions)
        assert view.masks.shape == (3, arrays.MOST_ACTIONS)
        assert np.allclose(gained.sum(axis=1), 0)
        assert not gained[~over].any()
        ended += int(over.sum())
        if ended:
            break
    assert ended
