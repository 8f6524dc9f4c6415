"""The knockout: winners go on, seeds stay apart, and a level series is played on."""

from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule import Enter, Form, Readmit, ScheduleError, Void, Withdraw
from saurodrome.server.schedule.knockout import bracket
from tests.server.schedule.playing import Play, by_chance, by_name, met, names


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 20), st.integers(0, 99), st.integers(1, 5))
def test_all_but_one_lose_a_series_and_who_loses_is_out(bots: int, seed: int, games: int) -> None:
    play = Play(Form("knockout", 2, games=games), names(bots), seed).to_the_end(by_chance(seed))
    series = met(play.played)
    assert sum(series.values()) == bots - 1
    rounds = {match.round for match in play.played}
    assert rounds == set(range(1, ceil(log2(bots)) + 1))
    ranking = play.planner.ranking()
    assert len(ranking[0]) == 1
    assert sorted(bot for level in ranking for bot in level) == names(bots)
    assert play.planner.over
    assert play.planner.total == len(play.played)


@pytest.mark.parametrize("depth", range(6))
def test_a_bracket_keeps_the_best_apart_for_longest(depth: int) -> None:
    places = bracket(depth)
    assert sorted(places) == list(range(1, 2**depth + 1))
    while len(places) > 1:
        pairs = list(zip(places[::2], places[1::2], strict=True))
        assert {a + b for a, b in pairs} == {len(places) + 1}
        places = [min(pair) for pair in pairs]


def test_if_the_better_seed_always_wins_the_ranking_is_the_seeding() -> None:
    play = Play(Form("knockout", 2, seeds=tuple(names(8))), names(8)).to_the_end(by_name)
    sizes = [1, 1, 2, 4]
    expected = [names(8)[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(4)]
    assert [list(level) for level in play.planner.ranking()] == expected


def test_the_best_seeds_have_the_byes() -> None:
    play = Play(Form("knockout", 2, seeds=tuple(names(6))), names(6))
    first = {bot for match in play.due.values() if match.round == 1 for bot in match.seats}
    assert first == set(names(6)[2:])


def test_a_pairing_is_due_as_soon_as_both_bots_are_known() -> None:
    play = Play(Form("knockout", 2, games=1, seeds=tuple(names(8))), names(8))
    for pairing in (1, 2):
        match = play.due[f"1/{pairing}/1"]
        change = play.result(match, by_name(match))
    assert [match.id for match in change.due] == ["2/1/1"]
    assert {match.round for match in play.due.values()} == {1, 2}


def test_the_opponent_of_one_that_leaves_goes_on() -> None:
    play = Play(Form("knockout", 2, seeds=tuple(names(4))), names(4))
    change = play.tell(Withdraw("b00"))
    assert change.gone == {"1/1/1", "1/1/2"}
    play.to_the_end(by_name)
    assert [list(level) for level in play.planner.ranking()] == [["b01"], ["b03"], ["b00", "b02"]]


def test_who_leaves_while_it_waits_is_passed_when_its_turn_comes() -> None:
    play = Play(Form("knockout", 2, games=1, seeds=tuple(names(4))), names(4))
    match = play.due["1/1/1"]
    play.result(match, by_name(match))
    play.tell(Withdraw("b00"))
    play.to_the_end(by_name)
    assert play.planner.ranking()[0] == ("b01",)
    assert play.planner.over


def test_who_is_back_before_its_turn_comes_plays_on() -> None:
    play = Play(Form("knockout", 2, games=1, seeds=tuple(names(4))), names(4))
    match = play.due["1/1/1"]
    play.result(match, by_name(match))
    play.tell(Withdraw("b00"))
    play.tell(Readmit("b00"))
    assert play.to_the_end(by_name).planner.ranking()[0] == ("b00",)


def test_where_both_leave_the_next_opponent_has_a_bye() -> None:
    play = Play(Form("knockout", 2, games=1, seeds=tuple(names(4))), names(4))
    match = play.due["1/1/1"]
    play.result(match, by_name(match))
    play.tell(Withdraw("b00"))
    play.tell(Withdraw("b01"))
    assert not play.due
    assert play.planner.over
    assert play.planner.ranking()[0] == ("b02",)


def test_a_result_can_be_taken_back_until_the_winner_is_drawn_again() -> None:
    play = Play(Form("knockout", 2, games=1, seeds=tuple(names(4))), names(4))
    first, second = play.due["1/1/1"], play.due["1/2/1"]
    play.result(first, by_name(first))
    play.tell(Void(first.id))
    play.result(first, by_name(first)[::-1])
    play.result(second, by_name(second))
    assert set(play.due["2/1/1"].seats) == {"b03", "b01"}
    with pytest.raises(ScheduleError, match="NEXT_ROUND_DRAWN"):
        play.planner.add(Void(first.id))


def test_the_final_can_be_taken_back() -> None:
    play = Play(Form("knockout", 2, games=1), names(2)).to_the_end(by_name)
    assert play.planner.ranking()[0] == ("b00",)
    play.tell(Void("1/1/1"))
    assert not play.planner.over
    match = play.due["1/1/1"]
    play.result(match, by_name(match)[::-1])
    assert play.planner.ranking() == (("b01",), ("b00",))


@pytest.mark.parametrize(
    ("code", "form", "bots"),
    [
        ("NO_SUCH_TABLE", Form("knockout", 4), 6),
        ("TOO_FEW_ENTRANTS", Form("knockout", 2), 1),
        ("OWNERS_MEET", Form("knockout", 2, same_owner="apart"), 4),
    ],
)
def test_what_cannot_be_is_refused(code: str, form: Form, bots: int) -> None:
    with pytest.raises(ScheduleError) as refused:
        Play(form, names(bots))
    assert refused.value.code == code


def test_a_late_entry_is_refused() -> None:
    play = Play(Form("knockout", 2), names(4))
    with pytest.raises(ScheduleError, match="ENTRY_CLOSED"):
        play.planner.add(Enter("late"))
