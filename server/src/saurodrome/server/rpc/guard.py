"""The outermost wrapper of every call: who may, malformed requests, and what a peer is told."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, TypeAlias

import grpc
import structlog

from saurodrome.server.contracts import Caller
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.observer import Observer
from saurodrome.server.rpc import malformed
from saurodrome.server.rpc.auth import Authenticator
from saurodrome.server.rpc.budgets import Budgets
from saurodrome.server.rpc.malformed import Malformed
from saurodrome.server.rpc.status import Context, abort, abort_internal, new_incident
from saurodrome.server.store.interface import StoreTrouble

MAX_PUBLIC_CALLS = 32
"""Calls at once to services that need no token; health and reflection keep streams open."""

_log = structlog.get_logger("saurodrome.rpc")

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Found: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"
Behaviour = Callable[[Any, Context], Any]


class Guard(grpc.aio.ServerInterceptor):
    """Rebuilds every handler so that it checks the token and leaks nothing.

    gRPC tells a peer the text of any exception; here a `Refused` becomes its status, trouble of
    the store UNAVAILABLE, and anything else INTERNAL with an id that is found in the log.
    """

    def __init__(self, authenticator: Authenticator, observer: Observer) -> None:
        """Takes who may, and who hears of refusals."""
        self._authenticator = authenticator
        self._observer = observer
        self._budgets = Budgets()
        self._public_calls = 0

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Found]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Found:
        """Wraps the handler of a call; an unknown method stays UNIMPLEMENTED."""
        handler = await continuation(handler_call_details)
        return handler and self._rebuild(handler, handler_call_details.method)

    def _rebuild(self, handler: Handler, method: str) -> Handler:
        kind = (
            f"{'stream' if handler.request_streaming else 'unary'}"
            f"_{'stream' if handler.response_streaming else 'unary'}"
        )
        guarded = self._guarded(getattr(handler, kind), method, handler.request_streaming)
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        deserializer = handler.request_deserializer
        rebuilt: Handler = make(
            guarded,
            request_deserializer=malformed.tolerant(deserializer) if deserializer else None,
            response_serializer=handler.response_serializer,
        )
        return rebuilt

    def _guarded(self, behaviour: Behaviour, method: str, streaming: bool) -> Behaviour:
        async def call(request: Any, context: Context) -> Any:
            try:
                with self._admission(method, context):
                    return await _run(behaviour, _checked(request, method, streaming), context)
            except Refused as refused:
                self._observer.session_refused(refused.code)
                await abort(context, refused)
            except StoreTrouble as trouble:
                self._observer.session_refused(trouble.code)
                _log.warning("store trouble", code=trouble.code, method=method, what=str(trouble))
                await abort(context, _unstored(trouble.code, method))
            except grpc.aio.AbortError:
                raise
            except grpc.aio.BaseError:
                raise asyncio.CancelledError from None  # a write failed: the peer is gone
            except Exception:
                incident = new_incident()
                _log.exception("internal error", incident=incident, method=method)
                await abort_internal(context, incident)

        return call

    @contextmanager
    def _admission(self, method: str, context: Context) -> Iterator[None]:
        if not self._authenticator.is_public(method):
            with self._budgets.call(self._caller(method, context), method):
                yield
            return
        if self._public_calls >= MAX_PUBLIC_CALLS:
            raise Refused(
                Kind.EXHAUSTED,
                "TOO_MANY_CALLS",
                f"{MAX_PUBLIC_CALLS} calls without a token are open already.",
                method,
                "try again later",
            )
        self._public_calls += 1
        try:
            yield
        finally:
            self._public_calls -= 1

    def _caller(self, method: str, context: Context) -> Caller:
        try:
            return self._authenticator.check(method, context)
        except Refused as refused:
            if refused.kind is Kind.UNAUTHENTICATED:
                self._budgets.failed(context.peer())
            raise


def _unstored(code: str, method: str) -> Refused:
    """What a peer is told of the store's trouble: nothing of the machine that it is on."""
    return Refused(
        Kind.UNAVAILABLE,
        code,
        "The server cannot read or write its store now.",
        method,
        "try again once its operator has mended that: the cause is in its log and on /healthz",
    )


def _checked(request: Any, method: str, streaming: bool) -> Any:
    if streaming:
        return malformed.well_formed(request, method)
    if isinstance(request, Malformed):
        raise malformed.refusal(request, method)
    return request


async def _run(behaviour: Behaviour, request: Any, context: Context) -> Any:
    """Runs a handler, whether it returns, writes by itself, or yields its responses."""
    result = behaviour(request, context)
    if not isinstance(result, AsyncGenerator):
        return await result
    async with aclosing(result):
        async for response in result:
            await context.write(response)
    return None
