"""Dashboards drawn as Grafana would show them, from what Prometheus answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from chores.observe.figures import figure
from chores.observe.prometheus import Prometheus, Series
from chores.observe.queries import Dashboard, Panel, filled

COLUMN, ROW = 0.62, 0.36
"""Inches of a column and a row of the grid."""
PAGE, CARD, TEXT, FAINT = "#111217", "#181b1f", "#d0d2d8", "#7b7f87"
NAMED = {
    "green": "#3d8b40",
    "yellow": "#c78f00",
    "red": "#c4162a",
    "blue": "#2f6db5",
    "text": "#3a3e45",
}
LINES = ("#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#fade2a",
         "#56a64b", "#e0b400")  # fmt: skip


class Span(NamedTuple):
    """From when to when, and at which steps; seconds."""

    start: float
    end: float
    step: float


class Line(NamedTuple):
    """A series with the name that its panel gives it."""

    name: str
    series: Series


def draw(
    dashboard: Dashboard, asked: Prometheus, values: Mapping[str, str], span: Span, file: Path
) -> None:
    """Draw a dashboard into a PNG file."""
    rows = max(y + h for _, y, _, h in (panel.place for panel in dashboard.panels)) + 1.2
    page = Figure(figsize=(24 * COLUMN, rows * ROW), dpi=100, facecolor=PAGE)
    with mpl.rc_context({"font.size": 8, "text.color": TEXT, "axes.edgecolor": FAINT}):
        page.text(0.006, 1 - 0.75 / rows, dashboard.title, fontsize=13, weight="bold", color=TEXT)
        for panel in dashboard.panels:
            x, y, w, h = panel.place
            top = 1 - (y + 1.2) / rows
            if panel.kind == "row":
                page.text(0.006, top - 0.7 / rows, panel.title, fontsize=10, color=TEXT)
                continue
            box = (x / 24 + 0.003, top - (h - 0.15) / rows, w / 24 - 0.006, (h - 0.3) / rows)
            _panel(page, box, h, panel, _lines(panel, asked, values, span), span)
        page.savefig(file, facecolor=PAGE)


def _lines(panel: Panel, asked: Prometheus, values: Mapping[str, str], span: Span) -> list[Line]:
    lines = []
    for target in panel.targets:
        expr = filled(target.expr, values)
        found = asked.now(expr) if panel.kind == "table" else asked.over(expr, *span)
        lines += [Line(_name(target.legend, one.labels), one) for one in found]
    return lines


def _name(legend: str, labels: Mapping[str, str]) -> str:
    if legend == "__auto":
        return ", ".join(labels.values())
    return re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), legend)


def _panel(
    page: Figure,
    box: tuple[float, float, float, float],
    rows: int,
    panel: Panel,
    lines: Sequence[Line],
    span: Span,
) -> None:
    card = page.add_axes(box, facecolor=CARD)
    card.set(xticks=[], yticks=[], xlim=(0, 1), ylim=(0, 1))
    for spine in card.spines.values():
        spine.set_color("#25282e")
    card.text(0.012, 1 - 0.28 / rows, panel.title, va="top", fontsize=9, color=TEXT)
    if not lines:
        card.text(0.5, 0.45, panel.empty, ha="center", va="center", color=FAINT, fontsize=10)
        return
    x, y, w, h = box
    names = panel.kind == "state-timeline"
    left = (1.25 if names else 0.1 if panel.kind == "table" else 0.62) / (w * 24 * COLUMN)
    bottom, top = (1.0 if names else 1.55) / rows, 1.25 / rows
    inner = page.add_axes(
        (x + w * left, y + h * bottom, w * (0.985 - left), h * (1 - bottom - top)), facecolor=CARD
    )
    if panel.kind == "stat":
        inner.remove()
        _stat(card, panel, lines)
        return
    _DRAWN[panel.kind](inner, panel, lines, span)


def _stat(card: Axes, panel: Panel, lines: Sequence[Line]) -> None:
    value = lines[-1].series.points[-1][1]
    text, color = _said(panel, value)
    card.set_facecolor(color)
    card.text(0.5, 0.4, text, ha="center", va="center", fontsize=20, weight="bold", color="white")


def _said(panel: Panel, value: float) -> tuple[str, str]:
    """The text of a value and the colour behind it."""
    for mapping in panel.defaults.get("mappings", []):
        word = mapping["options"].get(f"{value:g}")
        if word:
            return word["text"], NAMED[word["color"]]
    color = "text"
    for step in panel.defaults["thresholds"]["steps"]:
        if step["value"] is None or value >= step["value"]:
            color = step["color"]
    return figure(value, panel.unit, panel.defaults.get("decimals")), NAMED[color]


def _timeseries(axes: Axes, panel: Panel, lines: Sequence[Line], span: Span) -> None:
    colors = [LINES[index % len(LINES)] for index in range(len(lines))]
    if panel.stacked:
        times = sorted({when for line in lines for when, _ in line.series.points})
        heights = [[dict(line.series.points).get(when, 0.0) for when in times] for line in lines]
        axes.stackplot(times, *heights, colors=colors, alpha=0.6, labels=[n.name for n in lines])
    else:
        for line, color in zip(lines, colors, strict=True):
            axes.plot(*zip(*line.series.points, strict=True), color=color, lw=1.4, label=line.name)
    _limits(axes, panel, any(value for line in lines for _, value in line.series.points))
    _axes(axes, panel, span)
    legend = axes.legend(
        loc="upper left", bbox_to_anchor=(-0.02, -0.2 / _inches(axes)), ncols=6, frameon=False,
        fontsize=7, handlelength=1.0, columnspacing=1.0, labelcolor=TEXT,
    )  # fmt: skip
    legend.set_in_layout(False)


def _inches(axes: Axes) -> float:
    """The height of the axes."""
    page = axes.figure
    return float(axes.get_position().height * page.get_size_inches()[1])


def _limits(axes: Axes, panel: Panel, anything: bool) -> None:
    if panel.defaults.get("min") == 0:
        axes.set_ylim(0, axes.get_ylim()[1] * 1.05 if anything else 1)
    if "max" in panel.defaults:
        axes.set_ylim(top=panel.defaults["max"] * 1.02)
    for step in panel.defaults["thresholds"]["steps"][1:]:
        if len(panel.defaults["thresholds"]["steps"]) > 1:
            bounds = axes.get_ylim()
            axes.axhline(step["value"], color=NAMED[step["color"]], ls="--", lw=1)
            axes.set_ylim(bounds)


def _heatmap(axes: Axes, panel: Panel, lines: Sequence[Line], span: Span) -> None:
    lines = sorted(lines, key=lambda line: float(line.series.labels["le"]))
    times = sorted({when for line in lines for when, _ in line.series.points})
    below = [0.0] * len(times)
    cells = []
    for line in lines:
        known = dict(line.series.points)
        upto = [known.get(when, 0.0) for when in times]
        cells.append([max(0.0, a - b) for a, b in zip(upto, below, strict=True)])
        below = upto
    edges = [*times, times[-1] + span.step]
    axes.pcolormesh(edges, range(len(cells) + 1), cells, cmap="cividis")
    _axes(axes, panel, span)
    every = max(1, len(lines) // 6)
    axes.set_yticks(
        [index + 1 for index in range(0, len(lines), every)],
        [figure(float(line.series.labels["le"]), panel.unit) for line in lines[::every]],
    )


def _states(axes: Axes, panel: Panel, lines: Sequence[Line], span: Span) -> None:
    for index, line in enumerate(lines):
        for when, value in line.series.points:
            _, color = _said(panel, value)
            axes.broken_barh([(when, span.step)], (index - 0.4, 0.8), facecolors=color)
    _axes(axes, panel, span)
    axes.set_yticks(range(len(lines)), [line.name for line in lines])
    axes.set_ylim(len(lines) - 0.4, -0.6)


def _table(axes: Axes, panel: Panel, lines: Sequence[Line], span: Span) -> None:
    columns = list(dict.fromkeys(line.name for line in lines))
    rows: dict[str, dict[str, float]] = {}
    for line in lines:
        rows.setdefault(line.series.labels["bot"], {})[line.name] = line.series.points[0][1]
    ordered = sorted(rows.items(), key=lambda row: row[1].get(columns[0], 0.0))
    cells = [
        [bot, *(_cell(values.get(column), column) for column in columns)]
        for bot, values in ordered[:14]
    ]
    axes.axis("off")
    drawn = axes.table(
        cells, colLabels=["bot", *columns], loc="upper left", cellLoc="right", edges="horizontal"
    )
    drawn.scale(1.0, 1.25)
    for cell in drawn.get_celld().values():
        cell.set(edgecolor="#2c3036")
        cell.get_text().set_color(TEXT)


def _cell(value: float | None, column: str) -> str:
    return "" if value is None else f"{value:.2f}" if column == "score" else f"{value:.0f}"


def _axes(axes: Axes, panel: Panel, span: Span) -> None:
    """What all axes over time share."""
    axes.set_xlim(span.start, span.end)
    axes.grid(color="#2c3036", lw=0.5)
    axes.tick_params(colors=FAINT, length=2, labelsize=7)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_formatter(_since(span.start))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: figure(value, panel.unit)))
    for spine in axes.spines.values():
        spine.set_visible(False)


def _since(start: float) -> FuncFormatter:
    return FuncFormatter(lambda when, _: f"{when - start:.0f} s")


_DRAWN: dict[str, Callable[[Axes, Panel, Sequence[Line], Span], Any]] = {
    "timeseries": _timeseries,
    "heatmap": _heatmap,
    "state-timeline": _states,
    "table": _table,
}
