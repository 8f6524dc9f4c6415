"""Expressions of the dashboards: always of the chosen servers, never of a fixed one."""

SERVERS = 'instance=~"$instance"'
"""The matcher that every expression has: a variable of the dashboard."""
BOT = 'tournament=~"$tournament", bot=~"$bot"'
"""The matchers of one bot's metrics."""
STEP = "$__rate_interval"
"""The window of rates: Grafana makes it from the scrape interval and the width of a pixel."""


def metric(name: str, where: str = "") -> str:
    """Select a metric of the chosen servers; `name` goes without the prefix."""
    return f"saurodrome_{name}{{{', '.join(filter(None, (SERVERS, where)))}}}"


def now(name: str, where: str = "", *, by: str = "", how: str = "sum") -> str:
    """Put the series of a gauge together."""
    return f"{how}{_by(by)} ({metric(name, where)})"


def rate(name: str, where: str = "", *, by: str = "") -> str:
    """Give how often a second a counter counts."""
    return f"sum{_by(by)} (rate({metric(name, where)}[{STEP}]))"


def grpc(name: str, by: str) -> str:
    """Give how often a second a counter of calls counts."""
    return f"sum by ({by}) (rate(grpc_server_{name}{{{SERVERS}}}[{STEP}]))"


def answers(share: float) -> str:
    """Give the duration that this share of the calls that stream nothing does not exceed."""
    bounds = f"grpc_server_handling_seconds_bucket{{{SERVERS}}}"
    return f"histogram_quantile({share}, sum by (le) (rate({bounds}[{STEP}]))) >= 0"


def streams() -> str:
    """Give how many streaming calls are open."""
    return f"sum(grpc_server_open_streams{{{SERVERS}}})"


def count(name: str, where: str = "", *, by: str = "") -> str:
    """Give how often a counter counted in the whole range that is shown."""
    return f"sum{_by(by)} (increase({metric(name, where)}[$__range]))"


def quantile(share: float, name: str) -> str:
    """Give the duration that this share of a histogram of seconds does not exceed.

    Nothing rather than NaN where nothing was counted, so that the panel can say why it is empty.
    """
    return f"histogram_quantile({share}, {buckets(name)}) >= 0"


def buckets(name: str) -> str:
    """Give a histogram of seconds by its bounds, for quantiles and heat maps."""
    return f"sum by (le) (rate({metric(f'{name}_seconds_bucket')}[{STEP}]))"


def mean(name: str) -> str:
    """Give the mean of a histogram of seconds."""
    return ratio(rate(f"{name}_seconds_sum"), rate(f"{name}_seconds_count"))


def means(name: str, by: str) -> str:
    """Give the means of a histogram of seconds that has a label."""
    return ratio(rate(f"{name}_seconds_sum", by=by), rate(f"{name}_seconds_count", by=by))


def ratio(part: str, whole: str) -> str:
    """Give a share; nothing where the whole is 0."""
    return f"{part} / ({whole} > 0)"


def process(name: str) -> str:
    """Select a metric of the processes themselves."""
    return f"process_{name}{{{SERVERS}}} and on (instance, job) {metric('build_info')}"


def processor() -> str:
    """Give the cores that the processes use."""
    used = f"rate(process_cpu_seconds_total{{{SERVERS}}}[{STEP}])"
    return f"{used} and on (instance, job) {metric('build_info')}"


def _by(labels: str) -> str:
    return f" by ({labels})" if labels else ""
