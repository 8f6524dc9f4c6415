"""What a phase is in which somebody decides."""

from collections.abc import Callable
from dataclasses import dataclass

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur.position import Position


@dataclass(frozen=True)
class Phase:
    """The rules of one kind of decision; positions and seats are those of a decider.

    Attributes:
        name: Its name.
        legal: Returns the ids of the legal actions, ascending.
        default: Returns the id that is played for a player who does not answer.
        act: Returns the position after a legal action, before anything automatic.
        text: Returns the text of a legal action.
        sealed: Whether all players decide in secret until the last has finished.
    """

    name: str
    legal: Callable[[Position, int], tuple[int, ...]]
    default: Callable[[Position, int], int]
    act: Callable[[Position, int, int, Chance], Position]
    text: Callable[[Position, int, int], str]
    sealed: bool = False
