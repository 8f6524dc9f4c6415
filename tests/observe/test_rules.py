"""The alerts are written right, fire when they must and only then, and one knows what to do."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from chores.terminal import ROOT
from saurodrome.server.metrics.catalogue import BY_NAME

FOLDER = ROOT / "deploy" / "prometheus"
RULES = FOLDER / "rules" / "saurodrome.yml"
CASES = FOLDER / "tests" / "alerts.yml"
ALERTMANAGER = ROOT / "deploy" / "alertmanager" / "alertmanager.yml"
Tool = Callable[[str], Path]


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def said(*command: str | Path) -> str:
    """What a check says that must pass."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def names_in(expr: str) -> set[str]:
    """The names of metrics in an expression, a histogram's without what its series add."""
    bare = re.sub(r'"[^"]*"', "", expr)
    found = re.findall(r"\b(?:saurodrome|grpc_server|process)_\w+", bare)
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in found}


@pytest.mark.wire
def test_prometheus_accepts_configuration_and_rules(tool: Tool) -> None:
    said(tool("promtool"), "check", "config", FOLDER / "prometheus.yml")
    found = said(tool("promtool"), "check", "rules", RULES)
    assert f"{len(alerts())} rules found" in found


@pytest.mark.wire
def test_every_alert_fires_in_its_case_and_not_in_the_others(tool: Tool) -> None:
    said(tool("promtool"), "test", "rules", CASES)


def test_every_alert_has_a_case_that_fires_and_one_that_does_not() -> None:
    firing: set[str] = set()
    silent: set[str] = set()
    for case in yaml.safe_load(CASES.read_text())["tests"]:
        for check in case["alert_rule_test"]:
            (firing if check["exp_alerts"] else silent).add(check["alertname"])
    names = {rule["alert"] for rule in alerts()}
    assert firing == names
    assert silent == names


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_an_alert_says_what_it_is_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert {"summary", "description", "runbook"} <= rule["annotations"].keys()
    assert rule["annotations"]["runbook"] == f"RUNBOOK.md#{rule['alert'].lower()}"
    section = re.search(
        rf"^## {rule['alert']}\n(.*?)(?=^## |\Z)",
        (FOLDER / "RUNBOOK.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
    assert section
    assert len(section[1].split()) > 15


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_an_alert_asks_only_for_metrics_that_there_are(rule: dict[str, Any]) -> None:
    assert names_in(rule["expr"]) - BY_NAME.keys() == set()
    assert names_in(rule["expr"])


@pytest.mark.wire
@pytest.mark.parametrize(("severity", "receiver"), [("page", "pager"), ("ticket", "tickets")])
def test_alertmanager_tells_the_right_people(tool: Tool, severity: str, receiver: str) -> None:
    said(tool("amtool"), "check-config", ALERTMANAGER)
    route = ["config", "routes", "test", f"--config.file={ALERTMANAGER}"]
    labels = ["alertname=SaurodromeDown", "instance=a", f"severity={severity}"]
    assert said(tool("amtool"), *route, *labels).strip() == receiver
