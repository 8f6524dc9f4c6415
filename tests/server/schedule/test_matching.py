"""The draw of a Swiss round: the best one, compared with all draws that there are."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.schedule.matching import Standing, pair_up
from saurodrome.server.schedule.shuffle import keyed_numbers

Draw = list[tuple[Standing, Standing | None]]


def drawn(count: int) -> list[int]:
    return keyed_numbers(1, "test", count)


def apart_never(a: str, b: str) -> bool:
    return False


def draws(bots: Sequence[Standing | None]) -> Iterator[Draw]:
    """Every way to pair an even number."""
    if not bots:
        yield []
        return
    first, *rest = bots
    assert first is not None
    for at, other in enumerate(rest):
        for draw in draws(rest[:at] + rest[at + 1 :]):
            yield [(first, other), *draw]


def price(draw: Draw, lowest: int) -> tuple[int, int]:
    """What counts most: meetings again and second byes, then squares of differences in points."""
    again = sum(a.met.get(b.bot, 0) if b else a.byes for a, b in draw)
    return again, sum((a.points - (b.points if b else lowest)) ** 2 for a, b in draw)


@st.composite
def standings(draw: st.DrawFn) -> list[Standing]:
    count = draw(st.integers(2, 8))
    points = sorted(draw(st.lists(st.integers(0, 6), min_size=count, max_size=count)), reverse=True)
    met: list[dict[str, int]] = [{} for _ in range(count)]
    for a in range(count):
        for b in range(a):
            if draw(st.booleans()):
                met[a][f"b{b}"] = met[b][f"b{a}"] = 1
    return [Standing(f"b{i}", points[i], draw(st.integers(0, 1)), met[i]) for i in range(count)]


@settings(max_examples=60, deadline=None)
@given(standings())
def test_no_draw_is_better(bots: list[Standing]) -> None:
    pairs, left = pair_up(bots, apart_never, drawn)
    by_name = {one.bot: one for one in bots}
    mine: Draw = [(by_name[a], by_name[b]) for a, b in pairs]
    mine += [(by_name[left], None)] if left else []
    assert sorted(one.bot for pair in mine for one in pair if one) == sorted(by_name)
    lowest = bots[-1].points
    seats: list[Standing | None] = [*bots, *([None] if len(bots) % 2 else [])]
    assert price(mine, lowest) == min(price(draw, lowest) for draw in draws(seats))


def test_of_equal_points_the_upper_half_meets_the_lower_half_in_order() -> None:
    bots = [Standing(f"b{i}", 0, 0, {}) for i in range(8)]
    assert pair_up(bots, apart_never, drawn) == (
        [("b0", "b4"), ("b1", "b5"), ("b2", "b6"), ("b3", "b7")],
        None,
    )


def test_the_last_of_the_lowest_has_the_bye() -> None:
    bots = [Standing(f"b{i}", 2 - i // 2, 0, {}) for i in range(5)]
    assert pair_up(bots, apart_never, drawn) == ([("b0", "b1"), ("b2", "b3")], "b4")


def test_bots_of_one_owner_meet_only_where_it_cannot_be_helped() -> None:
    bots = [Standing(name, 0, 0, {}) for name in ("a1", "b1", "a2", "b2")]
    pairs, _ = pair_up(bots, lambda one, other: one[0] == other[0], drawn)
    assert all(one[0] != other[0] for one, other in pairs)
    pairs, _ = pair_up(bots, lambda one, other: True, drawn)
    assert len(pairs) == 2


@pytest.mark.parametrize("count", [41, 64, 90])
def test_many_bots_are_paired_without_meeting_again(count: int) -> None:
    met: list[dict[str, int]] = [{} for _ in range(count)]
    for turn in range(4):
        points = [4 - turn * at // count for at in range(count)]
        bots = [Standing(f"b{i}", points[i], int(i == 0), met[i]) for i in range(count)]
        pairs, left = pair_up(bots, apart_never, drawn)
        seated = [bot for pair in pairs for bot in pair] + ([left] if left else [])
        assert len(set(seated)) == count
        for a, b in pairs:
            assert b not in met[int(a[1:])]
            met[int(a[1:])][b] = met[int(b[1:])][a] = 1


@pytest.mark.parametrize(("count", "window"), [(96, 0), (96, 1), (64, 1)])
def test_bots_that_have_all_met_each_other_are_paired_with_others(count: int, window: int) -> None:
    """Of so many bots 32 are looked at together: those of one window met all of it before."""
    upper = range(16 * window, 16 * window + 16)
    group = {f"b{place}" for place in (*upper, *(place + count // 2 for place in upper))}
    bots = [
        Standing(f"b{i}", 0, 0, dict.fromkeys(group - {f"b{i}"}, 1) if f"b{i}" in group else {})
        for i in range(count)
    ]
    pairs, left = pair_up(bots, apart_never, drawn)
    assert left is None
    assert sorted(bot for pair in pairs for bot in pair) == sorted(one.bot for one in bots)
    assert all(not {a, b} <= group for a, b in pairs)
