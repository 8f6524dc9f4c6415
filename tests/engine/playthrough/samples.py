"""Played games to record, write and read."""

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.playthrough import Playthrough, Recorder


def play(players: int = 2, seed: int = 1, tags: dict[str, str] | None = None) -> Recorder:
    """Play a random match of Draftosaurus to its end."""
    chance = FastChance(seed)
    recorder = Recorder(registry.get("draftosaurus"), "summer", players, chance, 0, tags)
    choice = FastChance(seed + 1)
    while recorder.state.deciders():
        actions = {}
        for seat in recorder.state.deciders():
            legal = recorder.state.legal_actions(seat)
            actions[seat] = legal[choice.draw("choice", len(legal))]
        recorder.step(actions, {0: "a note"})
    return recorder


def sample(players: int = 2, seed: int = 1, tags: dict[str, str] | None = None) -> Playthrough:
    """Return the record of a random match."""
    return play(players, seed, tags).playthrough()
