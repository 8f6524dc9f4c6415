"""What the cards in a park amount to."""

from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.position import bits
from saurodrome.engine.games.duelosaur.words import CARNIVORES, HERBIVORE, PER_HERBIVORE


def icons(components: Components, attractions: int) -> tuple[int, int, int]:
    """Return the food, merchandise and ride icons of some attractions."""
    found = [0, 0, 0]
    for card in bits(attractions):
        attraction = components.cards[card].attraction
        found[attraction.type] += attraction.icons
    return found[0], found[1], found[2]


def sets(counted: tuple[int, int, int]) -> int:
    """Return how many complete sets icons make: one food, one merchandise, one ride."""
    return min(counted)


def dinosaur_points(components: Components, dinosaurs: int) -> int:
    """Return the visitors that dinosaurs count at the end."""
    return sum(components.cards[card].dinosaur.visitors for card in bits(dinosaurs))


def attraction_points(components: Components, attractions: int) -> int:
    """Return the visitors that attractions count at the end."""
    return sum(components.cards[card].attraction.visitors for card in bits(attractions))


def of_type(components: Components, dinosaurs: int, *types: int) -> int:
    """Return how many dinosaurs are of certain types."""
    return sum(components.cards[card].dinosaur.type in types for card in bits(dinosaurs))


def counted(components: Components, dinosaurs: int, attractions: int, what: int) -> int:
    """Return how many of the things that `end_visitors` names are in a park."""
    if what < PER_HERBIVORE:
        return icons(components, attractions)[what]
    if what == PER_HERBIVORE:
        return of_type(components, dinosaurs, HERBIVORE)
    return of_type(components, dinosaurs, *CARNIVORES)


def excitement_coins(components: Components, excitement: int) -> int:
    """Return the coins of the income spaces that excitement has reached."""
    tracks = components.tracks
    reached = sum(space <= excitement for space in tracks.income_spaces)
    return tracks.coins_per_income_space * reached
