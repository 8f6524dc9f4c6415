"""Points are those of the worked cases and of the rulebook's pens."""

from typing import Any

import pytest

from saurodrome.engine.games.draftosaurus.positions import PlainZoo, score_position, winners
from tests.engine.draftosaurus.cases import CASES, cases

EMPTY: PlainZoo = {}
R, S, C, B, N, P = CASES["meta"]["species"]


def points(pen: str, zoo: PlainZoo, other: PlainZoo = EMPTY) -> int:
    return score_position("summer", [zoo, other])[0].points[pen]


def by_count(*expected: int) -> list[tuple[int, int]]:
    """Pair each number of dinosaurs with its points."""
    return [*enumerate(expected)]


@pytest.mark.parametrize("case", cases("score"), ids=lambda case: case["id"])
def test_the_worked_position(case: dict[str, Any]) -> None:
    sheets = score_position(case["board"], case["zoos"])
    found = [
        {**sheet.points, "trex_bonus": sheet.trex_bonus, "total": sheet.total} for sheet in sheets
    ]
    assert found == case["expected"]
    assert list(winners(sheets)) == case["expected_winners"]


def pen_vectors() -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = CASES["public_pen_level_vectors"]["vectors"]
    return vectors


@pytest.mark.parametrize("vector", [v for v in pen_vectors() if "contents" in v])
def test_the_pen_alone(vector: dict[str, Any]) -> None:
    assert points(vector["pen"], {vector["pen"]: vector["contents"]}) == vector["points"]


@pytest.mark.parametrize("vector", [v for v in pen_vectors() if "own_count" in v])
def test_the_king(vector: dict[str, Any]) -> None:
    own = {"king_of_the_jungle": [S], "river": [S] * (vector["own_count"] - 1)}
    other = {"river": [S] * vector["opponents_max"]}
    assert points("king_of_the_jungle", own, other) == vector["points"]


@pytest.mark.parametrize("vector", [v for v in pen_vectors() if "own_count_in_zoo" in v])
def test_the_island(vector: dict[str, Any]) -> None:
    own = {"solitary_island": [S], "river": [S] * (vector["own_count_in_zoo"] - 1)}
    assert points("solitary_island", own, {"river": [S] * 3}) == vector["points"]


@pytest.mark.parametrize(("count", "expected"), by_count(0, 2, 4, 8, 12, 18, 24))
def test_the_forest_by_count(count: int, expected: int) -> None:
    assert points("forest_of_sameness", {"forest_of_sameness": [N] * count}) == expected


@pytest.mark.parametrize(("count", "expected"), by_count(0, 1, 3, 6, 10, 15, 21))
def test_the_meadow_by_count(count: int, expected: int) -> None:
    kinds = [P, N, B, C, S, R][:count]
    assert points("meadow_of_differences", {"meadow_of_differences": kinds}) == expected


@pytest.mark.parametrize(("count", "expected"), by_count(0, 0, 0, 7))
def test_the_trio_needs_three_of_any_kind(count: int, expected: int) -> None:
    assert points("woody_trio", {"woody_trio": [S, C, C][:count]}) == expected


def test_the_river_brings_one_point_a_dinosaur() -> None:
    for count in range(13):
        assert points("river", {"river": [S] * count}) == count


@pytest.mark.parametrize(
    ("inside", "couples"),
    [([S, C, S, C, S, C], 2), ([S] * 6, 3), ([S, S, S], 1), ([R, S, C, B, N, P], 0)],
)
def test_couples_are_of_one_species(inside: list[str], couples: int) -> None:
    assert points("prairie_of_love", {"prairie_of_love": inside}) == 5 * couples


def test_a_king_looks_at_every_opponent_and_at_whole_zoos() -> None:
    king: PlainZoo = {"king_of_the_jungle": [S], "river": [S]}
    rival: PlainZoo = {"forest_of_sameness": [S], "river": [S, S]}
    sheets = score_position("summer", [king, EMPTY, rival, EMPTY, EMPTY])
    assert sheets[0].points["king_of_the_jungle"] == 0


def test_a_failed_king_or_island_brings_nothing() -> None:
    zoo: PlainZoo = {"king_of_the_jungle": [S], "solitary_island": [S]}
    sheet = score_position("summer", [zoo, {"river": [S] * 3}])[0]
    assert sheet.total == 0


def test_the_bonus_is_one_a_pen_with_a_t_rex_and_none_for_the_river() -> None:
    zoo = {pen: [R] for pen in CASES["meta"]["pens"]["summer"]} | {
        "woody_trio": [R, R],
        "river": [R, R],
    }
    assert score_position("summer", [zoo, EMPTY])[0].trex_bonus == 6
    assert score_position("summer", [{"river": [R]}, EMPTY])[0].trex_bonus == 0


def test_fewer_t_rexes_break_a_tie_also_below_the_winners() -> None:
    two: PlainZoo = {"river": [R, R, S, S]}
    one: PlainZoo = {"river": [R, S, S, S]}
    sheets = score_position("summer", [two, one, {"river": [S] * 5}, one, EMPTY])
    assert [sheet.placement for sheet in sheets] == [4, 2, 1, 2, 5]


def test_t_rexes_of_the_river_count_in_the_tie_break() -> None:
    river: PlainZoo = {"river": [R, S]}
    sheets = score_position("summer", [river, {"river": [S, C]}])
    assert winners(sheets) == (1,)
    assert [sheet.trexes for sheet in sheets] == [1, 0]


def test_equal_points_and_t_rexes_share_the_win() -> None:
    sheets = score_position("summer", [{"river": [R, S]}, {"river": [C, R]}, EMPTY])
    assert winners(sheets) == (0, 1)
    assert [sheet.placement for sheet in sheets] == [1, 1, 3]
