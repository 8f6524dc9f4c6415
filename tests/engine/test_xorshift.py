"""The generator for play-outs: its first numbers, its range, its evenness."""

import math
import random
from collections import Counter

import pytest

from saurodrome.engine.xorshift import BLOCK, FRACTION, XorshiftChance


def test_the_numbers_are_those_of_the_published_generator() -> None:
    word = random.Random(7).getrandbits(32)
    chance = XorshiftChance(7)
    for _ in range(1000):
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        assert chance.below(2**24) == word >> 8


@pytest.mark.parametrize("n", [1, 2, 6, 17])
def test_all_outcomes_are_equally_likely(n: int) -> None:
    draws = 6000
    chance = XorshiftChance(3)
    counts = Counter(chance.draw("die", n) for _ in range(draws))
    assert sorted(counts) == list(range(n))
    expected = draws / n
    assert all(abs(count - expected) < 5 * math.sqrt(expected) for count in counts.values())


@pytest.mark.parametrize("count", [1, 2, 35, BLOCK])
def test_fractions_are_the_next_numbers_one_after_the_other(count: int) -> None:
    chance, same = XorshiftChance(5), XorshiftChance(5)
    for _ in range(3):
        expected = []
        for _ in range(count):
            chance.below(1)
            expected.append(chance.word >> 8)
        assert list(same.fractions(count)) == expected
        assert same.word == chance.word


@pytest.mark.parametrize(("n", "count"), [(1, 1), (6, 6), (48, 24), (60, 30), (256, BLOCK)])
def test_falling_draws_are_those_of_an_urn_that_empties(n: int, count: int) -> None:
    chance, same = XorshiftChance(9), XorshiftChance(9)
    for _ in range(20):
        assert list(same.falling(n, count)) == [chance.below(n - gone) for gone in range(count)]
        assert same.word == chance.word


@pytest.mark.parametrize("word", [1, 2**31, 2**32 - 1])
def test_all_bytes_of_a_number_count_for_those_that_follow(word: int) -> None:
    chance, same = XorshiftChance(0), XorshiftChance(0)
    chance.word = same.word = word
    assert [draw * 7 >> FRACTION for draw in same.fractions(8)] == [
        chance.below(7) for _ in range(8)
    ]
