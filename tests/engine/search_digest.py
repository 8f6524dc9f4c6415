"""Prints what the searches think of seeded positions, to compare two forms of the engine.

python tests/engine/search_digest.py
"""

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import State
from saurodrome.engine.games.draftosaurus import bits
from saurodrome.engine.search import draftosaurus
from saurodrome.engine.search.duelosaur import search as duelosaur

SEARCHES = {"draftosaurus": draftosaurus.Search, "duelosaur": duelosaur.Search}
STEPS = 4
PLAYOUTS = 40


def estimates(name: str, state: State, player: int) -> str:
    """Return what a search thinks of the actions of a player."""
    search = SEARCHES[name](state.observation(player), state.legal_actions(player))
    search.run(PLAYOUTS)
    return f"{search.best()} {search.estimates()}"


def main() -> None:
    """Print which form this is, and one line for each variant."""
    print("compiled" if bits.COMPILED else "plain")
    for name in SEARCHES:
        game = registry.get(name)
        for variant in game.variants:
            chance, seen = FastChance(7), []
            state = game.initial_state(variant, min(game.player_counts(variant)), chance)
            for _ in range(STEPS):
                player = state.deciders()[0]
                seen.append(estimates(name, state, player))
                state = state.apply(
                    {seat: state.default_action(seat) for seat in state.deciders()}, chance
                )
            print(name, variant, *seen)


if __name__ == "__main__":
    main()
