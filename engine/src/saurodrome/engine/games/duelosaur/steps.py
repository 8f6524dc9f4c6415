"""The steps of Build: which are legal, in canonical order, and how they are written."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Final

from saurodrome.engine.games.duelosaur import abilities
from saurodrome.engine.games.duelosaur.components import Components, Gain
from saurodrome.engine.games.duelosaur.position import NOTHING, Company, Step, Work, bits
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.games.duelosaur.words import (
    ACTION,
    ADVANCED_COLOURS,
    BASIC,
    BASIC_COLOURS,
    CARD,
    COINS,
    COLOURS,
    FREE_MIX,
    ON_ATTRACTION,
    ON_SECURITY,
    RARITY,
    letters,
)

KINDS: Final = (
    "done",
    "create",
    "attraction",
    "mix up",
    "mix down",
    "sell",
    "security",
    "action",
    "colour",
)
DONE, CREATE, BUILD_ATTRACTION, MIX_UP, MIX_DOWN, SELL, RAISE, ACT, COLOUR = range(len(KINDS))


def steps(setting: Setting, work: Work) -> tuple[Step, ...]:
    """Return the legal steps of a player, in canonical order; DONE is the first of them."""
    if work.due:
        return tuple(Step(COLOUR, colour) for colour in RARITY[work.due[0][0]])
    return _steps(setting, work.company, work.used)


@lru_cache(maxsize=64)
def _steps(setting: Setting, company: Company, used: tuple[int, ...]) -> tuple[Step, ...]:
    components = setting.components
    return (
        Step(DONE),
        *_creations(components, company),
        *_attractions(components, company),
        *_mixes(components, company, used),
        *_sales(components, company),
        *_security(components, company),
        *actions(components, company, used),
    )


def _creations(components: Components, company: Company) -> Iterator[Step]:
    for card in bits(company.hand):
        cost = components.cards[card].dinosaur.cost
        if all(units <= own for units, own in zip(cost, company.dna, strict=True)):
            yield Step(CREATE, card)


def attraction_price(components: Components, company: Company, card: int) -> int:
    """Return the coins that an attraction costs a player."""
    full = components.cards[card].attraction.cost
    return abilities.price(components, company, ON_ATTRACTION, full)


def _attractions(components: Components, company: Company) -> Iterator[Step]:
    for card in bits(company.hand):
        if attraction_price(components, company, card) <= company.coins:
            yield Step(BUILD_ATTRACTION, card)


def security_price(components: Components, company: Company) -> int:
    """Return the coins that the next security level costs a player (R15)."""
    tracks = components.tracks
    full = tracks.security_prices.get(company.security + 1, tracks.security_price_past)
    return abilities.price(components, company, ON_SECURITY, full)


def _security(components: Components, company: Company) -> Iterator[Step]:
    room = company.security < components.tracks.security_max
    if room and security_price(components, company) <= company.coins:
        yield Step(RAISE)


def _mixes(components: Components, company: Company, used: tuple[int, ...]) -> list[Step]:
    levels, hand = components.levels, bits(company.hand)
    payments: list[tuple[int, ...]] = list(combinations(hand, levels.mix_discard))
    if free_mixes(components, company, used):
        payments.insert(0, ())
    low, high = (BASIC_COLOURS, levels.mix_basic), (ADVANCED_COLOURS, levels.mix_advanced)
    found: list[Step] = []
    for kind, source, result in ((MIX_UP, low, high), (MIX_DOWN, high, low)):
        stock = _stock(company.dna, *source)
        for cards in payments:
            found += _mixes_for(kind, cards, stock, source, result)
    return found


@lru_cache(maxsize=4096)
def _mixes_for(
    kind: int,
    cards: tuple[int, ...],
    stock: tuple[int, ...],
    source: tuple[tuple[int, ...], int],
    result: tuple[tuple[int, ...], int],
) -> tuple[Step, ...]:
    """Return the mixes that some cards pay for, by how many units of each colour there are."""
    return tuple(
        Step(kind, NOTHING, cards, spent, made)
        for spent in _units(stock, *source)
        for made in _multisets(*result)
    )


def free_mixes(components: Components, company: Company, used: tuple[int, ...]) -> list[int]:
    """Return the places of the specialists that still allow a mix without a discard."""
    return [
        place
        for place, number in enumerate(company.specialists)
        if components.specialists[number].ability.op == FREE_MIX
        and used[place] < components.specialists[number].ability.n
    ]


@cache
def _multisets(colours: tuple[int, ...], count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations_with_replacement(colours, count))


def _stock(dna: tuple[int, ...], colours: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return how many units of some colours can be used, at most `count` of each."""
    return tuple([min(dna[colour], count) for colour in colours])


@cache
def _units(
    stock: tuple[int, ...], colours: tuple[int, ...], count: int
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        chosen
        for chosen in _multisets(colours, count)
        if all(chosen.count(c) <= own for c, own in zip(colours, stock, strict=True))
    )


def units(
    dna: tuple[int, ...], colours: tuple[int, ...], count: int
) -> tuple[tuple[int, ...], ...]:
    """Return all ways to take so many units of some colours, each as colours, ascending."""
    return _units(_stock(dna, colours, count), colours, count)


def _sales(components: Components, company: Company) -> list[Step]:
    levels = components.levels
    sold = (
        *units(company.dna, BASIC_COLOURS, levels.sell_basic),
        *units(company.dna, ADVANCED_COLOURS, levels.sell_advanced),
    )
    return [Step(SELL, NOTHING, (), chosen) for chosen in sold]


def actions(components: Components, company: Company, used: tuple[int, ...]) -> Iterator[Step]:
    """Yield the uses of a player's specialists, in canonical order."""
    for place, number in enumerate(company.specialists):
        ability = components.specialists[number].ability
        if ability.op == ACTION and used[place] < ability.n:
            for cards, spent in _payments(company, ability.pay):
                yield Step(ACT, number, cards, spent)


def _payments(company: Company, pay: Gain) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield all ways to pay a price: which cards, and which units for its wild part."""
    dna = list(company.dna)
    for key, amount in pay:
        if key < BASIC:
            dna[key] -= amount
    owed = dict(pay)
    if min(dna) < 0 or company.coins < owed.get(COINS, 0):
        return
    wild = [units(tuple(dna), RARITY[key], owed[key]) for key in RARITY if key in owed]
    cards = combinations(bits(company.hand), owed.get(CARD, 0))
    for chosen in cards:
        for parts in product(*wild):
            yield chosen, tuple(colour for part in parts for colour in part)


def step_text(components: Components, step: Step) -> str:
    """Return the text of a step, such as "mix up P02 cb to k"."""
    if step.kind == COLOUR:
        return COLOURS[step.item]
    words = [KINDS[step.kind]]
    if step.kind == ACT:
        words.append(components.specialists[step.item].id)
    elif step.item != NOTHING:
        words.append(components.cards[step.item].id)
    if step.kind in (MIX_UP, MIX_DOWN) and not step.cards:
        words.append("free")
    words += [components.cards[card].id for card in step.cards]
    words += [letters(step.spent)] if step.spent else []
    words += ["to", letters(step.made)] if step.made else []
    return " ".join(words)
