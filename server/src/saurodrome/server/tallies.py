"""Series of events that happen at every decision: plain numbers, read at a scrape.

The client library's own series take a lock and walk through their bounds at every event. These
belong to the event loop's thread and do neither.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate

from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString


class Counts(Collector):
    """A counter by the values of one label, all known beforehand."""

    def __init__(self, name: str, text: str, label: str, values: Iterable[str]) -> None:
        """Starts at 0; `name` goes without `_total`."""
        self._about = (name, text, label)
        self.of: dict[str, float] = dict.fromkeys(values, 0)
        """The count of each value; whoever counts adds to it."""

    def collect(self) -> Iterator[Metric]:
        """The series as they stand."""
        name, text, label = self._about
        family = CounterMetricFamily(name, text, labels=(label,))
        for value, count in self.of.items():
            family.add_metric((value,), count)
        yield family


class Buckets(Collector):
    """A histogram of seconds."""

    def __init__(self, name: str, text: str, bounds: tuple[float, ...]) -> None:
        """Starts empty; `bounds` ascend, and whatever is larger is counted as well."""
        self._about = (name, text)
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Counts a duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[Metric]:
        """The series as they stand."""
        bounds = map(floatToGoString, (*self._bounds, float("inf")))
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(*self._about, buckets=buckets, sum_value=self._sum)
