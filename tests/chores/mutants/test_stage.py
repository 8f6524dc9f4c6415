"""The copy, the sources that are named, and the tests that look at them."""

import subprocess
from pathlib import Path

import pytest

from chores.mutants import stage
from chores.terminal import Refused

KERNEL = "engine/src/saurodrome/engine/games/chess/kernel.py"
CHANCE = "engine/src/saurodrome/engine/chance.py"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository."""
    for name in (
        *(KERNEL, KERNEL.replace("kernel", "turns"), CHANCE, "run.py", "chores/a.py"),
        *("tests/engine/chess/test_kernel.py", "tests/engine/chess/test_flow.py"),
        *("tests/engine/test_chance.py", "tests/engine/test_other.py", "tests/conftest.py"),
        *("server/src/b.py", "proto/src/c.py", "clients/d.py", "pyproject.toml"),
    ):
        file = tmp_path / "of all" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    monkeypatch.setattr(stage, "ROOT", tmp_path / "of all")
    return tmp_path / "of all"


def git(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


@pytest.mark.usefixtures("root")
def test_files_and_folders_can_be_named() -> None:
    assert stage.modules([CHANCE], None) == [Path(CHANCE)]
    folder = [path.name for path in stage.modules([str(Path(KERNEL).parent)], None)]
    assert folder == ["kernel.py", "turns.py"]
    assert stage.modules([KERNEL, str(Path(KERNEL).parent)], None)[0] == Path(KERNEL)


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("name", ["engine/none.py", "tests/conftest.py", "run.py", "/etc"])
def test_what_is_no_source_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="is no source of saurodrome"):
        stage.modules([name], None)


def test_without_a_name_they_are_those_that_score_and_judge() -> None:
    found = [path.stem for path in stage.modules([], None)]
    assert {"scoring", "lines", "pens", "kernel", "turns"} <= set(found)


def test_only_what_changed_since_a_revision_is_looked_at(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "all")
    assert stage.modules([KERNEL, CHANCE], "HEAD") == []
    (root / CHANCE).write_text("a = 1\n")
    assert stage.modules([KERNEL, CHANCE], "HEAD") == [Path(CHANCE)]
    with pytest.raises(Refused, match="nothing"):
        stage.modules([KERNEL], "nothing")


@pytest.mark.usefixtures("root")
def test_a_source_is_looked_at_by_the_tests_of_its_folder_its_own_first() -> None:
    found = [path.as_posix() for path in stage.looking_at(Path(KERNEL))]
    assert found == ["tests/engine/chess/test_kernel.py", "tests/engine/chess/test_flow.py"]
    assert stage.looking_at(Path(CHANCE)) == [Path("tests/engine/test_chance.py")]


@pytest.mark.usefixtures("root")
def test_a_source_without_tests_is_refused() -> None:
    with pytest.raises(Refused, match=r"no tests in tests/engine look at .*/none\.py"):
        stage.looking_at(Path(CHANCE).with_name("none.py"))


def test_the_copy_has_what_tests_need_and_tells_when_any_of_it_changes(root: Path) -> None:
    compiled = (root / KERNEL).with_suffix(".so")
    compiled.write_text("")
    home = root / ".mutants"
    home.mkdir()
    stage.stage(home)
    first = stage.digest(home)
    assert (home / KERNEL).exists()
    assert not (home / compiled.relative_to(root)).exists()
    assert "mutants" in (home / "tests" / "conftest.py").read_text()
    stage.stage(home)
    assert stage.digest(home) == first
    (root / "tests" / "engine" / "test_other.py").write_text("a = 1\n")
    (root / CHANCE).unlink()
    stage.stage(home)
    assert stage.digest(home) != first
    assert not (home / CHANCE).exists()
    assert not [*home.glob("old-*")]
