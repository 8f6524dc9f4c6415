"""Build: which steps there are, what they do, when they are shown."""

from typing import Any

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import build, steps
from saurodrome.engine.games.duelosaur.position import OPEN_BUILD, Company
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import (
    PARTS,
    act,
    cards,
    company,
    dna,
    position,
    setting,
    settled,
    work,
)


def building(own: Company, other: Company | None = None, **changes: Any) -> DuelosaurState:
    """Return the beginning of Build; seat 0 is the first player."""
    companies = (own, other or company())
    return settled(position(companies=companies, stage=OPEN_BUILD, round=1, **changes))


def test_the_canonical_order_of_steps() -> None:
    own = company(coins=9, seen=cards("P04"), dna=dna(cyan=2, green=1, purple=1, blue=1))
    kinds = [step.kind for step in steps.steps(setting(), work(own))]
    assert kinds == sorted(kinds)
    assert kinds[0] == steps.DONE
    assert set(kinds) == set(range(steps.ACT))


def test_creating_pays_dna_and_raises_both_tracks_at_once() -> None:
    own = company(seen=cards("P34"), dna=(2, 2, 3, 2, 3, 3), excitement=2, threat=4)
    after = act(building(own), "create P34", seat=0).works[0].company
    assert after.dna == (1, 1, 1, 1, 1, 1)
    assert (after.excitement, after.threat, after.visitors) == (2 + 5, 4 + 5, 5)
    assert (after.dinosaurs, after.hand) == (cards("P34"), 0)


def test_no_colour_stands_in_for_another() -> None:
    own = company(seen=cards("P23"), dna=dna(blue=1, green=9, pink=9))  # blue and yellow
    assert "create P23" not in samples.texts(building(own), 0)


def test_a_ride_pays_the_markers_space_once_an_icon() -> None:
    own = company(coins=4, seen=cards("P08"))  # two icons
    state = act(building(own, marker=6), "attraction P08", seat=0)  # 1 basic, 1 advanced
    asked = []
    while state.works[0].due:
        asked.append(samples.texts(state, 0)[0])
        state = act(state, samples.default(state, 0), seat=0)
    assert asked == ["cyan", "green", "cyan", "green"]
    assert state.works[0].company.dna == dna(cyan=1, purple=1, green=1, pink=1)


def test_other_attractions_pay_nothing() -> None:
    own = company(coins=5, seen=cards("P10"))  # food, two icons
    after = act(building(own, marker=8), "attraction P10", seat=0).works[0]
    assert (after.company.coins, after.due) == (0, ())


def test_while_a_colour_waits_nothing_else_is_legal() -> None:
    own = company(coins=9, seen=cards("P04", "P05"), dna=dna(cyan=2))
    state = act(building(own, marker=4), "attraction P04", seat=0)
    assert samples.texts(state, 0) == ["green", "pink", "yellow"]
    assert samples.default(state, 0) == "green"
    assert "done" in samples.texts(act(state, "pink", seat=0), 0)


def test_a_card_of_the_deck_can_be_used_like_one_of_the_row() -> None:
    own = company(coins=3, hidden=cards("P01"))
    state = building(own, market=samples.market(("P02",), ("P01", "P03"), ()))
    state = act(act(state, "attraction P01", "done", seat=0), "done", seat=1)
    assert state.companies[0].attractions == cards("P01")
    assert state.market.layers == (cards("P03"),)


def test_sales_and_mixes_are_all_there() -> None:
    own = company(seen=cards("P01"), dna=dna(cyan=2, purple=1, yellow=1))
    texts = samples.texts(building(own), 0)
    assert [t for t in texts if t.startswith("sell")] == ["sell cc", "sell cp", "sell y"]
    up, down = ([t for t in texts if t.startswith(f"mix {way}")] for way in ("up", "down"))
    assert len(up) == 2 * 3
    assert len(down) == 1 * 6
    assert "mix down P01 y to cb" in down


def test_a_mix_needs_a_card() -> None:
    own = company(dna=dna(cyan=2, yellow=1))
    assert not [t for t in samples.texts(building(own), 0) if t.startswith("mix")]


def test_security_rises_step_by_step_at_each_levels_price() -> None:
    state = building(company(coins=13, security=1))
    prices = []
    while "security" in samples.texts(state, 0):
        before = state.works[0].company.coins
        state = act(state, "security", seat=0)
        prices.append(before - state.works[0].company.coins)
    assert prices == [1, 1, 2, 2, 2, 3]


def test_64_steps_end_a_build_and_colours_do_not_count() -> None:
    own = company(coins=1000, seen=cards("P04"))
    state = act(building(own, marker=4), "attraction P04", "green", seat=0)
    for _ in range(62):
        state = act(state, "security", seat=0)
    assert state.deciders() == (0, 1)
    state = act(state, "security", seat=0)
    assert state.deciders() == (1,)
    assert len(state.works[0].script) == 65


def test_the_64th_step_still_gets_its_colour() -> None:
    own = company(coins=1000, seen=cards("P04"))
    state = building(own, marker=4)
    for _ in range(63):
        state = act(state, "security", seat=0)
    state = act(state, "attraction P04", seat=0)
    assert state.deciders() == (0, 1)
    state = act(state, "yellow", seat=0)
    assert state.deciders() == (1,)
    assert state.works[0].company.dna == dna(yellow=1)


def test_steps_show_only_when_both_have_ended() -> None:
    own = company(coins=3, seen=cards("P01"), dna=dna(cyan=2))
    before = building(own, company(coins=1))
    state = act(before, "attraction P01", "sell cc", "done", seat=0)
    for observer in (1, None):
        assert state.observation(observer) == before.observation(observer)
    state = act(state, "security", "done", seat=1)
    texts = [[steps.step_text(PARTS, step) for step in script] for script in state.scripts]
    assert texts == [["attraction P01", "sell cc", "done"], ["security", "done"]]
    seen = state.observation(None).public
    assert seen.scripts == state.scripts
    assert seen.companies[0].attractions == cards("P01")


def test_the_builder_sees_its_own_work() -> None:
    state = act(building(company(coins=3, seen=cards("P01", "P02"))), "attraction P01", seat=0)
    own = state.observation(0).private
    assert own.work is not None
    assert own.work.company.coins == 0
    assert own.hands[0] == cards("P02")
    assert state.observation(0).public.companies[0].coins == 3


def test_an_illegal_step_changes_nothing() -> None:
    state = act(building(company(coins=3, seen=cards("P01"))), "attraction P01", seat=0)
    assert "attraction P01" not in samples.texts(state, 0)
    assert state.works[0].company.attractions == cards("P01")


def test_the_shipped_set_lays_up_no_cards() -> None:
    assert not setting().cards_in_build
    assert building(company()).reserves == ()


def test_discards_join_the_pile_after_the_reveal() -> None:
    own = company(seen=cards("P01"), dna=dna(cyan=2))
    state = building(own, market=samples.market((), (), ("P09",)))
    state = act(state, "mix up P01 cc to y", "done", seat=0)
    assert state.market.discards == cards("P09")
    assert act(state, "done", seat=1).market.discards == cards("P09", "P01")


def test_both_may_act_in_one_call() -> None:
    state = building(company(coins=1), company(coins=1))
    done, raise_ = state.parse_action(0, "done"), state.parse_action(1, "security")
    after = state.apply({1: raise_, 0: done}, FastChance(0))
    assert after.deciders() == (1,)
    assert after.works[1].company.security == 2


def test_the_guard_is_beyond_what_anybody_needs() -> None:
    assert build.MOST_STEPS == 64
