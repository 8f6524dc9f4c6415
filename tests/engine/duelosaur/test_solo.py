"""Solo matches: the AI's steps in order, and every word of its cards."""

import dataclasses
from typing import Any

import pytest

from saurodrome.engine.games.duelosaur import draft, rival, rival_build, visitors
from saurodrome.engine.games.duelosaur.components import AiCard, Order
from saurodrome.engine.games.duelosaur.gains import due
from saurodrome.engine.games.duelosaur.position import (
    AI,
    AI_BUILD,
    INCOME,
    NEXT_PICK,
    NOTHING,
    OPEN_DRAFT,
    PR_TURN,
    VISITORS,
    Rival,
)
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import (
    CARDS,
    PARTS,
    SOLO,
    TOKENS,
    act,
    cards,
    company,
    dna,
    face,
    gain,
    position,
    setting,
    settled,
    specialists,
)


def ai_card(ai: str, **changes: Any) -> AiCard:
    card = setting(SOLO[ai]).ai
    assert card is not None
    return card._replace(**changes)


def row(*ids: str) -> list[int]:
    return [CARDS[one] for one in ids]


# Income.


@pytest.mark.parametrize(
    ("word", "hand", "slot"),
    [
        ("type_not_in_hand", ("P01",), 1),  # slot 1 is the first that is no herbivore
        ("type_not_in_hand", ("P01", "P19"), 2),
        ("type_not_in_hand", ("P01", "P19", "P34"), NOTHING),
        ("type_not_in_hand", (), 0),
        ("herbivore", (), 0),
        ("small_carnivore", ("P19",), 1),
        ("large_carnivore", (), 2),
        ("most_excitement", (), 2),
        ("deck", (), NOTHING),
    ],
)
def test_where_the_ai_draws(word: str, hand: tuple[str, ...], slot: int) -> None:
    card = ai_card("A1", draw_priority=(word,))
    three = row("P02", "P20", "P35")  # herbivore, small and large carnivore; excitement 2, 2, 4
    assert rival.best_slot(PARTS, card, three, cards(*hand)) == slot


def test_ties_of_a_draw_go_to_the_lowest_slot() -> None:
    card = ai_card("A4", draw_priority=("most_excitement",))
    assert rival.best_slot(PARTS, card, row("P01", "P02", "P06"), 0) == 1


def test_the_next_entry_counts_where_the_first_does_not_fit() -> None:
    card = ai_card("A1", draw_priority=("large_carnivore", "herbivore"))
    assert rival.best_slot(PARTS, card, row("P20", "P02", "P03"), 0) == 1
    assert rival.best_slot(PARTS, card, row("P20"), 0) == NOTHING


def test_an_empty_row_leaves_the_deck() -> None:
    assert rival.best_slot(PARTS, ai_card("A4"), [], 0) == NOTHING


@pytest.mark.parametrize(
    ("ai", "coins"),
    [("A1", 3 + 4), ("A2", 0), ("A3", 0), ("A5", 3 + 2 + 4), ("A6", 0)],
)
def test_the_ais_coins(ai: str, coins: int) -> None:
    assert rival.coins(PARTS, ai_card(ai), 9, 2) == coins


def solo(ai: str, own: Rival | None = None, **changes: Any) -> DuelosaurState:
    return position(SOLO[ai], rivals=(own or samples.rival(),), **changes)


def test_the_ai_has_its_income_before_the_human() -> None:
    table = samples.market(("P01", "P02", "P34"), ("P03", "P04", "P05", "P06"))
    state = settled(solo("A6", stage=INCOME, market=table))  # two cards, the most exciting first
    own = state.rivals[0]
    assert own.hand & cards("P34", "P02") == cards("P34", "P02")
    assert len(state.market.row) == 3
    assert state.companies[0].coins == 3
    assert (state.phase, state.deciders()) == ("reset", (0,))


