"""Figures on pictures read as Grafana's, and queries are asked as Grafana asks them."""

import pytest

from chores.observe.figures import figure
from chores.observe.queries import dashboards, filled


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "text"),
    [
        (0.0, "s", None, "0 s"),
        (0.0421, "s", None, "42.1 ms"),
        (2.5e-5, "s", None, "25 µs"),
        (90.0, "s", None, "1.5 min"),
        (7200.0, "s", 0, "2 h"),
        (0.0, "bytes", None, "0 B"),
        (3 * 2.0**20, "bytes", None, "3 MiB"),
        (0.0123, "percentunit", None, "1.2 %"),
        (0.5, "percentunit", 0, "50 %"),
        (7276.0, "locale", None, "7,276"),
        (1543.6, "none", 0, "1544"),
        (2.0, "none", None, "2"),
        (0.25, "short", None, "0.25"),
        (1234.0, "short", None, "1.23K"),
        (12.4, "d", None, "12 d"),
        (float("inf"), "s", None, "∞"),
    ],
)
def test_values_have_their_units(value: float, unit: str, decimals: int | None, text: str) -> None:
    assert figure(value, unit, decimals) == text


def test_variables_are_filled_in_the_longer_name_first() -> None:
    values = {"bot": "b", "bots": "c", "__rate_interval": "10s"}
    assert filled('x{bot="$bot", bots="$bots"}[$__rate_interval]', values) == (
        'x{bot="b", bots="c"}[10s]'
    )


def test_the_dashboards_are_read_with_their_variables() -> None:
    read = {dashboard.name: dashboard for dashboard in dashboards()}
    assert set(read["bot-author"].variables) == {"instance", "tournament", "bot"}
    titles = {panel.title for panel in read["overview"].panels}
    assert {"Is it well?", "Decisions a second"} <= titles
    (stacked,) = [p for p in read["overview"].panels if p.title == "Decisions a second"]
    assert stacked.stacked
    assert stacked.kind == "timeseries"
    assert stacked.targets[0].legend == "{{verdict}}"
