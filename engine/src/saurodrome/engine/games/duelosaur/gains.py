"""Gains: what takes effect at once, which colours wild units can become, what waits."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement

from saurodrome.engine.games.duelosaur.components import Components, Gain
from saurodrome.engine.games.duelosaur.position import Company, Due
from saurodrome.engine.games.duelosaur.words import (
    ADVANCED,
    ADVANCED_COLOURS,
    BASIC,
    BASIC_COLOURS,
    CARD,
    COINS,
    RARITY,
    SECURITY,
    VISITORS,
)

WAITS = (BASIC, ADVANCED, CARD)
"""Keys that ask their owner a question for each unit."""


def due(seat: int, gain: Gain) -> tuple[Due, ...]:
    """Return a gain of a seat as parts of the agenda."""
    return tuple(Due(seat, key, amount) for key, amount in gain)


def credit(components: Components, company: Company, key: int, amount: int) -> Company:
    """Return a company after a gain that asks nothing: DNA of a colour, coins, a track."""
    if key < BASIC:
        dna = list(company.dna)
        dna[key] = min(components.levels.dna_max, dna[key] + amount)
        return company._replace(dna=tuple(dna))
    if key == COINS:
        return company._replace(coins=company.coins + amount)
    if key == VISITORS:
        return company._replace(visitors=company.visitors + amount)
    if key == SECURITY:
        level = min(components.tracks.security_max, company.security + amount)
        return company._replace(security=level)
    raise ValueError(f"key {key} asks its owner, it is not credited")


def default_colour(dna: Iterable[int], key: int) -> int:
    """Return the colour of a rarity with the lowest count, the first of several (V2)."""
    counts = tuple(dna)
    return min(RARITY[key], key=counts.__getitem__)


def wild_units(gain: Gain) -> tuple[int, int]:
    """Return how many wild basic and wild advanced units a gain has."""
    basic = sum(amount for key, amount in gain if key == BASIC)
    return basic, sum(amount for key, amount in gain if key == ADVANCED)


@cache
def colourings(basic: int, advanced: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to colour so many wild units: basic ones first, each part ascending.

    Units of one rarity are alike, so the order in which they are named makes no difference.
    """
    return tuple(
        (*low, *high)
        for low in combinations_with_replacement(BASIC_COLOURS, basic)
        for high in combinations_with_replacement(ADVANCED_COLOURS, advanced)
    )


def coloured(gain: Gain, colours: tuple[int, ...]) -> Gain:
    """Return a gain whose wild units have become colours.

    Args:
        gain: The gain.
        colours: One colour a wild unit, basic ones first.
    """
    basic = wild_units(gain)[0]
    left = {BASIC: list(colours[:basic]), ADVANCED: list(colours[basic:])}
    found: list[tuple[int, int]] = []
    for key, amount in gain:
        if key in left:
            found.extend((left[key].pop(0), 1) for _ in range(amount))
        else:
            found.append((key, amount))
    return tuple(found)


def default_colours(components: Components, company: Company, gain: Gain) -> tuple[int, ...]:
    """Return how wild units are coloured for a player who does not answer, unit by unit."""
    named: dict[int, list[int]] = {BASIC: [], ADVANCED: []}
    for key, amount in gain:
        if key in named:
            for _ in range(amount):
                colour = default_colour(company.dna, key)
                named[key].append(colour)
                company = credit(components, company, colour, 1)
        elif key < BASIC:
            company = credit(components, company, key, amount)
    return (*sorted(named[BASIC]), *sorted(named[ADVANCED]))
