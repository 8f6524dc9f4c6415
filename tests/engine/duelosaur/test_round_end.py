"""The end of a round: the hand limit, the cleared board, the marker, who is first."""

from saurodrome.engine.games.duelosaur import round_end
from saurodrome.engine.games.duelosaur.position import EMPTY_DRAFT, HAND_LIMIT, Company, mask
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import act, cards, company, position, settled, specialists

FIVE = ("P01", "P02", "P03", "P04", "P05")


def limiting(own: Company, other: Company | None = None) -> DuelosaurState:
    table = samples.market(("P40", "P41", "P42"), ("P30", "P31", "P32", "P33"))
    companies = (own, other or company())
    return settled(position(companies=companies, stage=HAND_LIMIT, round=1, market=table))


def test_all_ways_to_come_down_to_three() -> None:
    state = limiting(company(seen=cards(*FIVE)))
    assert (state.phase, state.sealed, state.deciders()) == ("discard", True, (0,))
    texts = samples.texts(state)
    assert len(texts) == 10
    assert texts[0] == "discard P01 P02"
    assert samples.default(state) == texts[-1] == "discard P04 P05"


def test_the_discarded_cards_lie_open() -> None:
    state = act(limiting(company(seen=cards(*FIVE))), "discard P01 P03")
    assert state.companies[0].hand == cards("P02", "P04", "P05")
    assert state.market.discards == cards("P01", "P03")
    assert state.round == 2


def test_both_choose_in_secret() -> None:
    before = limiting(company(seen=cards(*FIVE)), company(seen=cards("P10", "P11", "P12", "P13")))
    assert before.deciders() == (0, 1)
    state = act(before, "discard P01 P03", seat=0)
    assert state.deciders() == (1,)
    assert state.observation(1) == before.observation(1)
    assert state.observation(None) == before.observation(None)
    assert state.observation(0).private.choice == 1
    state = act(state, "discard P13", seat=1)
    assert state.market.discards == cards("P01", "P03", "P13")


def test_nobody_is_asked_whose_hand_is_small_enough() -> None:
    assert limiting(company(seen=cards("P01", "P02", "P03"))).round == 2


def test_the_round_ends_with_a_clear_board() -> None:
    board = samples.draft(slots=(-1, -1), offer=specialists("X04"), picks=6)
    before = position(draft=board, marker=4, first=1, staff=samples.start().staff)
    state = round_end.end_round(before)
    assert state.draft == EMPTY_DRAFT
    assert state.staff.discards == mask(specialists("X04"))
    assert (state.marker, state.first) == (5, 0)
    assert state.tokens == before.tokens


def test_the_marker_stops_at_the_end() -> None:
    assert round_end.end_round(position(marker=9)).marker == 9
