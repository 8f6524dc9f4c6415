"""What the engine's pages show works as shown."""

import re
from pathlib import Path

import pytest

from saurodrome.engine import registry
from saurodrome.engine.game import Game

ENGINE = Path(__file__).parents[2] / "engine"
README = (ENGINE / "README.md").read_text(encoding="utf-8")


def run_example(page: str, number: int) -> dict[str, object]:
    """Run one example of a page of the engine and return its names."""
    text = (ENGINE / page).read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[number]
    names: dict[str, object] = {}
    exec(compile(example, f"engine/{page}", "exec"), names)
    return names


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    run_example("README.md", 0)
    assert capsys.readouterr().out.startswith("Outcome(points=(")


def test_a_game_is_added_in_one_sitting() -> None:
    game = run_example("README.md", 1)["GAME"]
    assert isinstance(game, Game)  # conformance has passed, or the example had raised
    assert game.name == "heap"


def test_the_search_shows_estimates_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    run_example("SEARCH.md", 0)
    *estimates, played = capsys.readouterr().out.splitlines()
    assert played.removeprefix("plays ") in [line.rsplit(" ", 3)[0] for line in estimates]


def test_every_game_names_its_rulings() -> None:
    for game in registry.games():
        assert f"## {game.name.capitalize()}: rulings" in README
