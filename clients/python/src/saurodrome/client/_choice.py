"""What `choose` may give, and what its answer comes to."""

from dataclasses import dataclass

from saurodrome.client._errors import BotFault
from saurodrome.client.games import LegalAction

NOTE_CHARS = 2_000
"""Characters of a note that every server takes."""


@dataclass(frozen=True, slots=True)
class Move:
    """An answer with a remark, which the match record keeps beside it.

    Attributes:
        action: One of ``d.legal_actions``, or its id.
        note: The remark; what is over the server's limit, 2,000 characters, is cut off.
    """

    action: LegalAction | int
    note: str = ""

    def __post_init__(self) -> None:
        """Checks the note.

        Raises:
            TypeError: It is no text.
        """
        if not isinstance(self.note, str):
            raise TypeError(f"the note of a Move is text, not {type(self.note).__name__}")


@dataclass(frozen=True, slots=True)
class Choice:
    """What `choose` answered, as it can be sent.

    Attributes:
        action_id: The id, legal or not; None if it gave none that fits into a reply.
        note: The author's remark.
        fault: What was wrong with the answer, if anything.
    """

    action_id: int | None
    note: str = ""
    fault: BotFault | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A choice and what it took.

    Attributes:
        choice: The choice.
        seconds: What `choose` took.
    """

    choice: Choice
    seconds: float
