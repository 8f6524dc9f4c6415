"""Which server, and with which token: from arguments, the environment or files."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from saurodrome.client._errors import InputError

DEFAULT_SERVER = "localhost:7741"
DEFAULT_PORT = 7741
_TOKEN = re.compile(r"srd_[a-z]+_([a-z0-9]+)_")


@dataclass(frozen=True, slots=True)
class Target:
    """A server and how to get in.

    Attributes:
        server: ``host:port``.
        server_from: Where the address was found, for people.
        token: The bearer token.
        token_from: Where the token was found, for people; never the token.
        tls: Speak TLS.
        ca: A file with the certificates to trust, with TLS; None means the system's.
    """

    server: str
    server_from: str
    token: str = field(repr=False)
    token_from: str
    tls: bool = False
    ca: Path | None = None

    @classmethod
    def of(
        cls, server: "Found", token: "Found", *, tls: bool = False, ca: str | Path | None = None
    ) -> "Target":
        """Puts a target together; a file of certificates means TLS."""
        return cls(
            server.value,
            server.where,
            token.value,
            token.where,
            tls or ca is not None,
            Path(ca) if ca is not None else None,
        )

    @property
    def token_name(self) -> str:
        """The token's public part and where it was found; the token itself is never shown."""
        match = _TOKEN.match(self.token)
        return f"token {match[1]} from {self.token_from}" if match else self.token_from

    @property
    def port(self) -> int:
        """The port of the address."""
        return int(self.server.rpartition(":")[2])

    @property
    def host(self) -> str:
        """The host of the address, without the brackets of an IPv6 one."""
        return self.server.rpartition(":")[0].strip("[]")


@dataclass(frozen=True, slots=True)
class Found:
    """A setting and where it was found."""

    value: str
    where: str


def find_server(server: str | None, where: str = "--server or server=") -> Found:
    """Finds the address: the argument, else ``SAURODROME_SERVER``, else the default.

    Raises:
        InputError: It is no address.
    """
    if server is not None:
        return Found(_address(server, where), where)
    if named := os.environ.get("SAURODROME_SERVER"):
        return Found(_address(named, "SAURODROME_SERVER"), "SAURODROME_SERVER")
    return Found(DEFAULT_SERVER, "the default")


def _address(text: str, where: str) -> str:
    match = re.fullmatch(r"(\[[0-9a-fA-F:.%]+\]|[^\s:/@\[\]]+)(?::(\d{1,5}))?", text.strip())
    port = int(match[2] or DEFAULT_PORT) if match else 0
    if match is None or not 0 < port < 65536:
        raise InputError(
            "BAD_SERVER",
            f"{text!r} is no address of a server.",
            where=where,
            do=f"write host:port, such as {DEFAULT_SERVER}; no scheme, no path",
        )
    return f"{match[1]}:{port}"


def find_token(
    token: str | None,
    token_file: str | Path | None,
    files: Iterable[Path],
    do: str,
    variables: Sequence[str] = ("SAURODROME_TOKEN",),
) -> Found:
    """Finds the token: argument, file named, environment, or the first usual file.

    Args:
        token: The token, if given directly.
        token_file: A file that must hold it, if named.
        files: Files that may hold it.
        do: What helps if there is none.
        variables: Environment variables that may hold it, the first that is set counts.

    Raises:
        InputError: There is none, or it cannot be one.
    """
    if token is not None:
        return _checked(token, "token=", do)
    if token_file is not None:
        return _checked(_read(Path(token_file), do), str(token_file), do)
    for variable in variables:
        if named := os.environ.get(variable):
            return _checked(named, variable, do)
    looked = list(dict.fromkeys(files))
    for path in looked:
        if path.is_file():
            return _checked(_read(path, do), str(path), do)
    places = ", ".join(["--token-file", *variables, *map(str, looked)])
    raise InputError("TOKEN_MISSING", "no token was found.", where=f"looked at {places}", do=do)


def _read(path: Path, do: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise InputError(
            "TOKEN_MISSING", f"the token file cannot be read: {reason}.", where=str(path), do=do
        ) from None


def _checked(text: str, where: str, do: str) -> Found:
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        what = "the token is empty." if not token else "this is no token: it is one ASCII word."
        raise InputError("TOKEN_MALFORMED", what, where=where, do=do)
    return Found(token, where)
