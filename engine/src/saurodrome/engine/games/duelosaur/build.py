"""Build: both players work behind screens, step by step, until the last has ended."""

from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import abilities, gains, market
from saurodrome.engine.games.duelosaur.components import Components, Gain
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    AI_BUILD,
    BUILD,
    VISITORS,
    Company,
    Position,
    Step,
    Work,
    bits,
    mask,
)
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.games.duelosaur.steps import (
    ACT,
    BUILD_ATTRACTION,
    COLOUR,
    CREATE,
    DONE,
    MIX_DOWN,
    MIX_UP,
    RAISE,
    SELL,
    attraction_price,
    free_mixes,
    security_price,
    step_text,
    steps,
)
from saurodrome.engine.games.duelosaur.words import ADVANCED, BASIC, CARD, COINS, RIDE

MOST_STEPS: Final = 64
LOW_DECK: Final = 8
"""Below so many cards the discards are shuffled beneath the deck before Build."""


def open_build(position: Position, chance: Chance) -> Position:
    """Raise the screens; deal reserves if the set can give cards in Build."""
    reserves: tuple[tuple[int, ...], ...] = ()
    if position.setting.cards_in_build:
        low = market.deck(position).bit_count() < LOW_DECK
        if low and position.market.discards:
            position = market.reshuffle(position)
        reserves = _reserves(position, chance)
    works = tuple(opened(company) for company in position.companies)
    return position._replace(stage=BUILD, works=works, reserves=reserves, scripts=())


def opened(company: Company) -> Work:
    """Return a company's work before its first step."""
    return Work(company, (), (0,) * len(company.specialists), (), 0, 0, False)


def _reserves(position: Position, chance: Chance) -> tuple[tuple[int, ...], ...]:
    """Deal the whole deck by turns, the first player first, as blind draws of Build."""
    order: list[int] = []
    for number, layer in enumerate(position.market.layers):
        left = bits(layer & ~position.hidden)
        while left:
            order.append(left.pop(chance.draw(market.stream(number), len(left))))
    seats = len(position.companies)
    if seats == 1:
        return (tuple(order),)
    return tuple(tuple(order[(seat != position.first) :: 2]) for seat in range(seats))


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(range(len(steps(position.setting, position.works[seat]))))


def _default(position: Position, seat: int) -> int:
    """Return DONE; while a colour is asked, the default colour (V9)."""
    return default_step(position.works[seat])


def default_step(work: Work) -> int:
    """Return the index of the step that is played for a player who does not answer."""
    if not work.due:
        return 0
    key = work.due[0][0]
    return gains.default_colour(work.company.dna, key) - (0 if key == BASIC else 3)


def _act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    work = position.works[seat]
    step = steps(position.setting, work)[action]
    reserve = position.reserves[seat] if position.reserves else ()
    work = stepped(position.setting, position.marker, work, step, reserve)
    works = (*position.works[:seat], work, *position.works[seat + 1 :])
    position = position._replace(works=works)
    return reveal(position) if all(one.done for one in works) else position


def stepped(
    setting: Setting, marker: int, work: Work, step: Step, reserve: tuple[int, ...] = ()
) -> Work:
    """Return a player's work after one legal step.

    Args:
        setting: The variant.
        marker: Where the PR marker stands, for rides.
        work: The work so far.
        step: One of `steps.steps`.
        reserve: The cards that the player would draw.
    """
    if step.kind == COLOUR:
        work = _coloured(setting.components, work, step.item)
    else:
        work = _DOING[step.kind](setting.components, marker, work, step)
    work = _settled(setting.components, work._replace(script=(*work.script, step)), reserve)
    count = sum(one.kind != COLOUR for one in work.script)
    if step.kind == DONE or (count >= MOST_STEPS and not work.due):
        return work._replace(done=True)
    return work


def _coloured(components: Components, work: Work, colour: int) -> Work:
    (key, amount), *rest = work.due
    left = [(key, amount - 1)] if amount > 1 else []
    company = gains.credit(components, work.company, colour, 1)
    return work._replace(company=company, due=(*left, *rest))


def _settled(components: Components, work: Work, reserve: tuple[int, ...]) -> Work:
    """Let gains take effect until a wild unit asks for its colour; cards come blind (R8)."""
    company, due, drawn = work.company, list(work.due), work.drawn
    while due and due[0][0] not in (BASIC, ADVANCED):
        key, amount = due.pop(0)
        if key == CARD:
            new = reserve[drawn : drawn + amount]
            company, drawn = company._replace(hidden=company.hidden | mask(new)), drawn + len(new)
        else:
            company = gains.credit(components, company, key, amount)
    return work._replace(company=company, due=tuple(due), drawn=drawn)


