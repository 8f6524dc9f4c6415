"""Typed views of Draftosaurus: species, pens, zoos and what a bot may know.

One move language everywhere: species letters R S C B N P and short names of pens, so that
``str(action)`` reads ``S forest`` or ``discard S``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client.games._action import LegalAction as AnyAction
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as wire


class Species(StrEnum):
    """A species of dinosaur. Only the T-Rex has a rule of its own."""

    TREX = "trex"
    STEGOSAURUS = "stegosaurus"
    TRICERATOPS = "triceratops"
    BRACHIOSAURUS = "brachiosaurus"
    SPINOSAURUS = "spinosaurus"
    PARASAUROLOPHUS = "parasaurolophus"

    @property
    def letter(self) -> str:
        """The letter that stands for it: R S C B N P."""
        return _LETTERS[self]


class Pen(StrEnum):
    """A place of a zoo. The River is no pen for the die, but a place all the same."""

    FOREST_OF_SAMENESS = "forest_of_sameness"
    WOODY_TRIO = "woody_trio"
    PRAIRIE_OF_LOVE = "prairie_of_love"
    KING_OF_THE_JUNGLE = "king_of_the_jungle"
    MEADOW_OF_DIFFERENCES = "meadow_of_differences"
    SOLITARY_ISLAND = "solitary_island"
    RIVER = "river"
    WELL_ORDERED_WOOD = "well_ordered_wood"
    LOVERS_BRIDGE_LEFT = "lovers_bridge_left"
    LOVERS_BRIDGE_RIGHT = "lovers_bridge_right"
    PYRAMID = "pyramid"
    LOOKOUT = "lookout"
    QUARANTINE_ZONE = "quarantine_zone"

    @property
    def short(self) -> str:
        """The short name, such as ``forest``."""
        return _SHORT[self]


class Die(StrEnum):
    """A face of the placement die. It binds everybody but the turn's roller."""

    WOODLANDS = "woodlands"
    GRASSLANDS = "grasslands"
    FOOD_COURT = "food_court"
    RESTROOMS = "restrooms"
    EMPTY_PEN = "empty_pen"
    NO_TREX = "no_trex"


class Phase(StrEnum):
    """What a decision asks for."""

    PLACE = "place"
    DISCARD = "discard"
    QUARANTINE = "quarantine"


_LETTERS = dict(zip(Species, "RSCBNP", strict=True))
_SHORT = {
    Pen.FOREST_OF_SAMENESS: "forest",
    Pen.WOODY_TRIO: "trio",
    Pen.PRAIRIE_OF_LOVE: "prairie",
    Pen.KING_OF_THE_JUNGLE: "king",
    Pen.MEADOW_OF_DIFFERENCES: "meadow",
    Pen.SOLITARY_ISLAND: "island",
    Pen.RIVER: "river",
    Pen.WELL_ORDERED_WOOD: "wood",
    Pen.LOVERS_BRIDGE_LEFT: "lbridge",
    Pen.LOVERS_BRIDGE_RIGHT: "rbridge",
    Pen.PYRAMID: "pyramid",
    Pen.LOOKOUT: "lookout",
    Pen.QUARANTINE_ZONE: "quarantine",
}

_Name = TypeVar("_Name", bound=StrEnum)


def _by_number(names: type[_Name], prefix: str, numbers: Mapping[str, int]) -> dict[int, _Name]:
    """Maps a wire enum's numbers to our names; 0 is "unspecified" and has none."""
    return {n: names(name.removeprefix(prefix).lower()) for name, n in numbers.items() if n}


SPECIES = _by_number(Species, "SPECIES_", dict(wire.Species.items()))
PENS = _by_number(Pen, "PEN_", dict(wire.Pen.items()))
DICE = _by_number(Die, "DIE_FACE_", dict(wire.DieFace.items()))
PHASES = _by_number(Phase, "PHASE_", dict(wire.Phase.items()))


@dataclass(frozen=True, slots=True)
class Action:
    """A choice: which dinosaur, and where it goes.

    Attributes:
        species: The dinosaur placed, discarded or moved.
        pen: Where it goes; None for a discard.
        slot: In the Pyramid: 0 1 2 bottom, 3 4 middle, 5 top; else None.
        moves: It moves out of the quarantine zone, at the end of the game.
    """

    species: Species
    pen: Pen | None
    slot: int | None
    moves: bool = False

    def __str__(self) -> str:
        """Reads ``S forest``, ``S pyramid 3``, ``discard S`` or ``move S wood``."""
        if self.pen is None:
            return f"discard {self.species.letter}"
        verb = "move " if self.moves else ""
        slot = "" if self.slot is None else f" {self.slot}"
        return f"{verb}{self.species.letter} {self.pen.short}{slot}"


@dataclass(frozen=True, slots=True)
class LegalAction(Action, AnyAction):
    """An action that is allowed now.

    Attributes:
        id: What to return from ``choose``.
    """

    id: int = field(kw_only=True)

    def __str__(self) -> str:
        """Reads as the action does, without the id."""
        return Action.__str__(self)


