"""One metric as Prometheus reads it."""

from collections.abc import Iterator

from prometheus_client import generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector


def text(metric: Metric) -> bytes:
    """The lines of a metric, in Prometheus' text format."""
    return generate_latest(_One(metric))


class _One(Collector):
    """What the client library renders: a registry of one metric."""

    def __init__(self, metric: Metric) -> None:
        self._metric = metric

    def collect(self) -> Iterator[Metric]:
        """The metric."""
        yield self._metric
