"""Random legal play keeps every law of the game, step by step."""

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from saurodrome.engine import conformance
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus import turns
from saurodrome.engine.games.draftosaurus.board import FACES, SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.pens import counts_of, total
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from tests.engine.draftosaurus import reference
from tests.engine.draftosaurus.cases import plain_zoo


class Play(RuleBasedStateMachine):
    """Walks through a match by choices that Hypothesis makes."""

    def __init__(self) -> None:
        super().__init__()
        self.state: DraftosaurusState | None = None

    @initialize(
        players=st.integers(2, 5),
        seed=st.integers(0, 2**32),
        variant=st.sampled_from(GAME.variants),
        start=st.integers(0, 4),
    )
    def begin(self, players: int, seed: int, variant: str, start: int) -> None:
        self.chance = FastChance(seed)
        self.state = GAME.initial_state(variant, players, self.chance, start % players)

    @rule(data=st.data())
    def step(self, data: st.DataObject) -> None:
        before = self.state
        if before is None or not before.deciders():
            return
        actions = {
            player: data.draw(st.sampled_from(before.legal_actions(player)))
            for player in before.deciders()
        }
        self.state = before.apply(actions, self.chance)
        if before.phase == "place":
            assert self.state.reveal == tuple(actions.values())

    @invariant()
    def no_dinosaur_is_lost_or_made(self) -> None:
        if self.state is not None:
            state = self.state
            everywhere = state.bag + sum(state.hands) + sum(state.discards)
            everywhere += sum(zoo.counts for zoo in state.zoos)
            assert everywhere == state.box

    @invariant()
    def zoos_grow_together(self) -> None:
        if self.state is not None:
            sizes = {total(zoo.counts) for zoo in self.state.zoos}
            assert sizes == {self.state.turn + (self.state.phase == "discard")}
            assert len({total(hand) for hand in self.state.hands}) == 1

    @invariant()
    def counts_fit_the_pens(self) -> None:
        if self.state is not None:
            for seat, zoo in enumerate(self.state.zoos):
                inside = Counter(
                    one for pen in plain_zoo(self.state, seat).values() for one in pen if one
                )
                names = dict(zip(SPECIES_NAMES, counts_of(zoo.counts), strict=True))
                assert inside == Counter(names)

    @invariant()
    def the_river_is_open_to_every_dinosaur_in_hand(self) -> None:
        if self.state is not None and self.state.phase == "place":
            river = len(self.state.board.places) - 1
            for player in self.state.deciders():
                rivers = [a % 6 for a in self.state.legal_actions(player) if a // 6 == river]
                counts = counts_of(self.state.hands[player])
                assert rivers == [one for one, count in enumerate(counts) if count]

    @invariant()
    def texts_come_back(self) -> None:
        if self.state is not None:
            for player in self.state.deciders():
                for action in self.state.legal_actions(player):
                    text = self.state.action_text(player, action)
                    assert self.state.parse_action(player, text) == action


Play.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
TestPlay = Play.TestCase


def compare_with_reference(players: int, seed: int) -> None:
    """Play one random match in both rules at once."""
    chance = FastChance(seed)
    now = GAME.initial_state("summer", players, chance)
    zoos = [reference.Zoo() for _ in range(players)]
    names = {place: pen.name for place, pen in enumerate(now.board.pens)}
    while now.deciders():
        actions = {}
        for player in now.deciders():
            legal = now.legal_actions(player)
            actions[player] = legal[chance.draw("choice", len(legal))]
            if now.phase == "place":
                hand = [
                    SPECIES_NAMES[one]
                    for one, count in enumerate(counts_of(now.hands[player]))
                    if count
                ]
                face = None if player == now.roller else FACES[now.die]
                found = {(SPECIES_NAMES[a % 6], names[a // 6]) for a in legal}
                assert found == zoos[player].moves(hand, face)
        if now.phase == "place":
            for player, action in actions.items():
                zoos[player].put(SPECIES_NAMES[action % 6], names[action // 6])
        now = now.apply(actions, chance)
    outcome = now.outcome()
    assert outcome is not None
    assert outcome.points == tuple(reference.score(zoos, seat) for seat in range(players))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_second_opinion_agrees(players: int) -> None:
    for seed in range(20):
        compare_with_reference(players, seed)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_second_opinion_agrees_for_long(players: int) -> None:
    for seed in range(1000, 6000):
        compare_with_reference(players, seed)


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_contract_is_kept(variant: str, players: int) -> None:
    conformance.check(GAME, variant, players, games=8)


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_contract_is_kept_for_long(variant: str, players: int) -> None:
    conformance.check(GAME, variant, players, seed=1, games=1000)


@pytest.mark.parametrize("variant", GAME.variants)
def test_the_play_out_ends_as_states_do(variant: str) -> None:
    state = GAME.initial_state(variant, 3, FastChance(4))
    chance, same = FastChance(5), FastChance(5)
    by_hand = state
    while by_hand.deciders():
        actions = {}
        for player in by_hand.deciders():
            legal = by_hand.legal_actions(player)
            actions[player] = legal[chance.draw("choice", len(legal))]
        by_hand = by_hand.apply(actions, chance)
    assert turns.playout(state, same) == by_hand
