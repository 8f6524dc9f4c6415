"""Dice and deals favour no face, no species and no seat, from secrets as matches have them.

The secrets are fixed, so each figure is the same in every run. Bounds are those of Pearson's
chi-square that one fair source in 10,000 exceeds.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from saurodrome.engine.chance import SecureChance
from saurodrome.engine.games.draftosaurus.pens import counts_of
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState

MATCHES = 600
FIVE_DEGREES = 25.74
FOUR_DEGREES = 23.51


def first_states(players: int) -> Iterator[DraftosaurusState]:
    """Yield the first states of many matches."""
    for number in range(MATCHES):
        secret = hashlib.sha256(f"fair {players} {number}".encode()).digest()
        yield GAME.initial_state("summer", players, SecureChance(secret))


def chi_square(found: Counter[int], outcomes: Iterable[int], spread: float = 1.0) -> float:
    """Return Pearson's statistic against equal shares.

    Args:
        found: How often each outcome came.
        outcomes: All that there are.
        spread: By what the variance is smaller than that of independent draws.
    """
    numbers = [found[one] for one in outcomes]
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers) / mean / spread


@pytest.mark.case("HI-04")
def test_every_face_of_the_die_comes_equally_often() -> None:
    faces = Counter(state.die for state in first_states(2))
    assert chi_square(faces, range(6)) < FIVE_DEGREES


@pytest.mark.case("HI-04")
@pytest.mark.parametrize("players", [2, 5])
def test_every_seat_is_dealt_every_species_equally_often(players: int) -> None:
    """Six of a bag without putting back: the variance is smaller by (bag - 6) / (bag - 1)."""
    species: list[Counter[int]] = [Counter() for _ in range(players)]
    seats: list[Counter[int]] = [Counter() for _ in range(6)]
    for state in first_states(players):
        for seat, hand in enumerate(state.hands):
            for one, count in enumerate(counts_of(hand)):
                species[seat][one] += count
                seats[one][seat] += count
    bag = 6 * (8 if players == 2 else 10)
    for dealt in species:
        assert sum(dealt.values()) == 6 * MATCHES
        assert chi_square(dealt, range(6), (bag - 6) / (bag - 1)) < FIVE_DEGREES
    for held in seats:
        assert chi_square(held, range(players)) < FOUR_DEGREES
