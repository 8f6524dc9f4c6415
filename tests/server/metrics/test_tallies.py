"""Tallies show Prometheus what its own series would."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from saurodrome.server.metrics.catalogue import Entry
from saurodrome.server.metrics.tallies import OTHER, Buckets, BucketsBy, Codes, Counts


def page(registry: CollectorRegistry) -> str:
    return generate_latest(registry).decode().replace("_created", "")


def test_a_tally_of_seconds_reads_as_the_librarys_histogram() -> None:
    bounds = (0.001, 0.5, 2.0)
    own, theirs = CollectorRegistry(), CollectorRegistry()
    buckets = Buckets(
        Entry("a_seconds", "histogram", "seconds", "Seconds of a.", "", buckets=bounds)
    )
    own.register(buckets)
    histogram = Histogram("a_seconds", "Seconds of a.", buckets=bounds, registry=theirs)
    for seconds in (0.0, 0.001, 0.25, 0.5, 0.50001, 2.0, 9.0):  # on a bound, between, beyond
        buckets.observe(seconds)
        histogram.observe(seconds)
    expected = page(theirs)
    assert all(line in expected for line in page(own).splitlines())
    assert 'le="+Inf"} 7.0' in page(own)


def test_a_tally_by_label_reads_as_the_librarys_counter() -> None:
    own, theirs = CollectorRegistry(), CollectorRegistry()
    counts = Counts(Entry("b_total", "counter", "b", "Number of b.", "", ("kind",), 2), ("x", "y"))
    own.register(counts)
    counter = Counter("b", "Number of b.", ("kind",), registry=theirs)
    for kind, times in (("x", 3), ("y", 0)):
        counts.of[kind] += times
        counter.labels(kind).inc(times)
    expected = page(theirs)
    assert all(line in expected for line in page(own).splitlines())
    assert 'kind="x"} 3.0' in page(own)


def test_codes_beyond_the_bound_and_odd_ones_count_together() -> None:
    codes = Codes(Entry("c_total", "counter", "c", "Number of c.", "", ("code",), 4), ("known",))
    for code in ("known", "a", "b", "c", "d", "a", "\ud800", "\x1b[2J", "x" * 65, "b\n"):
        codes.add(code)
    (family,) = codes.collect()
    counted = {sample.labels["code"]: sample.value for sample in family.samples}
    assert counted == {"known": 1, "a": 2, "b": 1, OTHER: 6}


def test_histograms_by_label_stay_within_their_bound() -> None:
    entry = Entry("d_seconds", "histogram", "s", "D.", "", ("method",), 3, (0.5,))
    buckets = BucketsBy(entry)
    for method in ("a", "b", "c", "d", "a"):
        buckets.observe((method,), 0.1)
    (family,) = buckets.collect()
    counted = {s.labels["method"]: s.value for s in family.samples if s.name == "d_seconds_count"}
    assert counted == {"a": 2, "b": 1, OTHER: 2}
