"""What may be done in Duelosaur Island: views of actions."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from saurodrome.client.games._action import LegalAction as AnyAction
from saurodrome.client.games._duelosaur_ruleset import Colour, colours_of
from saurodrome.games.duelosaur.v1 import actions_pb2 as wire


class Kind(StrEnum):
    """What an action is; in Build and in the draft a phase has several kinds."""

    TWIST = "twist"
    SETUP = "setup"
    RESET = "reset"
    DRAW = "draw"
    COLOUR = "colour"
    OFFER = "offer"
    REROLL = "reroll"
    PLACE = "place"
    # Picks of the draft.
    DIE = "die"
    KEEP = "keep"
    SWAP = "swap"
    THROW = "throw"
    # Steps of Build, with COLOUR.
    DONE = "done"
    CREATE = "create"
    ATTRACTION = "attraction"
    MIX_UP = "mix_up"
    MIX_DOWN = "mix_down"
    SELL = "sell"
    SECURITY = "security"
    ACTION = "action"
    # The rest.
    AI_CARD = "ai_card"
    SPACE = "space"
    DISCARD = "discard"


_Name = TypeVar("_Name", bound=StrEnum)


def by_number(names: type[_Name], prefix: str, numbers: Mapping[str, int]) -> dict[int, _Name]:
    """Maps a wire enum's numbers to our names; 0 is "unspecified" and has none."""
    return {n: names(name.removeprefix(prefix).lower()) for name, n in numbers.items() if n}


STEPS = by_number(Kind, "STEP_KIND_", dict(wire.StepKind.items()))
PICKS = {
    wire.PICK_KIND_DIE: Kind.DIE,
    wire.PICK_KIND_KEEP: Kind.KEEP,
    wire.PICK_KIND_SWAP: Kind.SWAP,
    wire.PICK_KIND_DISCARD: Kind.THROW,
}


@dataclass(frozen=True)
class LegalAction(AnyAction):
    """An action that is allowed now. What does not belong to its kind is None or empty.

    Attributes:
        id: What to return from ``choose``.
        message: The message of the wire.
    """

    id: int
    message: wire.Action

    @cached_property
    def kind(self) -> Kind:
        """What it is."""
        which = self.message.WhichOneof("choice")
        if which == "step":
            return STEPS[self.message.step.kind]
        return PICKS[self.message.pick.kind] if which == "pick" else Kind(which or "")

    @property
    def card(self) -> int | None:
        """The card created, built, drawn from the row, or played by the AI."""
        if self.kind is Kind.AI_CARD:
            return self.message.ai_card
        if self.kind is Kind.DRAW:
            return self.message.draw.card if self.message.draw.HasField("card") else None
        step = self.message.step
        return step.card if step.HasField("card") else None

    @property
    def cards(self) -> tuple[int, ...]:
        """The hand cards that are paid, or that leave a hand which is too large."""
        return tuple(self.message.discard.cards or self.message.step.cards)

    @property
    def slot(self) -> int | None:
        """The slot of the row, None for the deck; or that of the die."""
        if self.kind is Kind.DRAW:
            return self.message.draw.slot if self.message.draw.HasField("slot") else None
        return self.message.pick.slot if self.message.pick.HasField("slot") else None

    @property
    def specialist(self) -> int | None:
        """The specialist that is picked, or that wire."""
        for part in (self.message.pick, self.message.step):
            if part.HasField("specialist"):
                return part.specialist
        return None

    @property
    def specialists(self) -> tuple[int, ...]:
        """The specialists that come on offer."""
        return tuple(self.message.offer.specialists)

    @property
    def out(self) -> int | None:
        """The specialist that leaves for the one that is picked."""
        return self.message.pick.out if self.message.pick.HasField("out") else None

    @property
    def option(self) -> int | None:
        """The chosen option of the slot's plot twist."""
        return self.message.pick.option if self.message.pick.HasField("option") else None

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours named for wild units, one a unit."""
        named = (self.message.colour, self.message.step.colour, *self.message.pick.colours)
        return colours_of(number for number in named if number)

    @property
    def spent(self) -> tuple[Colour, ...]:
        """The units that are paid, sold or mixed."""
        return colours_of(self.message.step.spent)

    @property
    def made(self) -> tuple[Colour, ...]:
        """The units that a mix yields."""
        return colours_of(self.message.step.made)

    @property
    def dice(self) -> tuple[int, ...]:
        """Dice as places in `State.rolled`: those rolled again, or the one for each slot."""
        return tuple(self.message.reroll.dice or self.message.place.dice)

    @property
    def space(self) -> int | None:
        """The space of the PR track."""
        return self.message.space if self.kind is Kind.SPACE else None

    @property
    def resets(self) -> bool:
        """Whether the row is dealt anew."""
        return self.message.reset

    @property
    def pair(self) -> tuple[int, int] | None:
        """The starting dinosaur and attraction; or the plot twists that stay and leave."""
        if self.kind is Kind.SETUP:
            return self.message.setup.dinosaur, self.message.setup.attraction
        twist = self.message.twist
        return (twist.keep, twist.drop) if self.kind is Kind.TWIST else None

    def __str__(self) -> str:
        """Reads ``create 12``, ``die 2 as cyan green`` or ``mix_up 7 cyan blue to pink``."""
        words: list[object] = [self.kind]
        words += self.pair or ()
        words += [n for n in (self.slot, self.specialist, self.space) if n is not None]
        words += [] if self.card is None or self.kind is Kind.DRAW else [self.card]
        words += [*self.specialists, *self.dice, *self.cards, *self.spent]
        words += [] if self.option is None else ["option", self.option]
        words += [] if self.out is None else ["for", self.out]
        words += ["to", *self.made] if self.made else []
        words += ["as", *self.colours] if self.colours else []
        if self.kind is Kind.RESET:
            words.append("yes" if self.resets else "no")
        if self.kind is Kind.DRAW and self.slot is None:
            words.append("deck")
        return " ".join(map(str, words))
