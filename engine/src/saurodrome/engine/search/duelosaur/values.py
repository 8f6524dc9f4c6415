"""What a company is worth before the match is over: points now, and what it will still bring.

All numbers are guesses that proved themselves in play; they are no rules.
"""

from functools import cache
from typing import Final

from saurodrome.engine.games.duelosaur import abilities, parks
from saurodrome.engine.games.duelosaur.components import Card, Components
from saurodrome.engine.games.duelosaur.position import Company, Position, bits
from saurodrome.engine.games.duelosaur.words import (
    ADVANCED,
    ADVANCED_COLOURS,
    BASIC,
    BASIC_COLOURS,
    CARD,
    COINS,
    END_VISITORS,
    FOOD,
    MERCH,
    RARITY,
    SECURITY,
    VISITORS,
)

COIN: Final = 0.8
UNIT: Final = (0.75, 0.75, 0.75, 1.6, 1.6, 1.6)
"""A unit of DNA, by colour."""
DRAWN: Final = 1.2
"""A card that is still to be drawn."""
HELP: Final = 0.5
"""A round of a specialist's help."""
GROWTH: Final = 1.6
"""How much excitement a park gains in a round."""
RISK: Final = 2
"""Threat icons that usually stay undrafted."""
SHORT: Final = 2.0
"""What a missing level of security costs at least to make up for."""
_WEIGHTS: Final = (1.0, 0.8, 0.6, 0.4)
"""What a card of the hand counts, the best one first."""
_MANY: Final = 4
_MOST_KEPT: Final = 1 << 15
"""Answers that are kept: play-outs of one decision ask the same again and again."""


def crowds_left(position: Position) -> int:
    """Return about how many more crowds will come to the parks before the match ends."""
    threshold, most = position.setting.threshold, 12
    tracks = [(one.visitors, one.excitement) for one in position.companies]
    tracks += [(one.visitors, one.excitement) for one in position.rivals]
    for visitors, excitement in tracks:
        crowds, now, drawn = 0, float(visitors), float(excitement)
        while now < threshold and crowds < most:
            crowds += 1
            now += drawn + (GROWTH if crowds > 1 else 1)
            drawn += GROWTH
        most = min(most, max(crowds, 1))
    return most


