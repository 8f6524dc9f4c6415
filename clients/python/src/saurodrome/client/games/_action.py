"""What the actions of all games have in common."""

from typing import TYPE_CHECKING, Any


class LegalAction:
    """An action that is allowed now; what else it has says the module of its game.

    Attributes:
        id: What to return from ``choose``.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def id(self) -> int:
            """What to return from ``choose``."""

        def __getattr__(self, name: str) -> Any:
            """Gives what actions of the game have besides."""
