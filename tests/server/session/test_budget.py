"""The token bucket: a burst, and as many again in each period."""

from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.session.budget import Budget

waits = st.lists(st.floats(min_value=0.0, max_value=200.0), max_size=200)


def granted(budget: Budget, pauses: list[float], begin: float = 1_000.0) -> list[float]:
    """Ask after each pause; return the times at which the budget gave."""
    now, times = begin, []
    for pause in pauses:
        now += pause
        if budget.spend(now):
            times.append(now)
    return times


def test_a_full_budget_gives_its_size_at_once_and_no_more() -> None:
    budget = Budget(3, 60.0)
    assert [budget.spend(1_000.0) for _ in range(5)] == [True, True, True, False, False]


def test_it_fills_up_evenly_over_its_period() -> None:
    budget = Budget(3, 60.0)
    for _ in range(3):
        budget.spend(1_000.0)
    assert not budget.spend(1_019.0)
    assert budget.spend(1_020.5)
    assert not budget.spend(1_021.0)


def test_it_never_holds_more_than_its_size() -> None:
    budget = Budget(2, 10.0)
    budget.spend(1_000.0)
    assert [budget.spend(9_000.0) for _ in range(3)] == [True, True, False]


@given(st.integers(1, 10), st.floats(0.1, 100.0), waits)
def test_no_window_ever_holds_more_than_the_burst_and_what_flowed_in(
    size: int, period: float, pauses: list[float]
) -> None:
    times = granted(Budget(size, period), pauses)
    for first, begun in enumerate(times):
        for count, ended in enumerate(times[first:], start=1):
            assert count <= size + (ended - begun) * size / period + 1e-6


@given(st.integers(1, 10), st.floats(0.1, 100.0), st.integers(1, 50))
def test_who_asks_no_faster_than_it_fills_is_never_refused(
    size: int, period: float, count: int
) -> None:
    pause = period / size * (1 + 1e-9)
    assert len(granted(Budget(size, period), [pause] * count)) == count
