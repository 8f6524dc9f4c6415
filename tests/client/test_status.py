"""From gRPC statuses to errors: the server's own words, and what gRPC's core says without it."""

import pytest
from grpc import StatusCode, aio

from saurodrome.client import Refused, RequestError, ServerError, ServerTrouble, Unreachable
from saurodrome.client._status import DETAILS_KEY, from_rpc_error
from saurodrome.client._target import Found, Target
from saurodrome.client.testing._arbiter import status_details

TARGET = Target.of(
    Found("arena:7741", "--server"), Found("srd_bot_k3f9_secret", "SAURODROME_TOKEN")
)


def failed(code: StatusCode, details: str = "", rich: bytes = b"") -> aio.AioRpcError:
    trailing = aio.Metadata((DETAILS_KEY, rich)) if rich else aio.Metadata()
    return aio.AioRpcError(code, aio.Metadata(), trailing, details)


def test_the_servers_words_are_taken() -> None:
    code, words = StatusCode.FAILED_PRECONDITION, "first frame was reply."
    rich = status_details(code, "HELLO_FIRST", words, "stream 4", "say hello")

    error = from_rpc_error(failed(code, "plain", rich), TARGET, stream=True)

    assert error.as_dict() == {
        "code": "HELLO_FIRST",
        "what": "first frame was reply.",
        "where": "stream 4; server arena:7741",
        "do": "say hello",
    }


def test_a_reason_that_the_message_repeats_is_told_once() -> None:
    rich = status_details(StatusCode.NOT_FOUND, "UNKNOWN_BOT", "[UNKNOWN_BOT] no bot rex.", "", "")

    error = from_rpc_error(failed(StatusCode.NOT_FOUND, "", rich), TARGET)

    assert error.format().splitlines()[0] == "error[UNKNOWN_BOT] no bot rex."


def test_an_unknown_token_is_named_by_its_public_part_and_source() -> None:
    rich = status_details(StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "no.", "", "")

    error = from_rpc_error(failed(StatusCode.UNAUTHENTICATED, "no.", rich), TARGET)

    assert isinstance(error, Refused)
    assert error.where == "token k3f9 from SAURODROME_TOKEN; server arena:7741"
    assert "secret" not in error.format()


def test_details_of_another_domain_are_not_ours() -> None:
    rich = status_details(StatusCode.NOT_FOUND, "X", "theirs", "", "").replace(
        b"saurodrome", b"othersorts"
    )

    error = from_rpc_error(failed(StatusCode.NOT_FOUND, "plain words", rich), TARGET)

    assert error.code == "NOT_FOUND"
    assert "plain words" in error.what


@pytest.mark.parametrize(
    ("code", "details", "reason"),
    [
        (StatusCode.UNAVAILABLE, "failed to connect: Connection refused", "UNREACHABLE"),
        (StatusCode.UNAVAILABLE, "errors resolving arena:7741: lookup failed", "UNREACHABLE"),
        (StatusCode.UNAVAILABLE, "Socket closed", "UNREACHABLE"),
        (StatusCode.UNAVAILABLE, "Failed parsing HTTP/2 (Expected SETTINGS)", "WRONG_PORT"),
        (StatusCode.UNAVAILABLE, "SSL: CERTIFICATE_VERIFY_FAILED: self signed", "CERT_UNTRUSTED"),
        (StatusCode.UNAVAILABLE, "SSL routines: WRONG_VERSION_NUMBER", "TLS_NOT_SPOKEN"),
        (StatusCode.UNAVAILABLE, "Too many pings", "TOO_MANY_PINGS"),
        (StatusCode.UNIMPLEMENTED, "Method not found!", "WRONG_PORT"),
        (StatusCode.RESOURCE_EXHAUSTED, "Received message larger than max", "FRAME_TOO_LARGE"),
        (StatusCode.RESOURCE_EXHAUSTED, "Concurrent RPC limit exceeded!", "SERVER_FULL"),
        (StatusCode.UNAUTHENTICATED, "", "TOKEN_UNKNOWN"),
        (StatusCode.ABORTED, "", "SUPERSEDED"),
        (StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded", "NO_ANSWER"),
        (StatusCode.CANCELLED, "CANCELLED", "UNREACHABLE"),
        (StatusCode.INTERNAL, "RST_STREAM", "INTERNAL"),
    ],
)
def test_a_status_of_grpcs_core_gets_a_reason(code: StatusCode, details: str, reason: str) -> None:
    error = from_rpc_error(failed(code, details), TARGET, stream=True)

    assert error.code == reason
    assert error.status == code.name
    assert error.what
    assert error.where


def test_a_server_that_does_not_answer_is_looked_at_where_it_tells_of_itself() -> None:
    error = from_rpc_error(failed(StatusCode.DEADLINE_EXCEEDED), TARGET)

    assert "the server's log" in error.do
    assert "/healthz" in error.do


def rich_of(code: StatusCode, reason: str) -> ServerError:
    rich = status_details(code, reason, "what.", "", "") if reason else b""
    return from_rpc_error(failed(code, "what.", rich), TARGET, stream=True)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (StatusCode.ABORTED, "SUPERSEDED"),
        (StatusCode.ABORTED, ""),
        (StatusCode.RESOURCE_EXHAUSTED, "TAKEOVERS"),
        (StatusCode.RESOURCE_EXHAUSTED, "SURPLUS_FRAMES"),
        (StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED"),
        (StatusCode.PERMISSION_DENIED, "NOT_A_BOT"),
        (StatusCode.FAILED_PRECONDITION, "HELLO_TWICE"),
        (StatusCode.INVALID_ARGUMENT, "MALFORMED"),
        (StatusCode.UNIMPLEMENTED, ""),
    ],
)
def test_a_stream_that_is_refused_is_not_tried_again(code: StatusCode, reason: str) -> None:
    error = rich_of(code, reason)

    assert isinstance(error, Refused)
    assert not error.retry


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (StatusCode.UNAVAILABLE, "DRAINING"),
        (StatusCode.UNAVAILABLE, ""),
        (StatusCode.CANCELLED, ""),
        (StatusCode.INTERNAL, ""),
        (StatusCode.UNKNOWN, ""),
        (StatusCode.DEADLINE_EXCEEDED, "HELLO_TIMEOUT"),
        (StatusCode.RESOURCE_EXHAUSTED, "FRAME_TOO_LARGE"),
        (StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER"),
    ],
)
def test_a_stream_that_broke_is_tried_again(code: StatusCode, reason: str) -> None:
    assert rich_of(code, reason).retry


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (StatusCode.INVALID_ARGUMENT, RequestError),
        (StatusCode.NOT_FOUND, RequestError),
        (StatusCode.ALREADY_EXISTS, RequestError),
        (StatusCode.FAILED_PRECONDITION, RequestError),
        (StatusCode.UNAUTHENTICATED, Refused),
        (StatusCode.PERMISSION_DENIED, Refused),
        (StatusCode.RESOURCE_EXHAUSTED, Refused),
        (StatusCode.UNAVAILABLE, Unreachable),
        (StatusCode.DEADLINE_EXCEEDED, Unreachable),
        (StatusCode.INTERNAL, ServerTrouble),
        (StatusCode.UNKNOWN, ServerTrouble),
    ],
)
def test_a_request_that_failed_has_its_class(code: StatusCode, kind: type[ServerError]) -> None:
    assert type(from_rpc_error(failed(code), TARGET)) is kind