def test_cards_of_the_ai_are_open() -> None:
    table = samples.market(("P01", "P02", "P03"), ("P04", "P05"))
    state = settled(solo("A3", stage=INCOME, market=table))  # two from the deck
    assert state.rivals[0].hand == cards("P04", "P05")
    assert state.market.layers == (0,)
    assert state.observation(None).public.rivals == state.rivals


# Draft.


@pytest.mark.parametrize(
    ("word", "best"),
    [
        ("advanced_dna", 1),
        ("total_dna", 0),
        ("coins", 2),
        ("visitors", 3),
        ("cards", 4),
        ("threat", 5),
        ("threat_low", 6),
    ],
)
def test_what_the_ai_likes(word: str, best: int) -> None:
    items = [
        (gain({"cyan": 3, "green": 1}), 1),
        (gain({"advanced": 1, "pink": 1}), 1),
        (gain({"coins": 3}), 1),
        (gain({"visitors": 2}), 1),
        (gain({"card": 2}), 1),
        (gain({"basic": 1}), 3),
        (gain({"basic": 1}), 0),
    ]
    worth = [rival.worth((word,), *item) for item in items]
    assert worth.count(max(worth)) == 1
    assert worth.index(max(worth)) == best


def test_the_second_word_breaks_ties() -> None:
    words = ("coins", "threat_low")
    one, other = (rival.worth(words, gain({"coins": 2}), threat) for threat in (2, 1))
    assert other > one


def drafting(ai: str, slots: tuple[int, ...], tokens: tuple[str, ...] = ()) -> DuelosaurState:
    state = solo(
        ai,
        first=AI,
        stage=NEXT_PICK,
        round=1,
        tokens=tuple(TOKENS[one] for one in tokens),
        draft=samples.draft(slots=slots, offer=specialists("X04", "X16")),
    )
    return settled(state)


CYAN_2, YELLOW = face({"cyan": 2}, 1), face({"yellow": 1}, 0)
COINS_2, SECURITY = face({"coins": 2}, 1), face({"security": 1}, 1)


def test_the_ai_picks_first_and_takes_the_token_into_account() -> None:
    state = drafting("A4", (CYAN_2, YELLOW, COINS_2), ("T11", "T03"))  # 2 + 1 or 1 x 3
    assert state.draft.slots == (CYAN_2, NOTHING, COINS_2)  # 3 units each, more advanced there
    assert (state.rivals[0].basic, state.rivals[0].advanced) == (0, 3)
    assert (state.phase, state.deciders()) == ("pick", (0,))


def test_a_choice_token_is_two_candidates() -> None:
    state = solo("A1", tokens=(TOKENS["T15"],), draft=samples.draft(slots=(YELLOW, CYAN_2)))
    found = [(pick.item, pick.option) for pick, _, _ in draft.ai_candidates(state)]
    assert found == [(0, 0), (0, 1), (1, NOTHING)]
    taken = drafting("A6", (YELLOW, SECURITY), ("T15",))  # likes little threat, then visitors
    assert taken.rivals[0].visitors == 7
    assert taken.rivals[0].advanced == 1


def test_the_ai_throws_a_specialist_away_for_its_gain() -> None:
    state = drafting("A1", (CYAN_2, YELLOW))  # likes coins; X16 gives 3
    assert state.rivals[0].coins == 3
    assert state.draft.offer == specialists("X04")
    assert state.staff.discards >> specialists("X16")[0] & 1


def test_equal_candidates_go_to_the_first() -> None:
    state = drafting("A4", (COINS_2, YELLOW, YELLOW))
    assert state.draft.slots == (COINS_2, NOTHING, YELLOW)


def test_the_ai_ignores_security() -> None:
    own = samples.rival()
    assert rival.credit(own, 10, 3) == own


def test_the_ai_counts_dna_in_two_totals() -> None:
    own = samples.rival()
    for key, amount in gain({"cyan": 2, "basic": 1, "yellow": 3, "advanced": 1}):
        own = rival.credit(own, key, amount)
    assert (own.basic, own.advanced) == (3, 4)


