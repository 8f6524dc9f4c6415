"""The folder `.saurodrome`: where the data of a server, tokens and dry runs lie."""

import json
import os
from pathlib import Path
from typing import NamedTuple

HOME = Path(".saurodrome")
"""In the current directory; the default data directory of a server, too."""


class RunningServer(NamedTuple):
    """What a server says of itself in its data directory while it runs."""

    pid: int
    host: str
    bots_port: int
    web_port: int
    started: float
    web_host: str = ""
    web_tls: bool = False

    @property
    def address(self) -> str:
        """Where bots and organisers connect."""
        return address(self.host, self.bots_port)

    @property
    def web(self) -> str:
        """The address of its pages, metrics and health."""
        return web_address(self.web_host or self.host, self.web_port, tls=self.web_tls)


def address(host: str, port: int) -> str:
    """Gives `host:port` as one types it: any address is reached on this machine, too."""
    if host in ("0.0.0.0", "::", "127.0.0.1", "::1", ""):
        host = "localhost"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def web_address(host: str, port: int, *, tls: bool) -> str:
    """Gives the address of pages as a browser takes it."""
    return f"{'https' if tls else 'http'}://{address(host, port)}"


def running_server(data: Path = HOME) -> RunningServer | None:
    """Reads which server runs on a data directory; None if none does."""
    try:
        said = json.loads((data / "serve.json").read_text())
        found = RunningServer(
            **{name: said[name] for name in RunningServer._fields if name in said}
        )
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


def set_aside(path: Path) -> Path | None:
    """Moves a token that is in the way, maybe that of another server; gives its new place."""
    if not path.exists():
        return None
    aside = path.with_name(f"{path.name}.old")
    path.replace(aside)
    return aside


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
