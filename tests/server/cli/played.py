"""Match records of seeded matches between players that take the first or last legal action."""

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.playthrough import Playthrough, Recorder, dumps

NAMES = ("my_bot", "greedy", "x" * 32, "random-2", "turtle")


def played(
    players: int = 2, seed: int = 7, steps: int | None = None, of: str = "draftosaurus/summer"
) -> Playthrough:
    """Plays a match, or its first steps."""
    tags = {"match": "try-greedy/1/1/1", "decision-time": "0.2 s", "termination": "finished"}
    for seat in range(players):
        tags[f"seat{seat}"] = NAMES[seat]
        tags[f"seat{seat}-result"] = f"place {seat + 1}, {30 - seat} points"
    name, variant = of.split("/")
    recorder = Recorder(registry.get(name), variant, players, FastChance(seed), tags=tags)
    taken = 0
    while recorder.state.deciders() and taken != steps:
        legal = {seat: recorder.state.legal_actions(seat) for seat in recorder.state.deciders()}
        recorder.step(
            {seat: ids[0] if seat % 2 else ids[-1] for seat, ids in legal.items()}, {0: "12 ms"}
        )
        taken += 1
    return recorder.playthrough()


def text(players: int = 2, seed: int = 7, steps: int | None = None) -> str:
    """Gives the text form of such a match."""
    return dumps(played(players, seed, steps))
