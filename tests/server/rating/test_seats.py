"""Shares of wins by seat, with errors from blocks."""

from random import Random
from statistics import stdev

import pytest

from saurodrome.server.rating.seats import SeatWins


def test_shared_wins_are_split_and_shares_add_up_to_1() -> None:
    seats = SeatWins()
    assert seats.shares() == ()
    for number, placements in enumerate([[1, 2, 3], [2, 1, 3], [1, 1, 1]]):
        seats.add(f"{number}", placements)
    shares = [seat.share for seat in seats.shares()]
    assert shares == pytest.approx([4 / 9, 4 / 9, 1 / 9])
    assert sum(shares) == pytest.approx(1)


def test_one_block_gives_no_error_to_go_by() -> None:
    seats = SeatWins()
    for placements in ([1, 2], [2, 1], [1, 2]):
        seats.add("1", placements)
    assert [seat.err95 for seat in seats.shares()] == [float("inf")] * 2


def test_the_order_makes_no_difference() -> None:
    random = Random(1)
    matches = [(f"{random.randrange(9)}", random.sample([1, 2, 3], 3)) for _ in range(60)]
    one, other = SeatWins(), SeatWins()
    for match in matches:
        one.add(*match)
    for match in random.sample(matches, 60):
        other.add(*match)
    assert one.shares() == other.shares()


@pytest.mark.parametrize(("again", "wins"), [(1, 0.5), (4, 0.5), (1, 0.8)])
def test_the_error_is_what_shares_differ_by_from_league_to_league(again: int, wins: float) -> None:
    """Matches that are repeated within a block make the share no more certain."""
    random, shares, errors = Random(2), [], []
    for _ in range(200):
        seats = SeatWins()
        for block in range(50):
            places = [1, 2] if random.random() < wins else [2, 1]
            for _ in range(again):
                seats.add(f"{block}", places)
        first = seats.shares()[0]
        shares.append(first.share)
        errors.append(first.err95)
    assert sum(errors) / 200 == pytest.approx(2.01 * stdev(shares), rel=0.15)
