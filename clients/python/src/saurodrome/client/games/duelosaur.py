"""Typed views of Duelosaur Island: parks, draft board, actions and what a bot may know.

Cards, specialists, plot twists and faces of dice are numbers; what they are says the ruleset:
``ruleset(d).cards[a.card]``.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client.games._duelosaur_actions import Kind, LegalAction, by_number
from saurodrome.client.games._duelosaur_ruleset import Colour, Gain, Ruleset, ruleset
from saurodrome.games.duelosaur.v1 import duelosaur_pb2 as wire

__all__ = [
    "Colour",
    "Company",
    "Gain",
    "Kind",
    "LegalAction",
    "Phase",
    "Pool",
    "Rival",
    "Ruleset",
    "Slot",
    "State",
    "legal_actions",
    "ruleset",
    "state",
]


class Phase(StrEnum):
    """What a decision asks for."""

    TWIST = "twist"
    SETUP = "setup"
    RESET = "reset"
    DRAW = "draw"
    COLOUR = "colour"
    PREP_SPECIALISTS = "prep_specialists"
    REROLL = "reroll"
    PREP_DICE = "prep_dice"
    PICK = "pick"
    BUILD = "build"
    AI_TIE = "ai_tie"
    PR = "pr"
    DISCARD = "discard"


PHASES = by_number(Phase, "PHASE_", dict(wire.Phase.items()))


@dataclass(frozen=True, eq=False)
class Company:
    """A company and its park.

    Attributes:
        message: The message of the wire.
    """

    message: wire.Company

    @property
    def coins(self) -> int:
        """Its coins."""
        return self.message.coins

    @cached_property
    def dna(self) -> dict[Colour, int]:
        """Its DNA units by colour."""
        return dict(zip(Colour, self.message.dna, strict=True))

    @property
    def threat(self) -> int:
        """Its threat track."""
        return self.message.threat

    @property
    def security(self) -> int:
        """Its security level."""
        return self.message.security

    @property
    def excitement(self) -> int:
        """Its excitement track."""
        return self.message.excitement

    @property
    def visitors(self) -> int:
        """Its visitor track."""
        return self.message.visitors

    @property
    def lawsuits(self) -> int:
        """Its lawsuit tokens."""
        return self.message.lawsuits

    @property
    def hand(self) -> int:
        """How many cards its hand has."""
        return self.message.hand

    @property
    def dinosaurs(self) -> tuple[int, ...]:
        """The cards in its park as dinosaurs."""
        return tuple(self.message.dinosaurs)

    @property
    def attractions(self) -> tuple[int, ...]:
        """The cards in its park as attractions."""
        return tuple(self.message.attractions)

    @property
    def specialists(self) -> tuple[int, ...]:
        """Its specialists, in the order in which it took them."""
        return tuple(self.message.specialists)


@dataclass(frozen=True, slots=True)
class Rival:
    """The AI of a solo match; `basic` and `advanced` count DNA of whatever colour."""

    coins: int
    basic: int
    advanced: int
    excitement: int
    visitors: int
    hand: tuple[int, ...]
    dinosaurs: tuple[int, ...]
    attractions: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of the draft board: the plot twist under it and the face of its die, if any."""

    twist: int | None
    face: int | None


@dataclass(frozen=True, slots=True)
class Pool:
    """Cards of which the bot knows where they can be, but not which is where.

    Attributes:
        cards: The cards.
        deck: How many of them are in the deck; pools are drawn from in their order.
        hands: How many of them each seat holds.
    """

    cards: tuple[int, ...]
    deck: int
    hands: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class State:
    """All that one player may know, perfect recall included: a bot needs no memory.

    Attributes:
        message: The message of the wire, for what has no property here.
        variant: Such as ``medium`` or ``solo-dino-mike``.
    """

    message: wire.Observation
    variant: str

    @property
    def phase(self) -> Phase:
        """What is asked for."""
        return PHASES[self.message.phase]

    @property
    def round(self) -> int:
        """Round, from 1; 0 before the first."""
        return self.message.round

    @property
    def turn(self) -> int:
        """The round: this game counts no turns."""
        return self.message.round

    @property
    def me(self) -> int:
        """The bot's own seat."""
        return self.message.seat

    @property
    def is_first(self) -> bool:
        """Whether the bot is the first player of the round."""
        return self.message.first == self.message.seat

    @property
    def threshold(self) -> int:
        """Visitors that end the match."""
        return self.message.threshold

    @cached_property
    def companies(self) -> tuple[Company, ...]:
        """The companies by seat, as they lie open: in Build as they were before it."""
        return tuple(map(Company, self.message.companies))

    @cached_property
    def company(self) -> Company:
        """The bot's own company, in Build as it is by now."""
        if self.message.HasField("work"):
            return Company(self.message.work.company)
        return self.companies[self.me]

    @cached_property
    def rival(self) -> Rival | None:
        """The AI of a solo match."""
        if not self.message.HasField("rival"):
            return None
        r = self.message.rival
        cards = (tuple(r.hand), tuple(r.dinosaurs), tuple(r.attractions))
        numbers = (r.coins, r.basic, r.advanced, r.excitement, r.visitors)
        return Rival(*numbers, *cards, r.sheet.total)

    @property
    def hand(self) -> tuple[int, ...]:
        """The bot's own hand cards."""
        return self.hands[self.me]

    @cached_property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the cards that the bot knows to be in its hand."""
        return tuple(tuple(hand.cards) for hand in self.message.hands)

    @cached_property
    def pools(self) -> tuple[Pool, ...]:
        """Where the other park cards can be."""
        return tuple(Pool(tuple(p.cards), p.deck, tuple(p.hands)) for p in self.message.pools)

    @property
    def row(self) -> tuple[int, ...]:
        """The park cards that lie open, by slot."""
        return tuple(self.message.row)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of the draft board."""
        return tuple(_slot(slot) for slot in self.message.slots)

    @property
    def rolled(self) -> tuple[int, ...]:
        """The faces rolled, until they are placed."""
        return tuple(self.message.rolled)

    @property
    def offer(self) -> tuple[int, ...]:
        """The specialists that can be picked."""
        return tuple(self.message.offer)

    @property
    def marker(self) -> int:
        """Where the PR marker stands, from 0 at the left."""
        return self.message.marker

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat if the match ended now."""
        return tuple(company.sheet.total for company in self.message.companies)


def _slot(message: wire.Slot) -> Slot:
    twist = message.twist if message.HasField("twist") else None
    return Slot(twist, message.face if message.HasField("face") else None)


def legal_actions(decision: bot_pb2.Decision) -> tuple[LegalAction, ...]:
    """Makes the views of a decision's legal actions."""
    return tuple(LegalAction(one.id, one.duelosaur) for one in decision.legal_actions)


def state(decision: bot_pb2.Decision, match: bot_pb2.MatchStarted) -> State:
    """Makes the view of a decision's observation."""
    return State(decision.duelosaur, match.variant)