def test_the_human_comes_first_where_the_card_says_so() -> None:
    card = ai_card("A1", draft_first=False, pr_first=False)
    late = dataclasses.replace(setting(SOLO["A1"]), ai=card)
    state = drafting("A1", (CYAN_2, YELLOW))._replace(setting=late)
    turns = [state._replace(draft=state.draft._replace(picks=n)) for n in range(6)]
    assert [draft.picker(turn) for turn in turns] == [0, AI] * 3
    assert visitors.pr_order(state) == (0, AI)


def test_preparation_is_automatic_and_open() -> None:
    state = settled(solo("A3", stage=OPEN_DRAFT, round=1, staff=samples.start(SOLO["A3"]).staff))
    assert state.phase == "pick"
    assert len(state.draft.slots) == 5
    assert state.draft.picks == 1
    assert state.staff.deck.bit_count() == 17


def test_six_picks_alternate_and_one_item_stays() -> None:
    state = settled(solo("A3", stage=OPEN_DRAFT, round=1))
    while state.phase in ("pick", "draw"):
        state = act(state, samples.default(state))
    left = [one for one in state.draft.slots if one != NOTHING]
    assert len(left) + len(state.draft.offer) == 1
    assert state.phase == "build"


# Build.


@pytest.mark.parametrize(
    ("attraction", "by", "best"),
    [
        (False, ("visitors",), ["P34"]),  # 6
        (False, ("excitement",), ["P34"]),
        (False, ("herbivore", "visitors"), ["P06"]),  # 4
        (False, ("small_carnivore",), ["P19"]),
        (False, ("large_carnivore",), ["P34"]),
        (False, ("ride",), ["P01", "P02", "P06", "P19", "P34"]),  # is no dinosaur type
        (True, ("visitors",), ["P06", "P34"]),  # 2 each
        (True, ("food",), ["P01", "P34"]),
        (True, ("merch",), ["P02"]),
        (True, ("ride", "visitors"), ["P06"]),
        (True, ("completes_set", "visitors"), ["P06"]),  # a ride is missing
        (True, ("herbivore",), ["P01", "P02", "P06", "P19", "P34"]),
    ],
)
def test_which_card_the_ai_plays(attraction: bool, by: tuple[str, ...], best: list[str]) -> None:
    own = samples.rival(
        hand=cards("P01", "P02", "P06", "P19", "P34"), attractions=cards("S01", "S02")
    )
    found = rival_build.candidates(PARTS, own, Order(attraction, by))
    assert [PARTS.cards[card].id for card in found] == best


def building(ai: str, own: Rival, number: int = 1, marker: int = 3) -> DuelosaurState:
    board = samples.draft(slots=(SECURITY,))
    state = solo(ai, own, stage=AI_BUILD, round=number, marker=marker, draft=board)
    return settled(state)


def test_a_tie_is_the_humans_decision() -> None:
    own = samples.rival(hand=cards("P18", "P22", "P06"))  # 4 visitors each
    state = building("A3", own)
    assert (state.phase, state.sealed, state.deciders()) == ("ai_tie", False, (0,))
    assert samples.texts(state) == ["P06", "P18", "P22"]
    assert state.legal_actions(0) == tuple(CARDS[one] for one in ("P06", "P18", "P22"))
    assert samples.default(state) == "P06"
    state = act(state, "P22")
    assert state.rivals[0].dinosaurs == cards("P22")
    assert state.rivals[0].attractions == cards("P06")  # no set in sight; 2 visitors against 1


def test_plans_follow_each_other_by_rounds() -> None:
    own = samples.rival(hand=cards("P34"))
    assert building("A1", own, 1).rivals[0].dinosaurs == cards("P34")
    assert building("A1", own, 2).rivals[0].attractions == cards("P34")
    assert building("A1", own, 3).rivals[0].dinosaurs == cards("P34")


def test_an_empty_hand_skips_the_step() -> None:
    state = building("A3", samples.rival())
    assert (state.rivals[0].dinosaurs, state.rivals[0].attractions) == (0, 0)
    one = building("A3", samples.rival(hand=cards("P34"))).rivals[0]
    assert (one.dinosaurs, one.attractions) == (cards("P34"), 0)


