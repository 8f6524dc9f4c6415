"""From a failed RPC to one of the client's errors: the one place where statuses are read."""

from dataclasses import dataclass
from typing import Any

from google.rpc import (  # type: ignore[import-untyped]  # it has stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)
from grpc import StatusCode, aio

from saurodrome.client._errors import (
    Refused,
    RequestError,
    ServerError,
    ServerTrouble,
    Unreachable,
)
from saurodrome.client._target import Target

DOMAIN = "saurodrome"
DETAILS_KEY = "grpc-status-details-bin"

# Reasons with which a stream ends for good: to come back would only repeat them.
_FINAL_REASONS = {"SUPERSEDED", "TAKEOVERS", "SURPLUS_FRAMES"}
_FINAL = {
    StatusCode.UNAUTHENTICATED,
    StatusCode.PERMISSION_DENIED,
    StatusCode.FAILED_PRECONDITION,
    StatusCode.INVALID_ARGUMENT,
    StatusCode.UNIMPLEMENTED,
    StatusCode.ABORTED,
}
_WRONG_REQUEST = {
    StatusCode.INVALID_ARGUMENT,
    StatusCode.NOT_FOUND,
    StatusCode.ALREADY_EXISTS,
    StatusCode.FAILED_PRECONDITION,
    StatusCode.OUT_OF_RANGE,
}
_NOT_LET_IN = {StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED}
_GONE = {StatusCode.UNAVAILABLE, StatusCode.CANCELLED, StatusCode.DEADLINE_EXCEEDED}


@dataclass(frozen=True, slots=True)
class Parts:
    """What an error says, before its class is known."""

    code: str
    what: str
    where: str
    do: str


def from_rpc_error(error: aio.AioRpcError, target: Target, *, stream: bool = False) -> ServerError:
    """Turns a failed call into an error with code, what, where and do.

    The server's own words are taken if it sent any; gRPC's core makes statuses without.

    Args:
        error: What the call raised.
        target: Whom it went to.
        stream: It was a bot's stream: statuses that blame a request mean "you cannot be here".
    """
    status = error.code()
    parts = _server_words(error, target) or _core_words(status, error.details() or "", target)
    kind = Refused if parts.code in _HOPELESS else _kind(status, stream)
    retry = status not in _FINAL | {StatusCode.NOT_FOUND, StatusCode.ALREADY_EXISTS}
    return kind(
        parts.code,
        parts.what,
        where=parts.where,
        do=parts.do,
        status=status.name,
        retry=retry and parts.code not in _FINAL_REASONS | _HOPELESS,
    )


def from_blocking_error(error: Any, target: Target) -> ServerError:
    """Turns a failed call of a channel without an event loop into an error, as the other does."""
    trailing = aio.Metadata(*(error.trailing_metadata() or ()))
    same = aio.AioRpcError(error.code(), aio.Metadata(), trailing, error.details())
    return from_rpc_error(same, target)


def _kind(status: StatusCode, stream: bool) -> type[ServerError]:
    if status in _GONE:
        return Unreachable
    if status in _NOT_LET_IN or (stream and status in _WRONG_REQUEST | _FINAL):
        return Refused
    if status in _WRONG_REQUEST:
        return RequestError
    if status in {StatusCode.RESOURCE_EXHAUSTED, StatusCode.ABORTED, StatusCode.UNIMPLEMENTED}:
        return Refused
    return ServerTrouble


def _server_words(error: aio.AioRpcError, target: Target) -> Parts | None:
    """Reads google.rpc.Status with ErrorInfo out of the trailing metadata."""
    details = dict(error.trailing_metadata() or ()).get(DETAILS_KEY)
    if not isinstance(details, bytes):
        return None
    status = status_pb2.Status.FromString(details)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details:
        if detail.Unpack(info) and info.domain == DOMAIN:
            where = info.metadata.get("where", "")
            words = status.message or error.details() or ""
            return Parts(
                info.reason,
                words.removeprefix(f"[{info.reason}] "),  # for those who read only the message
                "; ".join(filter(None, [where, _place(error.code(), target)])),
                info.metadata.get("do", ""),
            )
    return None


def _place(status: StatusCode, target: Target) -> str:
    if status in _NOT_LET_IN:
        return f"{target.token_name}; server {target.server}"
    return f"server {target.server}"


# Texts of gRPC's core that have one meaning; (part of the text, code, what, do).
_CORE_TEXTS = (
    (
        "Failed parsing HTTP/2",
        "WRONG_PORT",
        "{server} does not speak gRPC; it may be the port of the web pages.",
        "bots connect to port 7741 unless the operator chose another",
    ),
    (
        "CERTIFICATE_VERIFY_FAILED",
        "CERT_UNTRUSTED",
        "the certificate of {server} is not trusted.",
        "name the authority that signed it with --ca FILE",
    ),
    (
        "WRONG_VERSION_NUMBER",
        "TLS_NOT_SPOKEN",
        "{server} speaks plain text, the client TLS.",
        "leave --tls out, or use the port on which the server speaks TLS",
    ),
    (
        "larger than max",
        "FRAME_TOO_LARGE",
        "a frame was larger than the server takes: {details}.",
        "send frames of at most 64 KiB; open matches go on",
    ),
    (
        "Concurrent RPC limit",
        "SERVER_FULL",
        "the server has as many streams as it takes.",
        "wait, or ask the operator for room",
    ),
    (
        "Too many pings",
        "TOO_MANY_PINGS",
        "the server cut the connection for too many keepalive pings.",
        "ping at most every 10 s",
    ),
)
_HOPELESS = {"WRONG_PORT", "CERT_UNTRUSTED", "TLS_NOT_SPOKEN", "TLS_NEEDED"}
_CORE_STATUSES = {
    StatusCode.UNAUTHENTICATED: (
        "TOKEN_UNKNOWN",
        "the server does not know this token.",
        "register the bot, or: saurodrome bot token NAME --new; tokens of another server do"
        " not work here",
    ),
    StatusCode.UNIMPLEMENTED: (
        "WRONG_PORT",
        "{server} speaks gRPC, but is no server of bots: {details}",
        "check host and port; bots connect to 7741 unless the operator chose another",
    ),
    StatusCode.DEADLINE_EXCEEDED: (
        "NO_ANSWER",
        "{server} did not answer in time.",
        "try again; if it stays like that, see the server's log, or /healthz on its web port",
    ),
    StatusCode.ABORTED: (
        "SUPERSEDED",
        "another program took this bot's place.",
        "use one token a program; this one stops, since it would only fight",
    ),
}


def _core_words(status: StatusCode, details: str, target: Target) -> Parts:
    where = _where_found(status, target)
    for text, code, what, do in _CORE_TEXTS:
        if text in details:
            return Parts(code, what.format(server=target.server, details=details), where, do)
    if status in _CORE_STATUSES:
        code, what, do = _CORE_STATUSES[status]
        return Parts(code, what.format(server=target.server, details=details), where, do)
    if status in _GONE:
        return _unreachable(details, target, where)
    return Parts(
        status.name,
        f"the server ended the call: {details or 'no reason was given'}",
        where,
        "if it repeats, tell the operator",
    )


def _where_found(status: StatusCode, target: Target) -> str:
    if status in _NOT_LET_IN:
        return _place(status, target)
    return f"{target.server} from {target.server_from}"


def _unreachable(details: str, target: Target, where: str) -> Parts:
    do = "start it with: saurodrome serve; or check host, port and firewall"
    if "Connection refused" in details:
        return Parts(
            "UNREACHABLE", f"nothing answers at {target.server}: connection refused.", where, do
        )
    if "resolving" in details or "lookup failed" in details:
        return Parts("UNREACHABLE", f"no host is called {target.host}.", where, "check --server")
    if "failed to connect" in details:
        return Parts("UNREACHABLE", f"no connection to {target.server}: {details}", where, do)
    what = f"the connection to {target.server} was lost: {details or 'it ended'}"
    return Parts("UNREACHABLE", what, where, "if it repeats, ask the operator")
