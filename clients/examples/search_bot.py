"""A bot that thinks as long as it may: Monte Carlo search over all that it cannot see.

It tells the engine what it knows, and the engine deals the unseen dinosaurs and plays on, a
thousand times and more; see the engine's page on search. The engine's compiled form makes this
about twenty times as many.
"""

import time

from saurodrome.client import Decision, run
from saurodrome.client.games.draftosaurus import Die, Pen, Phase, Species, State, Zoo
from saurodrome.engine import registry
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Observation, Private, Public
from saurodrome.engine.games.draftosaurus.position import PHASES
from saurodrome.engine.search.draftosaurus import Search

GAMES = ["draftosaurus"]

SHARE = 0.4  # of the limit for thinking; the rest is for the way and for a busy machine
SLICE = 0.002  # seconds between two looks at the clock
SPECIES = {species: number for number, species in enumerate(Species)}
FACES = {die: number for number, die in enumerate(Die)}
FREE = len(FACES)
TURNS = 12


def choose(d: Decision) -> int:
    """Searches until its share of the time is used."""
    if len(d.legal_actions) == 1:
        return d.legal_actions[0].id
    stop = d.remaining - SHARE * min(d.match.time.decision, d.remaining)
    search = Search(seen(d), [action.id for action in d.legal_actions])
    playouts = 1
    while d.remaining > stop:
        begin = time.perf_counter()
        search.run(playouts)
        spent = time.perf_counter() - begin
        playouts = playouts * 2 if spent < SLICE / 2 else max(1, playouts // 2)
    return search.best()


def seen(d: Decision) -> Observation:
    """Gives what the bot knows in the engine's words."""
    state = d.state
    turn = TURNS if state.phase is Phase.QUARANTINE else state.turn - 1
    public = Public(
        variant=registry.get(d.game).variants.index(d.variant),
        start=(state.roller - turn) % len(state.zoos),
        turn=turn,
        stage=PHASES.index(state.phase),
        die=FREE if state.die is None else FACES[state.die],
        bag_size=state.bag,
        hand_sizes=tuple(hand.size for hand in state.hands),
        zoos=tuple(contents(zoo) for zoo in state.zoos),
        discards=(packed(state.discarded), *[0] * (len(state.zoos) - 1)),
        reveal=(),
    )
    return Observation(state.me, public, known(state))


def known(state: State) -> Private:
    """Gives what it knows of hands and bag."""
    hands = [UNKNOWN if h.dinosaurs is None else packed(h.dinosaurs) for h in state.hands]
    unseen = sum(count << 4 * SPECIES[species] for species, count in state.unseen.items())
    return Private(tuple(hands), unseen)


def packed(dinosaurs: tuple[Species, ...]) -> int:
    """Counts dinosaurs, four bits a species."""
    return sum(1 << 4 * SPECIES[species] for species in dinosaurs)


def contents(zoo: Zoo) -> tuple[int, ...]:
    """Gives what lies in the pens, three bits a dinosaur."""
    return tuple(
        sum(
            SPECIES[species] + 1 << 3 * index
            for index, species in enumerate(zoo.pyramid if pen is Pen.PYRAMID else inside)
            if species is not None
        )
        for pen, inside in zoo.items()
    )


if __name__ == "__main__":
    run(choose)
