"""What a playthrough consists of, and how one is collected while a match is played."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from saurodrome.engine.chance import Chance, Draw, RecordingChance
from saurodrome.engine.game import Game, Outcome, State


class Choice(NamedTuple):
    """What one seat did in one step.

    Attributes:
        seat: The seat.
        action: The text of its action.
        note: Anything the recorder wants to keep with it, such as times; "" for nothing.
    """

    seat: int
    action: str
    note: str = ""


class Step(NamedTuple):
    """One `apply`: the choices that went in and the chance that followed.

    Attributes:
        choices: By seat, ascending.
        draws: In the order in which they were made.
    """

    choices: tuple[Choice, ...]
    draws: tuple[Draw, ...]


class Playthrough(NamedTuple):
    """One trajectory of one game.

    Attributes:
        game: Name of the game.
        variant: Name of the variant.
        rules_version: The version of the game's rules that it was played under.
        players: Number of seats.
        start: The seat that was first in whatever rotates.
        tags: Anything else worth keeping, as (key, value) in order; keys match
            `[a-z0-9][a-z0-9._-]*` and are unique, values are free text.
        setup: The draws of the initial state.
        steps: All steps from the initial state on.
        outcome: The result, or None if the match did not end by the rules.
    """

    game: str
    variant: str
    rules_version: int
    players: int
    start: int
    tags: tuple[tuple[str, str], ...]
    setup: tuple[Draw, ...]
    steps: tuple[Step, ...]
    outcome: Outcome | None


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long


class Recorder:
    """Plays one match and remembers it.

    Attributes:
        state: The current state.
    """

    def __init__(
        self,
        game: Game,
        variant: str,
        players: int,
        chance: Chance,
        start: int = 0,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        """Set up the match.

        Args:
            game: The rules.
            variant: Name of the variant.
            players: Number of seats.
            chance: Where the luck comes from.
            start: The seat that is first in whatever rotates.
            tags: See `Playthrough.tags`.

        Raises:
            UnknownVariant, BadPlayerCount, BadStart: There is no such match.
        """
        self._game = game
        self._chance = RecordingChance(chance)
        self.state: State = game.initial_state(variant, players, self._chance, start)
        self._head = (game.name, variant, game.rules_version, players, start)
        self._tags = dict(tags or {})
        self._setup = self._chance.take()
        self._steps: list[Step] = []

    def tag(self, key: str, value: str) -> None:
        """Set a tag, for what is known only later."""
        self._tags[key] = value

    def step(self, actions: Mapping[int, int], notes: Mapping[int, str] | None = None) -> State:
        """Apply actions and remember them.

        Args:
            actions: The action id of each decider.
            notes: A note by deciding seat, where there is one.

        Returns:
            The next state.

        Raises:
            WrongDeciders, IllegalAction: See `State.apply`; nothing is remembered then.
        """
        notes = notes or {}
        self._chance.take()  # what an earlier, failed step may have drawn
        after = self.state.apply(actions, self._chance)
        text = self.state.action_text
        choices = [
            _new(Choice, (seat, text(seat, actions[seat]), notes.get(seat, "")))
            for seat in sorted(actions)
        ]
        self._steps.append(_new(Step, (tuple(choices), self._chance.take())))
        self.state = after
        return after

    def playthrough(self) -> Playthrough:
        """Return what was played so far."""
        tags = tuple(self._tags.items())
        return Playthrough(*self._head, tags, self._setup, tuple(self._steps), self.state.outcome())
