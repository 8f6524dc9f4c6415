"""Programs of Debian's packages are found, or fetched, or it is said why not."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chores import debian
from chores.terminal import Refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, and a machine without any of the programs."""
    monkeypatch.setattr(debian, "HOME", tmp_path / ".tools")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / ".tools"


def put(folder: Path, *names: str) -> None:
    """Puts programs into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


class Apt:
    """apt-get and dpkg-deb, which fail as often as they are told to."""

    def __init__(self, *failing: str) -> None:
        self.failing = list(failing)
        self.said: list[str] = []

    def __call__(self, command: Sequence[str], **options: Any) -> Any:
        program, *_, what, last = ["", *command]
        verb = "update" if last == "update" else what
        self.said.append(verb)
        if verb in self.failing:
            self.failing.remove(verb)
            return subprocess.CompletedProcess(command, 100, "", "W: nothing\nE: no such list")
        if verb == "download":
            (options["cwd"] / f"{last}_1_all.deb").write_text("")
        assert program == ""
        return subprocess.CompletedProcess(command, 0, "", "")


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Apt:
    """A machine that has apt-get; what is unpacked holds prometheus and promtool."""
    put(tmp_path / "bin", "apt-get", "dpkg-deb")

    def unpack(command: Sequence[str]) -> bool:
        put(Path(command[-1]) / "usr" / "bin", "prometheus", "promtool")
        return True

    apt = Apt()
    monkeypatch.setattr(subprocess, "run", apt)
    monkeypatch.setattr(debian, "succeeds", unpack)
    return apt


def test_a_program_of_the_machine_is_taken_first(tmp_path: Path) -> None:
    put(tmp_path / "bin", "promtool")
    assert debian.program("promtool") == tmp_path / "bin" / "promtool"


def test_what_was_unpacked_before_is_not_fetched_again(home: Path) -> None:
    put(home / "usr" / "bin", "promtool")
    assert debian.program("promtool") == home / "usr" / "bin" / "promtool"


def test_a_package_is_fetched_once_for_all_its_programs(home: Path, apt: Apt) -> None:
    assert debian.program("promtool") == home / "usr" / "bin" / "promtool"
    assert debian.program("prometheus") == home / "usr" / "bin" / "prometheus"
    assert apt.said == ["download"]
    assert debian.program("promtool").stat().st_mode & 0o111


def test_where_apts_lists_are_missing_it_gets_its_own(home: Path, apt: Apt) -> None:
    apt.failing = ["download"]
    assert debian.program("promtool").exists()
    assert apt.said == ["download", "update", "download"]


@pytest.mark.parametrize("failing", [["download", "update"], ["download", "download"]])
def test_it_is_said_why_a_package_cannot_be_had(apt: Apt, failing: list[str]) -> None:
    apt.failing = failing
    with pytest.raises(Refused, match=r"could not download it \(E: no such list\)") as refused:
        debian.program("promtool")
    assert "what is looked for on the PATH is: prometheus, promtool" in str(refused.value)


def test_a_machine_that_is_no_debian_is_told_what_to_install() -> None:
    with pytest.raises(Refused, match="no apt-get and dpkg-deb") as refused:
        debian.program("amtool")
    assert "install it in any way you like" in str(refused.value)
