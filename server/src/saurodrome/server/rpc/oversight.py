"""What stands between the guard and a handler: own things only, the audit log, live tokens."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc

from saurodrome.server.contracts import Audit, Caller
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc import permissions
from saurodrome.server.rpc.auth import Authenticator, asking
from saurodrome.server.rpc.status import Context
from saurodrome.server.session.budget import Budget
from saurodrome.server.store.access import NewAct, Role

Found: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
MAX_AUTHORS_ACTS = 60
"""Calls of one author in a minute that would change something."""
DONE = "done"
"""The outcome of an act that was done."""
_SUBJECT_CHARS = 200


class Oversight(grpc.aio.ServerInterceptor):
    """Stands behind the guard, which has checked the role of the caller already."""

    def __init__(
        self, authenticator: Authenticator, audit: Audit | None, now: Callable[[], float]
    ) -> None:
        """Takes who knows of owners, where acts are noted, and the wall clock in Unix seconds."""
        self._authenticator = authenticator
        self._audit = audit
        self._now = now
        self._budgets: dict[str, Budget] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Found]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Found:
        """Wraps the handlers of methods that take one request; a bot's stream sees to itself."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method.removeprefix("/")
        if handler is None or handler.request_streaming:
            return handler
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                self._streaming(handler, method),
                request_deserializer=handler.request_deserializer,
                response_serializer=handler.response_serializer,
            )
        return grpc.unary_unary_rpc_method_handler(
            self._unary(handler, method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _unary(self, handler: Handler, method: str) -> Any:
        behaviour: Any = handler.unary_unary

        async def call(request: Any, context: Context) -> Any:
            caller = asking()
            if caller is None:
                return await behaviour(request, context)
            if method not in permissions.ACTS:
                self._only_own(method, caller, request)
                return await behaviour(request, context)
            return await self._noted(method, caller, request, lambda: behaviour(request, context))

        return call

    def _streaming(self, handler: Handler, method: str) -> Any:
        behaviour: Any = handler.unary_stream

        def call(request: Any, context: Context) -> Any:
            responses = behaviour(request, context)
            caller = asking()
            if caller is None or not isinstance(responses, AsyncGenerator):
                return responses
            return self._until_revoked(caller, responses)

        return call

    async def _noted(
        self, method: str, caller: Caller, request: Any, act: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Does what is asked for between two lines of the audit log; without the first, not."""
        self._spend(caller, method)
        if self._audit is None:
            raise Refused(Kind.FORBIDDEN, "NO_AUDIT", "Nothing may be changed here.", method)
        subject = permissions.subject(request)[:_SUBJECT_CHARS]
        number = await self._audit.add_act(
            NewAct(self._now(), caller.name, caller.role, caller.token_id, method, subject)
        )
        outcome = ""
        try:
            self._only_own(method, caller, request)
            response = await act()
            outcome = DONE
        except Refused as refused:
            outcome = refused.code
            raise
        except Exception:
            outcome = "INTERNAL"
            raise
        finally:
            if outcome:
                await self._audit.end_act(number, outcome)
        self._authenticator.live.look()  # it may have ended a token
        return response

    def _spend(self, caller: Caller, method: str) -> None:
        """Keeps an author from filling the audit log, and the disk, with what is refused."""
        if caller.role is not Role.AUTHOR:
            return
        budget = self._budgets.setdefault(caller.name, Budget(MAX_AUTHORS_ACTS, 60.0))
        if not budget.spend(asyncio.get_running_loop().time()):
            raise Refused(
                Kind.EXHAUSTED,
                "TOO_MANY_ACTS",
                f"An author changes at most {MAX_AUTHORS_ACTS} things in a minute.",
                method,
                "try again later",
            )

    def _only_own(self, method: str, caller: Caller, request: Any) -> None:
        permissions.only_own(method, caller, request, self._authenticator.directory)

    async def _until_revoked(
        self, caller: Caller, responses: AsyncGenerator[Any, None]
    ) -> AsyncIterator[Any]:
        """Passes responses on until there are no more, or the token works no more."""
        revoked: asyncio.Future[Refused] = asyncio.get_running_loop().create_future()

        def end(refusal: Refused) -> None:
            if not revoked.done():
                revoked.set_result(refusal)

        with self._authenticator.live.call(caller.token_id, end):
            async with aclosing(responses):
                while True:
                    response = await _next(responses, revoked)
                    if response is None:
                        return
                    yield response


async def _next(responses: AsyncGenerator[Any, None], revoked: asyncio.Future[Refused]) -> Any:
    """The next response; None if there is none.

    Raises:
        Refused: The token was revoked meanwhile.
    """
    task = asyncio.ensure_future(anext(responses, None))
    try:
        await asyncio.wait((task, revoked), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise revoked.result()
        return await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait((task,))
