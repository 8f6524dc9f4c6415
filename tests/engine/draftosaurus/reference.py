"""The rules once more, in the plainest words: a second opinion for the engine.

Slow on purpose and without tables; written from the rulebook, sharing nothing with the engine.
"""

from collections import Counter
from collections.abc import Sequence

SPECIES = ("trex", "stegosaurus", "triceratops", "brachiosaurus", "spinosaurus", "parasaurolophus")
WOODS = {
    "forest_of_sameness",
    "woody_trio",
    "king_of_the_jungle",
    "well_ordered_wood",
    "lovers_bridge_left",
    "lookout",
}
LEFT_BANK = {
    "forest_of_sameness",
    "woody_trio",
    "prairie_of_love",
    "well_ordered_wood",
    "lovers_bridge_left",
    "quarantine_zone",
}
PENS = {
    "summer": (
        "forest_of_sameness",
        "woody_trio",
        "king_of_the_jungle",
        "prairie_of_love",
        "meadow_of_differences",
        "solitary_island",
    ),
    "winter": (
        "well_ordered_wood",
        "lovers_bridge_left",
        "lovers_bridge_right",
        "pyramid",
        "lookout",
        "quarantine_zone",
    ),
}
RISING = (0, 2, 4, 8, 12, 18, 24)
TRIANGLE = (0, 1, 3, 6, 10, 15, 21)

Goal = tuple[str, int | None]
"""A pen, and in the pyramid a slot."""


class Zoo:
    """One player's board."""

    def __init__(self, board: str) -> None:
        """Start with empty pens."""
        self.pens: dict[str, list[str]] = {name: [] for name in PENS[board]}
        self.river: list[str] = []
        self.pyramid: dict[int, str] = {}

    def everything(self) -> Counter[str]:
        """Count all dinosaurs, the River's included."""
        return Counter([one for pen in self.pens.values() for one in pen] + self.river)

    def fits(self, species: str, pen: str, slot: int | None = None) -> bool:
        """Say whether the pen's own rule takes a dinosaur."""
        inside = self.pens[pen]
        if pen in ("king_of_the_jungle", "solitary_island", "lookout", "quarantine_zone"):
            return not inside
        if pen.startswith("lovers_bridge"):
            return True
        if pen == "woody_trio":
            return len(inside) < 3
        if len(inside) == 6:
            return False
        if pen == "forest_of_sameness":
            return all(other == species for other in inside)
        if pen == "meadow_of_differences":
            return species not in inside
        if pen == "well_ordered_wood":
            return self.alternates([*inside, species])
        if pen == "pyramid":
            return slot is not None and self.stands(species, slot)
        return True

    @staticmethod
    def alternates(row: list[str]) -> bool:
        """Say whether two different species take turns."""
        odd, even = set(row[::2]), set(row[1::2])
        return len(odd) == 1 and len(even) <= 1 and not odd & even

    def stands(self, species: str, slot: int) -> bool:
        """Say whether a dinosaur can stand in a slot, by rows and columns.

        Slot 0 is at (0, 0), 1 at (0, 2), 2 at (0, 4), 3 at (1, 1), 4 at (1, 3), 5 at (2, 2):
        neighbours lie two columns apart in a row, or one row and one column.
        """
        where = [(0, 0), (0, 2), (0, 4), (1, 1), (1, 3), (2, 2)]
        row, column = where[slot]
        if slot in self.pyramid:
            return False
        if any(r < row and other not in self.pyramid for other, (r, _) in enumerate(where)):
            return False
        for other, (r, c) in enumerate(where):
            beside = r == row and abs(c - column) == 2
            above = abs(r - row) == 1 and abs(c - column) == 1
            if (beside or above) and self.pyramid.get(other) == species:
                return False
        return True

    def allowed(self, pen: str, face: str | None) -> bool:
        """Say whether the die allows a pen; None binds nobody."""
        if face is None:
            return True
        if face == "empty_pen":
            return not self.pens[pen]
        if face == "no_trex":
            return "trex" not in self.pens[pen]
        if face in ("woodlands", "grasslands"):
            return (pen in WOODS) == (face == "woodlands")
        return (pen in LEFT_BANK) == (face == "food_court")

    def moves(self, hand: Sequence[str], face: str | None) -> set[tuple[str, Goal]]:
        """List all placements as (species, (pen, slot))."""
        found: set[tuple[str, Goal]] = {(species, ("river", None)) for species in hand}
        for species in set(hand):
            for pen in self.pens:
                slots = range(6) if pen == "pyramid" else [None]
                for slot in slots:
                    if self.allowed(pen, face) and self.fits(species, pen, slot):
                        found.add((species, (pen, slot)))
        return found

    def put(self, species: str, goal: Goal) -> None:
        """Place a dinosaur."""
        pen, slot = goal
        (self.river if pen == "river" else self.pens[pen]).append(species)
        if slot is not None:
            self.pyramid[slot] = species

    def leave_quarantine(self) -> str:
        """Take the dinosaur out of the quarantine zone, which is no goal from then on."""
        (species,) = self.pens.pop("quarantine_zone")
        return species


def score(zoos: Sequence[Zoo], seat: int) -> int:
    """Count the points of a seat."""
    zoo = zoos[seat]
    board = summer if "woody_trio" in zoo.pens else winter
    bonus = sum(1 for pen in zoo.pens.values() if "trex" in pen)
    return board(zoos, seat) + bonus + len(zoo.river)


def summer(zoos: Sequence[Zoo], seat: int) -> int:
    """Count the points of the summer pens."""
    pens, own = zoos[seat].pens, zoos[seat].everything()
    points = RISING[len(pens["forest_of_sameness"])]
    points += TRIANGLE[len(pens["meadow_of_differences"])]
    points += 7 if len(pens["woody_trio"]) == 3 else 0
    points += sum(5 * (count // 2) for count in Counter(pens["prairie_of_love"]).values())
    for king in pens["king_of_the_jungle"]:
        others = [zoos[other].everything()[king] for other in range(len(zoos)) if other != seat]
        points += 7 if max(others) <= own[king] else 0
    for loner in pens["solitary_island"]:
        points += 7 if own[loner] == 1 else 0
    return points


def winter(zoos: Sequence[Zoo], seat: int) -> int:
    """Count the points of the winter pens."""
    pens = zoos[seat].pens
    points = RISING[len(pens["well_ordered_wood"])]
    left, right = Counter(pens["lovers_bridge_left"]), Counter(pens["lovers_bridge_right"])
    points += 6 * (left & right).total()
    for slot in zoos[seat].pyramid:
        points += 2 if slot < 3 else 4 if slot < 5 else 7
    neighbour = zoos[(seat - 1) % len(zoos)].everything()
    for watched in pens["lookout"]:
        points += 2 * neighbour[watched]
    return points
