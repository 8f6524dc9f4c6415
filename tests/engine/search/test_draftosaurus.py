"""The search deals what a player cannot see fairly, counts rewards right and finds good moves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.games.draftosaurus.knowledge import Observation
from saurodrome.engine.games.draftosaurus.pens import total
from saurodrome.engine.games.draftosaurus.playout import Table
from saurodrome.engine.games.draftosaurus.plots import plot_of
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.engine.search.draftosaurus import Search, Worlds, rebuilt, worth
from saurodrome.engine.xorshift import XorshiftChance


def walked(variant: str, players: int, seed: int, steps: int) -> DraftosaurusState:
    """Return a state after some random steps; the last one before the end at most."""
    chance = XorshiftChance(seed)
    state = GAME.initial_state(variant, players, chance, seed % players)
    for _ in range(steps):
        actions = {}
        for player in state.deciders():
            legal = state.legal_actions(player)
            actions[player] = legal[chance.below(len(legal))]
        after = state.apply(actions, chance)
        if not after.deciders():
            break
        state = after
    return state


states = st.builds(
    walked,
    st.sampled_from(GAME.variants),
    st.integers(2, 5),
    st.integers(0, 999),
    st.integers(0, 24),
)


@given(states)
def test_zoos_are_rebuilt_from_what_lies_in_them(state: DraftosaurusState) -> None:
    for zoo in state.zoos:
        assert rebuilt(state.board, zoo.pens) == zoo


def test_impossible_pens_are_refused() -> None:
    board = GAME.initial_state("summer", 2, XorshiftChance(1)).board
    with pytest.raises(ValueError, match="break their own rules"):
        rebuilt(board, (0o21, 0, 0, 0, 0, 0, 0))  # two species in the forest of sameness


@given(states, st.data())
def test_worlds_look_alike_to_their_observer(state: DraftosaurusState, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(state.deciders()))
    seen = state.observation(player)
    table = Worlds(seen).draw(XorshiftChance(data.draw(st.integers(0, 99))))
    alike = state._replace(hands=tuple(seat.hand for seat in table.seats), bag=table.bag)
    assert alike.observation(player) == seen
    assert tuple(seat.zoo() for seat in table.seats) == state.zoos
    assert table.bag + sum(seat.hand for seat in table.seats) == state.bag + sum(state.hands)


def test_an_unseen_hand_holds_each_species_as_often_as_it_should() -> None:
    state = walked("summer", 2, 3, 0)
    seen = state.observation(0)
    worlds, chance = Worlds(seen), XorshiftChance(5)
    counts: Counter[int] = Counter()
    draws = 4000
    for _ in range(draws):
        hand = worlds.draw(chance).seats[1].hand
        for species in range(6):
            counts[species] += hand >> 4 * species & 15
    unseen = seen.private.unseen
    for species in range(6):
        expected = draws * 6 * (unseen >> 4 * species & 15) / total(unseen)
        assert abs(counts[species] - expected) < 5 * expected**0.5


@given(states)
def test_rewards_follow_the_placements(state: DraftosaurusState) -> None:
    table = Table.at(state)
    chance = XorshiftChance(1)
    table.play_out(chance, 2)
    end = state._replace(
        stage=2, plots=tuple(plot_of(table.board, seat.zoo()) for seat in table.seats)
    )
    outcome = end.outcome()
    assert outcome is not None
    assert table.points() == outcome.points
    places = outcome.placements
    for seat, place in enumerate(places):
        others = [other for number, other in enumerate(places) if number != seat]
        share = sum((other > place) + (other == place) / 2 for other in others) / len(others)
        assert abs(worth(table, seat) - share) <= 0.3 + 1e-9


@given(states, st.data())
def test_every_legal_action_can_be_looked_at(state: DraftosaurusState, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(state.deciders()))
    legal = state.legal_actions(player)
    search = Search(state.observation(player), legal, tries=2)
    search.spread(1)
    found = search.estimates()
    assert sorted(one.action for one in found) == list(legal)
    assert search.best() in legal


def points_after(state: DraftosaurusState, player: int, action: int) -> int:
    """Return a player's points at the end if all others take their default in the last turn."""
    chosen = {other: state.default_action(other) for other in state.deciders()}
    outcome = state.apply({**chosen, player: action}, XorshiftChance(1)).outcome()
    assert outcome is not None
    return outcome.points[player]


@pytest.mark.parametrize("seed", range(6))
def test_the_last_placement_goes_where_the_points_are(seed: int) -> None:
    state = walked("summer", 3, seed, 11)
    assert state.turn == 11
    for player in state.deciders():
        legal = state.legal_actions(player)
        search = Search(state.observation(player), legal)
        search.spread(40)
        chosen = search.estimates()[0].action
        most = max(points_after(state, player, action) for action in legal)
        # The king's points hang on what the others do at the same time.
        assert points_after(state, player, chosen) >= most - 7
        assert points_after(state, player, chosen) >= points_after(
            state, player, state.default_action(player)
        )


def test_equal_seeds_give_equal_estimates() -> None:
    state = walked("winter", 2, 9, 4)
    legal = state.legal_actions(0)
    first, same, other = [Search(state.observation(0), legal, seed) for seed in (1, 1, 2)]
    for search in (first, same, other):
        search.run(60)
    assert first.estimates() == same.estimates() != other.estimates()
    assert sum(one.visits for one in first.estimates()) == 60


def test_a_spectator_cannot_search() -> None:
    state = walked("summer", 2, 1, 0)
    with pytest.raises(ValueError, match="player"):
        Search(state.observation(None), (1,))
    observation: Observation = state.observation(0)
    with pytest.raises(ValueError, match="legal"):
        Search(observation, ())