class Zoo(Mapping[Pen, tuple[Species, ...]]):
    """One player's zoo: pen to dinosaurs in the order of their placement.

    Every pen of the board and the River are keys, empty ones too.
    """

    __slots__ = ("_pens", "_pyramid")

    def __init__(self, message: wire.Zoo) -> None:
        """Reads the zoo off the wire."""
        self._pens = {
            PENS[p.pen]: tuple(SPECIES[number] for number in p.dinosaurs) for p in message.pens
        }
        self._pyramid: tuple[Species | None, ...] = ()
        for pen in message.pens:
            if pen.pen == wire.PEN_PYRAMID:
                by_slot = dict(zip(pen.slots, self._pens[Pen.PYRAMID], strict=True))
                self._pyramid = tuple(by_slot.get(slot) for slot in range(6))

    def __getitem__(self, pen: str) -> tuple[Species, ...]:
        """Gives the dinosaurs of a pen; a plain name such as ``"river"`` does as well."""
        return self._pens[pen]  # type: ignore[index]  # a StrEnum hashes as its text

    def __iter__(self) -> Iterator[Pen]:
        """Goes over the pens in the board's order."""
        return iter(self._pens)

    def __len__(self) -> int:
        """Counts the pens, the River included."""
        return len(self._pens)

    @property
    def pyramid(self) -> tuple[Species | None, ...]:
        """The Pyramid by slot, None where it is empty; () on the summer board."""
        return self._pyramid

    def count(self, species: str) -> int:
        """Counts the dinosaurs of a species in the whole zoo, River included."""
        return sum(pen.count(species) for pen in self._pens.values())

    def __repr__(self) -> str:
        """Reads ``forest SS, river R``: only pens that hold something."""
        held = ((p.short, "".join(s.letter for s in d)) for p, d in self._pens.items() if d)
        return f"<Zoo {', '.join(f'{name} {letters}' for name, letters in held) or 'empty'}>"


@dataclass(frozen=True, slots=True)
class Hand:
    """What is known of one player's hand.

    Attributes:
        size: How many dinosaurs it holds.
        dinosaurs: They, in species order; None if this bot does not know them.
    """

    size: int
    dinosaurs: tuple[Species, ...] | None


@dataclass(frozen=True, slots=True)
class Reveal:
    """One choice that was revealed since the last decision of this kind.

    Attributes:
        seat: Who chose.
        action: What was chosen.
    """

    seat: int
    action: Action


@dataclass(frozen=True, eq=False)
class State:
    """All that one player may know, perfect recall included: a bot needs no memory.

    Attributes:
        message: The message of the wire.
        variant: ``summer`` or ``winter``.
    """

    message: wire.Observation
    variant: str

    @property
    def phase(self) -> Phase:
        """What is asked for."""
        return PHASES[self.message.phase]

    @property
    def round(self) -> int:
        """Round, from 1."""
        return self.message.round

    @property
    def turn(self) -> int:
        """Turn of the whole game, from 1."""
        return self.message.turn

    @property
    def roller(self) -> int:
        """The seat that rolled the die and is not bound by it."""
        return self.message.roller

    @property
    def die(self) -> Die | None:
        """The die of this turn; None if no die binds this decision."""
        return DICE.get(self.message.die)

    @property
    def me(self) -> int:
        """The bot's own seat."""
        return self.message.seat

    @cached_property
    def zoos(self) -> tuple[Zoo, ...]:
        """The zoos, by seat."""
        return tuple(Zoo(zoo) for zoo in self.message.zoos)

    @property
    def zoo(self) -> Zoo:
        """The bot's own zoo."""
        return self.zoos[self.me]

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The hands, by seat, as far as the bot knows them."""
        return tuple(_hand(hand) for hand in self.message.hands)

    @property
    def hand(self) -> tuple[Species, ...]:
        """The bot's own hand, in species order."""
        return self.hands[self.me].dinosaurs or ()

    @cached_property
    def unseen(self) -> dict[Species, int]:
        """How many of each species the bot has not located: in the bag and unknown hands."""
        return dict(zip(Species, self.message.unseen, strict=True))

    @property
    def bag(self) -> int:
        """How many dinosaurs are left in the bag."""
        return self.message.bag

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat if the game ended now."""
        return tuple(self.message.points)

    @property
    def discarded(self) -> tuple[Species, ...]:
        """Two players: what both put back into the box so far, in species order."""
        return tuple(SPECIES[number] for number in self.message.discarded)

    @cached_property
    def last_reveal(self) -> tuple[Reveal, ...]:
        """What the last reveal showed, by seat."""
        return tuple(Reveal(r.seat, action(r.action)) for r in self.message.last_reveal)


def _hand(message: wire.Hand) -> Hand:
    dinosaurs = tuple(SPECIES[number] for number in message.dinosaurs)
    return Hand(message.size, dinosaurs if len(dinosaurs) == message.size else None)


def action(message: wire.Action) -> Action:
    """Makes the view of an action without an id."""
    slot = message.slot if message.HasField("slot") else None
    return Action(SPECIES[message.species], PENS.get(message.pen), slot)


def legal_actions(decision: bot_pb2.Decision) -> tuple[LegalAction, ...]:
    """Makes the views of a decision's legal actions."""
    moves = decision.draftosaurus.phase == wire.PHASE_QUARANTINE
    return tuple(_legal_action(message, moves) for message in decision.legal_actions)


def _legal_action(message: bot_pb2.LegalAction, moves: bool) -> LegalAction:
    a = message.draftosaurus
    slot = a.slot if a.HasField("slot") else None
    return LegalAction(SPECIES[a.species], PENS.get(a.pen), slot, moves, id=message.id)


def state(decision: bot_pb2.Decision, match: bot_pb2.MatchStarted) -> State:
    """Makes the view of a decision's observation."""
    return State(decision.draftosaurus, match.variant)
