"""What a server process is told at its start."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one server process.

    Attributes:
        data: The data directory; made if it is not there.
        host: The address that bots, organisers and browsers reach; loopback by default.
        bots_port: The gRPC port; 0 takes a free one.
        web_port: The port of pages, metrics and health; 0 takes a free one.
        tls_cert: A certificate chain in PEM form; with `tls_key`, gRPC speaks TLS.
        tls_key: The certificate's key.
        allow_plaintext: Serve other addresses than loopback without TLS (a proxy ends it).
        max_matches: Matches in flight at once, over all tournaments.
        log_level: The least level that is logged: debug, info, warning or error.
        log_console: Readable lines on standard error besides the log file.
    """

    data: Path
    host: str = "127.0.0.1"
    bots_port: int = 7741
    web_port: int = 7742
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allow_plaintext: bool = False
    max_matches: int = 256
    log_level: str = "info"
    log_console: bool = False
