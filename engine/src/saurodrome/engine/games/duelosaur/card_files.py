"""Reads park cards and starters."""

from typing import Final

from saurodrome.engine.games.duelosaur.components import Attraction, Card, Dinosaur
from saurodrome.engine.games.duelosaur.fields import Fields, Source
from saurodrome.engine.games.duelosaur.words import ATTRACTION_TYPES, COLOURS, DINOSAUR_TYPES

STARTERS_PER_COMPANY: Final = 3


def read_park_cards(source: Source, file: Fields) -> list[Card]:
    """Return the park cards.

    Raises:
        BadComponents: Something is wrong with one.
    """
    cards = [_card(entry, -1) for entry in source.entries(file, "cards")]
    file.close()
    return cards


def read_starters(source: Source, file: Fields) -> tuple[list[Card], tuple[str, ...]]:
    """Return the starters and the names of the companies, by seat.

    Raises:
        BadComponents: Something is wrong with one, or a company has not three of them.
    """
    companies = file.inner("companies")
    slugs = companies.names()
    titles = tuple(companies.text(slug) for slug in slugs)
    if len(slugs) != 2:
        file.refuse(f"expected two companies, found {len(slugs)}", "companies")
    cards = [_card(entry, entry.word("company", slugs)) for entry in source.entries(file, "cards")]
    for seat, slug in enumerate(slugs):
        own = sum(card.company == seat for card in cards)
        if own != STARTERS_PER_COMPANY:
            file.refuse(f"expected {STARTERS_PER_COMPANY} starters of {slug}, found {own}")
    file.close()
    return cards, titles


def _card(entry: Fields, company: int) -> Card:
    card = Card(
        entry.entry, _dinosaur(entry.inner("dino")), _attraction(entry.inner("attr")), company
    )
    entry.close()
    return card


def _dinosaur(half: Fields) -> Dinosaur:
    cost = [0] * len(COLOURS)
    for colour, units in half.amounts("cost", COLOURS):
        cost[colour] = units
    dinosaur = Dinosaur(
        name=half.text("name"),
        type=half.word("type", DINOSAUR_TYPES),
        cost=tuple(cost),
        excitement=half.whole("excitement"),
        threat=half.whole("threat"),
        visitors=half.whole("visitors"),
    )
    half.close()
    return dinosaur


def _attraction(half: Fields) -> Attraction:
    attraction = Attraction(
        name=half.text("name"),
        type=half.word("type", ATTRACTION_TYPES),
        icons=half.whole("icons", 1, 2),
        cost=half.whole("cost", 1),
        visitors=half.whole("visitors"),
    )
    half.close()
    return attraction
