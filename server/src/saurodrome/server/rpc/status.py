"""Refusals as gRPC statuses: a code, a sentence, and ErrorInfo for programs."""

import asyncio
import secrets
from typing import Any, NoReturn

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from saurodrome.server.errors import Kind, Refused

DOMAIN = "saurodrome"
"""The domain of every ErrorInfo of this server."""
DETAILS_KEY = "grpc-status-details-bin"
"""The trailing metadata that carries the google.rpc.Status."""

_CODES = {
    Kind.INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Kind.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Kind.EXISTS: grpc.StatusCode.ALREADY_EXISTS,
    Kind.WRONG_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    Kind.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    Kind.FORBIDDEN: grpc.StatusCode.PERMISSION_DENIED,
    Kind.EXHAUSTED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Kind.SUPERSEDED: grpc.StatusCode.ABORTED,
    Kind.TIMEOUT: grpc.StatusCode.DEADLINE_EXCEEDED,
    Kind.UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
}
_MAX_CHARS = 300  # three texts twice, well below the 8 KiB of metadata that a client takes

Context = grpc.aio.ServicerContext[Any, Any]


async def abort(context: Context, refused: Refused) -> NoReturn:
    """Ends a call with what was refused."""
    await _abort(
        context, _CODES[refused.kind], refused.code, refused.what, refused.where, refused.do
    )


async def abort_internal(context: Context, incident: str) -> NoReturn:
    """Ends a call with INTERNAL; the incident's id is all that the peer learns."""
    await _abort(
        context,
        grpc.StatusCode.INTERNAL,
        "INTERNAL",
        f"The server made a mistake, id {incident}.",
        "",
        "give this id to the operator: it is in the server's log",
    )


def new_incident() -> str:
    """An id under which a mistake of the server is logged and told to the peer."""
    return secrets.token_hex(4)


async def _abort(
    context: Context, code: grpc.StatusCode, reason: str, what: str, where: str, do: str
) -> NoReturn:
    message = f"[{reason}] {what[:_MAX_CHARS]}"
    info = ErrorInfo(reason=reason, domain=DOMAIN)
    info.metadata["where"] = where[:_MAX_CHARS]
    info.metadata["do"] = do[:_MAX_CHARS]
    detail = AnyMessage()
    detail.Pack(info)
    number: int = code.value[0]
    status = Status(code=number, message=message, details=[detail])
    try:
        await context.abort(code, message, ((DETAILS_KEY, status.SerializeToString()),))
    except grpc.aio.InternalError:
        raise asyncio.CancelledError from None  # the peer is gone and hears nothing
