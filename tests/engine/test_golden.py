"""Golden matches: what the rules do, as text that a reviewer can read.

`python3 run.py golden` plays them anew; the difference in git is what a change of rules did.
"""

import hashlib
from pathlib import Path
from typing import Final

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import SecureChance
from saurodrome.engine.game import Game
from saurodrome.engine.playthrough import Recorder, dumps, loads, verify

FOLDER: Final = Path(__file__).parents[1] / "golden"

MATCHES: Final = [
    (game, variant, players, start)
    for game in registry.games()
    for variant in game.variants
    for players in game.player_counts(variant)
    for start in sorted({0, players - 1})
]


def name(game: Game, variant: str, players: int, start: int) -> str:
    return f"{game.name}-{variant}-{players}p-start{start}"


def source(label: str) -> SecureChance:
    return SecureChance(hashlib.sha256(label.encode()).digest())


def play(game: Game, variant: str, players: int, start: int) -> str:
    """Play a match whose luck and choices follow from its name, and return it as text."""
    title = name(game, variant, players, start)
    recorder = Recorder(game, variant, players, source(title), start, {"match": title})
    choice = source(f"{title} choices")
    while recorder.state.deciders():
        actions = {}
        for seat in recorder.state.deciders():
            legal = recorder.state.legal_actions(seat)
            actions[seat] = legal[choice.draw(f"seat{seat}", len(legal))]
        recorder.step(actions)
    return dumps(recorder.playthrough())


@pytest.mark.parametrize(
    ("game", "variant", "players", "start"), MATCHES, ids=lambda value: getattr(value, "name", None)
)
def test_the_golden_match(
    game: Game, variant: str, players: int, start: int, request: pytest.FixtureRequest
) -> None:
    path = FOLDER / f"{name(game, variant, players, start)}.play"
    text = play(game, variant, players, start)
    if request.config.getoption("--golden", default=False):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    assert kept == text
    assert verify(loads(kept), game) is None


def test_every_golden_file_is_played() -> None:
    expected = {f"{name(*match)}.play" for match in MATCHES}
    assert {path.name for path in FOLDER.iterdir()} == expected
