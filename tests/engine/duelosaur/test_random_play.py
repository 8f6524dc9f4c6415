"""Random play keeps every law of the game, step by step."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from saurodrome.engine import conformance
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import market, steps
from saurodrome.engine.games.duelosaur.position import Company, bits, mask
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.players import at_random, greedy, play_seeded
from tests.engine.duelosaur.samples import PARTS


class Play(RuleBasedStateMachine):
    """Walks through a match by choices that Hypothesis makes, several decisions a step."""

    def __init__(self) -> None:
        super().__init__()
        self.state: DuelosaurState | None = None

    @initialize(
        seed=st.integers(0, 2**32),
        variant=st.sampled_from(GAME.variants),
        start=st.integers(0, 1),
    )
    def begin(self, seed: int, variant: str, start: int) -> None:
        self.chance = FastChance(seed)
        players = GAME.setting(variant).players
        self.state = GAME.initial_state(variant, players, self.chance, start % players)

    @rule(data=st.data())
    def one(self, data: st.DataObject) -> None:
        state = self.state
        if state is not None and state.deciders():
            seat = data.draw(st.sampled_from(state.deciders()))
            action = data.draw(st.sampled_from(state.legal_actions(seat)))
            actions = {one: state.default_action(one) for one in state.deciders()}
            self.state = state.apply(actions | {seat: action}, self.chance)

    @rule(seed=st.integers(0, 2**32), count=st.integers(1, 40))
    def several(self, seed: int, count: int) -> None:
        player = at_random(seed)
        for _ in range(count):
            state = self.state
            if state is not None and state.deciders():
                actions = {one: player(state, one) for one in state.deciders()}
                self.state = state.apply(actions, self.chance)

    @invariant()
    def cards_are_conserved(self) -> None:
        if self.state is not None:
            check_cards(self.state)

    @invariant()
    def specialists_are_conserved(self) -> None:
        if self.state is not None:
            check_specialists(self.state)

    @invariant()
    def tracks_agree_with_the_parks(self) -> None:
        if self.state is not None:
            for company in self.state.companies:
                check_tracks(company)
            for work in self.state.works:
                check_tracks(work.company)

    @invariant()
    def the_deck_shows_in_every_observation(self) -> None:
        if self.state is not None:
            check_observations(self.state)


def check_cards(state: DuelosaurState) -> None:
    """Check that each card is in one place."""
    places = [1 << card for card in state.market.row]
    places += [state.market.discards, market.deck(state)]
    for own in state.companies:
        places += [own.seen, own.hidden, own.dinosaurs, own.attractions]
    for ai in state.rivals:
        places += [ai.hand, ai.dinosaurs, ai.attractions]
    everywhere = 0
    for place in places:
        assert not everywhere & place
        everywhere |= place
    assert everywhere.bit_count() == (47 if state.solo else 50)


def check_specialists(state: DuelosaurState) -> None:
    """Check that each specialist is in one place."""
    held = [one for own in state.companies for one in own.specialists]
    board = [*held, *state.draft.pool, *state.draft.offer]
    found = [*board, *bits(state.staff.deck), *bits(state.staff.discards)]
    assert sorted(found) == [
        n for n, one in enumerate(PARTS.specialists) if one.solo or not state.solo
    ]
    assert all(len(own.specialists) <= 3 for own in state.companies)


def check_tracks(company: Company) -> None:
    """Check what a company's tracks owe to its park; the starting dinosaur is counted in them."""
    grown = [PARTS.cards[card].dinosaur for card in bits(company.dinosaurs)]
    born = company.dinosaurs and 1  # one of them is the starting one, with 1 and 1
    assert company.excitement == 1 - born + sum(one.excitement for one in grown)
    assert company.threat == 1 - born + sum(one.threat for one in grown)
    assert company.visitors >= 1
    assert company.security >= 1
    assert min(company.coins, *company.dna, company.lawsuits) >= 0


def check_observations(state: DuelosaurState) -> None:
    """Check that the cards an observer knows of or has in a pool are those that exist."""
    for observer in (None, *range(len(state.companies))):
        seen = state.observation(observer)
        known = mask(seen.public.row) | seen.public.discards
        for hand in seen.private.hands:
            known |= hand
        for one in seen.public.companies:
            known |= one.dinosaurs | one.attractions
        for ai in seen.public.rivals:
            known |= ai.hand | ai.dinosaurs | ai.attractions
        if seen.private.work:
            own = seen.private.work
            known |= own.company.dinosaurs | own.company.attractions | own.thrown
        pooled = 0
        for pool in seen.private.pools:
            assert pool.cards.bit_count() == pool.deck + sum(pool.hands)
            assert not pooled & pool.cards
            pooled |= pool.cards
        assert not known & pooled
        assert (known | pooled).bit_count() == (47 if state.solo else 50)


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=12, stateful_step_count=10)


@pytest.mark.parametrize("variant", GAME.variants)
def test_a_match_of_each_variant_ends(variant: str) -> None:
    state = play_seeded(variant, greedy, 3)
    outcome = state.outcome()
    assert outcome is not None
    assert state.phase == "over"
    assert state.observation(None).public.sheets == state.sheets()
    assert outcome.points == tuple(sheet.total for sheet in state.sheets())[: len(outcome.points)]
    setting = GAME.setting(variant)
    crowds = [sheet.visitors for sheet in state.sheets()]
    assert state.final or state.round == 20 or max(crowds) >= setting.threshold


def test_some_matches_end_by_the_cap_of_rounds() -> None:
    ends = [play_seeded("long", at_random, seed) for seed in range(3)]
    capped = [end for end in ends if end.round == 20]
    assert capped
    assert any(own.visitors < 45 for end in capped for own in end.companies)
    assert all(end.round <= 20 for end in ends)


def test_the_most_steps_are_as_many_as_were_foreseen() -> None:
    own = samples.company(dna=(9,) * 6, coins=99, hidden=(1 << 15) - 1)
    count = len(steps.steps(samples.setting(), samples.work(own)))
    assert 500 < count < 650


@pytest.mark.parametrize("variant", ["solo-sima-saurus", "solo-dino-mike"])
def test_solo_keeps_the_contract(variant: str) -> None:
    conformance.check(GAME, variant, 1, games=2)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [name for name in GAME.variants if "solo" not in name])
def test_every_variant_keeps_the_contract(variant: str) -> None:
    conformance.check(GAME, variant, 2, games=4)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [name for name in GAME.variants if "solo" in name])
def test_solo_keeps_the_contract_in_many_matches(variant: str) -> None:
    conformance.check(GAME, variant, 1, seed=1, games=15)
