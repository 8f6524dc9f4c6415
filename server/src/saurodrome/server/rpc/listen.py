"""Where the gRPC server listens: its port, and TLS or the refusal to do without."""

import ssl
from pathlib import Path

import grpc

from saurodrome.server.config import Config
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.listening import bind, is_loopback, port_in_use


def add_port(server: grpc.aio.Server, config: Config) -> int:
    """Binds the port that bots reach; gives its number.

    Raises:
        Refused: PLAINTEXT_REFUSED, CERT_BAD, PORT_IN_USE, PORT_FORBIDDEN or BAD_ADDRESS.
    """
    tls = credentials(config)
    # gRPC does not say why it cannot have a port, a socket does.
    bind(config.host, config.bots_port, "bots_port").close()
    host = f"[{config.host}]" if ":" in config.host else config.host
    address = f"{host}:{config.bots_port}"
    try:
        if tls is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, tls)
    except RuntimeError:
        raise port_in_use(config.bots_port, "bots_port") from None


def credentials(config: Config) -> grpc.ServerCredentials | None:
    """TLS as it is configured; None for plaintext where that is allowed.

    Raises:
        Refused: PLAINTEXT_REFUSED or CERT_BAD.
    """
    if config.tls_cert and config.tls_key:
        return _tls(config.tls_cert, config.tls_key)
    if config.tls_cert or config.tls_key:
        raise _bad_certificate("A certificate and a key belong together, one is missing.", "tls")
    if config.allow_plaintext or is_loopback(config.host):
        return None
    raise Refused(
        Kind.INVALID,
        "PLAINTEXT_REFUSED",
        f"{config.host} without TLS would send tokens in the clear.",
        "host",
        "set a TLS certificate and key, or allow plaintext behind a proxy that ends TLS",
    )


def _tls(cert: Path, key: Path) -> grpc.ServerCredentials:
    """Checks a pair first: gRPC would start with a broken one and refuse every client."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: b"")
        pair = (key.read_bytes(), cert.read_bytes())
    except ssl.SSLError as error:
        reason = error.reason or "they cannot be read"
        what = f"Certificate and key do not work: {reason}."
        raise _bad_certificate(what, f"{cert}, {key}") from None
    except OSError as error:
        what = f"A file of the certificate cannot be read: {error.strerror}."
        raise _bad_certificate(what, f"{cert}, {key}") from None
    return grpc.ssl_server_credentials([pair])


def _bad_certificate(what: str, where: str) -> Refused:
    return Refused(
        Kind.INVALID,
        "CERT_BAD",
        what,
        where,
        "give a certificate chain and its own unencrypted key, both in PEM form",
    )
