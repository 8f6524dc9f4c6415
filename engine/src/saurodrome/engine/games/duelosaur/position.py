"""What one position of Duelosaur Island consists of.

Sets of cards and of specialists are bit masks: bit n is entry n of the components.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from saurodrome.engine.games.duelosaur.setting import Setting

NOTHING: Final = -1
"""Stands for a card, die, item or choice that is not there."""

STAGES: Final = (
    "twist",
    "setup",
    "reset",
    "prep_specialists",
    "reroll",
    "prep_dice",
    "pick",
    "build",
    "ai_tie",
    "pr",
    "discard",
    "over",
    # Nobody decides in the following ones.
    "income",
    "income_turn",
    "open_draft",
    "roll",
    "next_pick",
    "open_build",
    "ai_build",
    "visitors",
    "pr_turn",
    "end_check",
    "hand_limit",
    "round_end",
)
(
    TWIST,
    SETUP,
    RESET,
    PREP_SPECIALISTS,
    REROLL,
    PREP_DICE,
    PICK,
    BUILD,
    AI_TIE,
    PR,
    DISCARD,
    OVER,
    INCOME,
    INCOME_TURN,
    OPEN_DRAFT,
    ROLL,
    NEXT_PICK,
    OPEN_BUILD,
    AI_BUILD,
    VISITORS,
    PR_TURN,
    END_CHECK,
    HAND_LIMIT,
    ROUND_END,
) = range(len(STAGES))

AI: Final = 1
"""The AI's place at the table of a solo match, after the only seat."""


class Company(NamedTuple):
    """What belongs to one player.

    Attributes:
        coins: Its coins.
        dna: Its DNA units by colour.
        threat: Its threat track.
        security: Its security level.
        excitement: Its excitement track.
        visitors: Its visitor track.
        lawsuits: Its lawsuit tokens.
        seen: The cards of its hand that everybody saw it take.
        hidden: The other cards of its hand.
        dinosaurs: The cards in its park as dinosaurs.
        attractions: The cards in its park as attractions.
        specialists: Those it holds, in the order in which it took them.
    """

    coins: int
    dna: tuple[int, ...]
    threat: int
    security: int
    excitement: int
    visitors: int
    lawsuits: int
    seen: int
    hidden: int
    dinosaurs: int
    attractions: int
    specialists: tuple[int, ...]

    @property
    def hand(self) -> int:
        """All cards of its hand."""
        return self.seen | self.hidden


class Rival(NamedTuple):
    """What belongs to the AI of a solo match; all of it lies open.

    Attributes:
        coins: Its coins.
        basic: Its basic DNA, of whatever colour.
        advanced: Its advanced DNA.
        excitement: Its excitement track.
        visitors: Its visitor track.
        hand: Its cards.
        dinosaurs: The cards in its park as dinosaurs.
        attractions: The cards in its park as attractions.
    """

    coins: int
    basic: int
    advanced: int
    excitement: int
    visitors: int
    hand: int
    dinosaurs: int
    attractions: int


class Market(NamedTuple):
    """The park cards that nobody holds.

    The deck has no order before a card is drawn from it. A layer is the set of cards that were
    shuffled together, as far as nobody but their holder has seen them: those still in the deck
    and those in the hidden part of a hand. A layer is drawn from when the ones before it are
    used up. So what a layer consists of is known to all.

    Attributes:
        row: The cards that lie open, slot by slot.
        layers: Layer n was shuffled at reshuffle n; 0 is the first deck.
        discards: The discard pile.
    """

    row: tuple[int, ...]
    layers: tuple[int, ...]
    discards: int


class Staff(NamedTuple):
    """The specialists that nobody holds.

    Attributes:
        deck: Those that are still to come, without an order.
        discards: Those that were thrown away.
        shuffles: How often the discards were shuffled in.
    """

    deck: int
    discards: int
    shuffles: int


class Draft(NamedTuple):
    """The draft of one round.

    Attributes:
        pool: The specialists that the first player looks at, in the order drawn.
        rolled: The faces rolled, in the order drawn, until they are placed.
        rerolls: How many abilities to roll again are not used yet.
        slots: The face on each slot, NOTHING where it is taken; () before they are placed.
        offer: The specialists that can be picked.
        picks: How many picks were made.
    """

    pool: tuple[int, ...]
    rolled: tuple[int, ...]
    rerolls: int
    slots: tuple[int, ...]
    offer: tuple[int, ...]
    picks: int