class Values:
    """Values of companies under one set of components.

    Attributes:
        parts: The components.
    """

    def __init__(self, parts: Components) -> None:
        """Start with nothing worked out."""
        self.parts = parts
        self.park = cache(self._park)
        self.helped = cache(self._helped)
        self._known: dict[tuple[Company, int, int, int], float] = {}
        self._hands: dict[tuple[int, tuple[int, ...], int, int, int], float] = {}
        self.needs = [_needs(card) for card in parts.cards]

    def _park(self, dinosaurs: int, attractions: int) -> tuple[int, tuple[int, int, int]]:
        """Return the points of a park without its visitors, and its icons."""
        icons = parks.icons(self.parts, attractions)
        points = parks.dinosaur_points(self.parts, dinosaurs)
        points += parks.attraction_points(self.parts, attractions)
        return points + self.parts.levels.set_value * parks.sets(icons), icons

    def _helped(self, number: int) -> tuple[float, bool]:
        """Return what a specialist brings in a round, and whether it counts at the end."""
        ability = self.parts.specialists[number].ability
        if ability.op == END_VISITORS:
            return 0.0, True
        gain = sum(n * gain_value(key) for key, n in ability.gain)
        paid = sum(n * gain_value(key) for key, n in ability.pay)
        return max(HELP, gain - paid), False

    def worth(self, company: Company, crowds: int, builds: int, undrafted: int = RISK) -> float:
        """Return about how many points a company will end with.

        Args:
            company: The company.
            crowds: How often visitors still come.
            builds: How often it can still build.
            undrafted: Threat icons on the draft board at the next escape.
        """
        key = company, crowds, builds, undrafted
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[key] = found = self._worth(company, crowds, builds, undrafted)
        return found

    def _worth(self, company: Company, crowds: int, builds: int, undrafted: int) -> float:
        """Work out `worth`."""
        points, icons = self.park(company.dinosaurs, company.attractions)
        levels = self.parts.levels
        found = float(points + company.visitors - levels.lawsuit_penalty * company.lawsuits)
        found += company.excitement * crowds
        for number in company.specialists:
            value, at_end = self.helped(number)
            if at_end:
                found += abilities_at_end(self.parts, company, number) + 0.5 * builds
            else:
                found += value * max(crowds, builds)
        if crowds:
            found -= self._escapes(company, crowds, builds, undrafted)
        if not builds:
            return found
        found += COIN * company.coins + self._dna(company.dna, builds)
        incomes = builds - 1 if crowds <= builds else builds
        found += incomes * (COIN * icons[FOOD] + DRAWN * icons[MERCH])
        found += incomes * COIN * parks.excitement_coins(self.parts, company.excitement)
        spread = len([count for count in icons if count > min(icons)])
        return found + spread * min(builds, 2) * 0.5 + self._hand(company, crowds, builds)

    def _escapes(self, company: Company, crowds: int, builds: int, undrafted: int) -> float:
        """Return what a lack of security costs, now and until it is made up for."""
        if abilities.ignores_undrafted(self.parts, company):
            undrafted = 0
        threat = company.threat + undrafted + abilities.threat_change(self.parts, company)
        short = threat - company.security
        if short <= 0:
            return 0.3 * max(short, -2)
        each = abilities.loss_factor(self.parts, company)
        if crowds > builds:  # nothing can be done before the next escape
            return short * (each + (SHORT if builds else each * (crowds - 1)))
        return short * min(SHORT, each * crowds)

    def _dna(self, dna: tuple[int, ...], builds: int) -> float:
        most = _MANY * builds
        return sum([UNIT[n] * min(own, most) for n, own in enumerate(dna)])

    def _hand(self, company: Company, crowds: int, builds: int) -> float:
        """Return what the hand may still become; the best cards count most."""
        after = crowds if crowds <= builds else crowds - 1
        key = company.hand, company.dna, company.attractions, after, min(builds, 2)
        found = self._hands.get(key)
        if found is None:
            if len(self._hands) >= _MOST_KEPT:
                self._hands.clear()
            values = [self.card(card, company, after) for card in bits(company.hand)]
            values.sort(reverse=True)
            weighed = zip(values, _WEIGHTS[: 2 * builds], strict=False)
            self._hands[key] = found = sum([value * weight for value, weight in weighed])
        return found

    def card(self, number: int, company: Company, crowds: int) -> float:
        """Return what a card would add to a park soon, less what it costs beyond what is there.

        Args:
            number: The card.
            company: Who would play it.
            crowds: How often visitors come after that.
        """
        dinosaur, attraction = self.parts.cards[number][1:3]
        missing, price = 0.0, 0.0
        for colour, cost in self.needs[number]:
            lack = cost - company.dna[colour]
            price += cost * UNIT[colour]
            if lack > 0:
                missing += lack * UNIT[colour]
        alive = dinosaur.visitors + dinosaur.excitement * crowds - SHORT * dinosaur.threat
        alive -= price + 0.6 * missing
        icons = self.park(company.dinosaurs, company.attractions)[1]
        kind = attraction.type
        scarce = icons[kind] == min(icons)
        built = (
            attraction.visitors
            - COIN * attraction.cost
            + attraction.icons * (2.5 if scarce else 0.8)
        )
        return max(alive, built, 0.0)

    def wanted(self, company: Company, key: int) -> int:
        """Return the colour that a company would give a wild unit: what its cards lack most."""
        lacks = [0.0] * 6
        for card in bits(company.hand):
            for colour, cost in self.needs[card]:
                lacks[colour] += max(0, cost - company.dna[colour])
        return max(RARITY[key], key=lambda colour: lacks[colour] - 0.3 * company.dna[colour])


def _needs(card: Card) -> tuple[tuple[int, int], ...]:
    return tuple((colour, n) for colour, n in enumerate(card.dinosaur.cost) if n)


def gain_value(key: int) -> float:
    """Return what a unit of a gain is worth, whoever has it."""
    return _GAINS[key]


_GAINS: Final = {
    **dict(enumerate(UNIT)),
    BASIC: UNIT[BASIC_COLOURS[0]] + 0.1,
    ADVANCED: UNIT[ADVANCED_COLOURS[0]] + 0.2,
    COINS: COIN,
    VISITORS: 1.0,
    SECURITY: 1.5,
    CARD: DRAWN,
}


def abilities_at_end(parts: Components, company: Company, number: int) -> int:
    """Return the points that a specialist brings at the end, as the park is."""
    ability = parts.specialists[number].ability
    what = parks.counted(parts, company.dinosaurs, company.attractions, ability.what)
    return ability.n * what
