"""Corrected sets that give cards in Build: blind, from a share of the deck of one's own."""

from pathlib import Path
from typing import Any

import pytest

from saurodrome.engine import conformance
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.position import OPEN_BUILD, Company, Market
from saurodrome.engine.games.duelosaur.state import Duelosaur, DuelosaurState, load_game
from tests.engine.duelosaur import samples, sets
from tests.engine.duelosaur.samples import act, cards, company, dna, settled

DECK = tuple(f"P{number}" for number in range(20, 32))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Duelosaur:
    """The game with cards at the marker's start, by an action and after a mix."""

    def space(content: Any) -> None:
        content["spaces"][3]["gain"] = {"card": 1, "basic": 1}

    edits = {
        "pr_track.json": space,
        "specialists.json": sets.together(
            sets.ability("X07", op="action", pay={"coins": 1}, gain={"card": 2}, per_round=1),
            sets.ability("X10", op="on_mix", gain={"card": 1}),
        ),
    }
    folder = tmp_path_factory.mktemp("set")
    return load_game(sets.write(Path(folder), edits))


def building(game: Duelosaur, one: Company, other: Company, **changes: Any) -> DuelosaurState:
    table = Market((), (cards(*DECK),), cards("P40"))
    start = game.initial_state("medium", 2, FastChance(1))
    state = start._replace(
        companies=(one, other), choices=(), first=0, stage=OPEN_BUILD, round=1, market=table
    )._replace(**changes)
    return settled(state)


INTERN = samples.specialists("X07")


def test_players_draw_every_other_card_the_first_player_first(game: Duelosaur) -> None:
    rich = company(coins=9, specialists=INTERN)
    state = building(game, rich, rich)
    one, other = state.reserves
    assert (len(one), len(other)) == (6, 6)
    assert set(one) | set(other) == {samples.CARDS[name] for name in DECK}
    after = act(act(state, "action X07", seat=0), "action X07", seat=1)
    assert after.works[0].company.hidden == 1 << one[0] | 1 << one[1]
    assert after.works[1].company.hidden == 1 << other[0] | 1 << other[1]


def test_the_order_of_steps_between_players_does_not_matter(game: Duelosaur) -> None:
    rich = company(coins=9, specialists=INTERN)
    state = building(game, rich, rich)
    one = act(act(state, "action X07", "done", seat=0), "action X07", "done", seat=1)
    other = act(act(state, "action X07", "done", seat=1), "action X07", "done", seat=0)
    assert one == other
    assert one.market.layers == (cards(*DECK),)
    assert one.reserves == ()


def test_a_ride_gives_its_parts_in_written_order(game: Duelosaur) -> None:
    own = company(coins=4, seen=cards("P08"))  # two icons
    state = act(building(game, own, company(), marker=3), "attraction P08", seat=0)
    assert state.works[0].company.hand.bit_count() == 1
    state = act(state, "cyan", seat=0)
    assert state.works[0].company.hand.bit_count() == 2
    state = act(state, "cyan", seat=0)
    assert state.works[0].company.dna == dna(cyan=2)


def test_a_card_drawn_can_be_used_at_once(game: Duelosaur) -> None:
    own = company(coins=99, specialists=INTERN)
    state = building(game, own, company())
    state = act(state, "action X07", seat=0)
    name = samples.names(state.works[0].company.hidden)[0]
    state = act(state, f"attraction {name}", seat=0)
    assert state.works[0].company.attractions == cards(name)


def test_a_low_deck_gets_the_discards_beneath_it(game: Duelosaur) -> None:
    low = Market((), (cards("P20", "P21", "P22"),), cards("P40", "P41"))
    state = building(game, company(), company(), market=low)
    assert state.market == Market((), (*low.layers, low.discards), 0)
    one, other = state.reserves
    top = {samples.CARDS[name] for name in ("P20", "P21", "P22")}
    assert {one[0], other[0], one[1]} == top
    full = Market((), (cards(*DECK[:8]),), cards("P40"))
    assert building(game, company(), company(), market=full).market == full


def test_without_a_card_the_gain_is_lost(game: Duelosaur) -> None:
    own = company(coins=9, specialists=INTERN)
    one = Market((), (cards("P20"),), 0)
    state = act(building(game, own, own, market=one), "action X07", seat=1)
    assert state.works[1].company.hidden == 0
    state = act(state, "action X07", seat=0)
    assert state.works[0].company.hidden == cards("P20")


def test_blind_cards_stay_hidden_after_the_reveal(game: Duelosaur) -> None:
    own = company(coins=1, specialists=INTERN)
    state = act(act(building(game, own, company()), "action X07", "done", seat=0), "done", seat=1)
    assert state.companies[0].hidden.bit_count() == 2
    seen = state.observation(1)
    assert seen.private.hands[0] == 0
    assert seen.public.companies[0].hand == 2
    assert seen.private.pools[0].hands == (2, 0)


def test_what_is_drawn_shows_to_nobody_else_before(game: Duelosaur) -> None:
    own = company(coins=1, specialists=INTERN)
    before = building(game, own, company())
    after = act(before, "action X07", seat=0)
    assert after.observation(1) == before.observation(1)
    assert after.observation(None) == before.observation(None)
    known = after.observation(0).private
    assert known.hands[0].bit_count() == 2
    assert [pool.cards for pool in known.pools] == [cards(*DECK) & ~known.hands[0]]
    assert known.pools[0].deck == len(DECK) - 2


def test_nobody_knows_what_is_laid_up(game: Duelosaur) -> None:
    own = company(coins=1, specialists=INTERN)
    state = act(building(game, own, own), "action X07", seat=0)
    chance = FastChance(3)
    for _ in range(20):
        twin = state.resample(0, chance)
        assert twin.reserves[0][:2] == state.reserves[0][:2]
        assert twin.works[0] == state.works[0]
        assert sorted(sum(twin.reserves, ())) == sorted(sum(state.reserves, ()))
        assert twin.observation(0) == state.observation(0)
    assert len({state.resample(0, chance).reserves for _ in range(20)}) > 10


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["short", "solo-sima-saurus", "solo-ptera-byte"])
def test_such_a_set_keeps_the_contract(game: Duelosaur, variant: str) -> None:
    players = game.setting(variant).players
    conformance.check(game, variant=variant, players=players, games=3)
