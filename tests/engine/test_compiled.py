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


def digest(source: Path) -> list[str]:
    """Return the lines of `digest.py` for an engine in a folder."""
    # Installed paths come after PYTHONPATH, so this engine is found first.
    script = str(ROOT / "tests" / "engine" / "digest.py")
    return run(sys.executable, script, PYTHONPATH=str(source)).splitlines()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_both_forms_play_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", reason="mypyc needs setuptools")
    run(sys.executable, str(ROOT / "engine" / "compiled.py"), str(tmp_path))
    (plain, *expected), (compiled, *found) = digest(PLAIN), digest(tmp_path)
    assert (plain, compiled) == ("plain", "compiled")
    assert len(expected) == 8
    assert found == expected
