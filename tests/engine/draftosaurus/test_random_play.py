"""Random legal play keeps every law of the game, step by step."""

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from saurodrome.engine import conformance
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus import scoring, wire
from saurodrome.engine.games.draftosaurus.board import FACES, SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.pens import counts_of, total
from saurodrome.engine.games.draftosaurus.position import NO_ACTION
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as pb
from tests.engine.draftosaurus import reference
from tests.engine.draftosaurus.cases import plain_zoo
from tests.engine.draftosaurus.forms import FORMS, ways_of


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
        expected = [actions.get(player, NO_ACTION) for player in range(before.players)]
        assert self.state.reveal == tuple(expected)

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
    def the_totals_on_the_wire_are_those_of_the_score_sheets(self) -> None:
        if self.state is not None:
            board, zoos = self.state.board, self.state.zoos
            sheets = scoring.score(board, zoos)
            found = [sheet.total for sheet in sheets]
            shown = pb.Observation.FromString(wire.encode(self.state.observation(None)))
            assert list(shown.points) == found
            assert scoring.outcome(board, self.state.plots) == (tuple(found), scoring.rank(sheets))

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


Play.TestCase.settings = settings(max_examples=8, stateful_step_count=25, deadline=None)
TestPlay = Play.TestCase


def meant(now: DraftosaurusState, action: int) -> tuple[str, reference.Goal]:
    """Return which species a placement or move puts where."""
    place = now.board.places[action % now.board.first_move // 6]
    slot = place.slot if place.slot >= 0 else None
    return SPECIES_NAMES[action % 6], (now.board.pens[place.pen].name, slot)


def compare_choices(now: DraftosaurusState, player: int, zoo: reference.Zoo) -> None:
    """Compare the legal actions of a player with those of the second opinion."""
    if now.phase == "discard":
        return
    found = {meant(now, action) for action in now.legal_actions(player)}
    if now.phase == "place":
        held = zip(SPECIES_NAMES, counts_of(now.hands[player]), strict=True)
        face = None if player == now.roller else FACES[now.die]
        assert found == zoo.moves([name for name, count in held if count], face)
    else:
        assert found == zoo.moves([zoo.leave_quarantine()], None)


def compare_with_reference(variant: str, players: int, seed: int) -> None:
    """Play one random match in both rules at once."""
    chance = FastChance(seed)
    now = GAME.initial_state(variant, players, chance)
    zoos = [reference.Zoo(variant) for _ in range(players)]
    while now.deciders():
        actions = {}
        for player in now.deciders():
            compare_choices(now, player, zoos[player])
            legal = now.legal_actions(player)
            actions[player] = legal[chance.draw("choice", len(legal))]
        if now.phase != "discard":
            for player, action in actions.items():
                zoos[player].put(*meant(now, action))
        now = now.apply(actions, chance)
    outcome = now.outcome()
    assert outcome is not None
    assert outcome.points == tuple(reference.score(zoos, seat) for seat in range(players))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_second_opinion_agrees(form: str, variant: str, players: int) -> None:
    with ways_of(form):
        for seed in range(10):
            compare_with_reference(variant, players, seed)


@pytest.mark.case("P45")
@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_second_opinion_agrees_for_long(variant: str, players: int) -> None:
    for seed in range(1000, 4000):
        compare_with_reference(variant, players, seed)


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_contract_is_kept(variant: str, players: int) -> None:
    conformance.check(GAME, variant, players, games=4)


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_contract_is_kept_for_long(variant: str, players: int) -> None:
    conformance.check(GAME, variant, players, seed=1, games=1000)
