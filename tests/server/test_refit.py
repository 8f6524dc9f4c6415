"""Large fits in a process of their own: the same figures, and nothing left behind."""

import os
import pickle
import subprocess
import sys
from random import Random

import pytest

from saurodrome.server import refit
from saurodrome.server.rating.fit import fit_pool
from saurodrome.server.rating.pool import Pool
from saurodrome.server.refit import Ratings, ratings, shown
from tests.server.rating.pools import played


def pool(seed: int = 1) -> Pool:
    return Pool(played(Random(seed), "abcde", 2, "balanced"))


def test_before_the_first_match_there_is_nothing_to_show() -> None:
    assert ratings(Pool(), 1500.0, None) == Ratings()


def test_a_small_fit_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    found = ratings(pool(), 1500.0, ("a", 1000.0))
    assert found.anchored
    assert next(bot.elo for bot in found.bots if bot.name == "a") == pytest.approx(1000)


def test_where_no_process_can_be_had_the_fit_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refit, "LARGE", 1)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert ratings(pool(), 0.0, None) == shown(fit_pool(pool()), None)


def test_a_pool_goes_there_without_the_names_of_its_blocks() -> None:
    asked = pickle.dumps(pool())
    assert b"1/1" not in asked
    assert fit_pool(pickle.loads(asked)) == fit_pool(pool())


@pytest.mark.wire
def test_another_process_gives_the_same_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refit, "LARGE", 1)
    here = shown(fit_pool(pool(), mean=1500.0), None)
    monkeypatch.setattr(refit, "fit_pool", None)  # it is not made here
    assert ratings(pool(), 1500.0, None) == here


@pytest.mark.wire
def test_the_process_ends_when_nobody_waits_for_it() -> None:
    """Its fit here takes longer than the test."""
    code = "import saurodrome.server.refit as r, time; r.fit_pool = lambda *a, **k: time.sleep(99)"
    child = subprocess.Popen(
        [sys.executable, "-c", f"{code}; r.main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"".join(refit.request(pool(), 0.0, None)))
    child.stdin.close()
    assert child.wait(timeout=30) == 1
    child.stdout.close()
