"""How many random decisions a second the engine makes on one core.

    python tests/bench/engine.py [SECONDS]

Plays uniformly random matches of each game, variant and number of players through `State`,
as a match does: legal actions, a choice, apply. CPU time counts, so other load disturbs little.
"""

import sys
from time import process_time

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Game


def measure(game: Game, variant: str, players: int, seconds: float) -> float:
    """Return decisions a CPU second."""
    chance = FastChance(1)
    decisions = 0
    begin = process_time()
    while (spent := process_time() - begin) < seconds:
        state = game.initial_state(variant, players, chance)
        while deciders := state.deciders():
            actions = {}
            for player in deciders:
                legal = state.legal_actions(player)
                actions[player] = legal[chance.draw("choice", len(legal))]
            decisions += len(deciders)
            state = state.apply(actions, chance)
        state.outcome()
    return decisions / spent


def main() -> None:
    """Print a line for each kind of match."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for game in registry.games():
        for variant in game.variants:
            for players in game.player_counts(variant):
                rate = measure(game, variant, players, seconds)
                print(f"{game.name} {variant} {players} players  {rate / 1000:7.0f} k decisions/s")


if __name__ == "__main__":
    main()
