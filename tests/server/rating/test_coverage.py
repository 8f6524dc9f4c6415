"""95 of 100 intervals hold the truth: a slice of what `tests/bench/coverage.py` prints."""

import pytest

from tests.server.rating.leagues import Luck, coverage, leagues


@pytest.mark.slow
@pytest.mark.parametrize("luck", Luck)
@pytest.mark.parametrize("tables", [25, 50])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_95_of_100_intervals_hold_the_truth(players: int, tables: int, luck: Luck) -> None:
    ratings, differences = coverage(leagues(players, tables, luck, 300))
    # 300 leagues leave a standard error of about one in two hundred.
    assert 0.92 <= ratings <= 0.98
    assert 0.92 <= differences <= 0.98
