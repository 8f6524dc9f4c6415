"""Play-outs in place end as matches of states do, from any position on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.draftosaurus import nodes
from saurodrome.engine.games.draftosaurus.boards import SUMMER
from saurodrome.engine.games.draftosaurus.playout import Table
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.engine.xorshift import XorshiftChance
from tests.engine.draftosaurus.forms import FORMS, ways_of

players = st.integers(2, 5)
seeds = st.integers(0, 2**32)


def step(state: DraftosaurusState, chance: Chance) -> DraftosaurusState:
    """Return the state after uniformly random actions, drawn seat by seat."""
    actions = {}
    for player in state.deciders():
        legal = state.legal_actions(player)
        actions[player] = legal[chance.draw("choice", len(legal))]
    return state.apply(actions, chance)


def walk(state: DraftosaurusState, chance: Chance, steps: int) -> tuple[DraftosaurusState, int]:
    """Return the state after some random steps, and how many decisions they took."""
    decisions = 0
    while state.deciders() and steps:
        decisions += len(state.deciders())
        state = step(state, chance)
        steps -= 1
    return state, decisions


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("variant", GAME.variants)
@given(count=players, seed=seeds, steps=st.integers(0, 25))
def test_a_play_out_is_the_match_that_states_play(
    form: str, variant: str, count: int, seed: int, steps: int
) -> None:
    first = GAME.initial_state(variant, count, XorshiftChance(seed), seed % count)
    position, _ = walk(first, XorshiftChance(seed + 1), steps)
    end, decisions = walk(position, XorshiftChance(seed + 2), 99)
    outcome = end.outcome()
    assert outcome is not None
    with ways_of(form):
        table = Table.at(position)
        assert table.play_out(XorshiftChance(seed + 2)) == decisions
        assert tuple(seat.zoo() for seat in table.seats) == end.zoos
        assert table.points() == outcome.points


def test_a_play_out_leaves_its_position_alone() -> None:
    position = GAME.initial_state("winter", 3, XorshiftChance(1))
    before = hash(position)
    Table.at(position).play_out(XorshiftChance(2))
    assert hash(position) == before


def test_play_outs_of_equal_seeds_are_equal() -> None:
    position = GAME.initial_state("summer", 4, XorshiftChance(1))
    tables = [Table.at(position) for _ in range(3)]
    for table, seed in zip(tables, (5, 5, 6), strict=True):
        table.play_out(XorshiftChance(seed))
    first, same, other = [[seat.zoo() for seat in table.seats] for table in tables]
    assert first == same != other


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_a_table_begins_as_a_state_does(variant: str, count: int) -> None:
    chance, same = XorshiftChance(count), XorshiftChance(count)
    state = GAME.initial_state(variant, count, chance, 1)
    table = Table(state.board, count, 1)
    table.begin(same)
    assert [seat.hand for seat in table.seats] == list(state.hands)
    assert (table.bag, table.die) == (state.bag, state.die)
    state, _ = walk(state, chance, 99)
    table.play_out(same)
    assert tuple(seat.zoo() for seat in table.seats) == state.zoos


@pytest.mark.parametrize("variant", GAME.variants)
def test_a_table_can_be_looked_at_and_played_on(variant: str) -> None:
    position = GAME.initial_state(variant, 3, XorshiftChance(4))
    looked, unseen = Table.at(position), Table.at(position)
    action = position.legal_actions(1)[0]
    for table in (looked, unseen):
        table.step(1, action, XorshiftChance(5), 1)
    assert len(looked.seats) == 3
    for table in (looked, unseen):
        table.play_out(XorshiftChance(6))
    assert looked.points() == unseen.points()
    assert [seat.zoo() for seat in looked.seats] == [seat.zoo() for seat in unseen.seats]
    assert looked.points() == unseen.points()


def test_nodes_of_a_board_are_forgotten_when_they_become_many() -> None:
    before = nodes.graph_of(SUMMER)
    before.size = nodes.NODES_KEPT + 1
    after = nodes.graph_of(SUMMER)
    assert after is not before
    assert nodes.graph_of(SUMMER) is after
