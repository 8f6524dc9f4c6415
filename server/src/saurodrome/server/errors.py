"""What the server refuses, as values that people and programs can act on."""

from enum import StrEnum


class Kind(StrEnum):
    """Classes of refusals; `rpc/errors.py` maps each to a gRPC status."""

    INVALID = "invalid"
    NOT_FOUND = "not_found"
    EXISTS = "exists"
    WRONG_STATE = "wrong_state"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    EXHAUSTED = "exhausted"
    SUPERSEDED = "superseded"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"


class Refused(Exception):
    """Something that a user asked for and does not get.

    Attributes:
        kind: The class of the refusal.
        code: The machine-readable reason, `UPPER_SNAKE`.
        what: What is wrong, a sentence.
        where: Where it is, as precisely as is known.
        do: What to do about it.
    """

    def __init__(self, kind: Kind, code: str, what: str, where: str = "", do: str = "") -> None:
        """Keeps the five parts."""
        super().__init__(f"[{code}] {what}")
        self.kind = kind
        self.code = code
        self.what = what
        self.where = where
        self.do = do

    def again(self) -> "Refused":
        """The same, to be raised where it was kept.

        An exception remembers every way that it was raised on, and with it all that was in use
        there: so one that is kept or shared is not raised itself.
        """
        return Refused(self.kind, self.code, self.what, self.where, self.do)
