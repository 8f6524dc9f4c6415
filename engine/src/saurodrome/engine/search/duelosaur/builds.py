"""Whole Builds for play-outs: the best purchase first, with a mix or a sale that it needs."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from saurodrome.engine.games.duelosaur import build, draft
from saurodrome.engine.games.duelosaur.position import NOTHING, Company, Position, Step, Work, bits
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.games.duelosaur.steps import (
    BUILD_ATTRACTION,
    COLOUR,
    CREATE,
    DONE,
    MIX_DOWN,
    MIX_UP,
    RAISE,
    SELL,
    actions,
    attraction_price,
    free_mixes,
    security_price,
)
from saurodrome.engine.games.duelosaur.words import ADVANCED_COLOURS, BASIC_COLOURS
from saurodrome.engine.search.duelosaur.values import Values, crowds_left

Plan = tuple[Step, ...]

ENOUGH: Final = 0.05
"""A purchase must be worth so much."""
_MOST_ACTIONS: Final = 6
_MOST_SALES: Final = 2


class Outlook:
    """What a Build is judged by, the same for all its steps.

    Attributes:
        setting: The variant.
        marker: Where the PR marker stands, for rides.
        crowds: How often visitors still come.
        undrafted: Threat icons that stayed on the draft board.
    """

    def __init__(self, position: Position) -> None:
        """Look at a position in Build."""
        self.setting: Setting = position.setting
        self.marker = position.marker
        self.crowds = crowds_left(position)
        self.undrafted = draft.undrafted_threat(position.setting.components, position.draft)


class Builder:
    """Plans Builds by what the company is worth afterwards."""

    def __init__(self, values: Values) -> None:
        """Judge by these values."""
        self.values = values

    def finished(self, position: Position, work: Work) -> Work:
        """Return a player's work at the end of its Build."""
        outlook = Outlook(position)
        while not work.done:
            plan = self.best_plan(outlook, work)
            work = self.carried_out(outlook, work, plan or (Step(DONE),))
        return work

    def value(self, outlook: Outlook, company: Company) -> float:
        """Return what a company is worth in Build."""
        crowds = outlook.crowds
        return self.values.worth(company, crowds, crowds - 1, outlook.undrafted)

    def best_plan(self, outlook: Outlook, work: Work) -> Plan:
        """Return the steps that a player takes next; none if nothing is worth it."""
        if work.due:
            return (self._colour(work),)
        now = self.value(outlook, work.company)
        best: Plan = ()
        most = ENOUGH
        for plan in self.plans(outlook.setting, work):
            after = self.carried_out(outlook, work, plan)
            gain = self.value(outlook, after.company) - now
            if gain > most:
                best, most = plan, gain
        return best

    def carried_out(self, outlook: Outlook, work: Work, plan: Plan) -> Work:
        """Return a player's work after some steps, wild units coloured as they are wanted."""
        for step in plan:
            work = build.stepped(outlook.setting, outlook.marker, work, step)
            while work.due and not work.done:
                colour = self._colour(work)
                work = build.stepped(outlook.setting, outlook.marker, work, colour)
            if work.done:
                break
        return work

    def _colour(self, work: Work) -> Step:
        return Step(COLOUR, self.values.wanted(work.company, work.due[0][0]))

    def plans(self, setting: Setting, work: Work) -> Iterator[Plan]:
        """Yield purchases, each with what is done for it."""
        parts, company = setting.components, work.company
        for card in bits(company.hand):
            yield from self._creation(setting, work, card)
            price = attraction_price(parts, company, card)
            sales = self._sales(setting, company, price - company.coins)
            if sales is not None:
                yield (*sales, Step(BUILD_ATTRACTION, card))
        if company.security < parts.tracks.security_max:
            sales = self._sales(setting, company, security_price(parts, company) - company.coins)
            if sales is not None:
                yield (*sales, Step(RAISE))
        for step in islice(actions(parts, company, work.used), _MOST_ACTIONS):
            yield (step,)

    def _sales(self, setting: Setting, company: Company, lack: int) -> Plan | None:
        """Return the sales that bring some coins, the commonest units first; None if too many."""
        if lack <= 0:
            return ()
        count = setting.components.levels.sell_basic
        sold: list[Step] = []
        dna = list(company.dna)
        while lack > 0 and len(sold) < _MOST_SALES:
            spent = _commonest(dna, count)
            if spent is None:
                return None
            sold.append(Step(SELL, NOTHING, (), spent))
            for colour in spent:
                dna[colour] -= 1
            lack -= setting.components.levels.sell_coins
        return tuple(sold) if lack <= 0 else None

    def _creation(self, setting: Setting, work: Work, card: int) -> Iterator[Plan]:
        """Yield the creation of a dinosaur, perhaps after one mix."""
        company, cost = work.company, setting.cards[card].dinosaur.cost
        spare = [own - needed for own, needed in zip(company.dna, cost, strict=True)]
        lacks = [colour for colour, left in enumerate(spare) for _ in range(-left)]
        create = Step(CREATE, card)
        if not lacks:
            yield (create,)
            return
        mix = self._mix(setting, work, card, spare, lacks)
        if mix is not None:
            yield (mix, create)

    def _mix(
        self, setting: Setting, work: Work, card: int, spare: list[int], lacks: list[int]
    ) -> Step | None:
        """Return the mix that gives what a dinosaur lacks, if there is one."""
        levels = setting.components.levels
        if all(colour in ADVANCED_COLOURS for colour in lacks):
            kind, room, source, count = MIX_UP, levels.mix_advanced, BASIC_COLOURS, levels.mix_basic
        elif all(colour in BASIC_COLOURS for colour in lacks):
            kind, room, source, count = (
                MIX_DOWN,
                levels.mix_basic,
                ADVANCED_COLOURS,
                levels.mix_advanced,
            )
        else:
            return None
        if len(lacks) > room:
            return None
        made = lacks + [lacks[0]] * (room - len(lacks))
        left = [max(0, spare[n]) if n in source else 0 for n in range(len(spare))]
        spent = _commonest(left, count, source)
        cards = self._payment(setting, work, card)
        if spent is None or cards is None:
            return None
        return Step(kind, NOTHING, cards, spent, tuple(sorted(made)))

    def _payment(self, setting: Setting, work: Work, card: int) -> tuple[int, ...] | None:
        """Return the cards that are thrown away for a mix, the least useful ones."""
        if free_mixes(setting.components, work.company, work.used):
            return ()
        count = setting.components.levels.mix_discard
        others = [one for one in bits(work.company.hand) if one != card]
        if len(others) < count:
            return None
        others.sort(key=lambda one: self.values.card(one, work.company, 2))
        return tuple(sorted(others[:count]))


def _commonest(
    dna: list[int], count: int, colours: tuple[int, ...] = BASIC_COLOURS
) -> tuple[int, ...] | None:
    """Return some units of which there are most, as colours, ascending; None if too few."""
    left = list(dna)
    spent = []
    for _ in range(count):
        colour = max(colours, key=left.__getitem__)
        if left[colour] <= 0:
            return None
        left[colour] -= 1
        spent.append(colour)
    return tuple(sorted(spent))
