"""A real gRPC server on a free port that a test leads frame by frame."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Any, Self

from google.protobuf import any_pb2
from google.rpc import (  # type: ignore[import-untyped]  # it has stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)
from grpc import StatusCode, aio

from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc, games_pb2
from saurodrome.client._decision import Decision, Match
from saurodrome.client._status import DETAILS_KEY, DOMAIN
from saurodrome.client.testing._draftosaurus import seconds

PATIENCE_SECONDS = 10.0
"""How long a script waits for the bot before the test fails."""


class ScriptedStream:
    """One stream of a bot, led by a test.

    Attributes:
        metadata: What the call carried.
    """

    def __init__(self, context: "aio.ServicerContext[Any, Any]") -> None:
        """Belongs to a running call."""
        self.metadata = {str(key): value for key, value in context.invocation_metadata() or ()}
        self._context = context
        self._frames: asyncio.Queue[bot_pb2.PlayRequest | None] = asyncio.Queue()
        self._end: asyncio.Future[tuple[StatusCode, str, bytes] | None] = (
            asyncio.get_running_loop().create_future()
        )

    async def serve(self) -> None:
        """Reads until the script ends the stream; called by the arbiter."""
        reader = asyncio.create_task(self._read())
        try:
            end = await self._end
        finally:
            reader.cancel()
        if end is not None:
            code, what, details = end
            await self._context.abort(code, what, ((DETAILS_KEY, details),) if details else ())

    async def _read(self) -> None:
        while isinstance(frame := await self._context.read(), bot_pb2.PlayRequest):
            self._frames.put_nowait(frame)
        self._frames.put_nowait(None)

    async def frame(self) -> bot_pb2.PlayRequest:
        """Waits for the bot's next frame.

        Raises:
            AssertionError: None came, or the bot hung up.
        """
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                frame = await self._frames.get()
        except TimeoutError:
            raise AssertionError("the bot sent nothing") from None
        if frame is None:
            raise AssertionError("the bot hung up")
        return frame

    async def _expect(self, kind: str) -> Any:
        frame = await self.frame()
        if frame.WhichOneof("frame") != kind:
            raise AssertionError(f"expected {kind}, the bot sent: {frame}")
        return getattr(frame, kind)

    async def hello(self) -> bot_pb2.Hello:
        """Waits for hello; fails if anything else comes."""
        hello: bot_pb2.Hello = await self._expect("hello")
        return hello

    async def ready(self) -> bot_pb2.Ready:
        """Waits for ready; fails if anything else comes."""
        ready: bot_pb2.Ready = await self._expect("ready")
        return ready

    async def reply(self) -> bot_pb2.Reply:
        """Waits for a reply; fails if anything else comes."""
        reply: bot_pb2.Reply = await self._expect("reply")
        return reply

    async def goodbye(self) -> bot_pb2.Goodbye:
        """Waits for goodbye; fails if anything else comes."""
        goodbye: bot_pb2.Goodbye = await self._expect("goodbye")
        return goodbye

    async def hung_up(self) -> None:
        """Waits until the bot has ended the stream; what it had sent is dropped."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self._frames.get() is not None:
                pass

    async def send(self, frame: bot_pb2.PlayResponse) -> None:
        """Sends any frame."""
        await self._context.write(frame)

    async def welcome(
        self, open_matches: int = 0, missed: Sequence[bot_pb2.MatchEnded] = (), bot: str = "bot"
    ) -> None:
        """Accepts the stream."""
        welcome = bot_pb2.Welcome(
            bot=bot,
            server_version="0",
            limits=bot_pb2.Limits(
                max_frame_bytes=65_536,
                max_note_chars=2_000,
                max_concurrent_matches=64,
                max_surplus_frames=20,
            ),
            missed_results=missed,
            open_matches=open_matches,
        )
        await self.send(bot_pb2.PlayResponse(welcome=welcome))

    async def start(self, match: Match) -> None:
        """Wants the bot for a match."""
        await self.send(bot_pb2.PlayResponse(match_started=match.message))

    async def ask(self, decision: Decision) -> None:
        """Asks a decision."""
        await self.send(bot_pb2.PlayResponse(decision=decision.message))

    async def judge(
        self,
        kind: bot_pb2.Verdict.Kind.ValueType,
        decision: Decision,
        *,
        message: str = "",
        replies_left: int = 0,
        charged: float = 0.0,
    ) -> None:
        """Sends a verdict on a decision."""
        verdict = bot_pb2.Verdict(
            kind=kind,
            match_id=decision.match_id,
            decision_id=decision.message.decision_id,
            message=message,
            replies_left=replies_left,
            charged=seconds(charged),
        )
        await self.send(bot_pb2.PlayResponse(verdict=verdict))

    async def end_match(self, match: Match, placements: Sequence[int] = (1, 2)) -> None:
        """Ends a match; without placements, the try is void."""
        await self.send(bot_pb2.PlayResponse(match_ended=ended(match, placements)))

    async def drain(self, remaining: float = 1.0, reason: str = "") -> None:
        """Says that the server is about to stop."""
        draining = bot_pb2.Draining(remaining=seconds(remaining), reason=reason)
        await self.send(bot_pb2.PlayResponse(draining=draining))

    def finish(self) -> None:
        """Ends the stream with OK."""
        self._end.set_result(None)

    def refuse(
        self, code: StatusCode, reason: str = "", what: str = "", where: str = "", do: str = ""
    ) -> None:
        """Ends the stream with a status; with a reason, its details are sent as well."""
        details = status_details(code, reason, what, where, do) if reason else b""
        self._end.set_result((code, what, details))


