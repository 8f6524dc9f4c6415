"""The draft: preparing it, picking from it, what stays over."""

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import draft, gains, preparation
from saurodrome.engine.games.duelosaur.components import Effect
from saurodrome.engine.games.duelosaur.position import (
    NEXT_PICK,
    NOTHING,
    OPEN_DRAFT,
    ROLL,
    Company,
    Staff,
    mask,
)
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import (
    PARTS,
    TOKENS,
    act,
    company,
    dna,
    face,
    gain,
    position,
    settled,
    specialists,
)

CYAN_2 = face({"cyan": 2}, 1)
BASIC_3 = face({"basic": 3}, 2)
COINS_2 = face({"coins": 2}, 1)
SECURITY = face({"security": 1}, 1)
YELLOW = face({"yellow": 1}, 0)


def picking(
    slots: tuple[int, ...],
    tokens: tuple[str, ...] = (),
    offer: tuple[str, ...] = ("X04", "X16"),
    own: Company | None = None,
) -> DuelosaurState:
    """Return the first pick of a draft board; it is seat 0's."""
    state = position(
        companies=(own or company(), company()),
        first=1,
        stage=NEXT_PICK,
        round=1,
        tokens=tuple(TOKENS[one] for one in tokens),
        draft=samples.draft(slots=slots, offer=specialists(*offer)),
    )
    return settled(state)


def test_the_first_player_keeps_two_of_three_specialists() -> None:
    state = settled(position(stage=OPEN_DRAFT, round=1, first=1))
    assert (state.phase, state.deciders()) == ("prep_specialists", (1,))
    pool = state.draft.pool
    names = [PARTS.specialists[one].id for one in pool]
    assert samples.texts(state) == [
        f"keep {names[0]} {names[1]}",
        f"keep {names[0]} {names[2]}",
        f"keep {names[1]} {names[2]}",
    ]
    assert samples.default(state) == f"keep {names[0]} {names[1]}"
    after = act(state, f"keep {names[0]} {names[2]}")
    assert after.draft.offer == (pool[0], pool[2])
    assert after.staff.discards == 1 << pool[1]
    assert after.staff.deck.bit_count() == 19


def test_too_few_specialists_bring_the_discards_back() -> None:
    staff = Staff(mask(specialists("X04")), mask(specialists("X05", "X06")), 0)
    state = settled(position(stage=OPEN_DRAFT, round=1, staff=staff))
    assert set(state.draft.pool) == set(specialists("X04", "X05", "X06"))
    assert state.staff == Staff(0, 0, 1)


def test_if_there_are_still_too_few_all_are_placed() -> None:
    staff = Staff(mask(specialists("X04")), mask(specialists("X05")), 2)
    state = settled(position(stage=OPEN_DRAFT, round=1, staff=staff))
    assert set(state.draft.offer) == set(specialists("X04", "X05"))
    assert state.phase == "prep_dice"
    none = settled(position(stage=OPEN_DRAFT, round=1, staff=Staff(0, 0, 2)))
    assert none.draft.offer == ()


def test_five_different_dice_are_rolled() -> None:
    seen: set[int] = set()
    for seed in range(60):
        state = settled(position(stage=ROLL, round=1), FastChance(seed))
        dice = [PARTS.faces[one].die for one in state.draft.rolled]
        assert len(dice) == len(set(dice)) == 5
        seen.update(state.draft.rolled)
    assert len(seen) == 48


def test_dice_are_placed_as_the_first_player_says() -> None:
    state = settled(position(stage=ROLL, round=1))
    rolled = state.draft.rolled
    assert samples.default(state) == "place 0 1 2 3 4"
    assert len(state.legal_actions(0)) == 120
    after = act(state, "place 3 0 4 1 2")
    assert after.draft.slots == tuple(rolled[die] for die in (3, 0, 4, 1, 2))
    assert after.deciders() == (1,)


def test_fewer_items_mean_fewer_picks() -> None:
    state = picking((CYAN_2, COINS_2, SECURITY), offer=("X04",))
    seats: list[int] = []
    while state.phase == "pick":
        seats += state.deciders()
        state = act(state, "die " + str(next(n for n, f in enumerate(state.draft.slots) if f >= 0)))
    assert seats == [0, 1, 0]
    assert state.draft.offer == specialists("X04")


def test_what_a_multiplier_multiplies() -> None:
    state = act(picking((CYAN_2, COINS_2), ("T03",)), "die 0")  # x3
    assert state.companies[0].dna == dna(cyan=6)
    state = act(picking((COINS_2, CYAN_2), ("T04",)), "die 0")  # x2 and 1 coin
    assert state.companies[0].coins == 3
    state = act(picking((SECURITY, CYAN_2), ("T03",)), "die 0")
    assert state.companies[0].security == 2


def test_the_last_slot_has_no_token() -> None:
    slots = (COINS_2, COINS_2, COINS_2, COINS_2, CYAN_2)
    state = act(picking(slots, ("T01", "T02", "T03", "T04")), "die 4")
    assert state.companies[0].dna == dna(cyan=2)


def test_a_wild_gain_of_the_token_is_coloured_with_the_die() -> None:
    state = picking((BASIC_3, CYAN_2), ("T11",))  # 1 advanced
    texts = samples.texts(state)
    assert len([text for text in texts if text.startswith("die 0")]) == 10 * 3
    state = act(state, "die 0 as cpbk")
    assert state.companies[0].dna == dna(cyan=1, purple=1, blue=1, pink=1)


