"""BotService: streams of bots, handed to the gate."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

import grpc
import structlog

from saurodrome.bot.v1 import bot_pb2, games_pb2
from saurodrome.engine.game import Game
from saurodrome.server.contracts import Gate
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc import games
from saurodrome.server.rpc.auth import Authenticator
from saurodrome.server.rpc.outbound import Encoder
from saurodrome.server.rpc.status import Context
from saurodrome.server.rpc.transport import GrpcTransport

SERVICE = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name
"""The full name of the service."""
CLOSE_LIMIT = 2.0
"""Seconds that the last frames and the status may take to leave."""
MAX_STREAMS = 8
"""Streams of one bot at once: the one that plays, and some that come or end."""

_log = structlog.get_logger("saurodrome.rpc")


class BotService:
    """Serves bots: authenticates nothing by itself beyond asking who calls."""

    def __init__(
        self,
        authenticator: Authenticator,
        gate: Gate,
        encoder: Encoder,
        played: Sequence[Game],
    ) -> None:
        """Takes where streams go in and what is played here."""
        self._authenticator = authenticator
        self._gate = gate
        self._encoder = encoder
        self._games = tuple(sorted(played, key=lambda game: game.name))
        self._streams: dict[asyncio.Task[None], str] = {}

    def handler(self) -> grpc.GenericRpcHandler:
        """The service's methods; frames leave as the bytes that the encoder made."""
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                # The transport makes frames of bytes, since the clock stops before that.
                "Play": grpc.stream_stream_rpc_method_handler(self.play),
                "ListGames": grpc.unary_unary_rpc_method_handler(
                    self.list_games,
                    request_deserializer=games_pb2.ListGamesRequest.FromString,
                    response_serializer=games_pb2.ListGamesResponse.SerializeToString,
                ),
                "GetRuleset": grpc.unary_stream_rpc_method_handler(
                    self.get_ruleset,
                    request_deserializer=games_pb2.GetRulesetRequest.FromString,
                    response_serializer=games_pb2.GetRulesetResponse.SerializeToString,
                ),
            },
        )

    async def play(self, _: AsyncIterator[object], context: Context) -> None:
        """Serves one stream until the gate or the peer ends it.

        The gate runs in a task of its own, since gRPC may cancel this one at any await.
        """
        caller = self._authenticator.caller(context)
        transport = GrpcTransport(context, self._encoder)
        with self._authenticator.live.call(caller.token_id, transport.close):
            await self._until_the_end(self._serve(caller.name, transport), transport)

    async def _until_the_end(self, stream: asyncio.Task[None], transport: GrpcTransport) -> None:
        try:
            await asyncio.wait((stream, transport.closed), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            transport.close(None)
            stream.add_done_callback(_log_failure)
            raise
        _limit_the_end(stream)
        if transport.closed.done():
            stream.add_done_callback(_log_failure)
            await transport.written()
            refusal = transport.closed.result()
            if refusal is not None:
                raise refusal.again()
            return
        transport.close(None)
        stream.result()

    def _serve(self, bot: str, transport: GrpcTransport) -> asyncio.Task[None]:
        if list(self._streams.values()).count(bot) >= MAX_STREAMS:
            raise _TOO_MANY_STREAMS()
        stream = asyncio.create_task(self._gate.serve(bot, transport), name=f"stream {bot}")
        transport.read_by(stream)
        self._streams[stream] = bot
        stream.add_done_callback(self._streams.pop)
        return stream

    async def list_games(
        self, request: games_pb2.ListGamesRequest, context: Context
    ) -> games_pb2.ListGamesResponse:
        """The games of this server."""
        return games_pb2.ListGamesResponse(games=map(games.info, self._games))

    async def get_ruleset(
        self, request: games_pb2.GetRulesetRequest, context: Context
    ) -> AsyncIterator[games_pb2.GetRulesetResponse]:
        """The component values of a game, in chunks."""
        for part in games.ruleset(request.game, self._games):
            yield part

    async def finish(self, seconds: float) -> None:
        """Waits for the gate to be done with all streams; cancels what is left."""
        if self._streams:
            _, left = await asyncio.wait(self._streams, timeout=seconds)
            for stream in left:
                stream.cancel()


def _limit_the_end(stream: asyncio.Task[None]) -> None:
    """Lets this task and the stream's end at the latest after CLOSE_LIMIT.

    A status waits behind frames that the peer does not read, and nothing but cancelling the
    handler's own task frees it then.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    for waiting in (task, stream):
        if waiting is not None and not waiting.done():
            timer = loop.call_later(CLOSE_LIMIT, waiting.cancel)
            waiting.add_done_callback(partial(_stop, timer))


def _stop(timer: asyncio.TimerHandle, _: asyncio.Task[object]) -> None:
    timer.cancel()


def _log_failure(stream: asyncio.Task[None]) -> None:
    """Logs what a stream's task raised after its call was over."""
    error = None if stream.cancelled() else stream.exception()
    if error is not None and not isinstance(error, Refused):
        _log.error("stream failed after its end", exc_info=error)


_TOO_MANY_STREAMS = partial(
    Refused,
    Kind.EXHAUSTED,
    "TOO_MANY_STREAMS",
    f"This bot has {MAX_STREAMS} streams already.",
    "Play",
    "use one stream for all matches, and one token a program",
)
