"""Tallies show Prometheus what its own series would."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from saurodrome.server.tallies import Buckets, Counts


def page(registry: CollectorRegistry) -> str:
    return generate_latest(registry).decode().replace("_created", "")


def test_a_tally_of_seconds_reads_as_the_librarys_histogram() -> None:
    bounds = (0.001, 0.5, 2.0)
    own, theirs = CollectorRegistry(), CollectorRegistry()
    buckets = Buckets("a_seconds", "Seconds of a.", bounds)
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
    counts = Counts("b", "Number of b.", "kind", ("x", "y"))
    own.register(counts)
    counter = Counter("b", "Number of b.", ("kind",), registry=theirs)
    for kind, times in (("x", 3), ("y", 0)):
        counts.of[kind] += times
        counter.labels(kind).inc(times)
    expected = page(theirs)
    assert all(line in expected for line in page(own).splitlines())
    assert 'kind="x"} 3.0' in page(own)
