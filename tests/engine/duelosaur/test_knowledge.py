"""What each observer knows: open, hidden, and deduced; and states that look alike."""

from collections import Counter

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.knowledge import Pool
from saurodrome.engine.games.duelosaur.position import (
    NOTHING,
    OPEN_BUILD,
    OPEN_DRAFT,
    RESET,
    Due,
    Market,
)
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from saurodrome.engine.games.duelosaur.words import CARD
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.players import at_random
from tests.engine.duelosaur.samples import act, cards, company, position, settled

DECK = ("P20", "P21", "P22", "P23")


def holding(
    one: tuple[str, ...],
    other: tuple[str, ...],
    *layers: tuple[str, ...],
    seen: tuple[str, ...] = (),
) -> DuelosaurState:
    """Return a state in which two players hold hidden cards from the layers of a deck."""
    companies = (company(hidden=cards(*one), seen=cards(*seen)), company(hidden=cards(*other)))
    market = Market((), tuple(cards(*layer) for layer in layers), 0)
    return position(companies=companies, market=market, stage=RESET, queue=(0,))


def test_a_player_knows_its_own_hand_and_what_was_seen() -> None:
    state = holding(("P01",), ("P02", "P03"), ("P01", "P02", "P03", *DECK), seen=("P10",))
    own, other, spectator = (state.observation(one).private for one in (0, 1, None))
    assert own.hands == (cards("P01", "P10"), 0)
    assert other.hands == (cards("P10"), cards("P02", "P03"))
    assert spectator.hands == (cards("P10"), 0)


def test_the_rest_is_a_pool_with_counts() -> None:
    state = holding(("P01",), ("P02", "P03"), ("P01", "P02", "P03", *DECK))
    own, other, spectator = (state.observation(one).private.pools for one in (0, 1, None))
    assert own == (Pool(cards("P02", "P03", *DECK), 4, (0, 2)),)
    assert other == (Pool(cards("P01", *DECK), 4, (1, 0)),)
    assert spectator == (Pool(cards("P01", "P02", "P03", *DECK), 4, (1, 2)),)
    assert state.observation(0).public.pools == spectator


def test_an_empty_deck_gives_the_other_hand_away() -> None:
    state = holding(("P01",), ("P02", "P03"), ("P01", "P02", "P03"))
    own, spectator = (state.observation(one).private for one in (0, None))
    assert own.hands == (cards("P01"), cards("P02", "P03"))
    assert own.pools == ()
    assert spectator.hands == (0, 0)
    assert spectator.pools == (Pool(cards("P01", "P02", "P03"), 0, (1, 2)),)


def test_what_was_held_at_a_reshuffle_stays_known_to_the_players() -> None:
    before = holding(("P01",), ("P02",), ("P01", "P02"))._replace(agenda=(Due(0, CARD, 1),))
    before = before._replace(market=before.market._replace(discards=cards(*DECK)))
    state = act(before, "deck")
    drawn = state.companies[0].hidden & ~cards("P01")
    own, other, spectator = (state.observation(one).private for one in (0, 1, None))
    assert own.hands == (cards("P01") | drawn, cards("P02"))
    assert other.hands == (cards("P01"), cards("P02"))
    assert other.pools == (Pool(cards(*DECK), 3, (1, 0)),)
    assert spectator.pools == (
        Pool(cards("P01", "P02"), 0, (1, 1)),
        Pool(cards(*DECK), 3, (1, 0)),
    )


def test_cards_that_only_one_can_hold_are_known_to_all() -> None:
    state = holding((), ("P02", "P03"), ("P02", "P03"), DECK)
    for observer in (0, 1, None):
        seen = state.observation(observer).private
        assert seen.hands == (0, cards("P02", "P03"))
        assert seen.pools == (Pool(cards(*DECK), 4, (0, 0)),)


def test_seen_or_deduced_is_the_same_knowledge() -> None:
    deduced = holding((), ("P02",), ("P02",), DECK)
    seen = holding((), (), (), DECK)
    other = company(seen=cards("P02"))
    seen = seen._replace(companies=(seen.companies[0], other))
    assert deduced.observation(0) == seen.observation(0)


