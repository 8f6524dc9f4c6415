"""The checks of deploy/ find what is planted, and the files name what there is."""

import re
from pathlib import Path

import pytest

from chores import deploy
from saurodrome.server.cli.root import main
from saurodrome.server.config import load

ROOT = Path(__file__).parents[2]
SETTINGS = sorted(ROOT.glob("deploy/**/saurodrome.toml"))
UNITS = sorted(ROOT.glob("deploy/systemd/*.service"))


def commands(unit: Path) -> list[list[str]]:
    """The commands of saurodrome that a unit starts."""
    lines = re.findall(rf"(?m)^ExecStart(?:Pre)?={deploy.PROGRAM} (.+)$", unit.read_text())
    return [line.split() for line in lines]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_call_commands_that_there_are(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands(unit)
    for words in commands(unit):
        assert main([*words, "--help"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("file", SETTINGS, ids=lambda file: file.parent.name)
def test_settings_that_are_shipped_are_settings(file: Path) -> None:
    loaded = load(file, {})
    assert not loaded.problems
    if file.parent.name != "deploy":
        assert str(loaded.config().data) == "/data"


def test_variables_in_the_image_and_the_compose_file_are_settings() -> None:
    for file in (deploy.DOCKERFILE, deploy.COMPOSE):
        named = re.findall(r"(SAURODROME_SERVE_\w+)[=:] ?\"?([\w./,]+)", file.read_text())
        assert named
        assert not load(None, dict(named)).problems


@pytest.mark.parametrize(
    ("line", "good"),
    [
        ("FROM python:3.13", True),
        ("image: prom/prometheus:v3", True),
        ("image: saurodrome:local", True),
        ("image: saurodrome", True),
        ("FROM registry.example/python:3.13", False),
        ("  image: prom/prometheus", False),
        ("  - image: prom/prometheus:latest", False),
    ],
)
def test_images_without_a_version_or_from_elsewhere_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, good: bool
) -> None:
    for name in ("Dockerfile", "compose.yaml"):
        (tmp_path / name).write_text(f"{line}\n")
    monkeypatch.setattr(deploy, "ROOT", tmp_path)
    monkeypatch.setattr(deploy, "DEPLOY", tmp_path)
    monkeypatch.setattr(deploy, "DOCKERFILE", tmp_path / "Dockerfile")
    monkeypatch.setattr(deploy, "COMPOSE", tmp_path / "compose.yaml")
    assert deploy.images() is good


def test_one_check_that_fails_does_not_hide_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []

    def first() -> bool:
        ran.append("first")
        return False

    def second() -> bool:
        ran.append("second")
        return True

    monkeypatch.setattr(deploy, "CHECKS", {"first": first, "second": second})
    assert deploy.check() == 1
    assert ran == ["first", "second"]
    assert "FAILED first" in capsys.readouterr().err
