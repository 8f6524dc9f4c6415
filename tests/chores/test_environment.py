"""Environments are made when missing, made anew when stale, and left alone when somebody else's."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chores import environment
from chores.terminal import Refused

PROJECT = '[project]\nname = "x-y"\nversion = "1.2"\n'
SCRIPTS = PROJECT + '[project.scripts]\nhello = "greeting:main"\n'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with pins, four distributions, one of which has a command, and no installer."""
    place = tmp_path / "a folder"
    (place / "requirements").mkdir(parents=True)
    for name in environment.SATISFIED_BY:
        (place / "requirements" / f"{name}.txt").write_text(f"{name}==1\n")
    for name in environment.DISTRIBUTIONS:
        (place / name / "src").mkdir(parents=True)
        (place / name / "pyproject.toml").write_text(PROJECT)
    (place / "server" / "pyproject.toml").write_text(SCRIPTS)
    monkeypatch.setattr(environment, "ROOT", place)
    environment.prepare.cache_clear()
    yield place
    environment.prepare.cache_clear()


@pytest.fixture
def installed(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lists of pins installed so far."""
    lists: list[str] = []
    monkeypatch.setattr(environment, "install", lambda python, pins, first: lists.append(pins))
    monkeypatch.setattr(environment, "make_venv", make_venv)
    return lists


def make_venv(home: Path) -> None:
    """Stand in for `python -m venv`, which takes longer than a test may."""
    (home / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "bin" / "python").symlink_to(sys.executable)


def prepare_anew(pins: str) -> Path:
    """Prepare as another process would."""
    environment.prepare.cache_clear()
    return environment.prepare(pins)


def test_a_missing_environment_is_made_once(root: Path, installed: list[str]) -> None:
    assert prepare_anew("run") == root / ".venv" / "bin" / "python"
    prepare_anew("run")
    assert installed == ["run"]


def test_the_tests_packages_are_added_to_the_demos(root: Path, installed: list[str]) -> None:
    prepare_anew("run")
    prepare_anew("dev")
    assert installed == ["run", "dev"]


def test_the_tests_packages_are_enough_for_the_demo(root: Path, installed: list[str]) -> None:
    prepare_anew("dev")
    prepare_anew("run")
    assert installed == ["dev"]


def test_generating_stubs_has_an_environment_of_its_own(root: Path, installed: list[str]) -> None:
    assert prepare_anew("proto") == root / ".venv-proto" / "bin" / "python"
    assert not (root / ".venv").exists()


@pytest.mark.parametrize("change", ["pins", "python", "command", "broken stamp"])
def test_a_stale_environment_is_made_anew(
    root: Path, installed: list[str], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare_anew("run")
    left_over = root / ".venv" / "left over"
    left_over.touch()
    if change == "pins":
        (root / "requirements" / "run.txt").write_text("run==2\n")
    elif change == "python":
        monkeypatch.setattr(sys, "version", "3.99")
    elif change == "command":
        (root / "engine" / "pyproject.toml").write_text(SCRIPTS.replace("hello", "goodbye"))
    else:
        (root / ".venv" / environment.STAMP).write_text('{"origin"')
    prepare_anew("run")
    assert installed == ["run", "run"]
    assert not left_over.exists()


def test_an_environment_of_somebody_else_is_used_and_not_changed(
    root: Path, installed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (root / ".venv").mkdir()
    make_venv(root / ".venv")
    before = sorted((root / ".venv").rglob("*"))
    assert prepare_anew("dev") == root / ".venv" / "bin" / "python"
    environment.clean(root / ".venv")
    assert sorted((root / ".venv").rglob("*")) == before
    assert installed == []
    assert "was not made by run.py" in capsys.readouterr().err


def test_a_folder_that_is_no_environment_is_refused(root: Path, installed: list[str]) -> None:
    (root / ".venv").mkdir()
    with pytest.raises(Refused, match="remove the folder"):
        prepare_anew("dev")


def test_clean_removes_what_was_made_here(root: Path, installed: list[str]) -> None:
    prepare_anew("dev")
    environment.clean(root / ".venv")
    assert [entry.name for entry in root.iterdir() if entry.name.startswith(".venv")] == []


def test_sources_are_importable_and_commands_run_from_a_folder_with_a_space(
    root: Path, installed: list[str]
) -> None:
    python = prepare_anew("run")
    (site,) = (root / ".venv").glob("lib/*/site-packages")
    assert [folder.name for folder in site.glob("x_y*")] == ["x_y-1.2.dist-info"]
    assert str(root / "clients/python/src") in (site / "saurodrome.pth").read_text().splitlines()
    (root / ".venv" / "bin" / "greeting.py").write_text("def main() -> int:\n    return 7\n")
    assert subprocess.run([python.with_name("hello")], check=False).returncode == 7


@pytest.mark.parametrize(
    ("works", "command"),
    [
        ("--python", ["pip", "--python"]),
        ("ensurepip", ["pip", "install"]),
        ("uv", ["pip", "install"]),
    ],
)
def test_the_first_installer_that_works_is_taken(
    works: str, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "succeeds", lambda tried: works in tried)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    chosen = environment.installer(Path("/env/bin/python"))
    assert " ".join(command) in " ".join(chosen)
    assert chosen[0].endswith("uv") == (works == "uv")


def test_a_machine_without_any_installer_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(environment, "succeeds", lambda tried: False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(Refused, match="apt install python3-pip"):
        environment.installer(Path("/env/bin/python"))