def test_a_dinosaur_of_the_ai_raises_its_excitement() -> None:
    own = building("A1", samples.rival(hand=cards("P34"))).rivals[0]
    assert own.excitement == 1 + 5
    assert own.visitors == 5 + 6  # the crowd of this round


def test_a_ride_pays_the_ai_the_markers_space_per_icon() -> None:
    own = building("A1", samples.rival(hand=cards("P08")), 2, marker=3).rivals[0]  # 2 icons
    assert own.basic == 2 * 2 + 0
    assert own.attractions == cards("P08")


# Visitors and PR.


@pytest.mark.parametrize(
    ("ai", "before", "after"),
    [
        ("A1", {"coins": 5}, {"coins": 2}),
        ("A1", {"coins": 1}, {"coins": 0}),
        ("A2", {"basic": 2, "advanced": 4}, {"basic": 0, "advanced": 3}),
        ("A2", {"basic": 1}, {"basic": 0, "advanced": 0}),
        ("A3", {"visitors": 9}, {"visitors": 3}),  # 2 each
        ("A4", {"visitors": 9}, {"visitors": 6}),
        ("A4", {"visitors": 3}, {"visitors": 1}),
    ],
)
def test_what_the_undrafted_item_costs_the_ai(
    ai: str, before: dict[str, int], after: dict[str, int]
) -> None:
    own = rival.lose(PARTS, ai_card(ai), samples.rival(**before), 3)
    assert own == samples.rival(**(before | after))


def test_both_gain_visitors() -> None:
    board = samples.draft(slots=(face({"blue": 1}, 3),))
    own = samples.rival(visitors=10, excitement=4)
    human = (company(security=9, excitement=2),)
    state = settled(
        solo("A4", own, stage=VISITORS, marker=0, draft=board, companies=human, round=1)
    )
    assert state.rivals[0].visitors == 10 - 3 + 4
    assert state.companies[0].visitors == 5 + 2
    assert state.round == 2


def test_the_ai_chooses_first_and_the_human_left_of_it() -> None:
    state = settled(solo("A4", stage=PR_TURN, queue=(AI, 0), limit=5, round=1))
    assert state.limit == 3  # 2 units, rightmost
    assert state.rivals[0].basic == 2
    assert state.legal_actions(0) == (0, 1, 2)


def test_nothing_is_left_of_index_0() -> None:
    state = settled(solo("A1", stage=PR_TURN, queue=(AI, 0), limit=1, round=1))
    assert state.rivals[0].coins == 1 + 3  # and its income
    assert state.round == 2


def test_a_card_for_the_ai_follows_its_priority() -> None:
    table = samples.market(("P19", "P01", "P02"), ("P03", "P04"))
    state = solo("A2", stage=PR_TURN, queue=(AI,), limit=2, market=table, round=1)  # herbivores
    after = settled(state._replace(agenda=due(AI, gain({"card": 1})), queue=()))
    assert after.rivals[0].hand & cards("P01")


@pytest.mark.parametrize(("human", "ai", "over"), [(25, 3, True), (3, 25, True), (24, 24, False)])
def test_either_crowd_ends_the_match(human: int, ai: int, over: bool) -> None:
    state = solo(
        "A1",
        samples.rival(visitors=ai),
        companies=(company(visitors=human),),
        stage=PR_TURN,
        queue=(),
        round=2,
    )
    assert (settled(state).phase == "over") == over


def test_in_solo_nobody_is_first() -> None:
    state = settled(solo("A1", stage=PR_TURN, queue=(), round=2, first=AI))
    assert (state.first, state.round, state.marker) == (AI, 3, 4)


def test_the_hand_limit_is_the_humans_alone() -> None:
    own = samples.rival(hand=cards("P01", "P02", "P03", "P04", "P05"))
    human = (company(seen=cards("P11", "P12", "P13", "P14"), dna=dna()),)
    state = settled(solo("A1", own, companies=human, stage=PR_TURN, queue=(), round=2))
    assert (state.phase, state.deciders()) == ("discard", (0,))
