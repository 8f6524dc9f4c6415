"""The panels of the dashboards' JSON, and their queries as Grafana would send them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from chores.terminal import ROOT

FOLDER = ROOT / "deploy" / "grafana" / "dashboards"


class Target(NamedTuple):
    """A query of a panel: its expression with variables, and the name of its line."""

    expr: str
    legend: str


class Panel(NamedTuple):
    """A panel as Grafana has it."""

    title: str
    kind: str
    place: tuple[int, int, int, int]
    """Column, row, width and height."""
    description: str
    defaults: Mapping[str, Any]
    targets: tuple[Target, ...]

    @property
    def unit(self) -> str:
        """Its unit."""
        return str(self.defaults.get("unit", ""))

    @property
    def empty(self) -> str:
        """What it says when there is nothing to show."""
        return str(self.defaults.get("noValue", ""))

    @property
    def stacked(self) -> bool:
        """Its areas are on top of each other."""
        stacking = self.defaults.get("custom", {}).get("stacking", {})
        return bool(stacking.get("mode") == "normal")


class Dashboard(NamedTuple):
    """A dashboard as Grafana has it."""

    name: str
    title: str
    panels: tuple[Panel, ...]
    variables: Mapping[str, str]
    """The queries of its variables."""


def dashboards() -> Iterator[Dashboard]:
    """Read all dashboards."""
    for file in sorted(FOLDER.glob("*.json")):
        read = json.loads(file.read_text())
        variables = {
            one["name"]: str(one["query"])
            for one in read["templating"]["list"]
            if one["type"] == "query"
        }
        panels = tuple(map(_panel, read["panels"]))
        yield Dashboard(file.stem, str(read["title"]), panels, variables)


def filled(expr: str, values: Mapping[str, str]) -> str:
    """Put values in the place of an expression's variables, longer names first."""
    for name in sorted(values, key=len, reverse=True):
        expr = expr.replace(f"${name}", values[name])
    return expr


def _panel(read: Mapping[str, Any]) -> Panel:
    place = read["gridPos"]
    return Panel(
        str(read["title"]),
        str(read["type"]),
        (place["x"], place["y"], place["w"], place["h"]),
        str(read.get("description", "")),
        read.get("fieldConfig", {}).get("defaults", {}),
        tuple(Target(t["expr"], t.get("legendFormat", "")) for t in read.get("targets", [])),
    )
