"""Tests run against one change after the other, each in a process of its own."""

from pathlib import Path

import pytest

from chores.mutants import stage
from chores.mutants.mutant import KILLED, SURVIVED, TIMEOUT
from chores.mutants.trial import Trial
from chores.terminal import Refused

pytestmark = pytest.mark.slow

LOOKING = """
import os

asked = os.environ["MUTANT_UNDER_TEST"]
if asked == "import":
    raise ImportError(asked)


def test_it():
    while asked == "loop":
        pass
    assert asked != "fail"
"""


def home(folder: Path, tests: str) -> Path:
    (folder / "conftest.py").write_text(f"import hypothesis\n{stage.UNSHRUNK}")
    (folder / "pyproject.toml").write_text('[tool.pytest]\nmarkers = ["slow: a", "wire: b"]\n')
    (folder / "test_it.py").write_text(tests)
    return folder


def test_what_tests_notice_is_killed(tmp_path: Path) -> None:
    trial = Trial(home(tmp_path, LOOKING), [Path("test_it.py")])
    assert trial.limit >= 5
    assert trial.verdict("nothing") == SURVIVED
    assert trial.verdict("fail") == KILLED
    assert trial.verdict("import") == KILLED
    trial.limit = 1
    assert trial.verdict("loop") == TIMEOUT


def test_tests_that_fail_by_themselves_are_shown(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"(?s)assert 1 == 2.*fail without any change"):
        Trial(home(tmp_path, "def test_it():\n    assert 1 == 2\n"), [Path("test_it.py")])


def test_tests_that_are_not_there_tell_nothing(tmp_path: Path) -> None:
    trial = Trial(home(tmp_path, LOOKING), [Path("test_it.py")])
    (tmp_path / "test_it.py").write_text("")
    with pytest.raises(Refused, match="did not run"):
        trial.verdict("nothing")
