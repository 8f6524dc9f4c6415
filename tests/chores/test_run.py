"""run.py finds the chore, hands it its arguments and says what it knows."""

from pathlib import Path

import pytest

import run
from tests.conftest import SLICES, slot


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that chores would have run, without the folder of the tool."""
    ran: list[list[str]] = []

    def note(*command: str | Path) -> int:
        ran.append([Path(command[0]).name, *map(str, command[1:])])
        return 5

    monkeypatch.setattr(run, "prepare", lambda pins: Path("bin/python"))
    monkeypatch.setattr(run, "run", note)
    return ran


@pytest.mark.parametrize(
    ("arguments", "for_pytest"),
    [
        ([], ["-m", "not slow"]),
        (["--all"], []),
        (["--slice", "abc"], ["--slow-slice=abc"]),
        (
            ["-x", "-k", "all", "tests/engine"],
            ["-m", "not slow", "-x", "-k", "all", "tests/engine"],
        ),
    ],
)
def test_which_tests_are_run(
    arguments: list[str], for_pytest: list[str], commands: list[list[str]]
) -> None:
    assert run.main(["test", *arguments]) == 5
    assert commands == [["python", "-m", "pytest", *run.WORKERS, *for_pytest]]


def test_an_unknown_chore_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["tset"]) == 2
    said = capsys.readouterr().err
    assert all(f"  {chore} " in said for chore in run.CHORES)


def test_slices_depend_on_the_text_alone_and_all_are_used() -> None:
    assert slot("abc") == 0xBA % SLICES  # SHA-256's published example begins with ba
    assert {slot(str(number)) for number in range(200)} == set(range(SLICES))
