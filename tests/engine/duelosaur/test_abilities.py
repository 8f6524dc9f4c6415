"""Each ability word of the specialists, in the step where it works, by play where it can be."""

from typing import Any

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import abilities, build, scoring, steps, visitors
from saurodrome.engine.games.duelosaur.position import (
    INCOME,
    NEXT_PICK,
    OPEN_BUILD,
    OPEN_DRAFT,
    PR_TURN,
    VISITORS,
    Company,
)
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import PARTS, act, cards, company, dna, position, settled


def holding(*ids: str, **changes: Any) -> Company:
    return company(specialists=samples.specialists(*ids), **changes)


def at_income(own: Company, other: Company | None = None) -> DuelosaurState:
    """Return the first decision of a round in which seat 0 begins."""
    return settled(position(companies=(own, other or company()), stage=INCOME))


def test_income_pays_coins_with_the_income() -> None:
    state = at_income(holding("X16"))  # 1 coin more
    assert (state.companies[0].coins, state.companies[1].coins) == (4, 3)


def test_income_asks_for_the_colour_of_a_wild_unit_before_the_row() -> None:
    state = at_income(holding("X09", dna=dna(cyan=1)))  # 1 basic
    assert (state.phase, state.deciders()) == ("colour", (0,))
    assert samples.texts(state) == ["cyan", "purple", "blue"]
    assert samples.default(state) == "purple"
    state = act(state, "blue")
    assert state.companies[0].dna == dna(cyan=1, blue=1)
    assert state.phase == "reset"


def test_income_adds_cards_to_the_draws() -> None:
    state = act(at_income(holding("X19")), "leave row")  # 1 card
    assert state.agenda[0].amount == 2
    state = act(state, "deck", "slot 0")
    assert state.companies[0].hand.bit_count() == 2
    assert state.deciders() == (1,)


def test_two_incomes_add_up() -> None:
    own = holding("X16", "X19", "X09")
    assert abilities.income(PARTS, own) == samples.gain({"coins": 1, "basic": 1})
    assert abilities.income_cards(PARTS, own) == 1


def at_draft(own: Company, seed: int = 1) -> DuelosaurState:
    state = position(companies=(own, company()), stage=OPEN_DRAFT, round=1)
    return settled(state)


def test_prep_specialist_pool_shows_more_and_keeps_two() -> None:
    state = at_draft(holding("X01"))  # 5 instead of 3
    assert state.phase == "prep_specialists"
    assert len(state.draft.pool) == 5
    assert len(state.legal_actions(0)) == 10
    pool = state.draft.pool
    after = state.apply({0: state.legal_actions(0)[-1]}, FastChance(1))
    assert after.draft.offer == pool[3:]
    assert after.staff.discards == sum(1 << one for one in pool[:3])


def test_without_it_there_are_three() -> None:
    state = at_draft(company())
    assert len(state.draft.pool) == 3
    assert len(state.legal_actions(0)) == 3


def test_prep_specialist_pool_is_the_first_players_alone() -> None:
    state = position(companies=(company(), holding("X01")), stage=OPEN_DRAFT, round=1)
    assert len(settled(state).draft.pool) == 3


def test_prep_reroll_rolls_up_to_two_dice_again() -> None:
    state = act(at_draft(holding("X03")), samples.texts(at_draft(holding("X03")))[0])
    assert state.phase == "reroll"
    assert len(state.legal_actions(0)) == 1 + 5 + 10
    assert samples.default(state) == "reroll none"
    before = state.draft.rolled
    after = act(state, "reroll 1 3")
    assert after.phase == "prep_dice"
    changed = [n for n in range(5) if before[n] != after.draft.rolled[n]]
    assert set(changed) <= {1, 3}
    assert [PARTS.faces[face].die for face in after.draft.rolled] == [
        PARTS.faces[face].die for face in before
    ]


def test_prep_reroll_draws_from_a_stream_of_its_own() -> None:
    class Loud:
        def __init__(self) -> None:
            self.streams: list[str] = []

        def draw(self, stream: str, n: int) -> int:
            self.streams.append(stream)
            return 0

    state = act(at_draft(holding("X03")), samples.texts(at_draft(holding("X03")))[0])
    loud = Loud()
    state.apply({0: state.parse_action(0, "reroll 0 4")}, loud)
    assert loud.streams == ["reroll-1"] * 2


