"""What the specialists that a player holds change, one question a function."""

from typing import Final, Protocol

from saurodrome.engine.games.duelosaur.components import Ability, Components, Gain
from saurodrome.engine.games.duelosaur.words import (
    CARD,
    DISCOUNT,
    HAND_LIMIT,
    IGNORE_UNDRAFTED,
    INCOME,
    LOSS_FACTOR,
    MORE_VISITORS,
    ON_MIX,
    PR_FIRST,
    PREP_REROLL,
    PREP_SPECIALIST_POOL,
    SELL_RATE,
    THREAT_MOD,
)

SPECIALISTS_SEEN: Final = 3


class Holder(Protocol):
    """Whoever holds specialists: a company, or what everybody knows of one."""

    @property
    def specialists(self) -> tuple[int, ...]:
        """Those it holds, in the order in which it took them."""
        ...


def held(components: Components, company: Holder, op: int) -> list[Ability]:
    """Return the abilities of one kind, in the order of the cards."""
    specialists = components.specialists
    abilities = [specialists[number].ability for number in company.specialists]
    return [ability for ability in abilities if ability.op == op]


def _sum(components: Components, company: Holder, op: int) -> int:
    return sum(ability.n for ability in held(components, company, op))


def income(components: Components, company: Holder) -> Gain:
    """Return what is gained at income besides coins and draws."""
    abilities = held(components, company, INCOME)
    return tuple(part for ability in abilities for part in ability.gain if part[0] != CARD)


def income_cards(components: Components, company: Holder) -> int:
    """Return how many draws more an income has."""
    abilities = held(components, company, INCOME)
    return sum(n for ability in abilities for key, n in ability.gain if key == CARD)


def specialists_seen(components: Components, company: Holder) -> int:
    """Return how many specialists the owner looks at as the first player."""
    abilities = held(components, company, PREP_SPECIALIST_POOL)
    return max((ability.n for ability in abilities), default=SPECIALISTS_SEEN)


def rerolls(components: Components, company: Holder) -> list[int]:
    """Return how many dice each ability to roll again allows."""
    return [ability.n for ability in held(components, company, PREP_REROLL)]


def after_mix(components: Components, company: Holder) -> Gain:
    """Return what is gained after every mix."""
    return tuple(part for ability in held(components, company, ON_MIX) for part in ability.gain)


def sale(components: Components, company: Holder) -> int:
    """Return the coins that a sale brings."""
    rates = [ability.n for ability in held(components, company, SELL_RATE)]
    return max(components.levels.sell_coins, *rates, 0)


def price(components: Components, company: Holder, what: int, full: int) -> int:
    """Return a price after discounts; they add up, and never raise it.

    Args:
        components: The set.
        company: Who pays.
        what: An index in `words.DISCOUNTED`.
        full: The printed price.
    """
    cuts = [one for one in held(components, company, DISCOUNT) if one.what == what]
    least = max((one.minimum for one in cuts), default=full)
    return min(full, max(least, full - sum(one.n for one in cuts)))


def threat_change(components: Components, company: Holder) -> int:
    """Return what is added to the threat that is compared in Visitors."""
    return _sum(components, company, THREAT_MOD)


def ignores_undrafted(components: Components, company: Holder) -> bool:
    """Return whether the undrafted item does not count for the owner."""
    return bool(held(components, company, IGNORE_UNDRAFTED))


def loss_factor(components: Components, company: Holder) -> int:
    """Return the visitors lost for each level by which security is short."""
    factors = [ability.n for ability in held(components, company, LOSS_FACTOR)]
    return min(components.levels.loss_factor, *factors, components.levels.loss_factor)


def more_visitors(components: Components, company: Holder) -> int:
    """Return the visitors gained besides those of excitement."""
    return _sum(components, company, MORE_VISITORS)


def chooses_pr_first(components: Components, company: Holder) -> bool:
    """Return whether the owner chooses its PR bonus first."""
    return bool(held(components, company, PR_FIRST))


def hand_limit(components: Components, company: Holder) -> int:
    """Return how many cards the owner may keep at the end of a round."""
    return components.levels.hand_limit + _sum(components, company, HAND_LIMIT)