def _without(company: Company, cards: tuple[int, ...]) -> Company:
    """Return a company without some cards of its hand."""
    rest = ~mask(cards)
    return company._replace(seen=company.seen & rest, hidden=company.hidden & rest)


def _spent(company: Company, colours: tuple[int, ...]) -> Company:
    """Return a company without some DNA units."""
    dna = list(company.dna)
    for colour in colours:
        dna[colour] -= 1
    return company._replace(dna=tuple(dna))


def _done(components: Components, marker: int, work: Work, step: Step) -> Work:
    return work


def _created(components: Components, marker: int, work: Work, step: Step) -> Work:
    dinosaur = components.cards[step.item].dinosaur
    company = _without(work.company, (step.item,))
    excitement = company.excitement + dinosaur.excitement
    company = company._replace(
        dna=tuple(own - cost for own, cost in zip(company.dna, dinosaur.cost, strict=True)),
        dinosaurs=company.dinosaurs | 1 << step.item,
        excitement=min(components.tracks.excitement_max, excitement),
        threat=company.threat + dinosaur.threat,
    )
    return work._replace(company=company)


def _attraction(components: Components, marker: int, work: Work, step: Step) -> Work:
    attraction = components.cards[step.item].attraction
    price = attraction_price(components, work.company, step.item)
    company = _without(work.company, (step.item,))
    company = company._replace(
        coins=company.coins - price, attractions=company.attractions | 1 << step.item
    )
    rides = attraction.icons if attraction.type == RIDE else 0
    return work._replace(company=company, due=components.tracks.pr_spaces[marker] * rides)


def _mixed(components: Components, marker: int, work: Work, step: Step) -> Work:
    company, used = _spent(_without(work.company, step.cards), step.spent), work.used
    if not step.cards:
        place = free_mixes(components, company, used)[0]
        used = (*used[:place], used[place] + 1, *used[place + 1 :])
    for colour in step.made:
        company = gains.credit(components, company, colour, 1)
    thrown = work.thrown | mask(step.cards)
    due = abilities.after_mix(components, company)
    return work._replace(company=company, used=used, thrown=thrown, due=due)


def _sold(components: Components, marker: int, work: Work, step: Step) -> Work:
    company = _spent(work.company, step.spent)
    coins = company.coins + abilities.sale(components, company)
    return work._replace(company=company._replace(coins=coins))


def _raised(components: Components, marker: int, work: Work, step: Step) -> Work:
    company = work.company
    coins = company.coins - security_price(components, company)
    return work._replace(company=company._replace(coins=coins, security=company.security + 1))


def _acted(components: Components, marker: int, work: Work, step: Step) -> Work:
    ability = components.specialists[step.item].ability
    place = work.company.specialists.index(step.item)
    company = _spent(_without(work.company, step.cards), (*_fixed(ability.pay), *step.spent))
    coins = company.coins - dict(ability.pay).get(COINS, 0)
    return work._replace(
        company=company._replace(coins=coins),
        used=(*work.used[:place], work.used[place] + 1, *work.used[place + 1 :]),
        thrown=work.thrown | mask(step.cards),
        due=ability.gain,
    )


def _fixed(pay: Gain) -> tuple[int, ...]:
    """Return the DNA units of a price whose colours are given."""
    return tuple(key for key, amount in pay if key < BASIC for _ in range(amount))


_DOING: Final = {
    DONE: _done,
    CREATE: _created,
    BUILD_ATTRACTION: _attraction,
    MIX_UP: _mixed,
    MIX_DOWN: _mixed,
    SELL: _sold,
    RAISE: _raised,
    ACT: _acted,
}


def reveal(position: Position) -> Position:
    """Lower the screens: both scripts and what came of them become public."""
    works = position.works
    position = position._replace(
        companies=tuple(work.company for work in works),
        scripts=tuple(work.script for work in works),
        works=(),
        reserves=(),
        stage=AI_BUILD if position.solo else VISITORS,
    )
    for work in works:
        position = market.discard(position, work.thrown)
        position = market.show(position, work.company.dinosaurs | work.company.attractions)
    return position


def _text(position: Position, seat: int, action: int) -> str:
    step = steps(position.setting, position.works[seat])[action]
    return step_text(position.setting.components, step)


BUILD_PHASE: Final = Phase("build", _legal, _default, _act, _text, sealed=True)
