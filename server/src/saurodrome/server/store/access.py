"""Records of who may do what, and of what they asked for. Times are Unix seconds."""

from enum import StrEnum
from typing import NamedTuple

Place = tuple[str, int]
"""A place in the log of results: tournament and position."""


class Role(StrEnum):
    """What the holder of a token may do."""

    ADMIN = "admin"
    ORGANISER = "organiser"
    AUTHOR = "author"
    BOT = "bot"
    SPECTATOR = "spectator"


class NewToken(NamedTuple):
    """A token to keep: its public part and its digest; the token itself is never stored.

    `expires` is None for one that does not end by itself.
    """

    token_id: str
    digest: bytes
    role: Role
    holder: str
    issued: float
    expires: float | None
    issuer: str


class Token(NamedTuple):
    """A token; `number` counts from 1 in the order of issue, `revoked` is None while it lives."""

    number: int
    token_id: str
    digest: bytes
    role: Role
    holder: str
    issued: float
    expires: float | None
    issuer: str
    revoked: float | None = None


class NewAct(NamedTuple):
    """Something that is asked for: by whom, with which token, what, and what about."""

    when: float
    who: str
    role: Role
    token_id: str
    act: str
    subject: str


class Act(NamedTuple):
    """One entry of the audit log; `outcome` is None while it is not known."""

    number: int
    when: float
    who: str
    role: Role
    token_id: str
    act: str
    subject: str
    outcome: str | None = None
