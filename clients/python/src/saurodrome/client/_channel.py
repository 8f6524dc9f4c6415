"""gRPC channels to the server, with options that were tried together."""

import os
from collections.abc import Sequence
from pathlib import Path

import grpc
from grpc import aio

from saurodrome.client._errors import InputError
from saurodrome.client._target import Target

CONNECT_SECONDS = 5.0
"""How long one try to connect may take, handshakes included."""

OPTIONS: tuple[tuple[str, int], ...] = (
    # A frozen server is noticed within 15 s. The last of the three decides: without it, a
    # missing answer to a ping is noticed after 60 s only.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # In spite of its name, this is how long a try may take: with 200 ms, a channel that is made
    # for one try never connects over a link whose round trip takes 600 ms.
    ("grpc.min_reconnect_backoff_ms", int(CONNECT_SECONDS * 1000)),
    # Each channel connects at once, instead of waiting out the back-off of the one before.
    ("grpc.use_local_subchannel_pool", 1),
)
CERT_VARIABLE = "SAURODROME_CLIENT_CERT"
"""Where the certificate lies that this client shows, with TLS; most servers ask for none."""
KEY_VARIABLE = "SAURODROME_CLIENT_KEY"
"""Where its key lies."""
_NO_PROXY = (("grpc.enable_http_proxy", 0),)
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def open_channel(target: Target) -> aio.Channel:
    """Opens a channel in the running loop; nothing is connected before the first call.

    Raises:
        InputError: The file of certificates cannot be read.
    """
    options = _options(target)
    if not target.tls:
        return aio.insecure_channel(target.server, options=options)
    return aio.secure_channel(target.server, _credentials(target), options=options)


def open_blocking_channel(target: Target) -> grpc.Channel:
    """Opens a channel for a thread without an event loop.

    Raises:
        InputError: The file of certificates cannot be read.
    """
    options = _options(target)
    if not target.tls:
        return grpc.insecure_channel(target.server, options=options)
    return grpc.secure_channel(target.server, _credentials(target), options=options)


def _options(target: Target) -> list[tuple[str, int]]:
    # A proxy from the environment is for other machines.
    return [*OPTIONS, *(_NO_PROXY if target.host in _LOOPBACK else ())]


def _credentials(target: Target) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(
        _read(target.ca, "CA_MISSING", "give --ca a file with certificates in PEM form"),
        _own(KEY_VARIABLE),
        _own(CERT_VARIABLE),
    )


def _own(variable: str) -> bytes | None:
    """A file of this client's own certificate, which some servers ask for."""
    named = os.environ.get(variable)
    do = f"{CERT_VARIABLE} and {KEY_VARIABLE} name a certificate and its key in PEM form"
    return _read(Path(named) if named else None, "CERT_MISSING", do)


def _read(file: Path | None, code: str, do: str) -> bytes | None:
    try:
        return file.read_bytes() if file is not None else None
    except OSError as error:
        raise InputError(
            code,
            f"the file of certificates cannot be read: {error.strerror}.",
            where=str(file),
            do=do,
        ) from None


def metadata_of(target: Target) -> Sequence[tuple[str, str]]:
    """Gives the metadata that each call carries."""
    return (("authorization", f"Bearer {target.token}"),)
