"""The contract between games and everybody who plays, runs or records them.

Words: a *player* is a seat index 0..n-1; a *decider* is a player who must act now; an
*action* is a number that is valid for one player in one state; an *observation* is all that
one player (or a spectator, `None`) may know. Observers are players or None.

Promises, all proved for a game by `saurodrome.engine.conformance.check`:

1. States are immutable values: `apply` never changes its state, and equal states, actions and
   draws give equal states. No draw of the future sits in a state.
2. `deciders()` is empty exactly when the match is over; then `outcome()` is not None.
3. Every decider has a legal action; ids are ascending; the default action is legal.
4. Texts and actions translate into each other without loss.
5. Non-interference: what an observer may not know does not change its observation, its legal
   actions or its default, byte for byte. `resample` shows it.
6. In a *sealed* phase the steps of one player change nothing that others observe, until the
   last player has finished: that `apply` reveals. The order of the steps of different players
   does not matter, given independent chance streams. Who has finished is no decider any more,
   which is hidden like the steps. Two sealed phases of one and the same single player in a
   row differ in their `phase`.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import BadPlayerCount, BadStart, UnknownVariant


class Outcome(NamedTuple):
    """How a finished match stands.

    Attributes:
        points: The points of each seat.
        placements: The place of each seat; 1 is best, equal seats share a place and the next
            place is skipped (1, 1, 3). Who plays alone, against an opponent that is part of
            the game, is placed 1 if it beat that one, else 2.
    """

    points: tuple[int, ...]
    placements: tuple[int, ...]


def placements(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the place of each seat in competition ranking (1, 1, 3).

    Args:
        keys: What ranks a seat, the most important first, larger is better.

    Returns:
        1 + the number of seats with a larger key, for each seat.
    """
    ordered = sorted(keys, reverse=True)
    return tuple([1 + ordered.index(key) for key in keys])


class Observation(Protocol):
    """All that one observer may know of a state, complete without any history.

    It is the perfect-recall information state in normal form: what the observer could still
    know if it had remembered everything, and nothing else. Equal knowledge gives equal
    observations.
    """

    @property
    def player(self) -> int | None:
        """The observer; None is the spectator."""
        ...

    @property
    def public(self) -> Hashable:
        """What everybody knows: equal for all observers of one state."""
        ...

    @property
    def private(self) -> Hashable:
        """What this observer knows beside it; what follows from `public` for a spectator."""
        ...


class State(Protocol):
    """One position of one match, immutable.

    Implementations are NamedTuples of ints and int tuples, so states compare and hash by
    value.
    """

    @property
    def phase(self) -> str:
        """The kind of the running phase, such as "place" or "discard"; known to everybody."""
        ...

    @property
    def sealed(self) -> bool:
        """Whether steps of this phase stay hidden until all players have finished it."""
        ...

    def deciders(self) -> tuple[int, ...]:
        """Return the players who must act, ascending; nobody when the match is over."""
        ...

    def legal_actions(self, player: int) -> tuple[int, ...]:
        """Return the ids that a player may choose, ascending; none unless it is a decider.

        Ids are fixed for a game and variant where the space allows, else they index the
        canonical list of this decision.
        """
        ...

    def default_action(self, player: int) -> int:
        """Return the published action that is played for a decider who does not answer."""
        ...

    def apply(self, actions: Mapping[int, int], chance: Chance) -> "State":
        """Return the state after the deciders' actions and the chance that follows.

        Args:
            actions: The action of every decider; in a sealed phase of any of them, at least
                one.
            chance: Where the following chance outcomes come from.

        Returns:
            The next state; this one is unchanged.

        Raises:
            WrongDeciders: Actions are missing, or come from others.
            IllegalAction: An action is not legal.
        """
        ...

    def observation(self, player: int | None) -> Observation:
        """Return what a player, or the spectator (None), may know."""
        ...

    def resample(self, player: int | None, chance: Chance) -> "State":
        """Return a random state that this observer cannot tell from this one.

        Args:
            player: The observer; None is the spectator.
            chance: Where the choice comes from.

        Returns:
            A state with the same observation, drawn as likely as it is under random chance
            outcomes.
        """
        ...

    def outcome(self) -> Outcome | None:
        """Return the result, or None while somebody must act."""
        ...

    def action_text(self, player: int, action: int) -> str:
        """Return the text of an action: one line, printable, no quotation mark."""
        ...

    def parse_action(self, player: int, text: str) -> int:
        """Return the id that a text names; it may still be illegal here.

        Raises:
            BadActionText: The text names no action.
        """
        ...


@dataclass(frozen=True)
class Game(ABC):
    """The rules of one game.

    Attributes:
        name: Slug `[a-z0-9][a-z0-9._-]{0,31}`, unique among the registered games.
        variants: Slugs of the parameter sets, the usual one first.
        min_players: Smallest number of players.
        max_players: Largest number of players.
        rules_version: Moves only when the behaviour of the rules does.
    """

    name: str
    variants: tuple[str, ...]
    min_players: int
    max_players: int
    rules_version: int

    @abstractmethod
    def initial_state(self, variant: str, players: int, chance: Chance, start: int = 0) -> State:
        """Return the first state of a match, after the first chance outcomes.

        Args:
            variant: One of `variants`.
            players: Number of seats.
            chance: Where the first deal comes from.
            start: The seat that is first in whatever rotates.

        Raises:
            UnknownVariant, BadPlayerCount, BadStart: There is no such match.
        """

    def player_counts(self, variant: str) -> tuple[int, ...]:
        """Return how many can play a variant, ascending; all of the game's numbers usually."""
        return tuple(range(self.min_players, self.max_players + 1))

    @property
    def phases(self) -> tuple[str, ...]:
        """The kinds of phases in which somebody decides, of all variants together."""
        return ()

    @property
    def ruleset(self) -> str:
        """The id of the component values that it is played with; "" if the rules are all."""
        return ""

    @property
    def ruleset_hash(self) -> str:
        """What those values are: other values have another hash, even under the same id."""
        return ""

    @property
    def ruleset_note(self) -> str:
        """What players should know of where those values come from; "" for nothing."""
        return ""

    def ruleset_json(self) -> str:
        """Return those values as a JSON object; "" if there are none."""
        return ""

    def hides(self, variant: str, observer: int | None) -> bool:
        """Return whether matches of a variant ever hide something from an observer.

        Declared, so that conformance can tell an honest `resample` from one that never
        varies anything.
        """
        return True

    def validate(self, variant: str, players: int, start: int = 0) -> None:
        """Raise unless a match with these parameters can exist.

        Raises:
            UnknownVariant, BadPlayerCount, BadStart: There is no such match.
        """
        if variant not in self.variants:
            raise UnknownVariant(self.name, variant, self.variants)
        if players not in self.player_counts(variant):
            raise BadPlayerCount(self.name, players, self.player_counts(variant))
        if not 0 <= start < players:
            raise BadStart(start, players)
