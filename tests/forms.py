"""Plain and compiled forms of a distribution, side by side."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str, **environment: str) -> str:
    """Return what a program prints; it must succeed."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compiled(distribution: str, folder: Path) -> Path:
    """Compile a distribution into a folder, and return that; skip where there is no compiler."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    pytest.importorskip("setuptools", reason="mypyc needs setuptools")
    run(sys.executable, str(ROOT / distribution / "compiled.py"), str(folder))
    return folder


def digest(source: Path, script: str) -> list[str]:
    """Return the lines of a script in `tests`, with the distribution in a folder."""
    # Installed paths come after PYTHONPATH, so this form is found first.
    path = str(ROOT / "tests" / script)
    return run(sys.executable, path, PYTHONPATH=str(source)).splitlines()
