"""Nodes say what the kernel says, and a state is a value though it holds nodes."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.errors import WrongDeciders
from saurodrome.engine.games.draftosaurus import kernel, nodes
from saurodrome.engine.games.draftosaurus.board import FREE
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.plots import plot_of, zoo_of
from saurodrome.engine.games.draftosaurus.position import PLACE
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.engine.xorshift import XorshiftChance


def after(variant: str, players: int, seed: int, steps: int) -> DraftosaurusState:
    """Return the state after some random steps."""
    chance = XorshiftChance(seed)
    state = GAME.initial_state(variant, players, chance)
    while state.deciders() and steps:
        legal = {seat: state.legal_actions(seat) for seat in state.deciders()}
        state = state.apply(
            {seat: ids[chance.below(len(ids))] for seat, ids in legal.items()}, chance
        )
        steps -= 1
    return state


@pytest.mark.parametrize("variant", GAME.variants)
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32), steps=st.integers(0, 25))
def test_a_state_allows_what_the_kernel_allows(
    variant: str, players: int, seed: int, steps: int
) -> None:
    state = after(variant, players, seed, steps)
    for seat in state.deciders():
        zoo, hand = state.zoos[seat], state.hands[seat]
        if state.stage == PLACE:
            face = FREE if seat == state.roller else state.die
            assert state.legal_actions(seat) == kernel.placements(state.board, zoo, hand, face)
        elif state.phase == "quarantine":
            assert state.legal_actions(seat) == kernel.departures(state.board, zoo)


@pytest.mark.parametrize("variant", GAME.variants)
def test_a_zoo_of_a_state_is_that_which_the_kernel_builds(variant: str) -> None:
    chance = XorshiftChance(3)
    state = GAME.initial_state(variant, 3, chance)
    zoos = list(state.zoos)
    for _ in range(12):
        actions = {seat: state.legal_actions(seat)[-1] for seat in range(3)}
        for seat, action in actions.items():
            placed = kernel.place(state.board, zoos[seat], state.hands[seat], FREE, action)
            assert placed is not None
            zoos[seat] = placed
        state = state.apply(actions, chance)
        assert state.zoos == tuple(zoos)
        assert state.plots == tuple(plot_of(state.board, zoo) for zoo in zoos)
        assert tuple(map(zoo_of, state.plots)) == tuple(zoos)


@pytest.mark.parametrize("variant", GAME.variants)
def test_copies_of_a_state_are_equal_and_bring_no_nodes_of_their_own(variant: str) -> None:
    state = after(variant, 2, 5, 15)
    for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state
        assert hash(other) == hash(state)
        assert other.plots[0][0] is state.plots[0][0]


def test_states_are_equal_by_value_when_a_graph_was_begun_anew() -> None:
    board = BOARDS[GAME.variants.index("winter")]
    old = after("winter", 3, 7, 9)
    nodes.graph_of(board).size = nodes.NODES_KEPT + 1
    new = after("winter", 3, 7, 9)
    assert new.plots[0][0] is not old.plots[0][0]
    assert (new, hash(new), repr(new)) == (old, hash(old), repr(old))
    assert new != after("winter", 3, 8, 9)
    legal = {seat: old.legal_actions(seat)[0] for seat in range(3)}
    assert old.apply(legal, XorshiftChance(1)) == new.apply(legal, XorshiftChance(1))


def test_choices_of_others_are_refused() -> None:
    state = after("summer", 3, 1, 1)
    legal = [state.legal_actions(seat)[0] for seat in range(3)]
    for wrong in ({0: legal[0], 1: legal[1], 3: legal[2]}, {0: legal[0]}, {}):
        with pytest.raises(WrongDeciders):
            state.apply(wrong, XorshiftChance(1))
