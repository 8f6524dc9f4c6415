"""Arranged results: P60, a bot that farms one opponent; P61, helpers that feed a king."""

from collections.abc import Collection
from random import Random

import pytest

from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.suspicion import concentrations, oddities
from tests.server.rating.leagues import League, Luck, leagues
from tests.server.rating.pools import beats, played


@pytest.mark.case("P60")
def test_p60_matches_against_one_opponent_above_a_share_are_reported() -> None:
    field = played(Random(1), "abcdef", 2, "balanced")
    farmed = beats("a", "f", 30, "farm")
    (told,) = [one for one in concentrations(Pool(field + farmed)) if one.bot == "a"]
    assert told.opponent == "f"
    assert told.share == pytest.approx((30 + 2) / (30 + 10))
    assert concentrations(Pool(field)) == []
    assert concentrations(Pool(farmed)) == []  # there was nobody else to meet


def test_a_half_is_nothing_special_among_three_bots() -> None:
    field = [*beats("a", "b", 10, "x"), *beats("a", "c", 9, "y"), *beats("b", "c", 9, "z")]
    assert concentrations(Pool(field)) == []
    farmed = [*field, *beats("a", "c", 40, "farm")]
    assert {one.bot for one in concentrations(Pool(farmed))} == {"a", "c"}


def test_one_upset_where_hardly_any_is_expected_is_not_odd() -> None:
    """The strongest lost once to the weakest, of 18 matches: one in five honest fields has that."""
    field = []
    for strong, weak, blocks, upsets in (("a", "b", 10, 3), ("a", "c", 9, 1), ("b", "c", 10, 0)):
        for number in range(blocks):
            second = (weak, strong) if number < upsets else (strong, weak)
            block = f"{strong}{weak}{number}"
            field += [*beats(strong, weak, 1, block), *beats(*second, 1, block)]
    assert oddities(Pool(field)) == []


def fed(league: League, king: str, helpers: Collection[str]) -> Pool:
    """Have the helpers come last wherever the king sits at their table."""
    matches = []
    for match in league.matches:
        order = sorted(match.placements, key=lambda line: line[1])
        if any(bot == king for bot, _ in order):
            order.sort(key=lambda line: line[0] in helpers)
        matches.append(RatedMatch(match.block, tuple((b, p) for p, (b, _) in enumerate(order, 1))))
    return Pool(matches)


@pytest.mark.case("P61")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_p61_a_king_that_two_of_six_feed_is_flagged(players: int) -> None:
    (league,) = leagues(players, 240, Luck.NOTHING, 1, bots=6, seed=3)
    _, _, king, *helpers, _ = sorted(league.truth, key=lambda bot: league.truth[bot])
    told = {one.opponent: one for one in oddities(fed(league, king, helpers)) if one.bot == king}
    assert told.keys() == set(helpers)
    assert all(one.score > one.expected for one in told.values())


@pytest.mark.case("P61")
@pytest.mark.slow
@pytest.mark.parametrize("luck", Luck)
def test_p61_an_honest_field_is_flagged_in_less_than_5_of_100_cases(luck: Luck) -> None:
    fields = [
        Pool(league.matches)
        for players in (2, 3, 4)
        for league in leagues(players, 120, luck, 80, bots=6, seed=11)
    ]
    assert sum(bool(oddities(field)) for field in fields) / len(fields) < 0.05


def test_an_empty_pool_shows_nothing() -> None:
    assert oddities(Pool()) == []
    assert concentrations(Pool()) == []
