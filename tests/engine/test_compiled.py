"""The engine compiled by mypyc plays the same games from the same seeds as the plain one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAIN = ROOT / "engine" / "src"


def run(*command: str, **environment: str) -> str:
    """Return what a program prints; it must succeed."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def digest(source: Path, script: str) -> list[str]:
    """Return the lines of a script beside this file for an engine in a folder."""
    # Installed paths come after PYTHONPATH, so this engine is found first.
    path = str(ROOT / "tests" / "engine" / script)
    return run(sys.executable, path, PYTHONPATH=str(source)).splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the engine compiled."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    pytest.importorskip("setuptools", reason="mypyc needs setuptools")
    folder = tmp_path_factory.mktemp("compiled")
    run(sys.executable, str(ROOT / "engine" / "compiled.py"), str(folder))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "lines"),
    [("digest.py", 8), ("arbiter_digest.py", 16), ("search_digest.py", 20)],
    ids=["engine", "arbiter", "search"],
)
def test_both_forms_play_the_same_games(compiled: Path, script: str, lines: int) -> None:
    """The engine's own matches and play-outs, an arbiter's records, and what searches think."""
    plain, *expected = digest(PLAIN, script)
    other, *found = digest(compiled, script)
    assert (plain, other) == ("plain", "compiled")
    assert len(expected) == lines
    assert found == expected