def ended(match: Match, placements: Sequence[int]) -> bot_pb2.MatchEnded:
    """Builds the end of a match."""
    return bot_pb2.MatchEnded(
        match_id=match.id,
        attempt=match.attempt,
        termination=(bot_pb2.TERMINATION_FINISHED if placements else bot_pb2.TERMINATION_VOID),
        results=[bot_pb2.SeatResult(placement=place, rated=True) for place in placements],
        seat=match.seat,
    )


def status_details(code: StatusCode, reason: str, what: str, where: str, do: str) -> bytes:
    """Builds the rich status that the server sends beside a plain one."""
    info = error_details_pb2.ErrorInfo(
        reason=reason, domain=DOMAIN, metadata={"where": where, "do": do}
    )
    detail = any_pb2.Any()
    detail.Pack(info)
    status = status_pb2.Status(code=code.value[0], message=what, details=[detail])
    serialized: bytes = status.SerializeToString()
    return serialized


class ScriptedArbiter(bot_pb2_grpc.BotServiceServicer):
    """Accepts bots on 127.0.0.1; use it as an asynchronous context manager."""

    def __init__(self) -> None:
        """Listens to nothing yet."""
        self._server: aio.Server | None = None
        self._streams: asyncio.Queue[ScriptedStream] = asyncio.Queue()
        self._port = 0
        self.rulesets: dict[str, str] = {}
        """What it sends, by game, to whoever asks for a ruleset."""

    @property
    def address(self) -> str:
        """Where bots connect."""
        return f"127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        """Starts it."""
        await self.restart()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stops it."""
        await self.stop()

    async def restart(self) -> None:
        """Starts it, after a stop on the same port."""
        self._server = aio.server(options=[("grpc.so_reuseport", 0)])
        bot_pb2_grpc.add_BotServiceServicer_to_server(self, self._server)
        self._port = self._server.add_insecure_port(f"127.0.0.1:{self._port}")
        await self._server.start()

    async def stop(self) -> None:
        """Breaks all connections at once."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop(grace=None)

    async def accept(self) -> ScriptedStream:
        """Waits for a bot's next stream.

        Raises:
            AssertionError: None came.
        """
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._streams.get()
        except TimeoutError:
            raise AssertionError("no bot connected") from None

    async def welcome(self, open_matches: int = 0) -> ScriptedStream:
        """Waits for a bot's next stream and for its hello, and welcomes it."""
        stream = await self.accept()
        await stream.hello()
        await stream.welcome(open_matches)
        return stream

    async def Play(  # type: ignore[override]  # the stubs want an iterator, aio takes both
        self,
        request_iterator: AsyncIterator[bot_pb2.PlayRequest],
        context: "aio.ServicerContext[Any, Any]",
    ) -> None:
        """Serves a stream: gRPC calls this."""
        stream = ScriptedStream(context)
        self._streams.put_nowait(stream)
        await stream.serve()

    async def ListGames(
        self,
        request: games_pb2.ListGamesRequest,
        context: "aio.ServicerContext[Any, Any]",
    ) -> games_pb2.ListGamesResponse:
        """Lists Draftosaurus: gRPC calls this."""
        game = games_pb2.GameInfo(
            game="draftosaurus",
            variants=["summer", "winter"],
            min_players=2,
            max_players=5,
            rules_version=1,
        )
        return games_pb2.ListGamesResponse(games=[game])

    async def GetRuleset(  # type: ignore[override]  # the stubs want an iterator, aio takes both
        self,
        request: games_pb2.GetRulesetRequest,
        context: "aio.ServicerContext[Any, Any]",
    ) -> None:
        """Sends a ruleset in two parts: gRPC calls this."""
        if request.game not in self.rulesets:
            await context.abort(StatusCode.NOT_FOUND, f"{request.game} has no ruleset")
        whole = self.rulesets[request.game].encode()
        for chunk in (whole[:10], whole[10:]):
            await context.write(games_pb2.GetRulesetResponse(size=len(whole), chunk=chunk))
