"""Writes the dashboards' JSON and the table of metrics, or says where they differ: --check."""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from grafana_foundation_sdk.builders import dashboard
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import dashboard as models

from chores.dashboards import author, internals, overview, tournament
from chores.dashboards.panels import SOURCE, Panel, build
from chores.terminal import ROOT, say
from saurodrome.server.metrics.catalogue import table

FOLDER = ROOT / "deploy" / "grafana" / "dashboards"
README = ROOT / "deploy" / "README.md"
BEGIN, END = "<!-- metrics: made by run.py dashboards -->", "<!-- end of metrics -->"

Rows = tuple[tuple[str, tuple[Panel, ...]], ...]
Variables = tuple[tuple[str, str, str], ...]

SERVER = ("instance", "Server", "label_values(saurodrome_build_info, instance)")
TOURNAMENT = ("tournament", "Tournament", "label_values(saurodrome_tournament_matches, tournament)")
NEWEST = ("tournament", "Tournament", "label_values(saurodrome_bot_rank, tournament)")
BOT = ("bot", "Bot", 'label_values(saurodrome_bot_rank{tournament=~"$tournament"}, bot)')

DASHBOARDS: tuple[tuple[str, str, str, Variables, Rows], ...] = (
    ("overview", "Overview", "Is the arbiter well, and if not, why not?", (SERVER,), overview.ROWS),
    (
        "tournament",
        "Tournament",
        "How one tournament goes.",
        (SERVER, TOURNAMENT),
        tournament.ROWS,
    ),
    ("bot-author", "Bot author", "How one bot does.", (SERVER, NEWEST, BOT), author.ROWS),
    (
        "internals",
        "Arbiter internals",
        "Where time goes inside the arbiter.",
        (SERVER,),
        internals.ROWS,
    ),
)


def made() -> Iterator[tuple[Path, str]]:
    """Give every file with what it is to hold."""
    for made in DASHBOARDS:
        yield FOLDER / f"{made[0]}.json", _json(*made)
    before, rest_of = README.read_text().split(BEGIN)
    after = rest_of.split(END)[1]
    yield README, f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


def _json(name: str, title: str, about: str, variables: Variables, rows: Rows) -> str:
    made = (
        dashboard.Dashboard(f"Saurodrome: {title}")
        .uid(f"saurodrome-{name}")
        .description(about)
        .tags(["saurodrome"])
        .time("now-1h", "now")
        .refresh("30s")
        .timezone("browser")
        .readonly()
        .tooltip(models.DashboardCursorSync.CROSSHAIR)
        .link(dashboard.DashboardLink("Saurodrome").tags(["saurodrome"]).as_dropdown(True))
        .with_variable(
            dashboard.DatasourceVariable("datasource").label("Prometheus").type("prometheus")
        )
    )
    for variable in variables:
        made = made.with_variable(_variable(*variable))
    ids = count(1)  # of Grafana's own choice they would change with every import
    for heading, panels in rows:
        made = made.with_row(dashboard.Row(heading).id(next(ids)))
        for panel in panels:
            made = made.with_panel(build(panel).id(next(ids)))
    return json.dumps(made.build(), cls=JSONEncoder, indent=1, sort_keys=True) + "\n"


def _variable(name: str, label: str, query: str) -> dashboard.QueryVariable:
    made = dashboard.QueryVariable(name).label(label).query(query).datasource(SOURCE)
    made = made.refresh(models.VariableRefresh.ON_TIME_RANGE_CHANGED)
    if name == "instance":
        return made.multi(True).include_all(True).all_value(".*")
    return made


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser("run.py dashboards", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    check = parser.parse_args().check
    differing = [(file, text) for file, text in made() if _differs(file, text)]
    for file, text in differing:
        if check:
            say(f"{file.relative_to(ROOT)} is not what chores/dashboards and the metrics give")
        else:
            file.write_text(text)
            say(f"wrote {file.relative_to(ROOT)}")
    if check and differing:
        say("  do     python3 run.py dashboards, then commit deploy")
        return 1
    return 0


def _differs(file: Path, text: str) -> bool:
    return not file.exists() or file.read_text() != text


if __name__ == "__main__":
    sys.exit(main())
