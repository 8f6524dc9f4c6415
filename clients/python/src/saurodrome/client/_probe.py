"""Looks into a first connection that failed: what is there, if it is not what was expected."""

import asyncio
import json
import re
import ssl
from contextlib import suppress

from saurodrome.client._errors import Refused, ServerError
from saurodrome.client._target import Target

PROBE_SECONDS = 2.0
"""How long a look may take."""
_MOST_BYTES = 65_536


async def explain(error: ServerError, target: Target) -> ServerError:
    """Finds out more about a failure, of which gRPC's core says little.

    Args:
        error: The failure.
        target: Whom the call went to.

    Returns:
        An error that says more, or the same one.
    """
    if target.tls or error.status != "UNAVAILABLE":
        return error
    if error.code == "WRONG_PORT":
        return await _ask_web_port(error, target)
    if error.code == "UNREACHABLE" and "refused" not in error.what:
        return await _try_tls(error, target)
    return error


async def _ask_web_port(error: ServerError, target: Target) -> ServerError:
    """Asks for the right port where the web pages of a server are, which tell it in /healthz."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            health = json.loads(await _get(target, "/healthz"))
    except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, RecursionError):
        return error
    port = health.get("bots_port") if isinstance(health, dict) else None
    if type(port) is not int or not 0 < port < 65536:
        return error
    host = target.server.rpartition(":")[0]
    return Refused(
        error.code,
        f"{target.server} has the web pages of the server; bots and organisers use port {port}.",
        where=error.where,
        do=f"name {host}:{port} as the server (--server, server= or SAURODROME_SERVER)",
        status=error.status,
    )


async def _get(target: Target, path: str) -> bytes:
    """Gets a page of known length over HTTP.

    Raises:
        OSError: Nothing answers.
        ValueError: It is no such page.
        IncompleteReadError: It ended early.
    """
    reader, writer = await asyncio.open_connection(target.host, target.port, limit=_MOST_BYTES)
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: {target.server}\r\n\r\n".encode())
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise ValueError("its head is too long") from None
        length = re.search(rb"(?i)\r\ncontent-length: *(\d{1,5})\r\n", head)
        if length is None:
            raise ValueError("its length is unknown, or too much")
        return await reader.readexactly(int(length[1]))
    finally:
        await _close(writer)


async def _try_tls(error: ServerError, target: Target) -> ServerError:
    """Finds out whether a server that hung up wants TLS; gRPC's core only says "closed"."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            _, writer = await asyncio.open_connection(target.host, target.port, ssl=context)
    except (OSError, TimeoutError):
        return error
    await _close(writer)
    return Refused(
        "TLS_NEEDED",
        "the server wants TLS, the client spoke plain text.",
        where=error.where,
        do="add --tls (an own authority: --ca FILE)",
        status=error.status,
    )


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