def test_only_the_first_player_sees_the_specialists_it_chooses_from() -> None:
    state = settled(position(stage=OPEN_DRAFT, round=1, first=0))
    own, other, spectator = (state.observation(one) for one in (0, 1, None))
    assert own.private.specialists == state.draft.pool
    assert other.private.specialists == spectator.private.specialists == ()
    assert own.public.pool == 3
    assert own.public.staff_left.bit_count() == 22
    after = act(state, samples.default(state)).observation(1).public
    assert after.staff_discards.bit_count() == 1
    assert after.staff_left.bit_count() == 19


def test_public_is_the_same_for_all() -> None:
    state = samples.start()
    assert len({state.observation(one).public for one in (0, 1, None)}) == 1


def resampled(state: DuelosaurState, observer: int | None, count: int) -> list[DuelosaurState]:
    chance = FastChance(11)
    return [state.resample(observer, chance) for _ in range(count)]


def test_resampled_hands_are_as_likely_as_the_counts_say() -> None:
    state = holding(("P01",), ("P02",), ("P01", "P02", "P20"), ("P30", "P31"))
    twins = resampled(state, 0, 600)
    assert {twin.companies[0].hidden for twin in twins} == {cards("P01")}
    held = Counter(twin.companies[1].hidden for twin in twins)
    assert held.keys() == {cards("P02"), cards("P20")}
    assert 240 < held[cards("P02")] < 360


def test_a_spectator_cannot_tell_who_holds_what() -> None:
    state = holding(("P01",), ("P02",), ("P01", "P02"), ("P30",))
    hands = Counter(twin.companies[0].hidden for twin in resampled(state, None, 100))
    assert hands.keys() == {cards("P01"), cards("P02")}


def test_cards_never_leave_their_layer() -> None:
    state = holding(("P01", "P30"), ("P02", "P31"), ("P01", "P02"), ("P30", "P31", "P32"))
    for twin in resampled(state, None, 50):
        for own in twin.companies:
            assert (own.hidden & cards("P01", "P02")).bit_count() == 1
            assert own.hidden.bit_count() == 2


def test_the_pool_of_specialists_varies_for_the_other_player() -> None:
    state = settled(position(stage=OPEN_DRAFT, round=1, first=0))
    assert len({twin.draft.pool for twin in resampled(state, 1, 30)}) > 20
    assert {twin.draft.pool for twin in resampled(state, 0, 30)} == {state.draft.pool}
    for twin in resampled(state, 1, 30):
        assert twin.staff.deck.bit_count() == 19
        assert not twin.staff.deck & sum(1 << one for one in twin.draft.pool)


def test_hidden_builds_vary_but_the_own_one() -> None:
    own = company(coins=5, seen=cards("P01"))
    state = settled(position(companies=(own, own), stage=OPEN_BUILD, round=1))
    state = act(state, "security", seat=0)
    twins = resampled(state, 0, 60)
    assert {twin.works[0] for twin in twins} == {state.works[0]}
    assert len({twin.works[1] for twin in twins}) > 5
    assert {twin.works[1].done for twin in twins} == {True, False}
    state = act(state, "done", seat=0)
    assert {twin.works[1].done for twin in resampled(state, 0, 60)} == {False}
    assert {twin.works[0].done for twin in resampled(state, 1, 60)} == {True, False}


def test_a_hidden_choice_varies() -> None:
    state = act(samples.start(), "dino S03 attr S01", seat=0)
    assert {twin.choices[1] for twin in resampled(state, 0, 30)} == {NOTHING}
    theirs = {twin.choices[0] for twin in resampled(state, 1, 100)}
    assert theirs == {NOTHING, 0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("seed", range(3))
def test_what_an_observer_may_not_know_does_not_show(seed: int) -> None:
    state, player, chance = samples.start("short", seed), at_random(seed), FastChance(seed)
    for _ in range(60):
        for observer in (0, 1, None):
            twin = state.resample(observer, chance)
            assert twin.observation(observer) == state.observation(observer)
            if observer in state.deciders() and observer is not None:
                assert twin.legal_actions(observer) == state.legal_actions(observer)
        state = state.apply({one: player(state, one) for one in state.deciders()}, chance)
