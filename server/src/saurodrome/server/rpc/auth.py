"""Who calls: bearer tokens in the metadata, and which service needs whose."""

from collections.abc import Mapping
from enum import StrEnum

from saurodrome.server.contracts import Directory
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc.status import Context

_SCHEME = "Bearer "


class Role(StrEnum):
    """Whose token a service needs."""

    PUBLIC = "public"
    BOT = "bot"
    ADMIN = "admin"


class Authenticator:
    """Checks the tokens of calls. Whatever is wrong with one, the answer is the same."""

    def __init__(self, directory: Directory, roles: Mapping[str, Role]) -> None:
        """Takes who is known, and the role by full service name; a service without one is shut."""
        self._directory = directory
        self._roles = roles

    def role(self, service: str) -> Role | None:
        """The role that a service needs; None if nobody may call it."""
        return self._roles.get(service)

    def check(self, role: Role, context: Context) -> None:
        """Lets a call pass if its token has the role.

        Raises:
            Refused: TOKEN_UNKNOWN, WRONG_ROLE.
        """
        if role is Role.BOT:
            self.bot(context)
        elif role is Role.ADMIN:
            self._admin(context)

    def bot(self, context: Context) -> str:
        """The name of the bot that calls.

        Raises:
            Refused: TOKEN_UNKNOWN, WRONG_ROLE.
        """
        token = _bearer(context)
        bot = self._directory.bot_of(token)
        if bot is not None:
            return bot
        raise _wrong_role(Role.BOT) if self._directory.is_admin(token) else _unknown()

    def _admin(self, context: Context) -> None:
        token = _bearer(context)
        if not self._directory.is_admin(token):
            known = self._directory.bot_of(token) is not None
            raise _wrong_role(Role.ADMIN) if known else _unknown()


def _bearer(context: Context) -> str:
    """The token of a call; two would be ambiguous, so exactly one is."""
    metadata = context.invocation_metadata() or ()
    values = [value for key, value in metadata if key == "authorization"]
    if len(values) == 1 and isinstance(values[0], str) and values[0].startswith(_SCHEME):
        return values[0][len(_SCHEME) :]
    raise _unknown()


def _unknown() -> Refused:
    return Refused(
        Kind.UNAUTHENTICATED,
        "TOKEN_UNKNOWN",
        "The server does not know this token.",
        "metadata `authorization: Bearer TOKEN`",
        "send exactly one token that this server issued; tokens of other servers do not work",
    )


def _wrong_role(needed: Role) -> Refused:
    return Refused(
        Kind.FORBIDDEN,
        "WRONG_ROLE",
        f"This call needs a token of the role {needed}.",
        "metadata `authorization: Bearer TOKEN`",
        "bots play with a bot's token, organisers work with the admin token",
    )
