"""The rules once more, in the plainest words: a second opinion for the engine.

Slow on purpose and without tables; written from the rulebook, sharing nothing with the engine.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

SPECIES = ("trex", "stegosaurus", "triceratops", "brachiosaurus", "spinosaurus", "parasaurolophus")
LEFT_BANK = ("forest_of_sameness", "woody_trio", "prairie_of_love")
WOODS = ("forest_of_sameness", "woody_trio", "king_of_the_jungle")
PENS = (
    "forest_of_sameness",
    "woody_trio",
    "king_of_the_jungle",
    "prairie_of_love",
    "meadow_of_differences",
    "solitary_island",
)
RISING = (0, 2, 4, 8, 12, 18, 24)
TRIANGLE = (0, 1, 3, 6, 10, 15, 21)


@dataclass
class Zoo:
    """One player's summer board."""

    pens: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in PENS})
    river: list[str] = field(default_factory=list)

    def everything(self) -> Counter[str]:
        """Count all dinosaurs, the River's included."""
        return Counter([one for pen in self.pens.values() for one in pen] + self.river)

    def fits(self, species: str, pen: str) -> bool:
        """Say whether the pen's own rule takes a dinosaur."""
        inside = self.pens[pen]
        if pen in ("king_of_the_jungle", "solitary_island"):
            return not inside
        if pen == "woody_trio":
            return len(inside) < 3
        if len(inside) == 6:
            return False
        if pen == "forest_of_sameness":
            return all(other == species for other in inside)
        if pen == "meadow_of_differences":
            return species not in inside
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

    def moves(self, hand: Sequence[str], face: str | None) -> set[tuple[str, str]]:
        """List all placements as (species, pen)."""
        found = {(species, "river") for species in hand}
        for species in set(hand):
            for pen in PENS:
                if self.allowed(pen, face) and self.fits(species, pen):
                    found.add((species, pen))
        return found

    def put(self, species: str, pen: str) -> None:
        """Place a dinosaur."""
        (self.river if pen == "river" else self.pens[pen]).append(species)


def score(zoos: Sequence[Zoo], seat: int) -> int:
    """Count the points of a seat."""
    zoo, own = zoos[seat], zoos[seat].everything()
    pens = zoo.pens
    points = RISING[len(pens["forest_of_sameness"])]
    points += TRIANGLE[len(pens["meadow_of_differences"])]
    points += 7 if len(pens["woody_trio"]) == 3 else 0
    points += sum(5 * (count // 2) for count in Counter(pens["prairie_of_love"]).values())
    for king in pens["king_of_the_jungle"]:
        others = [zoos[other].everything()[king] for other in range(len(zoos)) if other != seat]
        points += 7 if max(others) <= own[king] else 0
    for loner in pens["solitary_island"]:
        points += 7 if own[loner] == 1 else 0
    points += sum(1 for pen in pens.values() if "trex" in pen)
    return points + len(zoo.river)
