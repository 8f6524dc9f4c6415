"""Who calls: bearer tokens in the metadata, and which method is for whom."""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import partial

from saurodrome.server.contracts import Caller, Directory
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc.live import Live
from saurodrome.server.rpc.status import Context
from saurodrome.server.store.access import Role

Roles = frozenset[Role]
PUBLIC: Roles = frozenset()
"""A service that needs no token."""

_SCHEME = "Bearer "
_CALLER: ContextVar[Caller] = ContextVar("caller")


def asking() -> Caller | None:
    """Who asks for what is done in this task; None outside of calls that need a token."""
    return _CALLER.get(None)


class Authenticator:
    """Checks the tokens of calls. Whatever is wrong with one, the answer is the same."""

    def __init__(
        self, directory: Directory, allowed: Mapping[str, Roles], *, by_certificate: bool = False
    ) -> None:
        """Takes who is known, and who may call what.

        Args:
            directory: Knows whose a token is.
            allowed: Roles by full service name, or by Service/Method where a method differs from
                its service; `PUBLIC` asks for no token. What is not named is shut.
            by_certificate: The client's certificate must bear the name of the token's holder.
        """
        self.directory = directory
        self._allowed = allowed
        self._by_certificate = by_certificate
        self.live = Live(directory.ended)
        """The calls that go on, each to be ended with its token."""

    def is_public(self, method: str) -> bool:
        """Whether a method, `/Service/Method`, needs no token."""
        return self._roles(method) == PUBLIC

    def check(self, method: str, context: Context) -> Caller:
        """Lets a call pass if its token has a role that may make it; gives who calls.

        Raises:
            Refused: SHUT, TOKEN_UNKNOWN, WRONG_ROLE.
        """
        roles = self._roles(method)
        if roles is None:
            raise Refused(Kind.FORBIDDEN, "SHUT", "Nobody may call this.", method)
        caller = self.caller(context)
        if caller.role not in roles:
            raise _wrong_role(roles)
        _CALLER.set(caller)
        return caller

    def caller(self, context: Context) -> Caller:
        """Who calls.

        Raises:
            Refused: TOKEN_UNKNOWN, CERT_MISMATCH.
        """
        caller = self.directory.who(_bearer(context))
        if caller is None:
            raise _unknown()
        if self._by_certificate and caller.name not in _certified(context):
            raise _MISMATCH()
        return caller

    def _roles(self, method: str) -> Roles | None:
        name = method.removeprefix("/")
        return self._allowed.get(name, self._allowed.get(name.partition("/")[0]))


def _bearer(context: Context) -> str:
    """The token of a call; two would be ambiguous, so exactly one is."""
    metadata = context.invocation_metadata() or ()
    values = [value for key, value in metadata if key == "authorization"]
    if len(values) == 1 and isinstance(values[0], str) and values[0].startswith(_SCHEME):
        return values[0][len(_SCHEME) :]
    raise _unknown()


def _certified(context: Context) -> set[str]:
    """The names in the client's certificate: its common name and its alternative ones."""
    shown = context.auth_context()
    names = (*shown.get("x509_common_name", ()), *shown.get("x509_subject_alternative_name", ()))
    return {name.decode("utf-8", "replace") for name in names}


def _unknown() -> Refused:
    return Refused(
        Kind.UNAUTHENTICATED,
        "TOKEN_UNKNOWN",
        "The server does not know this token.",
        "metadata `authorization: Bearer TOKEN`",
        "send exactly one token that this server issued and that has neither expired nor been"
        " revoked",
    )


_MISMATCH = partial(
    Refused,
    Kind.UNAUTHENTICATED,
    "CERT_MISMATCH",
    "The client's certificate is not that of the token's holder.",
    "the client's certificate",
    "use a certificate whose common name or alternative name is the holder's name",
)


def _wrong_role(allowed: Roles) -> Refused:
    return Refused(
        Kind.FORBIDDEN,
        "WRONG_ROLE",
        f"This call needs a token of the role {' or '.join(sorted(allowed))}.",
        "metadata `authorization: Bearer TOKEN`",
        "bots play with a bot's token; for others an administrator issues one:"
        " saurodrome token issue",
    )
