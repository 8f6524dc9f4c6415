"""Counts calls: how many, how they ended, how long they took. No message is touched."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from saurodrome.server.observer import Observer
from saurodrome.server.rpc.guard import Behaviour, Found, Handler
from saurodrome.server.rpc.status import Context

GONE_TIME = 0.05
"""Seconds that a streaming call waits at its end for news that its caller is gone. A caller that
was killed looks like one that has nothing more to say, until gRPC cancels the call soon after."""
UNKNOWN = ("unary", "unknown", "unknown")
"""What a call to a method that does not exist is counted as: names from outside make no series."""


class Meter(grpc.aio.ServerInterceptor):
    """Wraps the call as a whole, outside of all other interceptors: it sees the final status.

    Handlers get their own request iterator and context, so a stream's frames pass by at no cost.
    """

    def __init__(self, observer: Observer) -> None:
        """Takes who counts."""
        self._observer = observer

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Found]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Found:
        """Wraps the handler of a call."""
        handler = await continuation(handler_call_details)
        if handler is None:
            self._observer.call_began(UNKNOWN)
            self._observer.call_ended(UNKNOWN, "UNIMPLEMENTED", 0.0)
            return None
        return self._metered(handler, handler_call_details.method)

    def _metered(self, handler: Handler, path: str) -> Handler:
        kind = (
            f"{'stream' if handler.request_streaming else 'unary'}"
            f"_{'stream' if handler.response_streaming else 'unary'}"
        )
        _, service, name = path.split("/")
        method = (_TYPES[kind], service, name)
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        metered: Handler = make(
            self._counted(getattr(handler, kind), method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )
        return metered

    def _counted(self, behaviour: Behaviour, method: tuple[str, str, str]) -> Behaviour:
        async def call(request: Any, context: Context) -> Any:
            began = asyncio.get_running_loop().time()
            self._observer.call_began(method)
            status = "UNKNOWN"
            try:
                result = await behaviour(request, context)
                status = _name(context.code())
                if status == "OK" and method[0] in _STREAMS_IN:
                    await asyncio.sleep(GONE_TIME)
            except asyncio.CancelledError:
                status = "CANCELLED"
                raise
            except grpc.aio.AbortError:
                status = _name(context.code())
                raise
            else:
                return result
            finally:
                seconds = asyncio.get_running_loop().time() - began
                self._observer.call_ended(method, status, seconds)

        return call


_TYPES = {
    "unary_unary": "unary",
    "unary_stream": "server_stream",
    "stream_unary": "client_stream",
    "stream_stream": "bidi_stream",
}
_STREAMS_IN = ("client_stream", "bidi_stream")
_NAMES = {code.value[0]: code.name for code in grpc.StatusCode}


def _name(code: object) -> str:
    """The name of a status; gRPC gives its number, its value, or nothing where it is OK."""
    if isinstance(code, grpc.StatusCode):
        return code.name
    return _NAMES.get(code or 0, "UNKNOWN") if isinstance(code, int | None) else "UNKNOWN"
