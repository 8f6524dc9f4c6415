"""The deal, the choice of plot twists, the starting cards."""

from collections import Counter

import pytest

from saurodrome.engine.chance import FastChance, SecureChance
from saurodrome.engine.games.duelosaur.position import AI, mask
from saurodrome.engine.games.duelosaur.setup import suffices
from saurodrome.engine.games.duelosaur.state import GAME
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import SOLO, TOKENS, act, cards, setting, start


def test_the_variants() -> None:
    lengths = ("medium", "short", "long")
    pairs = [f"{one}{two}" for one in lengths for two in ("", "-extra", "-twists", "-twists-extra")]
    assert GAME.variants == (*pairs, *SOLO.values())
    assert [setting(one).threshold for one in lengths] == [35, 25, 45]
    assert [setting(one).threshold for one in SOLO.values()] == [25, 25, 35, 35, 45, 45]


def test_what_a_company_starts_with() -> None:
    for own in start().companies:
        assert (own.coins, own.dna, own.threat, own.security) == (0, (0,) * 6, 1, 1)
        assert (own.excitement, own.visitors, own.lawsuits) == (1, 5, 0)


def test_what_lies_on_the_table() -> None:
    state = start()
    assert (state.marker, state.round, state.phase) == (3, 0, "setup")
    assert len(state.market.row) == 3
    assert state.market.layers[0].bit_count() == 41
    assert len(set(state.tokens)) == 4
    assert state.staff.deck.bit_count() == 22


def test_the_first_player_is_drawn_and_turned_by_the_start_seat() -> None:
    def first(seed: int, seat: int) -> int:
        return GAME.initial_state("short", 2, FastChance(seed), seat).first

    drawn = Counter(first(seed, 0) for seed in range(60))
    assert min(drawn[0], drawn[1]) > 15
    assert all(first(seed, 0) == 1 - first(seed, 1) for seed in range(10))


def test_one_streams_luck_does_not_depend_on_another() -> None:
    def dealt(variant: str) -> tuple[int, ...]:
        return GAME.initial_state(variant, 2, SecureChance(bytes(32))).market.row

    assert dealt("medium") == dealt("medium-twists")


def test_setup_offers_each_pair_of_starters() -> None:
    state = start()
    assert samples.texts(state, 1) == [
        "dino S04 attr S05",
        "dino S04 attr S06",
        "dino S05 attr S04",
        "dino S05 attr S06",
        "dino S06 attr S04",
        "dino S06 attr S05",
    ]
    assert samples.default(state, 0) == "dino S01 attr S02"


def test_setup_costs_nothing_moves_nothing_and_leaves_one_card() -> None:
    state = act(start(), "dino S03 attr S01", seat=0)
    state = act(state, "dino S05 attr S06", seat=1)
    own, other = state.companies
    assert (own.dinosaurs, own.attractions, own.seen) == tuple(map(cards, ("S03", "S01", "S02")))
    assert (other.dinosaurs, other.attractions) == (cards("S05"), cards("S06"))
    assert (own.dna, own.threat, own.excitement, own.visitors) == ((0,) * 6, 1, 1, 5)
    assert (other.dna, other.hidden) == ((0,) * 6, 0)  # no bonus for the ride
    assert own.coins == 3 + 1  # the first income, with one food icon
    assert other.coins == 3


def test_setup_is_hidden_until_both_have_chosen() -> None:
    before = start()
    after = act(before, "dino S03 attr S01", seat=0)
    assert after.deciders() == (1,)
    assert after.observation(1) == before.observation(1)
    assert after.observation(None) == before.observation(None)
    assert after.observation(0).private.choice == 4


def test_twists_are_chosen_by_turns_from_eight() -> None:
    state = start("short-twists")
    assert state.phase == "twist"
    offered, first = state.offered, state.first
    assert len(offered) == 8
    counts: list[int] = []
    seats: list[int] = []
    while state.phase == "twist":
        counts.append(len(state.legal_actions(state.deciders()[0])))
        seats += state.deciders()
        state = act(state, samples.default(state))
    assert counts == [56, 30, 12, 2]
    assert seats == [first, 1 - first] * 2
    assert state.tokens == offered[::2]
    assert state.phase == "setup"


def test_a_twist_kept_lies_under_the_next_slot() -> None:
    state = start("short-twists")
    names = [samples.PARTS.tokens[one].id for one in state.offered]
    state = act(state, f"keep {names[5]} drop {names[0]}", f"keep {names[2]} drop {names[7]}")
    assert state.tokens == (TOKENS[names[5]], TOKENS[names[2]])
    assert [samples.PARTS.tokens[one].id for one in state.offered] == [
        names[n] for n in (1, 3, 4, 6)
    ]


def test_solo_deals_the_ai_open_cards_after_the_row() -> None:
    for ai, hand in (("A1", 2), ("A6", 3)):
        state = start(SOLO[ai])
        rival = state.rivals[0]
        assert rival.hand.bit_count() == hand
        assert state.market.layers[0].bit_count() == 41 - hand
        assert (rival.visitors, rival.excitement, rival.coins) == (5, 1, 0)
        assert state.first == AI
        assert state.staff.deck.bit_count() == 19  # three specialists stay out
        everything = state.market.layers[0] | rival.hand | mask(state.market.row)
        assert (everything | state.companies[0].hand).bit_count() == 47


@pytest.mark.parametrize(
    ("variant", "tokens", "fits"),
    [
        ("solo-herb-e-vore", ("T01", "T07", "T10", "T13"), True),  # needs dna
        ("solo-herb-e-vore", ("T01", "T07", "T08", "T13"), False),
        ("solo-dnaidan", ("T04", "T07", "T08", "T13"), True),  # multiplier, also with bonus
        ("solo-dnaidan", ("T13", "T07", "T08", "T15"), False),  # a choice is none
        ("solo-sara-tops", ("T01", "T04", "T05", "T10"), False),  # bonus is not multiplier_bonus
        ("solo-sara-tops", ("T01", "T04", "T05", "T09"), True),
        ("solo-dino-mike", ("T13", "T14", "T15", "T10"), True),  # needs nothing
    ],
)
def test_required_twists(variant: str, tokens: tuple[str, ...], fits: bool) -> None:
    assert suffices(setting(variant), tuple(TOKENS[one] for one in tokens)) == fits


def test_unfit_twists_are_drawn_again() -> None:
    for seed in range(40):
        state = start("solo-sara-tops", seed)
        assert any(samples.PARTS.tokens[one].category == "bonus" for one in state.tokens)
