"""The settings of one server process, as values."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one server process.

    Attributes:
        data: The data directory; made if it is not there.
        host: The address that bots, organisers and browsers reach; loopback by default.
        web_host: The address of pages, metrics and health; None: the same.
        bots_port: The gRPC port; 0 takes a free one.
        web_port: The port of pages, metrics and health; 0 takes a free one.
        tls_cert: A certificate chain in PEM form; with `tls_key`, gRPC speaks TLS.
        tls_key: The certificate's key.
        tls_web: Pages, metrics and health speak TLS as well, if gRPC does.
        tls_client_ca: Certificates of authorities; every client must show a certificate of one
            of them that bears the name of its token's holder.
        allow_plaintext: Serve other addresses than loopback without TLS (a proxy ends it).
        max_matches: Matches in flight at once, over all tournaments.
        drain: Seconds that matches in flight may take to end after a stop.
        records_days: Days that match records are kept after their tournament ended; 0: always.
        house: The bots that the server brings along, by comma; `none` for none.
        log_level: The least level that is logged: debug, info, warning or error.
        log_console: Readable lines on standard error besides the log file.
    """

    data: Path
    host: str = "127.0.0.1"
    bots_port: int = 7741
    web_port: int = 7742
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_client_ca: Path | None = None
    allow_plaintext: bool = False
    max_matches: int = 256
    drain: float = 2.0
    records_days: int = 0
    house: str = "greedy,random"
    log_level: str = "info"
    log_console: bool = False
    web_host: str | None = None
    tls_web: bool = True
