"""The benches of hostile load run, in small, and what they promise holds."""

import pytest

from tests.bench import false_timeouts, idle_streams, neighbours, soak

pytestmark = [pytest.mark.wire, pytest.mark.slow]


@pytest.mark.case("LS-01")
def test_idle_streams_take_little_and_are_noticed_when_they_go() -> None:
    found = idle_streams.main(["--streams", "100", "--tables", "4", "--seconds", "1"])
    assert found["kib_a_stream"] < 64 * 2  # of few streams each has a larger part of what is shared
    assert found["processor_idle"] < 0.05 * 5
    assert found["late"] == 0
    assert found["noticed_s"] < 2.0 * 5


@pytest.mark.case("LS-02", "P1", "P3")
def test_instant_bots_are_not_called_late() -> None:
    arguments = ["--tables", "16", "--matches", "60", "--seconds", "40", "--limit", "250"]
    assert false_timeouts.main(arguments) == 0


def test_neighbours_of_an_attacker_play_on() -> None:
    found = neighbours.main(
        ["--bots", "4", "--attackers", "2", "--seconds", "1", "--only", "garbage"]
    )
    assert found["garbage"]["decisions"] > 0
    assert found["garbage"]["late"] == 0
    assert found["garbage"]["rounds"] > 0


@pytest.mark.case("LS-05", "LS-06")
def test_a_short_soak_leaves_everything_whole() -> None:
    assert soak.main(["--seconds", "6", "--bots", "6"]) == 0
