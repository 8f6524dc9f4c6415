"""`saurodrome analyse`: every choice with its estimates, and a blunder is called a mistake."""

import json
from pathlib import Path

import pytest

from saurodrome.engine.playthrough import dumps
from saurodrome.server.cli.root import main
from tests.bench.tables import bot, record
from tests.server.cli.played import played, text


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A match of players who take the first or last legal action, whatever it is."""
    path = tmp_path / "1.play"
    path.write_text(text())
    return path


def test_json_has_an_estimate_of_every_legal_action(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(kept), "--seat", "1", "--playouts", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {choice["seat"] for choice in found["choices"]} == {1}
    assert found["choices"][0]["step"] == 1
    for choice in found["choices"]:
        values = [one["value"] for one in choice["actions"]]
        assert values == sorted(values, reverse=True)
        assert {one["playouts"] for one in choice["actions"]} == {3}
        own = next(one for one in choice["actions"] if one["action"] == choice["chosen"])
        assert choice["regret"] == pytest.approx(values[0] - own["value"], abs=2e-4)


def test_the_table_names_seats_and_counts_mistakes(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(kept), "--playouts", "2", "--all"]) == 0
    shown = capsys.readouterr().out
    assert "seat 0   my_bot" in shown
    assert "seat 1   greedy" in shown
    assert shown.count("regret of all choices") == 2
    assert all(len(line) <= 80 for line in shown.splitlines())


@pytest.mark.slow
def test_a_player_of_last_actions_makes_mistakes(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(kept), "--seat", "0", "--playouts", "80", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert any(choice["mistake"] for choice in found["choices"])


@pytest.mark.slow
def test_a_greedy_bot_makes_a_clear_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, greedy = tmp_path / "greedy.play", bot("greedy")
    path.write_text(dumps(record("draftosaurus", "summer", [greedy, greedy], 1, 1.0)))
    assert main(["analyse", str(path), "--seat", "1", "--playouts", "100", "--json"]) == 0
    choices = json.loads(capsys.readouterr().out)["choices"]
    worst = max(choices, key=lambda one: one["regret"])
    assert (worst["step"], worst["chosen"], worst["mistake"]) == (19, "C meadow", True)
    assert worst["actions"][0]["action"] == "R prairie"


def test_duelosaur_island_is_looked_at_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "duel.play"
    path.write_text(dumps(played(of="duelosaur/short", steps=4)))
    assert main(["analyse", str(path), "--playouts", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["choices"]
    assert {choice["phase"] for choice in found} >= {"setup", "draw"}
    assert all(len(choice["actions"]) > 1 for choice in found)


def test_what_cannot_be_looked_at_is_refused(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(kept), "--seat", "2"]) == 2
    assert "NO_SEAT" in capsys.readouterr().err
