"""What the numbers of Duelosaur Island mean: the ruleset, which the server sends."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Protocol

from saurodrome.games.duelosaur.v1 import actions_pb2 as wire

Gain = Mapping[str, int]
"""What is gained, by key in the order in which it takes effect: a colour, ``basic`` or
``advanced`` (wild), ``coins``, ``visitors``, ``security`` or ``card``."""


class Colour(StrEnum):
    """A colour of DNA: three basic ones, then three advanced ones."""

    CYAN = "cyan"
    PURPLE = "purple"
    BLUE = "blue"
    GREEN = "green"
    PINK = "pink"
    YELLOW = "yellow"


_COLOURS: dict[int, Colour] = {
    number: Colour(name.removeprefix("COLOUR_").lower())
    for name, number in wire.Colour.items()
    if number
}


def colours_of(numbers: Iterable[int]) -> tuple[Colour, ...]:
    """Reads colours off the wire."""
    return tuple(_COLOURS[number] for number in numbers)


@dataclass(frozen=True, slots=True)
class Dinosaur:
    """The half of a card that is created.

    Attributes:
        name: Its species.
        type: ``herbivore``, ``small_carnivore`` or ``large_carnivore``.
        cost: DNA units by colour.
        excitement: Added to the owner's track for good.
        threat: Likewise.
        visitors: Points at the end.
    """

    name: str
    type: str
    cost: Mapping[Colour, int]
    excitement: int
    threat: int
    visitors: int


@dataclass(frozen=True, slots=True)
class Attraction:
    """The half of a card that is built.

    Attributes:
        name: Its name.
        type: ``food``, ``merch`` or ``ride``.
        icons: How many icons of its type it has.
        cost: Coins.
        visitors: Points at the end.
    """

    name: str
    type: str
    icons: int
    cost: int
    visitors: int


@dataclass(frozen=True, slots=True)
class Card:
    """A park card or a starter: one of its halves is used."""

    id: str
    dinosaur: Dinosaur
    attraction: Attraction


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a die: what it gives, and its threat while nobody picks it."""

    gain: Gain
    threat: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What a plot twist does: multiplies the die's own DNA, and gives something besides."""

    mult: int
    gain: Gain


@dataclass(frozen=True, slots=True)
class Twist:
    """A plot twist: one effect, or two between which the drafter chooses."""

    id: str
    category: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Specialist:
    """A specialist.

    Attributes:
        id: Its id in the files.
        name: Its profession.
        threat: Its threat while nobody picks it.
        ability: What it does for its owner: ``op`` and what belongs to that.
        discard: Gained when it is thrown away at once.
    """

    id: str
    name: str
    threat: int
    ability: Mapping[str, Any]
    discard: Gain


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A set of component values. Numbers of actions and states are places in its lists.

    Attributes:
        id: Its id.
        hash: What is in it.
        note: What people should know of where its values come from.
        cards: Park cards and starters.
        specialists: The specialists.
        twists: The plot twists.
        faces: The faces of all dice.
        data: Everything, as it was sent: also ``levels``, ``tracks`` and ``ai_cards``.
    """

    id: str
    hash: str
    note: str
    cards: tuple[Card, ...]
    specialists: tuple[Specialist, ...]
    twists: tuple[Twist, ...]
    faces: tuple[Face, ...]
    data: Mapping[str, Any]

    @property
    def pr_spaces(self) -> tuple[Gain, ...]:
        """The gains of the PR track, left to right."""
        return tuple(self.data["tracks"]["pr_spaces"])

    @classmethod
    def parse(cls, text: str) -> "Ruleset":
        """Reads the document that a server sends."""
        data = json.loads(text)
        return cls(
            data["ruleset"],
            data["hash"],
            data["note"],
            tuple(_card(one) for one in data["cards"]),
            tuple(_specialist(one) for one in data["specialists"]),
            tuple(_twist(one) for one in data["twists"]),
            tuple(Face(one["gain"], one["threat"]) for one in data["faces"]),
            data,
        )


def _card(said: Mapping[str, Any]) -> Card:
    d, a = said["dinosaur"], said["attraction"]
    cost = {colour: n for colour, n in zip(Colour, d["cost"], strict=True) if n}
    dinosaur = Dinosaur(d["name"], d["type"], cost, d["excitement"], d["threat"], d["visitors"])
    attraction = Attraction(a["name"], a["type"], a["icons"], a["cost"], a["visitors"])
    return Card(said["id"], dinosaur, attraction)


def _specialist(said: Mapping[str, Any]) -> Specialist:
    return Specialist(said["id"], said["name"], said["threat"], said["ability"], said["discard"])


def _twist(said: Mapping[str, Any]) -> Twist:
    effects = tuple(Effect(one["mult"], one["gain"]) for one in said["effects"])
    return Twist(said["id"], said["category"], effects)


class HasRuleset(Protocol):
    """A match or a decision."""

    def ruleset_json(self) -> str:
        """Gives the document that the server sends."""
        ...


def ruleset(of: HasRuleset) -> Ruleset:
    """Gives the ruleset of a match or of a decision; the server is asked for it once.

    Raises:
        ServerError: The server does not give it.
    """
    return _parsed(of.ruleset_json())


@lru_cache(maxsize=4)
def _parsed(text: str) -> Ruleset:
    return Ruleset.parse(text)
