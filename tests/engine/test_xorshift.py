"""The generator for play-outs: its first numbers, its range, its evenness."""

import math
import random
from collections import Counter

import pytest

from saurodrome.engine.xorshift import XorshiftChance


def test_the_numbers_are_those_of_the_published_generator() -> None:
    word = random.Random(7).getrandbits(32)
    chance = XorshiftChance(7)
    for _ in range(1000):
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        assert chance.below(2**31) == word >> 1


@pytest.mark.parametrize("n", [1, 2, 6, 17])
def test_all_outcomes_are_equally_likely(n: int) -> None:
    draws = 6000
    chance = XorshiftChance(3)
    counts = Counter(chance.draw("die", n) for _ in range(draws))
    assert sorted(counts) == list(range(n))
    expected = draws / n
    assert all(abs(count - expected) < 5 * math.sqrt(expected) for count in counts.values())
