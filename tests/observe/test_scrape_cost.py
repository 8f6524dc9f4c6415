"""A scrape beside 200 bots that all play is quick and small, and costs nobody a decision."""

from pathlib import Path

import pytest

from saurodrome.server.metrics.catalogue import MAX_SERIES
from tests.bench.scrape import MAX_BYTES, MAX_SECONDS, play, summary

pytestmark = pytest.mark.slow


def test_a_scrape_with_200_bots_is_quick_and_delays_no_decision(tmp_path: Path) -> None:
    found = summary(play(str(tmp_path), bots=200, seconds=8.0))
    assert found["bots"] == 200
    assert found["decisions"] > 200
    assert found["median_ms"] < 5 * 1e3 * MAX_SECONDS  # the machine may be busy with others
    assert found["bytes"] < MAX_BYTES
    assert found["series"] <= MAX_SERIES
    assert found["late"] == found["void"] == 0