def at_build(own: Company, **changes: Any) -> DuelosaurState:
    state = position(companies=(own, company()), stage=OPEN_BUILD, round=1, marker=3, **changes)
    return settled(state)


def test_action_pays_a_card_of_the_owners_choice_once_a_round() -> None:
    state = at_build(holding("X07", seen=cards("P01", "P02")))  # card for 2 coins
    assert {"action X07 P01", "action X07 P02"} <= set(samples.texts(state, 0))
    state = act(state, "action X07 P02", seat=0)
    own = state.works[0].company
    assert (own.coins, samples.names(own.hand)) == (2, ["P01"])
    assert not [text for text in samples.texts(state, 0) if text.startswith("action")]
    state = act(act(state, "done", seat=0), "done", seat=1)
    assert samples.names(state.market.discards) == ["P02"]


def test_free_mix_mixes_once_without_a_discard() -> None:
    own = holding("X05", seen=cards("P01"), dna=dna(cyan=2, blue=2))
    state = at_build(own)
    assert "mix up P01 cc to g" in samples.texts(state, 0)
    state = act(state, "mix up free cb to k", seat=0)
    assert state.works[0].company.dna == dna(cyan=1, blue=1, pink=1)
    assert state.works[0].company.hand == own.hand
    assert not [text for text in samples.texts(state, 0) if "free" in text]
    assert "mix up P01 cb to k" in samples.texts(state, 0)


def test_free_mix_can_be_saved() -> None:
    state = at_build(holding("X05", seen=cards("P01"), dna=dna(cyan=2, blue=2)))
    state = act(state, "mix up P01 cc to g", seat=0)
    assert "mix up free bb to g" in samples.texts(state, 0)


def test_on_mix_gains_after_a_mix_either_way() -> None:
    state = at_build(holding("X10", seen=cards("P01", "P02"), dna=dna(green=2)))  # 1 basic
    state = act(state, "mix down P01 g to cp", seat=0)
    assert samples.texts(state, 0) == ["cyan", "purple", "blue"]
    assert samples.default(state, 0) == "blue"
    state = act(state, "cyan", seat=0)
    assert state.works[0].company.dna == dna(cyan=2, purple=1, green=1)
    state = act(state, "mix up P02 cp to y", "purple", seat=0)
    assert state.works[0].company.dna == dna(cyan=1, purple=1, green=1, yellow=1)


def test_on_mix_follows_a_free_mix_too() -> None:
    state = at_build(holding("X10", "X05", dna=dna(cyan=2)))
    state = act(state, "mix up free cc to y", "blue", seat=0)
    assert state.works[0].company.dna == dna(blue=1, yellow=1)


def test_sell_rate_brings_more() -> None:
    state = act(at_build(holding("X22", dna=dna(cyan=2, green=1))), "sell cc", "sell g", seat=0)
    assert state.works[0].company.coins == 4


@pytest.mark.parametrize(("ids", "coins"), [((), 1), (("X22",), 2)])
def test_the_best_sell_rate_counts(ids: tuple[str, ...], coins: int) -> None:
    assert abilities.sale(PARTS, holding(*ids)) == coins


def test_discount_on_attractions() -> None:
    state = at_build(holding("X14", coins=2, seen=cards("P01", "P05")))  # they cost 3 and 5
    assert [text for text in samples.texts(state, 0) if text.startswith("attr")] == [
        "attraction P01"
    ]
    assert act(state, "attraction P01", seat=0).works[0].company.coins == 0


def test_discount_on_security() -> None:
    state = at_build(holding("X11", coins=3, security=9))  # 10 costs 3, 11 costs 4
    state = act(state, "security", seat=0)
    assert (state.works[0].company.security, state.works[0].company.coins) == (10, 1)
    assert "security" not in samples.texts(state, 0)


def test_a_discount_never_goes_below_one_coin() -> None:
    own = holding("X11", security=1)
    assert steps.security_price(PARTS, own) == 1
    assert abilities.price(PARTS, holding("X14"), 0, 1) == 1


def test_discounts_are_for_one_thing_each() -> None:
    own = holding("X11", "X14", security=6)
    assert steps.security_price(PARTS, own) == 2
    assert steps.attraction_price(PARTS, own, 0) == 2
    assert steps.attraction_price(PARTS, holding("X11"), 0) == 3


