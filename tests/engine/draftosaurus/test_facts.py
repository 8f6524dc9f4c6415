"""Figures that are known of the game from outside hold for the engine."""

from collections import defaultdict
from itertools import product
from math import sqrt

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus.boards import SUMMER
from saurodrome.engine.games.draftosaurus.kernel import TURNS
from saurodrome.engine.games.draftosaurus.positions import score_position
from saurodrome.engine.games.draftosaurus.scoring import score
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from tests.engine.draftosaurus.cases import CASES
from tests.engine.draftosaurus.players import random_mean, seat_shares
from tests.engine.draftosaurus.published import ERROR, RANDOM_MEANS, SEAT_SHARES

R, S, C, B, N, P = CASES["meta"]["species"]
TABLES = {line.name: line.table for line in SUMMER.scores}

Filled = tuple[int, int, int, int, int, int, int]
"""Dinosaurs in all, then in forest, trio, king, prairie, meadow, island."""


def test_a_zoo_can_have_51_points() -> None:
    best = {
        "forest_of_sameness": [R] * 6,
        "king_of_the_jungle": [R],
        "meadow_of_differences": [R, B, N, P],
        "solitary_island": [C],
    }
    assert score_position("summer", [best, {}])[0].total == 24 + 7 + 10 + 7 + 3


@pytest.mark.slow
@pytest.mark.parametrize(("bag", "expected"), [(8, 51), (10, 51), (6, 50)])
def test_no_zoo_can_have_more_points(bag: int, expected: int) -> None:
    """Fill the pens species by species in every way that can matter and keep the best."""
    best: dict[Filled, int] = {(0,) * 7: 0}
    for species in range(6):
        after: defaultdict[Filled, int] = defaultdict(int)
        for filled, points in best.items():
            for more, gained in ways(species == 0, bag):
                total = joined(filled, more)
                if total is not None:
                    after[total] = max(after[total], points + gained)
        best = after
    assert max(points + by_size(filled) for filled, points in best.items()) == expected


def ways(trex: bool, bag: int) -> list[tuple[Filled, int]]:
    """List how the dinosaurs of one species can be spread, and what depends on the species."""
    found = []
    for pens in product(range(7), range(4), range(2), range(7), range(2), range(2)):
        count = sum(pens)
        if count <= min(bag, 12):
            couples = TABLES["prairie_of_love"][0] * (pens[3] // 2)
            king = TABLES["king_of_the_jungle"][0] * pens[2]
            island = TABLES["solitary_island"][0] * (pens[5] and count == 1)
            bonus = sum(bool(inside) for inside in pens) if trex else 0
            found.append(((count, *pens), couples + king + island + bonus))
    return found


def joined(filled: Filled, more: Filled) -> Filled | None:
    """Add up pens, or return None where something does not fit."""
    count, forest, trio, king, prairie, meadow, island = map(sum, zip(filled, more, strict=True))
    if filled[1] and more[1]:
        return None
    if count > 12 or forest > 6 or trio > 3 or king > 1 or prairie > 6 or island > 1:
        return None
    return (count, forest, trio, king, prairie, meadow, island)


def by_size(filled: Filled) -> int:
    """Return the points that depend on sizes only; what is not in a pen lies in the River."""
    count, forest, trio, _, _, meadow, _ = filled
    points = TABLES["forest_of_sameness"][forest] + TABLES["woody_trio"][trio]
    return points + TABLES["meadow_of_differences"][meadow] + TABLES["river"][12 - count]


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_there_are_9_to_17_placements_on_average(variant: str, players: int) -> None:
    chance = FastChance(players)
    sizes, river_only = [], 0
    for _ in range(25):
        now = GAME.initial_state(variant, players, chance)
        while now.deciders():
            actions = {}
            for player in now.deciders():
                legal = now.legal_actions(player)
                actions[player] = legal[chance.draw("choice", len(legal))]
                if now.phase == "place":
                    sizes.append(len(legal))
                    river_only += all(a // 6 == len(now.board.places) - 1 for a in legal)
            now = now.apply(actions, chance)
    assert 9 <= sum(sizes) / len(sizes) <= 17
    assert river_only <= 0.05 * len(sizes)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "expected"), RANDOM_MEANS.items())
def test_random_players_reach_the_known_means(table: tuple[str, int], expected: float) -> None:
    found = random_mean(*table, games=4000)
    assert abs(found.value - expected) < 4 * sqrt(found.error**2 + ERROR**2)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "expected"), SEAT_SHARES.items())
def test_who_rolls_last_wins_more_and_that_moves_with_the_start_seat(
    table: tuple[str, int], expected: tuple[int, ...]
) -> None:
    variant, players = table
    first = seat_shares(variant, players, start=0, games=3000, seed=1)
    moved = seat_shares(variant, players, start=1, games=3000, seed=2)
    turned = [*moved[1:], moved[0]]
    error = sqrt(0.25 / 3000)
    for share, same, published in zip(first, turned, expected, strict=True):
        assert abs(share - same) < 4 * sqrt(2) * error
        assert abs(100 * share - published) < 8  # other players shift the figures, not the shape
    both = [share + same for share, same in zip(first, turned, strict=True)]
    if players < 5:
        assert both[(TURNS - 1) % players] > 2 / players
    else:  # twelve turns: two seats roll three times, three seats twice
        assert sum(both[:2]) / 2 > sum(both[2:]) / 3


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_greedy_players_reach_28_to_37_points(players: int) -> None:
    chance = FastChance(players)
    points: list[int] = []
    for _ in range(100):
        now = GAME.initial_state("summer", players, chance)
        while now.deciders():
            now = now.apply({p: greediest(now, p, chance) for p in now.deciders()}, chance)
        outcome = now.outcome()
        assert outcome is not None
        points += outcome.points
    assert 27 <= sum(points) / len(points) <= 38


def greediest(now: DraftosaurusState, player: int, chance: FastChance) -> int:
    """Return an action whose own points are highest right after it, among equals any."""
    if now.phase != "place":
        return now.default_action(player)
    best: list[int] = []
    highest = -1
    for action in now.legal_actions(player):
        others = {p: now.default_action(p) for p in now.deciders()}
        after = now.apply({**others, player: action}, chance)
        points = score(after.board, after.zoos)[player].total
        if points > highest:
            best, highest = [], points
        if points == highest:
            best.append(action)
    return best[chance.draw("choice", len(best))]
