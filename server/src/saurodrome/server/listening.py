"""Ports: binding them, and saying why one cannot be had."""

import errno
import ipaddress
import socket

from saurodrome.server.config import Config
from saurodrome.server.errors import Kind, Refused


def bind(host: str, port: int, where: str) -> socket.socket:
    """A socket that is bound to an address, but does not listen yet; port 0 takes a free one.

    Args:
        host: An address or a name of this machine.
        port: The port.
        where: The setting that named it, for the refusal.

    Raises:
        Refused: PORT_IN_USE, PORT_FORBIDDEN or BAD_ADDRESS.
    """
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = infos[0]
        bound = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _bad_address(host, str(error)) from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        raise _refused(host, port, where, error) from None
    return bound


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone; a name is not, but `localhost`."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def plaintext_refused(config: Config) -> Refused | None:
    """Why a server without TLS may not serve its address; None if it may."""
    if config.allow_plaintext or is_loopback(config.host):
        return None
    return Refused(
        Kind.INVALID,
        "PLAINTEXT_REFUSED",
        f"{config.host} without TLS would send tokens in the clear.",
        "host",
        "set a TLS certificate and key, or allow plaintext behind a proxy that ends TLS",
    )


def port_in_use(port: int, where: str) -> Refused:
    """What is said when somebody else has a port."""
    return Refused(
        Kind.UNAVAILABLE,
        "PORT_IN_USE",
        f"Port {port} is taken by another program.",
        where,
        "stop it, or take another port; two servers never share one",
    )


def _refused(host: str, port: int, where: str, error: OSError) -> Refused:
    if error.errno == errno.EADDRINUSE:
        return port_in_use(port, where)
    if error.errno == errno.EACCES:
        return Refused(
            Kind.FORBIDDEN,
            "PORT_FORBIDDEN",
            f"This user may not open port {port}.",
            where,
            "take a port from 1024 on",
        )
    return _bad_address(host, str(error.strerror))


def _bad_address(host: str, reason: str) -> Refused:
    return Refused(
        Kind.INVALID,
        "BAD_ADDRESS",
        f"{host!a} is no address of this machine: {reason}.",
        "host",
        "use an address or a name of this machine, such as 127.0.0.1",
    )
