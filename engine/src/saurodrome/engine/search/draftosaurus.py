"""Determinised Monte Carlo for Draftosaurus, from an observation alone.

Each play-out deals the unseen dinosaurs anew, as likely as they may lie, plays the looked-at
action against simultaneous random choices of the others, and then plays to the end with guided
random choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.bits import size_of, species_at
from saurodrome.engine.games.draftosaurus.board import FREE, Board
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Observation
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.playout import Seat, Table, gain
from saurodrome.engine.games.draftosaurus.position import PLACE
from saurodrome.engine.search.bandit import Bandit
from saurodrome.engine.xorshift import XorshiftChance

if TYPE_CHECKING:
    from mypy_extensions import i64

MARGIN: Final = 0.01
"""What a point of advantage is worth beside beating an opponent, at most 30 points."""

SLOPE: Final = 0.03 / 16
"""What a sixteenth of a point changes that a placement seems to bring."""

EXPLORE: Final = 0.5
"""How much is tried that was tried seldom."""

_ANY_HAND: Final = (1 << 4 * SPECIES) - 1


class Worlds:
    """Everything that an observation leaves possible."""

    def __init__(self, observation: Observation) -> None:
        """Read an observation of a player who must act."""
        public, private = observation.public, observation.private
        self.board: Board = public.board
        self.start = public.start
        self.turn = public.turn
        self.stage = public.stage
        self.die = public.die
        self.zoos = [rebuilt(public.board, pens) for pens in public.zoos]
        self.hands = list(private.hands)
        self.sizes = list(public.hand_sizes)
        self.unseen = private.unseen

    def draw(self, chance: XorshiftChance) -> Table:
        """Return one of them, as likely as it is under random deals."""
        table = Table(self.board, len(self.zoos), self.start)
        table.turn = self.turn
        table.stage = self.stage
        table.die = self.die
        unseen: i64 = self.unseen
        left: i64 = size_of(unseen)
        unit: i64 = 1
        seats: list[Seat] = []
        for seat, zoo in enumerate(self.zoos):
            hand: i64 = self.hands[seat]
            if hand == UNKNOWN:
                hand = 0
                for _ in range(self.sizes[seat]):
                    dinosaur = unit << 4 * species_at(unseen, chance.below(left))
                    hand += dinosaur
                    unseen -= dinosaur
                    left -= 1
            seats.append(Seat(hand, zoo))
        table.seats = seats
        table.bag = unseen
        return table


class Search(Bandit):
    """The running search of one decision."""

    def __init__(
        self, observation: Observation, actions: Sequence[int], seed: int = 1, tries: int = 4
    ) -> None:
        """Start without a play-out.

        Args:
            observation: What the player to move knows.
            actions: Its legal actions.
            seed: Equal seeds and numbers of play-outs give equal estimates.
            tries: How many placements a player of a play-out looks at.

        Raises:
            ValueError: It is a spectator's observation, or there is nothing to choose.
        """
        if observation.player is None or not actions:
            raise ValueError("only a player with legal actions can search")
        self.player: int = observation.player
        self.worlds = Worlds(observation)
        self.chance = XorshiftChance(seed)
        super().__init__(actions, self._guesses(actions), EXPLORE)
        self.tries = tries

    def _guesses(self, actions: Sequence[int]) -> list[float]:
        """Return how much worse than the best one each action looks at once."""
        table = self.worlds.draw(self.chance)
        if table.stage != PLACE:
            return [0.0] * len(actions)
        found = [int(gain(table, self.player, action)) for action in actions]
        best = max(found)
        return [SLOPE * (one - best) for one in found]

    def run(self, playouts: int) -> None:
        """Add some play-outs, most of them where the action looks good."""
        for _ in range(playouts):
            self._look(self.next_of(len(self.actions)))

    def spread(self, playouts: int) -> None:
        """Add some play-outs for every action, so that all are known equally well."""
        for _ in range(playouts):
            for index in range(len(self.actions)):
                self._look(index)

    def _look(self, index: int) -> None:
        """Add one play-out that begins with an action."""
        table = self.worlds.draw(self.chance)
        table.step(self.player, self.actions[index], self.chance, self.tries)
        table.play_out(self.chance, self.tries)
        self.count(index, worth(table, self.player))


def worth(table: Table, player: int) -> float:
    """Return how well a finished table is for a player; see `bandit.Estimate.value`."""
    points = table.points()
    own = points[player]
    trexes = table.seats[player].counts & 15
    beaten, best = 0.0, -1
    for seat, other in enumerate(points):
        if seat == player:
            continue
        best = max(best, other)
        if other < own:
            beaten += 1.0
        elif other == own:
            theirs = table.seats[seat].counts & 15
            beaten += 0.5 if theirs == trexes else float(trexes < theirs)
    margin = max(-30, min(30, own - best))
    return beaten / (len(points) - 1) + MARGIN * margin


def rebuilt(board: Board, pens: tuple[int, ...]) -> Zoo:
    """Return a zoo from the packed contents of its pens, in the order of placement.

    Raises:
        ValueError: No zoo can hold that.
    """
    zoo: Zoo | None = kernel.empty_zoo(board)
    for number, place in enumerate(board.places):
        contents = pens[place.pen]
        if place.slot >= 0:
            contents = contents >> 3 * place.slot & 7
        while contents:
            if zoo is not None and contents & 7:
                action = number * SPECIES + (contents & 7) - 1
                zoo = kernel.place(board, zoo, _ANY_HAND, FREE, action)
            contents >>= 3
    if zoo is None:
        raise ValueError("these pens break their own rules")
    return zoo
