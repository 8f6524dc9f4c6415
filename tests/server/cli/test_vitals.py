"""What a server says of itself: quantiles of the histograms on its metrics page."""

from math import inf

from saurodrome.server.cli.vitals import quantile

PAGE = """\
# TYPE lag_seconds histogram
lag_seconds_bucket{le="0.01"} 90
lag_seconds_bucket{le="0.1"} 99
lag_seconds_bucket{le="+Inf"} 100
lag_seconds_sum 3.0
lag_seconds_count 100
lag_seconds_more_bucket{le="7"} 1
empty_seconds_bucket{le="0.1"} 0
empty_seconds_bucket{le="+Inf"} 0
"""


def test_the_bound_below_which_a_share_lies() -> None:
    assert quantile(PAGE, "lag_seconds", 0.5) == 0.01
    assert quantile(PAGE, "lag_seconds", 0.9) == 0.01
    assert quantile(PAGE, "lag_seconds", 0.99) == 0.1
    assert quantile(PAGE, "lag_seconds", 0.995) == inf


def test_without_observations_there_is_none() -> None:
    assert quantile(PAGE, "empty_seconds", 0.99) is None
    assert quantile(PAGE, "absent_seconds", 0.99) is None
    assert quantile("<html>", "lag_seconds", 0.99) is None
