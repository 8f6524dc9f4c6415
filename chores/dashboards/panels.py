"""What a panel is here, and how it becomes one of Grafana's."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from grafana_foundation_sdk.builders import (
    common,
    dashboard,
    heatmap,
    prometheus,
    stat,
    statetimeline,
    table,
    timeseries,
)
from grafana_foundation_sdk.models import common as kinds
from grafana_foundation_sdk.models import dashboard as models
from grafana_foundation_sdk.models.heatmap import HeatmapColorMode
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

GREEN, YELLOW, RED, BLUE, GREY = "green", "yellow", "red", "blue", "text"
SOURCE = models.DataSourceRef("prometheus", "${datasource}")
"""The Prometheus that the dashboard's variable names."""

REFS = "ABCDEFGHIJKL"
"""How Grafana tells the queries of a panel apart."""

Steps: TypeAlias = tuple[tuple[float | None, str], ...]


class Query(NamedTuple):
    """An expression and what its line is called; `{{label}}` stands for a label's value."""

    expr: str
    legend: str = ""


class Panel(NamedTuple):
    """One panel.

    Attributes:
        title: The question it answers, or what it shows.
        description: How to read it, and what to do when it looks bad.
        unit: One of Grafana's units.
        queries: What it shows.
        empty: What it says when there is nothing to show, which is not always bad.
        kind: stat, timeseries, heatmap, state-timeline or table.
        width: Of 24 columns.
        height: In rows of 30 pixels.
        steps: Colours from a value on, ascending; the first one has no value.
        words: Words for values, with their colours.
        decimals: Digits behind the point; None leaves it to Grafana.
        stack: Areas on top of each other instead of lines.
        top: The end of the axis, where there is one.
        from_zero: The axis begins at 0.
    """

    title: str
    description: str
    unit: str
    queries: tuple[Query, ...]
    empty: str
    kind: str = "timeseries"
    width: int = 8
    height: int = 7
    steps: Steps = ((None, GREEN),)
    words: Mapping[str, tuple[str, str]] = {}
    decimals: int | None = None
    stack: bool = False
    top: float | None = None
    from_zero: bool = True


def build(panel: Panel) -> Any:
    """Make the panel's builder of the SDK."""
    made = _BUILDERS[panel.kind](panel)
    made = (
        made.title(panel.title)
        .description(panel.description)
        .unit(panel.unit)
        .no_value(panel.empty)
        .span(panel.width)
        .height(panel.height)
        .datasource(SOURCE)
    )
    if panel.kind != "heatmap":
        made = made.thresholds(_thresholds(panel.steps)).mappings(_mappings(panel.words))
    if panel.decimals is not None:
        made = made.decimals(panel.decimals)
    if panel.top is not None:
        made = made.max(panel.top)
    for query, ref in zip(panel.queries, REFS, strict=False):
        made = made.with_target(_target(query, ref, panel.kind))
    return made


def _stat(panel: Panel) -> Any:
    last = common.ReduceDataOptions().calcs(["lastNotNull"])
    mode = kinds.BigValueColorMode.BACKGROUND
    graph = kinds.BigValueGraphMode.NONE if panel.words else kinds.BigValueGraphMode.AREA
    return stat.Panel().reduce_options(last).color_mode(mode).graph_mode(graph)


def _timeseries(panel: Panel) -> Any:
    legend = (
        common.VizLegendOptions()
        .show_legend(True)
        .display_mode(kinds.LegendDisplayMode.LIST)
        .placement(kinds.LegendPlacement.BOTTOM)
    )
    made = timeseries.Panel().legend(legend).line_width(1.5)
    made = made.min(0) if panel.from_zero else made
    made = made.tooltip(common.VizTooltipOptions().mode(kinds.TooltipDisplayMode.MULTI))
    if panel.stack:
        stacking = common.StackingConfig().mode(kinds.StackingMode.NORMAL)
        return made.stacking(stacking).fill_opacity(60)
    if len(panel.steps) > 1:
        style = common.GraphThresholdsStyleConfig().mode(kinds.GraphTresholdsStyleMode.DASHED)
        made = made.thresholds_style(style)
    return made.fill_opacity(8)


def _heatmap(panel: Panel) -> Any:
    color = heatmap.HeatmapColorOptions().mode(HeatmapColorMode.SCHEME).scheme("Blues").steps(32)
    axis = heatmap.YAxisConfig().unit(panel.unit)
    return heatmap.Panel().color(color).y_axis(axis).calculate(False).cell_gap(1)


def _states(panel: Panel) -> Any:
    made = statetimeline.Panel().merge_values(True).row_height(0.8)
    return made.show_value(kinds.VisibilityMode.NEVER)


def _table(panel: Panel) -> Any:
    """Make one row of all queries' values with the same labels, under the queries' names."""
    names = {f"Value #{ref}": q.legend for q, ref in zip(panel.queries, REFS, strict=False)}
    order = {"bot": 0, **{value: index + 1 for index, value in enumerate(names)}}
    hidden = dict.fromkeys(("Time", "instance", "job", "tournament", "__name__"), True)
    organized = {"excludeByName": hidden, "renameByName": names, "indexByName": order}
    made = table.Panel().with_transformation(models.DataTransformerConfig("merge", options={}))
    made = made.with_transformation(models.DataTransformerConfig("organize", options=organized))
    first = common.TableSortByFieldState().display_name(panel.queries[0].legend)
    return made.sort_by([first])


_BUILDERS = {
    "stat": _stat,
    "timeseries": _timeseries,
    "heatmap": _heatmap,
    "state-timeline": _states,
    "table": _table,
}


def _target(query: Query, ref: str, kind: str) -> prometheus.Dataquery:
    made = prometheus.Dataquery().expr(query.expr).ref_id(ref).datasource(SOURCE)
    if kind == "table":
        return made.instant().format(PromQueryFormat.TABLE).legend_format(query.legend)
    if kind == "heatmap":
        return made.range().format(PromQueryFormat.HEATMAP).legend_format("{{le}}")
    return made.range().legend_format(query.legend or "__auto")


def _thresholds(steps: Steps) -> dashboard.ThresholdsConfig:
    levels = [models.Threshold(value, color) for value, color in steps]
    return dashboard.ThresholdsConfig().mode(models.ThresholdsMode.ABSOLUTE).steps(levels)


def _mappings(words: Mapping[str, tuple[str, str]]) -> list[models.ValueMapping]:
    if not words:
        return []
    results = {
        value: models.ValueMappingResult(text=text, color=color, index=index)
        for index, (value, (text, color)) in enumerate(words.items())
    }
    return [models.ValueMap(options=results)]
