"""The server's certificate: read and checked, and read again when its files are renewed."""

import calendar
import re
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from saurodrome.server.config import Config
from saurodrome.server.errors import Kind, Refused

_PEM = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_VERSION, _UTC_TIME = 0xA0, 0x17  # tags of DER


class Certificate(NamedTuple):
    """A pair that works, as it was read.

    Attributes:
        chain: The certificate and those between it and its authority, PEM.
        key: Its key, PEM.
        client_ca: The authorities of clients' certificates, PEM; None where clients need none.
        ends: When it, or one between, ends first; Unix seconds.
    """

    chain: bytes
    key: bytes
    client_ca: bytes | None
    ends: float


class Certificates:
    """The certificate that is served now; `look` takes up a renewed one."""

    def __init__(self, cert: Path, key: Path, client_ca: Path | None = None) -> None:
        """Reads the files.

        Raises:
            Refused: CERT_BAD.
        """
        self._files = (cert, key, client_ca)
        self._seen = self._stamp()
        self.current = read(cert, key, client_ca)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        """For servers that take one; it has the present pair for every new handshake."""
        self.context.load_cert_chain(cert, key)

    @property
    def ends(self) -> float:
        """When the present one ends; Unix seconds."""
        return self.current.ends

    def look(self) -> bool:
        """Reads the files again if they changed; tells whether another pair is served now.

        A pair that does not work is looked at once, and the present one stays.

        Raises:
            Refused: CERT_BAD: what is there now does not work.
        """
        seen = self._stamp()
        if seen == self._seen:
            return False
        self._seen = seen
        renewed = read(*self._files)
        changed, self.current = renewed != self.current, renewed
        self.context.load_cert_chain(*self._files[:2])
        return changed

    def _stamp(self) -> tuple[tuple[int, int, int] | None, ...]:
        """What tells two states of the files apart; a link's target counts, not the link."""
        return tuple(_stamp_of(path) for path in self._files if path is not None)


def certificates(config: Config) -> Certificates | None:
    """The certificate that a server is to have; None if it has none.

    Raises:
        Refused: CERT_BAD: a file is missing or does not work.
    """
    if config.tls_cert and config.tls_key:
        return Certificates(config.tls_cert, config.tls_key, config.tls_client_ca)
    if config.tls_cert or config.tls_key or config.tls_client_ca:
        where = "tls_key" if config.tls_cert else "tls_cert"
        raise _bad("A certificate and a key belong together, one is missing.", where)
    return None


def read(cert: Path, key: Path, client_ca: Path | None = None) -> Certificate:
    """Reads a pair and checks it: gRPC would start with a broken one and refuse every client.

    Raises:
        Refused: CERT_BAD.
    """
    files = f"{cert}, {key}"
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: b"")
        chain, secret = cert.read_bytes(), key.read_bytes()
        authorities = client_ca.read_bytes() if client_ca else None
        if authorities is not None:
            files = str(client_ca)
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(
                cadata=authorities.decode("ascii", "replace")
            )
    except ssl.SSLError as error:
        reason = error.reason or "they cannot be read"
        raise _bad(f"Certificate and key do not work: {reason}.", files) from None
    except OSError as error:
        what = f"A file of the certificate cannot be read: {error.strerror}."
        raise _bad(what, str(error.filename or files)) from None
    return Certificate(chain, secret, authorities, min(_ends(chain)))


def _stamp_of(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _ends(chain: bytes) -> Iterator[float]:
    for pem in _PEM.findall(chain):
        yield _end(ssl.PEM_cert_to_DER_cert(pem.decode("ascii")))


def _end(der: bytes) -> float:
    """When a certificate ends; RFC 5280, section 4.1: version, serial, algorithm, issuer, dates."""
    _, start, _ = _element(der, 0)
    _, at, _ = _element(der, start)
    if der[at] == _VERSION:
        at = _element(der, at)[2]
    for _ in range(3):
        at = _element(der, at)[2]
    _, dates, _ = _element(der, at)
    tag, start, end = _element(der, _element(der, dates)[2])
    text = der[start:end].decode("ascii")
    if tag == _UTC_TIME:  # its years are those from 1950 to 2049
        text = f"{19 if text[:2] >= '50' else 20}{text}"
    return float(calendar.timegm(time.strptime(text, "%Y%m%d%H%M%SZ")))


def _element(der: bytes, at: int) -> tuple[int, int, int]:
    """Tag, start and end of the content of the element at a place."""
    length, start = der[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7F
        length, start = int.from_bytes(der[start : start + size]), start + size
    return der[at], start, start + length


def _bad(what: str, where: str) -> Refused:
    return Refused(
        Kind.INVALID,
        "CERT_BAD",
        what,
        where,
        "give a certificate chain and its own unencrypted key, both in PEM form",
    )
