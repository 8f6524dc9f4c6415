"""Visitors and the end: escapes, crowds, PR, thresholds, the cap of 20 rounds."""

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import visitors
from saurodrome.engine.games.duelosaur.position import (
    END_CHECK,
    HAND_LIMIT,
    OVER,
    PR_TURN,
    VISITORS,
    Company,
)
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import PARTS, act, cards, company, position, settled


@pytest.mark.parametrize(
    ("before", "threat", "after", "lawsuits"),
    [
        (5, 2, 3, 0),
        (3, 2, 1, 0),  # landing on exactly 1 costs no token
        (2, 2, 1, 1),  # it would be 0
        (1, 1, 1, 0),
        (1, 2, 1, 1),
        (1, 50, 1, 1),  # one token, however many were lost
    ],
)
def test_escapes(before: int, threat: int, after: int, lawsuits: int) -> None:
    own = company(visitors=before, threat=threat, security=1)
    left = visitors.escaped(PARTS, own, 0)
    assert (left.visitors, left.lawsuits) == (after, lawsuits)


def test_more_security_than_threat_brings_nothing() -> None:
    assert visitors.escaped(PARTS, company(security=9), 3) == company(security=9)


def test_both_companies_suffer_from_the_undrafted_item() -> None:
    face = next(n for n, one in enumerate(PARTS.faces) if one.threat == 3)
    state = position(
        companies=(company(security=2, visitors=9), company(security=9, visitors=9)),
        draft=samples.draft(slots=(face,)),
        stage=VISITORS,
        round=1,
    )
    assert [one.visitors for one in settled(state).companies] == [9 - 4 + 1, 9 + 1]


@pytest.mark.parametrize(
    ("excitement", "parks", "first", "order"),
    [
        ((3, 2), (1, 9), 0, (1, 0)),  # less excitement
        ((3, 3), (4, 5), 1, (0, 1)),  # then a smaller park
        ((3, 3), (5, 4), 0, (1, 0)),
        ((3, 3), (4, 4), 0, (0, 1)),  # then the first player
        ((3, 3), (4, 4), 1, (1, 0)),
    ],
)
def test_who_chooses_first(
    excitement: tuple[int, int], parks: tuple[int, int], first: int, order: tuple[int, int]
) -> None:
    companies = tuple(
        company(excitement=one, attractions=(1 << size) - 1)
        for one, size in zip(excitement, parks, strict=True)
    )
    assert visitors.pr_order(position(companies=companies, first=first)) == order


def test_a_park_counts_dinosaurs_and_attractions_but_no_specialists() -> None:
    one = company(dinosaurs=cards("P01"), attractions=cards("P02"))
    other = company(attractions=cards("P03"), specialists=samples.specialists("X04", "X05"))
    assert visitors.pr_order(position(companies=(one, other))) == (1, 0)


def choosing(marker: int) -> DuelosaurState:
    return settled(position(stage=PR_TURN, queue=(1, 0), limit=marker, marker=marker, round=1))


def test_a_bonus_is_left_of_the_marker_then_left_of_the_first() -> None:
    state = choosing(3)
    assert (state.phase, state.deciders()) == ("pr", (1,))
    assert samples.texts(state) == ["space 0", "space 1", "space 2"]
    assert samples.default(state) == "space 2"
    state = act(state, "space 2", "cyan", "cyan")  # 2 basic
    assert state.companies[1].dna[0] == 2
    assert (state.phase, state.deciders()) == ("pr", (0,))
    assert state.legal_actions(0) == (0, 1)


def test_a_card_as_bonus_is_drawn_at_once() -> None:
    state = act(choosing(3), "space 1", "blue", "slot 0")  # 1 basic, 1 card
    assert state.companies[1].seen.bit_count() == 1
    assert state.deciders() == (0,)


