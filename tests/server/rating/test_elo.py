"""Live Elo: what must hold for any match; published cases are in test_rating.py."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.rating.elo import elo, expected


def tables() -> st.SearchStrategy[tuple[list[float], list[int], list[bool]]]:
    return st.integers(2, 5).flatmap(
        lambda n: st.tuples(
            st.lists(st.floats(-4000, 4000), min_size=n, max_size=n),
            st.lists(st.integers(1, n), min_size=n, max_size=n),
            st.lists(st.booleans(), min_size=n, max_size=n),
        )
    )


@given(tables())
def test_what_one_gains_others_lose(table: tuple[list[float], list[int], list[bool]]) -> None:
    ratings, placements, rated = table
    after = elo(ratings, placements, k=32, rated=rated)
    assert sum(after) == pytest.approx(sum(ratings), abs=1e-8)
    assert all(abs(new - old) <= 32 + 1e-9 for new, old in zip(after, ratings, strict=True))


@given(tables())
def test_unrated_seats_are_nobodys_opponents(
    table: tuple[list[float], list[int], list[bool]],
) -> None:
    ratings, placements, rated = table
    after = elo(ratings, placements, k=32, rated=rated)
    kept = [seat for seat, counts in enumerate(rated) if counts]
    alone = elo([ratings[s] for s in kept], [placements[s] for s in kept], k=32)
    assert tuple(after[seat] for seat in kept) == alone
    assert all(after[s] == ratings[s] for s in range(len(rated)) if not rated[s])


@given(tables(), st.randoms(use_true_random=False))
def test_seats_do_not_matter_to_elo(
    table: tuple[list[float], list[int], list[bool]], random: Random
) -> None:
    ratings, placements, rated = table
    order = random.sample(range(len(ratings)), len(ratings))
    after = elo(ratings, placements, k=32, rated=rated)
    moved = elo(
        [ratings[s] for s in order],
        [placements[s] for s in order],
        k=32,
        rated=[rated[s] for s in order],
    )
    assert moved == pytest.approx([after[seat] for seat in order])


def test_a_thousand_straight_losses_are_no_trouble() -> None:
    ratings: tuple[float, ...] = (1500.0, 1500.0)
    for _ in range(1000):
        ratings = elo(ratings, (1, 2), k=32)
    assert ratings[0] > 2000
    assert sum(ratings) == pytest.approx(3000)
    assert expected(1e9) == 1
    assert expected(-1e9) == 0


def test_equal_bots_win_half_and_400_points_are_odds_of_ten_to_one() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert elo((1500.0, 1500.0), (1, 2), k=32) == (1516, 1484)


def test_sequences_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        elo((1500.0, 1500.0), (1,), k=32)
