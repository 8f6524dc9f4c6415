"""The dashboards' JSON: every panel explains itself, and asks only for what there is."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from chores.dashboards.__main__ import DASHBOARDS, made
from chores.observe.queries import Dashboard, Panel, dashboards, filled
from saurodrome.server.metrics.catalogue import BY_NAME
from tests.observe.test_rules import names_in

ALL = tuple(dashboards())
PANELS = [
    pytest.param(panel, id=f"{dashboard.name}: {panel.title}")
    for dashboard in ALL
    for panel in dashboard.panels
    if panel.kind != "row"
]
UNITS = {"short", "none", "locale", "s", "percentunit", "bytes", "d"}
VALUES = {"__rate_interval": "1m", "__range": "1h", "instance": ".*", "tournament": "t", "bot": "b"}


def test_the_files_are_what_the_sources_give() -> None:
    assert [file.name for file, text in made() if file.read_text() != text] == []
    assert {file.stem for file, _ in made()} >= {dashboard.name for dashboard in ALL}
    assert len(ALL) == len(DASHBOARDS) == 4


@pytest.mark.parametrize("dashboard", ALL, ids=lambda dashboard: dashboard.name)
def test_the_first_row_tells_whether_it_is_well_and_the_second_why_not(
    dashboard: Dashboard,
) -> None:
    rows = [panel.title for panel in dashboard.panels if panel.kind == "row"]
    assert rows[:2] == ["Is it well?", "Why not?"]
    first = [panel for panel in dashboard.panels if 1 <= panel.place[1] < 5]
    assert {panel.kind for panel in first} == {"stat"}
    assert sum(panel.place[2] for panel in first) == 24


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_has_a_unit_a_description_and_words_for_nothing(panel: Panel) -> None:
    assert panel.unit in UNITS
    assert len(panel.description.split()) >= 4
    assert panel.description.endswith(".")
    assert panel.empty
    assert panel.targets
    assert panel.title


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_asks_for_the_chosen_servers_and_for_metrics_that_there_are(panel: Panel) -> None:
    for target in panel.targets:
        assert names_in(target.expr) - BY_NAME.keys() == set()
        assert 'instance=~"$instance"' in target.expr
        literal = re.findall(r'(?:instance|job|bot|tournament)\s*=~?\s*"(?!\$)', target.expr)
        assert literal == []
        window = re.findall(r"rate\([^\[\]]*\[([^\]]+)\]", target.expr)
        assert set(window) <= {"$__rate_interval"}


def test_no_two_panels_lie_on_each_other() -> None:
    for dashboard in ALL:
        cells = [
            (x + i, y + j)
            for x, y, w, h in (panel.place for panel in dashboard.panels)
            for i in range(w)
            for j in range(h)
        ]
        assert len(cells) == len(set(cells)), dashboard.name


@pytest.mark.wire
def test_every_expression_is_understood(tool: Callable[[str], Path], tmp_path: Path) -> None:
    exprs = [filled(t.expr, VALUES) for d in ALL for panel in d.panels for t in panel.targets]
    rules = [{"record": f"r{index}", "expr": expr} for index, expr in enumerate(exprs)]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboards", "rules": rules}]}))
    command = [str(tool("promtool")), "check", "rules", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(exprs)} rules found" in done.stdout