def at_visitors(own: Company, undrafted: int = 0, other: Company | None = None) -> DuelosaurState:
    """Return the position after escapes and crowds, with some icons in the threat area."""
    slots = (next(n for n, face in enumerate(PARTS.faces) if face.threat == undrafted),)
    state = position(
        companies=(own, other or company()),
        stage=VISITORS,
        round=1,
        marker=0,  # no PR bonus
        draft=samples.draft(slots=slots),
    )
    return DuelosaurState._make(visitors.open_visitors(state))


def test_threat_mod_lowers_the_threat_that_is_compared() -> None:
    plain = at_visitors(company(threat=4, security=2, visitors=10)).companies[0]
    warden = at_visitors(holding("X12", threat=4, security=2, visitors=10)).companies[0]
    assert (plain.visitors, warden.visitors) == (10 - 4 + 1, 10 - 2 + 1)
    assert warden.threat == 4


def test_ignore_undrafted_leaves_the_item_out() -> None:
    plain, chaos = company(visitors=10), holding("X08", visitors=10)
    after = at_visitors(plain, 3, chaos)
    assert [one.visitors for one in after.companies] == [10 - 6 + 1, 10 + 1]


def test_loss_factor_halves_the_loss() -> None:
    own = holding("X13", threat=5, security=2, visitors=10)
    assert at_visitors(own).companies[0].visitors == 10 - 3 + 1


def test_loss_factor_still_leads_to_a_lawsuit() -> None:
    own = holding("X13", threat=9, security=1, visitors=5)
    after = at_visitors(own).companies[0]
    assert (after.visitors, after.lawsuits) == (1 + 1, 1)


def test_visitors_brings_more_after_the_escapes() -> None:
    own = holding("X15", threat=9, security=1, visitors=5, excitement=3)
    assert at_visitors(own).companies[0].visitors == 1 + 3 + 1


def test_pr_first_comes_before_the_usual_order() -> None:
    quiet, loud = company(excitement=2), company(excitement=7)
    held = samples.specialists("X02")
    assert visitors.pr_order(position(companies=(quiet, loud))) == (0, 1)
    one = position(companies=(quiet, loud._replace(specialists=held)))
    assert visitors.pr_order(one) == (1, 0)
    both = position(companies=tuple(c._replace(specialists=held) for c in (quiet, loud)))
    assert visitors.pr_order(both) == (0, 1)


def test_hand_limit_lets_five_cards_stay() -> None:
    hand = cards("P01", "P02", "P03", "P04", "P05")
    state = position(
        companies=(holding("X06", seen=hand), company(seen=cards("P10"))),
        stage=PR_TURN,
        queue=(),
        round=1,
        draft=samples.draft(slots=(0,)),
    )
    after = settled(state)
    assert after.phase == "reset"
    assert after.companies[0].hand == hand


@pytest.mark.parametrize(
    ("specialist", "points"),
    [
        ("X04", 3),  # food: P01 one, P10 two
        ("X17", 1),  # merchandise: P02
        ("X18", 2),  # rides: P08 two
        ("X20", 2),  # herbivores: P03, S01
        ("X21", 3),  # carnivores: P19, P34, S03
        ("X16", 0),
    ],
)
def test_end_visitors_counts_what_is_in_the_park(specialist: str, points: int) -> None:
    own = holding(
        specialist,
        attractions=cards("P01", "P10", "P02", "P08"),
        dinosaurs=cards("P03", "S01", "P19", "P34", "S03"),
        seen=cards("P04", "P05"),  # the hand does not count
    )
    assert scoring.company_sheet(PARTS, own).specialists == points


def test_end_visitors_of_several_add_up() -> None:
    own = holding("X04", "X17", attractions=cards("P01", "P02"))
    assert scoring.company_sheet(PARTS, own).specialists == 2


def test_an_ability_works_in_the_round_in_which_it_is_taken() -> None:
    state = position(
        companies=(company(coins=2, seen=cards("P01")), company()),
        stage=NEXT_PICK,
        round=1,
        first=1,
        draft=samples.draft(offer=samples.specialists("X14", "X16"), slots=(0,), picks=4),
    )
    state = act(settled(state), "keep X14")
    while state.phase != "build":
        state = state.apply(
            {one: state.default_action(one) for one in state.deciders()}, FastChance(1)
        )
    assert "attraction P01" in samples.texts(state, 0)


def test_uses_are_full_again_in_the_next_build() -> None:
    assert build.opened(holding("X07", "X05")).used == (0, 0)
