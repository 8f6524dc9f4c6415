"""Simulated tournaments: complete, repeatable, and the stronger bot wins as often as it should."""

from dataclasses import replace
from itertools import pairwise

import pytest

from saurodrome.server.cli.planning.separation import FEW, POWER, Summary, needed, separation
from saurodrome.server.cli.planning.shape import shape_of
from saurodrome.server.cli.planning.simulation import Simulated, simulate
from saurodrome.server.settings import Format, Seating, TournamentSettings

EIGHT = tuple(f"b{number}" for number in range(8))
SETTINGS = TournamentSettings("plan", "draftosaurus", "summer", 2, EIGHT, concurrency=3)
EQUAL = dict.fromkeys(EIGHT, 1500.0)
FORMATS = [
    replace(SETTINGS, players=3, seating=Seating.ROTATIONS),
    replace(SETTINGS, format=Format.GAUNTLET, candidates=("b0",)),
    replace(SETTINGS, format=Format.SWISS, rounds=0),
    replace(SETTINGS, format=Format.KNOCKOUT, rounds=0),
    replace(SETTINGS, format=Format.LADDER, rounds=0, matches=60),
]


def seconds_played(done: Simulated) -> float:
    return done.played[-1].ended


@pytest.mark.parametrize("settings", FORMATS, ids=lambda s: str(s.format))
def test_every_match_is_played_once_and_ends_in_order(settings: TournamentSettings) -> None:
    done = simulate(settings, EQUAL, 10.0, seed=1)
    ids = [one.match.id for one in done.played]
    assert len(set(ids)) == len(ids)
    assert all(a.ended <= b.ended for a, b in pairwise(done.played))
    if settings.format is not Format.KNOCKOUT:
        assert len(ids) == shape_of(settings, list(EIGHT)).matches
    assert done == simulate(settings, EQUAL, 10.0, seed=1)
    assert done != simulate(settings, EQUAL, 10.0, seed=2)


def test_only_so_many_matches_run_at_once_and_a_bot_plays_one() -> None:
    one_by_one = simulate(replace(SETTINGS, concurrency=1), EQUAL, 10.0, seed=1)
    assert len(one_by_one.played) == 56
    assert 56 * 5.0 < seconds_played(one_by_one) < 56 * 15.0
    three = simulate(SETTINGS, EQUAL, 10.0, seed=1)
    assert seconds_played(three) == pytest.approx(seconds_played(one_by_one) / 3, rel=0.2)
    all_at_once = simulate(replace(SETTINGS, concurrency=99), EQUAL, 10.0, seed=1)
    assert seconds_played(all_at_once) > 14 * 5.0  # each bot plays 14, one after the other


def test_a_bot_200_elo_stronger_wins_76_percent() -> None:
    two = replace(SETTINGS, bots=("a", "b"), rounds=500)
    done = simulate(two, {"a": 1600.0, "b": 1400.0}, 1.0, seed=3)
    won = sum(one.placements[one.match.seats.index("a")] == 1 for one in done.played)
    assert won / len(done.played) == pytest.approx(0.76, abs=0.04)  # three standard errors


def test_a_third_bot_at_the_table_does_not_change_that() -> None:
    three = replace(SETTINGS, players=3, bots=("a", "b", "c"), rounds=170)
    done = simulate(three, {"a": 1600.0, "b": 1400.0, "c": 1900.0}, 1.0, seed=3)
    above = sum(
        one.placements[one.match.seats.index("a")] < one.placements[one.match.seats.index("b")]
        for one in done.played
    )
    assert above / len(done.played) == pytest.approx(0.76, abs=0.04)


def test_the_format_ranks_where_it_does() -> None:
    strengths = {bot: 3_000.0 - 400 * number for number, bot in enumerate(EIGHT)}
    assert simulate(FORMATS[3], strengths, 1.0, seed=1).ranking[0] == ("b0",)
    assert simulate(FORMATS[0], strengths, 1.0, seed=1).ranking == ()


def test_more_matches_tell_ranks_apart_better() -> None:
    settings = replace(SETTINGS, rounds=4)
    strengths = {bot: 1_850.0 - 100 * number for number, bot in enumerate(EIGHT)}
    told: list[int] = []
    parts = separation(settings, strengths, ("b0", "b1"), 6, 1.0, told.append)
    assert told == [1, 2, 3, 4, 5, 6]
    assert [one.part for one in parts] == [0.125, 0.25, 0.5, 1.0]
    errors = [one.err95 for one in parts]
    assert all(a and b and a > b for a, b in pairwise(errors))
    assert parts[-1].matches == 4 * 56
    assert parts[-1].matches_a_bot == 4 * 14
    assert parts[-1].right_order >= 0.5
    assert all(one.told_apart + one.misled <= 1 for one in parts)


def test_matches_that_are_needed_grow_with_the_square_of_the_error() -> None:
    whole = Summary(1.0, 400, 100, 60.0, 50.0, 0.9, 0.5, 0.0, 0.9)
    assert needed(whole, 50.0) == pytest.approx(100 * POWER**2)
    assert needed(whole, 100.0) == pytest.approx(100 * POWER**2 / 4)
    assert needed(whole, 0.0) is None
    assert needed(whole._replace(err95=None), 50.0) is None
    assert needed(whole._replace(matches_a_bot=FEW - 1), 50.0) is None
