"""Chance sources are uniform, keyed, reproducible, and their records bind."""

import hashlib
import math
import random
from collections import Counter

import pytest

from saurodrome.engine.chance import (
    Chance,
    ChanceMismatch,
    Draw,
    FastChance,
    RecordingChance,
    ReplayChance,
    SecureChance,
)

SECRET = bytes(range(32))


def documented(secret: bytes, stream: str, n: int, k: int) -> int:
    """Compute draw k of a stream as the class documents it, for n that never skip."""
    digest = hashlib.sha256(secret + stream.encode() + b"\0" + k.to_bytes(8, "big")).digest()
    return int.from_bytes(digest, "big") % n


def test_secure_draws_follow_the_documented_formula() -> None:
    chance = SecureChance(SECRET)
    assert [chance.draw("die", 6) for _ in range(20)] == [
        documented(SECRET, "die", 6, k) for k in range(20)
    ]


def test_secure_draws_skip_the_incomplete_last_group() -> None:
    n = (1 << 255) + 1  # nearly half of all numbers lie beyond the one complete group
    numbers = [documented(SECRET, "x", 1 << 256, k) for k in range(40)]
    kept = [number for number in numbers if number < n]
    assert 0 < len(kept) < 40
    chance = SecureChance(SECRET)
    assert [chance.draw("x", n) for _ in kept] == kept


def test_secure_streams_do_not_shift_each_other() -> None:
    alone = SecureChance(SECRET)
    mixed = SecureChance(SECRET)
    expected = [alone.draw("bag", 60) for _ in range(10)]
    found = []
    for _ in range(10):
        mixed.draw("die", 6)
        found.append(mixed.draw("bag", 60))
    assert found == expected


@pytest.mark.case("HI-06")
def test_secure_streams_and_secrets_differ() -> None:
    def draws(secret: bytes, stream: str) -> list[int]:
        chance = SecureChance(secret)
        return [chance.draw(stream, 1 << 64) for _ in range(4)]

    assert len({*draws(SECRET, "a"), *draws(SECRET, "b"), *draws(bytes(32), "a")}) == 12


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        SecureChance(bytes(length))


def test_one_of_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="one of 0"):
        SecureChance(SECRET).draw("die", 0)


@pytest.mark.case("HI-04")
@pytest.mark.parametrize("chance", [SecureChance(SECRET), FastChance(1)], ids=["secure", "fast"])
def test_draws_are_uniform(chance: Chance) -> None:
    rolls = 6000
    counts = Counter(chance.draw("die", 6) for _ in range(rolls))
    assert set(counts) == set(range(6))
    chi_square = sum((count - rolls / 6) ** 2 / (rolls / 6) for count in counts.values())
    assert chi_square < 25.7  # 5 degrees of freedom, one in 10,000


def test_fast_draws_repeat_with_their_seed() -> None:
    first, second = FastChance(5), FastChance(5)
    assert [first.draw("a", 100) for _ in range(9)] == [second.draw("a", 100) for _ in range(9)]


def test_a_single_outcome_is_zero() -> None:
    assert SecureChance(SECRET).draw("only", 1) == 0
    assert FastChance(1).draw("only", 1) == 0


def test_a_recorder_keeps_draws_until_they_are_taken() -> None:
    chance = RecordingChance(FastChance(3))
    die, bag = chance.draw("die", 6), chance.draw("bag", 48)
    assert chance.take() == (Draw("die", 6, die), Draw("bag", 48, bag))
    assert chance.take() == ()


def test_a_replay_gives_the_record_again() -> None:
    chance = ReplayChance([Draw("die", 6, 4), Draw("bag", 48, 47)])
    assert chance.draw("die", 6) == 4
    assert chance.rest == (Draw("bag", 48, 47),)
    assert chance.draw("bag", 48) == 47
    assert len(chance.rest) == 0


@pytest.mark.parametrize(
    ("recorded", "stream", "n"),
    [
        (Draw("die", 6, 4), "bag", 6),
        (Draw("die", 6, 4), "die", 5),
        (Draw("die", 6, 6), "die", 6),
        (Draw("die", 6, -1), "die", 6),
        (None, "die", 6),
    ],
)
def test_a_replay_refuses_other_draws(recorded: Draw | None, stream: str, n: int) -> None:
    chance = ReplayChance([recorded] if recorded else [])
    with pytest.raises(ChanceMismatch) as caught:
        chance.draw(stream, n)
    assert (caught.value.expected, caught.value.stream, caught.value.n) == (recorded, stream, n)


def test_secure_draws_fill_the_range_evenly_also_near_the_top() -> None:
    chance = SecureChance(SECRET)
    mean = sum(chance.draw("big", 1000) for _ in range(4000)) / 4000
    assert abs(mean - 499.5) < 4 * 1000 / math.sqrt(12 * 4000)


def test_fast_draws_are_those_of_pythons_own_generator() -> None:
    chance, numbers = FastChance(7), random.Random(7)
    for n in (*range(1, 100), 2**40):
        assert chance.draw("any", n) == int(numbers.random() * n)
