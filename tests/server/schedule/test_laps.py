"""All groups in laps: each once, and nobody ahead by more than one after any of them."""

from collections import Counter
from itertools import combinations
from math import comb, gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule.laps import all_groups

fields = st.integers(1, 11).flatmap(
    lambda bots: st.tuples(st.just(bots), st.integers(1, min(bots, 6)), st.integers(0, 2**64 - 1))
)


@settings(max_examples=60, deadline=None)
@given(fields)
def test_each_group_comes_once_and_bots_keep_level_all_the_time(
    field: tuple[int, int, int],
) -> None:
    bots, players, seed = field
    groups = all_groups(bots, players, seed)
    assert sorted(groups) == list(combinations(range(bots), players))
    played = [0] * bots
    for number, group in enumerate(groups, 1):
        for bot in group:
            played[bot] += 1
        assert max(played) - min(played) <= 1
        if number * players % bots == 0:  # the end of a lap
            assert set(played) == {number * players // bots}


def test_where_tables_seat_all_each_lap_is_a_round_of_its_own() -> None:
    groups = all_groups(12, 4, 5)
    assert len(groups) == comb(12, 4)
    for at in range(0, len(groups), 3):
        assert sorted(bot for group in groups[at : at + 3] for bot in group) == list(range(12))


@pytest.mark.parametrize(("bots", "players"), [(9, 3), (12, 4), (10, 4), (11, 5)])
def test_pairs_meet_about_as_often_at_any_time(bots: int, players: int) -> None:
    """As often as each other, within twice what a bot meets between two levels."""
    met = Counter(dict.fromkeys(combinations(range(bots), 2), 0))
    stretch = bots // gcd(bots, players)
    for group in all_groups(bots, players, 1):
        met.update(combinations(group, 2))
        assert max(met.values()) - min(met.values()) <= 2 * players * (players - 1) * stretch / bots


def test_the_seed_decides_the_order() -> None:
    one, same, other = (all_groups(8, 3, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert set(one) == set(other)