class Due(NamedTuple):
    """A part of a gain that has not taken effect yet.

    Attributes:
        seat: Who gains; AI in a solo match for the AI.
        key: What, an index in `words.KEYS`.
        amount: How much.
    """

    seat: int
    key: int
    amount: int


class Step(NamedTuple):
    """One step of Build.

    Attributes:
        kind: An index in `steps.KINDS`.
        item: The card, the specialist or the colour; NOTHING where there is none.
        cards: The hand cards that are paid.
        spent: The DNA units that are chosen as payment, as colours, ascending.
        made: The DNA units that a mix yields, likewise.
    """

    kind: int
    item: int = NOTHING
    cards: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()
    made: tuple[int, ...] = ()


class Work(NamedTuple):
    """What a player does behind its screen in Build.

    Attributes:
        company: Its company as it is by now.
        script: Its steps.
        used: How often it used each of its specialists, in their order.
        due: The rest of a gain, from a wild unit on whose colour it has to name.
        drawn: How many cards of its reserve it took.
        thrown: The cards that it paid.
        done: Whether it has ended its build.
    """

    company: Company
    script: tuple[Step, ...]
    used: tuple[int, ...]
    due: tuple[tuple[int, int], ...]
    drawn: int
    thrown: int
    done: bool


class Position(NamedTuple):
    """One position of a match.

    Attributes:
        setting: What is fixed for the match.
        first: The first player of this round; AI in a solo match.
        round: The number of this round, from 1; 0 before the first.
        stage: An index in `STAGES`.
        queue: The seats that are still to decide in this stage, the present one first.
        final: Whether the match ends with this round, whatever the visitors are.
        agenda: Gains that wait; while there are any, nothing else happens.
        companies: By seat.
        rivals: The AI, if it is a solo match.
        market: The park cards that nobody holds.
        staff: The specialists that nobody holds.
        draft: The draft of this round.
        tokens: The plot twists in play, by slot.
        offered: The plot twists that the players choose from.
        marker: Where the PR marker stands.
        limit: PR bonuses can be chosen left of this index.
        plan: How many steps of its plan the AI has done in this round.
        choices: What each seat chose in secret, NOTHING if it has not; () if nobody has to.
        works: What each seat does in Build; () outside.
        reserves: In Build, the cards that each seat would draw; (), unless the set can give
            cards there. It is all that can be laid up in advance: steps that stay hidden from
            each other cannot draw from one deck.
        scripts: The steps of the last Build, by seat.
    """

    setting: Setting
    first: int
    round: int
    stage: int
    queue: tuple[int, ...]
    final: bool
    agenda: tuple[Due, ...]
    companies: tuple[Company, ...]
    rivals: tuple[Rival, ...]
    market: Market
    staff: Staff
    draft: Draft
    tokens: tuple[int, ...]
    offered: tuple[int, ...]
    marker: int
    limit: int
    plan: int
    choices: tuple[int, ...]
    works: tuple[Work, ...]
    reserves: tuple[tuple[int, ...], ...]
    scripts: tuple[tuple[Step, ...], ...]

    @property
    def solo(self) -> bool:
        """Whether one player plays against an AI card."""
        return bool(self.rivals)

    @property
    def hidden(self) -> int:
        """The cards of all hands that only their holders have seen."""
        cards = 0
        for company in self.companies:
            cards |= company.hidden
        return cards

    def with_company(self, seat: int, company: Company) -> "Position":
        """Return the position with another company at a seat."""
        companies = self.companies
        return self._replace(companies=(*companies[:seat], company, *companies[seat + 1 :]))


EMPTY_DRAFT: Final = Draft((), (), 0, (), (), 0)


def bits(members: int) -> list[int]:
    """Return the members of a bit mask, ascending."""
    found = []
    while members:
        low = members & -members
        found.append(low.bit_length() - 1)
        members ^= low
    return found


def mask(members: Iterable[int]) -> int:
    """Return the bit mask of some members."""
    found = 0
    for member in members:
        found |= 1 << member
    return found
