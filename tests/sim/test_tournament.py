"""Whole tournaments with all kinds of bots and faults, each repeatable from its seed."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.sim import invariants, scenes
from tests.sim.scenes import command, run

ROOT = Path(__file__).resolve().parents[2]
FAST = range(6)
SLOW = range(6, 2006)
PART = 25
"""Seeds of one slow test: some tens of seconds on a busy machine."""


@pytest.mark.parametrize("seed", FAST)
def test_seeds(seed: int) -> None:
    run(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", SLOW[::PART])
def test_many_seeds(first: int) -> None:
    for seed in range(first, first + PART):
        run(seed)


def test_seeds_can_be_played_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(3) == "python -m tests.sim.scenes 3"
    assert scenes.main(3, 3) == 0
    assert capsys.readouterr().out == "1 seeds, 0 failed\n"


def test_the_same_seed_gives_the_same_history_byte_for_byte() -> None:
    first, second = run(1), run(1)
    assert first.encode() == second.encode()
    assert first != run(2)


@pytest.mark.slow
def test_a_history_does_not_depend_on_the_process() -> None:
    """Not even on the salt of its hashes, which decides the order of sets."""
    digests = set()
    for salt in ("0", "1", "2"):
        code = "from tests.sim.test_tournament import digest; print(digest(3))"
        environment = os.environ | {"PYTHONHASHSEED": salt, "PYTHONPATH": ":".join(sys.path)}
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(ran.stdout)
    assert digests == {digest(3) + "\n"}


def digest(seed: int) -> str:
    """Return the digest of a seed's history."""
    return sha256(run(seed).encode()).hexdigest()


def test_a_seed_that_fails_says_how_to_run_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise AssertionError("something does not hold")

    monkeypatch.setattr(invariants, "check", broken)
    with pytest.raises(AssertionError) as failure:
        run(0)
    assert failure.value.__notes__ == [f"run it again: {command(0)}"]
