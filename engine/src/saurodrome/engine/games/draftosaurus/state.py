"""Draftosaurus as a game of the engine: its states and its rules object."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from saurodrome.engine.chance import Chance
from saurodrome.engine.game import Game, Outcome
from saurodrome.engine.games.draftosaurus import knowledge, scoring, turns
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.knowledge import Observation
from saurodrome.engine.games.draftosaurus.position import OVER, PHASES, Position
from saurodrome.engine.games.draftosaurus.text import action_text, parse_action

T = TypeVar("T")


def _as_it_is(kind: type[T]) -> type[T]:
    """Return a class: mypyc makes no native one of a decorated class, and of a tuple it cannot."""
    return kind


@_as_it_is
class DraftosaurusState(Position):
    """One position of a match of Draftosaurus, as the engine's contract sees it."""

    __slots__ = ()

    @property
    def phase(self) -> str:
        """The kind of the running phase: "place", "discard", "quarantine" or "over"."""
        return PHASES[self.stage]

    @property
    def sealed(self) -> bool:
        """False: everybody makes one choice, and all are revealed together."""
        return False

    def default_action(self, player: int) -> int:
        """Return what is played for a decider who does not answer."""
        return turns.default_action(self, player)

    def apply(self, actions: Mapping[int, int], chance: Chance) -> "DraftosaurusState":
        """Return the state after all seats' actions, the next deal and the next roll.

        Raises:
            WrongDeciders: Actions are missing, or come from others.
            IllegalAction: An action is not legal.
        """
        return turns.advance(self, actions, chance)

    def observation(self, player: int | None) -> Observation:
        """Return what a player, or the spectator (None), may know."""
        return knowledge.observe(self, player)

    def reveal_all(self) -> Observation:
        """Return the view with all hands open: for replays of finished matches only."""
        return knowledge.reveal_all(self)

    def resample(self, player: int | None, chance: Chance) -> "DraftosaurusState":
        """Return a random state that this observer cannot tell from this one."""
        return knowledge.resample(self, player, chance)

    def outcome(self) -> Outcome | None:
        """Return points and placements, or None while the match runs."""
        if self.stage != OVER:
            return None
        return scoring.outcome(self.board, self.plots)

    def action_text(self, player: int, action: int) -> str:
        """Return the text of an action, such as "S forest", "discard S" or "move S wood"."""
        return action_text(self.board, action)

    def parse_action(self, player: int, text: str) -> int:
        """Return the id that a text names.

        Raises:
            BadActionText: The text names no action.
        """
        return parse_action(self.board, text)


@_as_it_is
@dataclass(frozen=True)
class Draftosaurus(Game):
    """The rules of Draftosaurus."""

    @property
    def phases(self) -> tuple[str, ...]:
        """The kinds of phases; see `Game.phases`."""
        return tuple(phase for phase in PHASES if phase != "over")

    def initial_state(
        self, variant: str, players: int, chance: Chance, start: int = 0
    ) -> DraftosaurusState:
        """Return the first state: hands dealt, die rolled.

        Args:
            variant: Name of the board.
            players: 2 to 5; two play the official two-player variant.
            chance: Where the deal and the die come from.
            start: The seat that rolls first.

        Raises:
            UnknownVariant, BadPlayerCount, BadStart: There is no such match.
        """
        self.validate(variant, players, start)
        index = self.variants.index(variant)
        return turns.first_position(DraftosaurusState, index, players, start, chance)


GAME: Final = Draftosaurus(
    name="draftosaurus",
    variants=tuple(board.name for board in BOARDS),
    min_players=2,
    max_players=5,
    rules_version=1,
)
