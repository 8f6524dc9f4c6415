"""What the soak calls flat: a small leak is found over the noise, caches that fill are none."""

from random import Random

import pytest

from tests.bench.soak import FILL, SPARE, WARM, Sample, flat, slope


def samples(leak: float, upto: int = 2 * WARM, filled: float = FILL / 2) -> list[Sample]:
    """Samples of a server that fills its caches until it is warm, and leaks so much a 500."""
    noise = Random(7)
    return [
        Sample(
            matches / 10,
            matches,
            110 + min(matches / WARM, 1) * filled + leak * matches / 500 + noise.gauss(0, 0.3),
            13,
        )
        for matches in range(264, upto, 264)
    ]


def test_caches_that_fill_and_noise_are_flat() -> None:
    assert flat(samples(0.0)) == []


@pytest.mark.parametrize("leak", [0.5, 3.0])
def test_a_leak_is_found_and_measured(leak: float) -> None:
    found = samples(leak)
    assert slope(found) == pytest.approx(leak, abs=0.1)
    assert any(wrong.startswith("memory grows by") for wrong in flat(found))


def test_a_short_soak_tells_no_slope_but_finds_what_no_cache_explains() -> None:
    short = samples(0.5, WARM)
    assert slope(short) is None
    assert flat(short) == []
    assert flat(samples(0.0, WARM, filled=FILL + 5)) != []


def test_descriptors_that_are_left_open_are_found() -> None:
    found = samples(0.0)
    found[-1] = found[-1]._replace(descriptors=13 + SPARE + 1)
    assert flat(found) == ["descriptors: 13, then 22"]
