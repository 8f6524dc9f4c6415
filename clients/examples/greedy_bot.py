"""A bot that looks one move ahead: the points it gains now, and what its pens may still become.

It knows how zoos score, and reads everything else off the decision: it remembers nothing.
Change a weight, run `saurodrome bot try`, and see whether it got better.
"""

from collections import Counter

from saurodrome.client import Decision, LegalAction, run
from saurodrome.client.games.draftosaurus import Pen, Phase, Species, State

GAMES = ["draftosaurus"]

SAME = (0, 2, 4, 8, 12, 18, 24)  # forest of sameness, well-ordered wood
DIFFERENT = (0, 1, 3, 6, 10, 15, 21)  # meadow of differences
SLOTS = (2, 2, 2, 4, 4, 7)  # pyramid: bottom, middle, top
TURNS = 12

# What a pen may still become, at the start of the game; it shrinks to nothing at the end.
NEXT = 0.4  # of what one more dinosaur would add to a pen that scores by a table
TRIO = (0.0, 1.5, 4.0, 0.0)  # by the number of dinosaurs in it
SINGLE = 2.0  # a dinosaur that waits for its partner
SLOT = 1.0  # each filled slot of the pyramid: those above need it
LOOKOUT = 3.0  # the neighbour's zoo grows
QUARANTINE = 3.0  # what the move at the end may bring
RISK = 0.8  # of the king's and the island's points: others, and we, get more of the species

Zoo = dict[Pen, tuple[Species, ...]]


def choose(d: Decision) -> LegalAction:
    """Takes the action that leaves the best zoo; of two players' discards, see `denial`."""
    if d.state.phase is Phase.DISCARD:
        return max(d.legal_actions, key=lambda a: denial(a.species, d.state))
    return max(d.legal_actions, key=lambda a: worth(after(a, d.state), d.state))


def denial(species: Species, state: State) -> int:
    """Gives how much a discard takes from the opponent, who gets what we keep in the hand."""
    return state.zoos[1 - state.me].count(species)


def after(action: LegalAction, state: State) -> Zoo:
    """Gives our zoo as it is after an action."""
    zoo = dict(state.zoo)
    if state.phase is Phase.QUARANTINE:
        zoo[Pen.QUARANTINE_ZONE] = ()
    if action.pen is not None:
        zoo[action.pen] = (*zoo[action.pen], action.species)
    return zoo


def worth(zoo: Zoo, state: State) -> float:
    """Adds up what all pens are worth."""
    placed = sum(map(len, zoo.values()))
    left = (TURNS - placed) / TURNS
    t_rex = sum(Species.TREX in dinosaurs for pen, dinosaurs in zoo.items() if pen != Pen.RIVER)
    return t_rex + sum(pen_worth(pen, zoo, state, left) for pen in zoo)


def pen_worth(pen: Pen, zoo: Zoo, state: State, left: float) -> float:
    """Gives the points of a pen, and its hope times the share of the game that is left."""
    dinosaurs = zoo[pen]
    count = len(dinosaurs)
    match pen:
        case Pen.RIVER:
            return count
        case Pen.FOREST_OF_SAMENESS | Pen.WELL_ORDERED_WOOD:
            return by_table(SAME, count, left)
        case Pen.MEADOW_OF_DIFFERENCES:
            return by_table(DIFFERENT, count, left)
        case Pen.WOODY_TRIO:
            return (7 if count == 3 else 0) + TRIO[count] * left
        case Pen.PRAIRIE_OF_LOVE:
            couples = sum(n // 2 for n in Counter(dinosaurs).values())
            return 5 * couples + SINGLE * (count - 2 * couples) * left
        case Pen.LOVERS_BRIDGE_LEFT:  # counts for both halves
            other = zoo[Pen.LOVERS_BRIDGE_RIGHT]
            couples = (Counter(dinosaurs) & Counter(other)).total()
            return 6 * couples + SINGLE * (count + len(other) - 2 * couples) * left
        case Pen.PYRAMID:
            return sum(SLOTS[:count]) + SLOT * count * left
        case _ if count == 0:
            return 0
        case _:
            return lone_worth(pen, dinosaurs[0], zoo, state, left)


def by_table(table: tuple[int, ...], count: int, left: float) -> float:
    """Gives a pen's points by its number of dinosaurs, and part of what one more would add."""
    hope = NEXT * (table[count + 1] - table[count]) if 0 < count < 6 else 0
    return table[count] + hope * left


def lone_worth(pen: Pen, species: Species, zoo: Zoo, state: State, left: float) -> float:
    """Gives what the only dinosaur of a pen is worth."""
    own = sum(dinosaurs.count(species) for dinosaurs in zoo.values())
    others = [z for seat, z in enumerate(state.zoos) if seat != state.me]
    match pen:
        case Pen.KING_OF_THE_JUNGLE:
            lead = own - max(z.count(species) for z in others)
            return 7 * (1 - RISK * left / (1 + max(lead, 0))) if lead >= 0 else 0
        case Pen.SOLITARY_ISLAND:
            return 7 * (1 - RISK * left) if own == 1 else 0
        case Pen.LOOKOUT:
            neighbour = state.zoos[(state.me - 1) % len(state.zoos)]
            return 2 * neighbour.count(species) + LOOKOUT * left
        case _:
            return QUARANTINE * left


if __name__ == "__main__":
    run(choose, games=GAMES, max_concurrent=4)
