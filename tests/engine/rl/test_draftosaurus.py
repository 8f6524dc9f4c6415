"""PettingZoo's own tests, and what its arrays say."""

from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Outcome
from saurodrome.engine.games.draftosaurus.pens import counts_of
from saurodrome.engine.games.draftosaurus.state import GAME
from saurodrome.engine.rl import arrays
from saurodrome.engine.rl.batch import DraftosaurusBatch
from saurodrome.engine.rl.draftosaurus import env, parallel_env
from saurodrome.engine.rl.rewards import rewards
from tests.engine.test_readme import run_example

TABLES = [("summer", 2), ("summer", 5), ("winter", 2), ("winter", 3)]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_pettingzoo_accepts_the_parallel_environment(variant: str, players: int) -> None:
    parallel_api_test(parallel_env(variant, players), num_cycles=60)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_equal_seeds_give_equal_matches(variant: str, players: int) -> None:
    parallel_seed_test(partial(parallel_env, variant, players), num_cycles=30)


# A dictionary with an action mask is PettingZoo's own convention; its test warns all the same.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize(("variant", "players"), [("summer", 2), ("winter", 3)])
def test_pettingzoo_accepts_the_sequential_environment(variant: str, players: int) -> None:
    api_test(env(variant, players), num_cycles=60)
    seed_test(partial(env, variant, players), num_cycles=30)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_arrays_say_what_the_state_says(variant: str, players: int) -> None:
    chance = FastChance(3)
    state = GAME.initial_state(variant, players, chance, 1)
    while deciders := state.deciders():
        actions = {}
        for seat in range(players):
            seen, allowed = arrays.observe(state, seat), arrays.mask(state, seat)
            assert seen.shape == (arrays.length(players),)
            assert seen.dtype == allowed.dtype == np.int8
            legal = state.legal_actions(seat) or (len(allowed) - 1,)
            assert tuple(np.flatnonzero(allowed)) == legal
            own = players * arrays.ZOO
            assert tuple(seen[own : own + 6]) == counts_of(state.hands[seat])
            assert seen[own + 7] == 1
            pens = seen[: 7 * 6].reshape(7, 6).sum(axis=0)
            assert tuple(pens) == counts_of(state.zoos[seat].counts)
            assert seen[-1] == state.turn
            if seat in deciders:
                actions[seat] = legal[chance.draw("choice", len(legal))]
        state = state.apply(actions, chance)


def test_an_unknown_hand_is_not_shown() -> None:
    state = GAME.initial_state("summer", 2, FastChance(1))
    other = 2 * arrays.ZOO + arrays.HAND
    assert tuple(arrays.observe(state, 0)[other : other + 8]) == (0, 0, 0, 0, 0, 0, 6, 0)


def test_rewards_sum_to_nothing() -> None:
    assert rewards(None, 3) == [0.0, 0.0, 0.0]
    assert rewards(Outcome((9, 5, 5), (1, 2, 2)), 3) == [1.0, -0.5, -0.5]


def test_what_the_mask_forbids_becomes_the_default_action() -> None:
    table = parallel_env()
    seen, _ = table.reset(seed=1)
    state = table.state_of_match
    assert state is not None
    actions = {agent: int(np.argmin(one["action_mask"])) for agent, one in seen.items()}
    infos = table.step(actions)[4]
    assert infos == {"seat_0": {"illegal": True}, "seat_1": {"illegal": True}}
    assert table.state_of_match is not None
    assert table.state_of_match.reveal == tuple(map(state.default_action, (0, 1)))


def test_a_batch_plays_on_by_itself() -> None:
    random = np.random.default_rng(1)
    batch = DraftosaurusBatch(4, "winter", 3, seed=2)
    _, masks = batch.look()
    ended = 0
    for _ in range(40):
        actions = [[random.choice(np.flatnonzero(mask)) for mask in table] for table in masks]
        observations, masks, gained, over = batch.step(actions)
        assert observations.shape == (4, 3, arrays.length(3))
        assert masks.shape == (4, 3, 151)
        assert gained.shape == (4, 3)
        assert np.allclose(gained.sum(axis=1), 0)
        assert not gained[~over].any()
        ended += int(over.sum())
    assert ended == 12  # a match has 12 turns, and a 13th step if somebody is in quarantine


def test_the_pages_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    run_example("SEARCH.md", 1)
    assert "seat_2" in capsys.readouterr().out
