"""The folder `.saurodrome`: where the data of a server, tokens and dry runs lie."""

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from saurodrome.client import InputError

HOME = Path(".saurodrome")
"""In the current directory; the default data directory of a server, too."""
DEFAULT_SERVER = "localhost:7741"


class RunningServer(NamedTuple):
    """What a server says of itself in its data directory while it runs."""

    pid: int
    host: str
    bots_port: int
    web_port: int
    started: float

    @property
    def address(self) -> str:
        """Where bots and organisers connect."""
        return address(self.host, self.bots_port)


def address(host: str, port: int) -> str:
    """Gives `host:port` as one types it: any address is reached on this machine, too."""
    if host in ("0.0.0.0", "::", "127.0.0.1", "::1", ""):
        host = "localhost"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def running_server(data: Path = HOME) -> RunningServer | None:
    """Reads which server runs on a data directory; None if none does."""
    try:
        said = json.loads((data / "serve.json").read_text())
        found = RunningServer(**{name: said[name] for name in RunningServer._fields})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if alive(found.pid) else None


def alive(pid: int) -> bool:
    """Tells whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def token_path(bot: str) -> Path:
    """Gives where a bot's token lies."""
    return HOME / f"{bot}.token"


def write_token(path: Path, token: str) -> None:
    """Writes a token into a file that only its owner can read; the old one is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{token}\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def read_token(path: Path, do: str) -> str:
    """Reads a token.

    Args:
        path: The file.
        do: What helps where it is missing.

    Raises:
        InputError: It cannot be read or is empty.
    """
    try:
        token = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        what = f"There is no token in {path} ({reason.lower()})."
        raise InputError("TOKEN_MISSING", what, do=do) from error
    if not token:
        raise InputError("TOKEN_MISSING", f"{path} is empty.", do=do)
    return token


def slug(path: Path) -> str:
    """Gives the name that a bot's file suggests: its stem, in the letters that names take."""
    name = re.sub(r"[^a-z0-9._-]+", "-", path.stem.lower()).strip("._-")[:32]
    return name or "bot"
