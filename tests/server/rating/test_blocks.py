"""What blocks tell, against the formula written out block by block, whatever sits in a block."""

from collections import defaultdict
from itertools import combinations
from random import Random

import numpy as np
import pytest

from saurodrome.server.rating import mixed as mixed_module
from saurodrome.server.rating import tables as tables_module
from saurodrome.server.rating.blocks import meat
from saurodrome.server.rating.bradley_terry import BradleyTerry, win_probability
from saurodrome.server.rating.elo import score
from saurodrome.server.rating.games import Floats, Games
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.tables import tables
from tests.server.rating.pools import played

NAMES = "abcdef"


def whole(players: int) -> list[RatedMatch]:
    return played(Random(1), NAMES, players, "balanced")


def with_guests() -> list[RatedMatch]:
    """One match in five lacks a bot, some have another one, and some blocks are of two sizes."""
    random, matches = Random(2), []
    for match in whole(4):
        kept = list(match.placements)
        if random.random() < 0.2:
            kept.pop()
        elif random.random() < 0.2:
            stranger = random.choice(sorted(set(NAMES) - dict(kept).keys()))
            kept[0] = (stranger, kept[0][1])
        matches.append(RatedMatch(match.block, tuple(kept)))
    return matches


def interleaved() -> list[RatedMatch]:
    """Blocks as they come from several tables at once, with ties."""
    matches = whole(3)
    Random(3).shuffle(matches)
    return [RatedMatch(m.block, tuple((n, min(p, 2)) for n, p in m.placements)) for m in matches]


POOLS = {
    "2": whole(2),
    "3": whole(3),
    "5": whole(5),
    "mixed": with_guests(),
    "interleaved": interleaved(),
    "sizes": [
        *whole(2),
        *(RatedMatch(f"x{m.block}", m.placements) for m in whole(4)),
        RatedMatch("1/1", (("a", 1), ("b", 2), ("c", 3))),
    ],
}


def by_the_formula(
    matches: list[RatedMatch], strengths: dict[str, float], covariance: Floats, *, singly: bool
) -> tuple[Floats, Floats]:
    """Give the corrected meat, and by bot the effective blocks, one block after the other."""
    names = list(strengths)
    size = len(names)
    slopes: dict[str, Floats] = defaultdict(lambda: np.zeros(size))
    by_block: dict[str, Floats] = defaultdict(lambda: np.zeros((size, size)))
    for number, match in enumerate(matches):
        block = str(number) if singly else match.block
        for (a, place), (b, other) in combinations(match.placements, 2):
            i, j, weight = names.index(a), names.index(b), 1 / (len(match.placements) - 1)
            chance = float(win_probability(np.array(strengths[a] - strengths[b])))
            apart = np.zeros(size)
            apart[i], apart[j] = 1, -1
            slopes[block] += weight * (score(place, other) - chance) * apart
            by_block[block] += weight * chance * (1 - chance) * np.outer(apart, apart)
    total = np.zeros((size, size))
    for block, slope in slopes.items():
        values, vectors = np.linalg.eigh(by_block[block])
        some = vectors[:, values > 1e-9]
        roots = np.sqrt(values[values > 1e-9])
        inner = np.eye(len(roots)) - (roots[:, None] * (some.T @ covariance @ some)) * roots
        left, across = np.linalg.eigh(inner)
        root = (across / np.sqrt(left)) @ across.T
        corrected = some @ (roots * (root @ ((some.T @ slope) / roots)))
        total += np.outer(corrected, corrected)
    own = np.array([np.diag(information) for information in by_block.values()])
    return total, own.sum(axis=0) ** 2 / (own**2).sum(axis=0)


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("at_once", [1, 7, 30_000])
def test_sums_are_those_of_the_formula(
    name: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "_AT_ONCE", at_once)
    monkeypatch.setattr(mixed_module, "_AT_ONCE", at_once)
    matches = POOLS[name]
    games = Games.of(Pool(matches))
    model = BradleyTerry(games.won(), 0.1)
    strengths = model.strengths()
    covariance = model.covariance(strengths)
    named = dict(zip(games.names, strengths.tolist(), strict=True))
    told = meat(games, strengths, covariance)
    by_block, effective = by_the_formula(matches, named, covariance, singly=False)
    assert told.by_block == pytest.approx(by_block, abs=1e-9)
    assert told.effective == pytest.approx(effective)
    by_match, _ = by_the_formula(matches, named, covariance, singly=True)
    assert told.by_match == pytest.approx(by_match, abs=1e-9)
    blocks = {match.block for match in matches}
    assert (int(told.sizes.sum()), len(told.sizes)) == (len(matches), len(blocks))


def test_only_blocks_with_other_bots_are_taken_apart() -> None:
    matches = [*whole(2), RatedMatch("1/1", (("e", 1), ("f", 2), ("a", 3)))]
    tables_of_one, others = tables(Games.of(Pool(matches)))
    mixed = sum(match.block == "1/1" for match in matches)
    assert mixed > 1
    assert sum(len(seats.blocks) for seats in others) == mixed
    assert sum(int(table.matches.sum()) for table in tables_of_one) == len(matches) - mixed