def test_units_of_one_rarity_can_be_named_in_any_order() -> None:
    state = picking((BASIC_3, CYAN_2))
    assert state.parse_action(0, "die 0 as bcp") == state.parse_action(0, "DIE 0  as cpb")


@pytest.mark.parametrize(
    ("units", "ways"), [((0, 0), 1), ((2, 0), 6), ((0, 2), 6), ((1, 1), 9), ((9, 0), 55)]
)
def test_how_many_ways_there_are_to_colour(units: tuple[int, int], ways: int) -> None:
    assert len(gains.colourings(*units)) == ways


def test_a_choice_token_gives_two_ways() -> None:
    state = picking((YELLOW, CYAN_2), ("T15",))  # x3 or 2 visitors
    assert samples.texts(state)[:3] == ["die 0 option 0", "die 0 option 1", "die 1"]
    assert act(state, "die 0 option 0").companies[0].dna == dna(yellow=3)
    other = act(state, "die 0 option 1").companies[0]
    assert (other.dna, other.visitors) == (dna(yellow=1), 7)


def test_cards_of_a_token_are_drawn_at_once() -> None:
    state = act(picking((YELLOW, CYAN_2), ("T14",)), "die 0 option 1")  # 2 cards
    assert (state.phase, state.deciders()) == ("draw", (0,))
    state = act(state, "deck", "slot 0")
    assert state.companies[0].hand.bit_count() == 2
    assert (state.phase, state.deciders()) == ("pick", (1,))


def test_gains_take_effect_in_written_order() -> None:
    state = act(picking((YELLOW, CYAN_2), ("T08",)), "die 0")  # 1 card, then 1 coin
    assert state.companies[0].coins == 0
    assert act(state, "deck").companies[0].coins == 1


def test_the_default_takes_the_first_die_and_evens_out_colours() -> None:
    own = company(dna=dna(cyan=2, purple=1))
    state = picking((NOTHING, BASIC_3, CYAN_2), own=own)
    assert samples.default(state) == "die 1 as pbb"
    choice = picking((BASIC_3, CYAN_2), ("T15",))
    assert samples.default(choice) == "die 0 option 0 as cccpppbbb"


def test_the_default_counts_the_units_gained_before() -> None:
    own = company(dna=dna(purple=1, blue=1))
    state = picking((CYAN_2, YELLOW), ("T10",), own=own)  # then 2 basic
    assert samples.default(state) == "die 0 as pb"


def test_without_a_die_the_default_discards_the_first_specialist() -> None:
    own = company(dna=dna(cyan=1))
    state = picking((NOTHING, NOTHING), offer=("X09", "X16"), own=own)  # 2 basic
    assert samples.default(state) == "discard X09 as pb"


def test_a_specialist_is_kept_swapped_in_or_discarded() -> None:
    two = picking((CYAN_2,), own=company(specialists=specialists("X06", "X07")))
    assert [t for t in samples.texts(two) if "X04" in t] == ["keep X04", "discard X04"]
    full = picking((CYAN_2,), own=company(specialists=specialists("X06", "X07", "X08")))
    assert [t for t in samples.texts(full) if "X04" in t] == [
        "swap X04 for X06",
        "swap X04 for X07",
        "swap X04 for X08",
        "discard X04",
    ]


def test_a_kept_specialist_gives_nothing_now() -> None:
    state = act(picking((CYAN_2,)), "keep X16")
    assert state.companies[0].specialists == specialists("X16")
    assert state.companies[0].coins == 0
    assert state.staff.discards == 0


def test_a_discarded_specialist_gives_its_gain() -> None:
    state = act(picking((CYAN_2,)), "discard X16")  # 3 coins
    assert state.companies[0].coins == 3
    assert state.staff.discards == mask(specialists("X16"))
    wild = act(picking((CYAN_2,), offer=("X18", "X16")), "discard X18 as y")
    assert wild.companies[0].dna == dna(yellow=1)


def test_the_item_left_over_counts_with_its_icons() -> None:
    board = samples.draft(slots=(NOTHING, BASIC_3))
    assert draft.undrafted_threat(PARTS, board) == 2
    board = samples.draft(slots=(NOTHING,), offer=specialists("X21"))
    assert draft.undrafted_threat(PARTS, board) == 2


def test_tokens_stay_and_multiply_again_next_round() -> None:
    state = act(picking((CYAN_2, COINS_2), ("T03",)), "die 0")
    assert state.tokens == (TOKENS["T03"],)


def test_all_orders_of_dice_are_different() -> None:
    orders = preparation.placements(5)
    assert len(set(orders)) == 120
    assert orders == tuple(sorted(orders))


def test_a_multiplier_leaves_everything_but_dna_alone() -> None:
    own = gain({"basic": 1, "green": 1, "coins": 2, "visitors": 1, "security": 1, "card": 1})
    triple = draft.die_gain(own, Effect(3, ()))
    assert samples.plain(triple) == {
        "basic": 3,
        "green": 3,
        "coins": 2,
        "visitors": 1,
        "security": 1,
        "card": 1,
    }
