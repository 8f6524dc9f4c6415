"""What the engine's README shows works as shown."""

import re
from pathlib import Path

import pytest

from saurodrome.engine import registry

README = (Path(__file__).parents[2] / "engine" / "README.md").read_text(encoding="utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "engine/README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("Outcome(points=(")


def test_every_game_names_its_rulings() -> None:
    for game in registry.games():
        assert f"## {game.name.capitalize()}: rulings" in README
