"""How long matches last and how they end, beside what was expected of the components.

The expectation is of simple players who take what looks best, 300 matches a length, as the
table in the engine's README says. Our greedy player is another one, so figures are near, not equal.
"""

import statistics
from collections.abc import Callable

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.scoring import winner
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur.players import Player, at_random, greedy, play, play_seeded

EXPECTED = {"short": (4, 48), "medium": (5, 65), "long": (6, 83)}
"""Median of rounds, median of points."""

PARTS = {"short": (28, 14, 2, 4, 2), "medium": (38, 16, 3, 6, 2), "long": (49, 19, 4, 9, 3)}
"""Points of visitors, dinosaurs, attractions, sets, specialists."""


def matches(variant: str, kind: Callable[[int], Player], count: int) -> list[DuelosaurState]:
    return [play_seeded(variant, kind, seed) for seed in range(count)]


def points(ends: list[DuelosaurState]) -> list[int]:
    return [sheet.total for end in ends for sheet in end.sheets()]


def row(name: str, ends: list[DuelosaurState], expected: str) -> str:
    rounds = [end.round for end in ends]
    scores = points(ends)
    wins = [winner(end.sheets()) for end in ends]
    first = sum(
        won == end.first ^ (end.round % 2 == 0) for won, end in zip(wins, ends, strict=True)
    )
    return (
        f"{name:<15} {len(ends):>5} rounds {statistics.median(rounds):>4} "
        f"({min(rounds)}-{max(rounds)}) points {statistics.median(scores):>5} "
        f"({min(scores)}-{max(scores)}) starting player {first / len(ends):.0%} {expected}"
    )


@pytest.mark.parametrize("variant", EXPECTED)
def test_a_few_greedy_matches_are_like_expected(variant: str) -> None:
    ends = matches(variant, greedy, 15)
    rounds, median = EXPECTED[variant]
    assert abs(statistics.median(end.round for end in ends) - rounds) <= 1
    assert abs(statistics.median(points(ends)) - median) <= 10


@pytest.mark.slow
@pytest.mark.parametrize("variant", EXPECTED)
def test_many_greedy_matches_are_like_expected(
    variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = matches(variant, greedy, 500)
    rounds, median = EXPECTED[variant]
    with capsys.disabled():
        print("\n" + row(f"{variant} greedy", ends, f"expected {rounds}, {median}"))
    assert abs(statistics.median(end.round for end in ends) - rounds) <= 1
    assert abs(statistics.median(points(ends)) - median) <= 8
    sheets = [sheet[:5] for end in ends for sheet in end.sheets()]
    means = [statistics.mean(part) for part in zip(*sheets, strict=True)]
    assert all(abs(mean - part) <= 6 for mean, part in zip(means, PARTS[variant], strict=True))
    wins = [winner(end.sheets()) for end in ends]
    assert 0.4 < wins.count(0) / (wins.count(0) + wins.count(1)) < 0.6


@pytest.mark.slow
@pytest.mark.parametrize("variant", EXPECTED)
def test_many_random_matches_end(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    ends = matches(variant, at_random, 2000)
    with capsys.disabled():
        print("\n" + row(f"{variant} random", ends, ""))
    assert max(end.round for end in ends) <= 20
    assert all(end.outcome() is not None for end in ends)


@pytest.mark.slow
def test_skill_shows() -> None:
    wins = [
        winner(play("medium", [greedy(), at_random(seed)], FastChance(seed)).sheets())
        for seed in range(100)
    ]
    assert wins.count(0) > 90