def test_the_second_player_may_get_nothing() -> None:
    state = act(choosing(3), "space 0")
    assert state.companies[1].coins == 1 + 3  # and the next income
    assert state.round == 2


def test_without_a_space_there_is_no_choice() -> None:
    assert choosing(0).round == 2


def ending(
    counts: tuple[int, int], variant: str = "medium", number: int = 3, final: bool = False
) -> DuelosaurState:
    companies = tuple(company(visitors=count) for count in counts)
    state = position(variant, companies=companies, round=number, final=final, stage=END_CHECK)
    return DuelosaurState._make(visitors.check_end(state))


@pytest.mark.parametrize(("variant", "threshold"), [("short", 25), ("medium", 35), ("long", 45)])
def test_the_threshold_ends_the_match(variant: str, threshold: int) -> None:
    assert ending((threshold - 1, 3), variant).stage == HAND_LIMIT
    assert ending((3, threshold), variant).stage == OVER


def test_a_bonus_counts_for_the_threshold() -> None:
    companies = (company(visitors=33), company())
    state = position(companies=companies, stage=PR_TURN, queue=(0, 1), limit=8, round=3)
    after = act(settled(state), "space 7")  # 2 visitors
    assert after.companies[0].visitors == 35
    assert after.phase == "pr"
    after = act(after, "space 0")
    assert after.phase == "over"


def test_only_the_end_of_the_round_counts() -> None:
    own = company(visitors=40, threat=9, security=1)
    state = settled(position(companies=(own, company()), stage=VISITORS, marker=0, round=3))
    assert state.companies[0].visitors == 40 - 16 + 1
    assert state.phase != "over"


def test_round_20_is_the_last() -> None:
    assert ending((1, 1), number=19).stage == HAND_LIMIT
    assert ending((1, 1), number=20).stage == OVER


def test_the_extra_round_is_one_whole_round_whatever_comes() -> None:
    state = ending((35, 3), "medium-extra")
    assert (state.stage, state.final) == (HAND_LIMIT, True)
    assert ending((3, 3), "medium-extra", final=True).stage == OVER
    assert ending((35, 3), "medium-extra", number=20).stage == OVER
    assert ending((34, 3), "medium-extra").final is False


def test_a_match_that_ends_skips_the_hand_limit() -> None:
    own = company(visitors=34, seen=cards("P01", "P02", "P03", "P04", "P05"))
    state = settled(position(companies=(own, company()), stage=VISITORS, marker=0, round=3))
    assert state.phase == "over"
    assert state.companies[0].hand.bit_count() == 5
    assert state.outcome() is not None


def finished(one: Company, other: Company) -> DuelosaurState:
    return position(companies=(one, other), stage=OVER)


def test_the_outcome_ranks_by_points_then_by_dinosaurs() -> None:
    ahead, behind = company(visitors=30), company(visitors=29)
    outcome = finished(ahead, behind).outcome()
    assert outcome is not None
    assert (outcome.points, outcome.placements) == ((30, 29), (1, 2))
    herd = company(visitors=28, dinosaurs=cards("P01"))  # 2 points
    tied = finished(ahead, herd).outcome()
    assert tied is not None
    assert (tied.points, tied.placements) == ((30, 30), (2, 1))
    draw = finished(ahead, ahead).outcome()
    assert draw is not None
    assert draw.placements == (1, 1)


def test_a_running_match_has_no_outcome() -> None:
    assert choosing(3).outcome() is None


def test_points_can_be_below_zero() -> None:
    sued = company(visitors=1, lawsuits=2)
    outcome = finished(sued, company()).outcome()
    assert outcome is not None
    assert outcome.points == (-9, 5)


def test_chance_is_not_asked_in_visitors() -> None:
    class Silent(FastChance):
        def draw(self, stream: str, n: int) -> int:
            raise AssertionError(stream)

    state = position(stage=VISITORS, round=3, marker=3)
    assert settled(state, Silent(0)).phase == "pr"
