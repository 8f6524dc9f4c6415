"""Series as plain numbers, read at a scrape.

The client library's own series take a lock and walk through their bounds at every event. These
belong to the event loop's thread and do neither.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Protocol

from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.utils import floatToGoString

from saurodrome.server.metrics.catalogue import Entry

OTHER = "OTHER"
"""The value of a label for all that is beyond its bound."""
MAX_CHARS = 64
"""Characters of a label's value."""


def family(entry: Entry, values: Mapping[tuple[str, ...], float]) -> Metric:
    """The samples of a counter or gauge, by the values of its labels."""
    kind = CounterMetricFamily if entry.kind == "counter" else GaugeMetricFamily
    made = kind(entry.name, entry.text, labels=entry.labels)
    for labels, value in values.items():
        made.add_metric(labels, value)
    return made


class Collector(Protocol):
    """What is shown at a scrape.

    The client library's class of that name gives nothing to who inherits from it, and who does
    cannot be compiled.
    """

    def collect(self) -> Iterable[Metric]:
        """The series as they stand."""
        ...


class Number:
    """A counter or gauge without labels; whoever counts changes `value`."""

    def __init__(self, entry: Entry) -> None:
        """Starts at 0."""
        self._entry = entry
        self.value = 0.0

    def collect(self) -> Iterator[Metric]:
        """The sample as it stands."""
        yield family(self._entry, {(): self.value})


class Counts:
    """A counter by the values of one label, all known beforehand."""

    def __init__(self, entry: Entry, values: Iterable[str]) -> None:
        """Starts at 0."""
        self._entry = entry
        self.of: dict[str, float] = dict.fromkeys(values, 0)
        """The count of each value; whoever counts adds to it."""

    def collect(self) -> Iterator[Metric]:
        """The series as they stand."""
        yield family(self._entry, {(value,): count for value, count in self.of.items()})


class Codes:
    """A counter by labels whose values are not listed beforehand, but few.

    What is beyond the bound of the metric, or no plain short text, counts as OTHER.
    """

    def __init__(self, entry: Entry, known: Iterable[str] = ()) -> None:
        """Starts empty, but for values of its one label that are watched from the first one on."""
        self._entry = entry
        self._of: dict[tuple[str, ...], float] = {(value,): 0.0 for value in known}
        self._rest = (OTHER,) * len(entry.labels)

    def add(self, *labels: str, by: float = 1) -> None:
        """Counts, or takes away, at the values of the labels."""
        if labels not in self._of:
            labels = self._admitted(labels)
        self._of[labels] = self._of.get(labels, 0) + by

    def _admitted(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        known = self._rest in self._of
        full = len(self._of) - known >= self._entry.children - 1
        plain = all(v.isascii() and v.isprintable() and len(v) <= MAX_CHARS for v in labels)
        return labels if plain and not full else self._rest

    def collect(self) -> Iterator[Metric]:
        """The series as they stand."""
        yield family(self._entry, self._of)


class Buckets:
    """A histogram of seconds; by label values if the entry has labels."""

    def __init__(self, entry: Entry) -> None:
        """Starts empty; whatever is larger than all bounds is counted as well."""
        self._entry = entry
        self._bounds = entry.buckets
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Counts a duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def samples(self) -> tuple[list[tuple[str, float]], float]:
        """The cumulative buckets and the sum, as a family takes them."""
        bounds = map(floatToGoString, (*self._bounds, float("inf")))
        return list(zip(bounds, accumulate(self._counts), strict=True)), self._sum

    def collect(self) -> Iterator[Metric]:
        """The series as they stand."""
        buckets, total = self.samples()
        yield HistogramMetricFamily(
            self._entry.name, self._entry.text, buckets=buckets, sum_value=total
        )


class BucketsBy:
    """A histogram of seconds by labels; what is beyond the bound counts as OTHER."""

    def __init__(self, entry: Entry) -> None:
        """Starts empty."""
        self._entry = entry
        self._of: dict[tuple[str, ...], Buckets] = {}

    def of(self, *labels: str) -> Buckets:
        """The histogram of some labels, for whoever counts there again and again."""
        return self._of.setdefault(labels, Buckets(self._entry))

    def observe(self, labels: tuple[str, ...], seconds: float) -> None:
        """Counts a duration."""
        if labels not in self._of and len(self._of) >= self._entry.children - 1:
            labels = (OTHER,) * len(labels)
        self._of.setdefault(labels, Buckets(self._entry)).observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """The series as they stand."""
        made = HistogramMetricFamily(self._entry.name, self._entry.text, labels=self._entry.labels)
        for labels, buckets in self._of.items():
            made.add_metric(labels, *buckets.samples())
        yield made
