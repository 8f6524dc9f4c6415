"""How large a planned tournament is, counted by the rules of each format."""

from collections import Counter
from dataclasses import replace
from math import comb

import pytest

from saurodrome.server.cli.planning.shape import begun, shape_of, tells_apart, with_entries
from saurodrome.server.schedule import ScheduleError
from saurodrome.server.settings import Format, Seating, TournamentSettings


def planned(form: Format, players: int, bots: int, **more: object) -> TournamentSettings:
    names = tuple(f"b{number}" for number in range(bots))
    settings = TournamentSettings("plan", "draftosaurus", "summer", players, names, format=form)
    return replace(settings, **more)  # type: ignore[arg-type]


def test_a_round_robin_of_four() -> None:
    settings = planned(Format.ROUND_ROBIN, 4, 8, rounds=2)
    shape = shape_of(settings, list(settings.bots))
    assert shape.matches == 2 * comb(8, 4) * 12
    assert shape.fewest == shape.most == 2 * comb(7, 3) * 12
    assert (shape.block, shape.tables, shape.bots) == (12, 2, 8)


def test_the_matches_of_a_plan_are_those_of_its_schedule() -> None:
    settings = planned(Format.ROUND_ROBIN, 3, 7, matches=100)
    planner, due = begun(settings, list(settings.bots), 0)
    shape = shape_of(settings, list(settings.bots))
    counts = Counter(bot for match in due for bot in match.seats)
    assert shape.matches == len(due) == planner.total == 100
    assert (shape.fewest, shape.most) == (min(counts.values()), max(counts.values()))


@pytest.mark.parametrize(
    ("form", "more", "matches", "fewest", "most", "block"),
    [
        (Format.GAUNTLET, {"candidates": ("b0", "b1")}, 2 * 6 * 2, 4, 12, 2),
        (Format.SWISS, {"rounds": 5, "games": 4}, 5 * 4 * 4, 20, 20, 4),
        (Format.SWISS, {"rounds": 0}, 4 * 4 * 2, 8, 8, 2),
        (Format.KNOCKOUT, {"games": 5}, 7 * 3, 3, 15, 3),
        (Format.LADDER, {"matches": 100, "seating": Seating.ROTATIONS}, 100, 25, 25, 2),
        (Format.LADDER, {"matches": 0}, None, None, None, 2),
    ],
)
def test_other_formats_of_eight(
    form: Format,
    more: dict[str, object],
    matches: int | None,
    fewest: int | None,
    most: int | None,
    block: int,
) -> None:
    settings = planned(form, 2, 8, **more)
    shape = shape_of(settings, list(settings.bots))
    assert (shape.matches, shape.fewest, shape.most) == (matches, fewest, most)
    assert (shape.block, shape.tables) == (block, 4)


def test_no_more_tables_than_are_wanted_at_once() -> None:
    settings = planned(Format.ROUND_ROBIN, 2, 8, concurrency=3)
    assert shape_of(settings, list(settings.bots)).tables == 3


def test_entries_that_are_still_to_come_are_made_up() -> None:
    settings = replace(planned(Format.ROUND_ROBIN, 2, 2), bots=("b0", "entrant-1"))
    assert with_entries(settings, None) == ["b0", "entrant-1"]
    assert with_entries(settings, 1) == ["b0", "entrant-1"]
    assert with_entries(settings, 4) == ["b0", "entrant-1", "entrant-2", "entrant-3"]


def test_what_cannot_be_planned_is_refused() -> None:
    settings = planned(Format.ROUND_ROBIN, 4, 3)
    with pytest.raises(ScheduleError, match="TOO_FEW_ENTRANTS"):
        shape_of(settings, list(settings.bots))


@pytest.mark.parametrize(
    ("matches", "players", "elo"),
    [(7_084, 4, 9), (100, 2, 96), (400, 2, 48), (100, 5, 68)],
)
def test_differences_that_are_told_apart(matches: int, players: int, elo: float) -> None:
    """By hand for two: a result varies by 1/4, a unit of strength is 174 Elo and moves it by 1/4.

    So two ratings differ by 2.77 x 174 x 2 / sqrt(matches) Elo at 95 %, each with its own error.
    """
    assert tells_apart(matches, players) == pytest.approx(elo, abs=0.9)
