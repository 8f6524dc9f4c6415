"""A server on a free port before fakes, and a plain client without any SDK."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from saurodrome.engine import registry
from saurodrome.server.config import Config
from saurodrome.server.contracts import (
    BotStatus,
    Caller,
    Listed,
    Progress,
    Registered,
    Spectacle,
    Spectacles,
    Table,
    TournamentAct,
)
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Transport
from saurodrome.server.observer import Observer
from saurodrome.server.roster import Roster
from saurodrome.server.rpc.outbound import About
from saurodrome.server.rpc.server import Backend, RpcServer
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.access import Role
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import Bot, Event, Fault, Result, Tournament, TournamentState

BOT_TOKEN = "srd_bot_aaaaaaaa_" + "b" * 32
ADMIN_TOKEN = "srd_admin_aaaaaaaa_" + "c" * 32


class FakeDirectory:
    """Knows one bot, `ada`, and the admin."""

    def who(self, token: str) -> Caller | None:
        known = {BOT_TOKEN: (Role.BOT, "ada"), ADMIN_TOKEN: (Role.ADMIN, "root")}
        return Caller(*known[token], "aaaaaaaa") if token in known else None

    def ended(self, token_id: str) -> Refused | None:
        return None

    def owner(self, bot: str) -> str:
        return ""


class FakeGate:
    """Does with a stream whatever the test says; by default reads to its end."""

    def __init__(self) -> None:
        self.bots: list[str] = []
        self.handlers: list[asyncio.Task[Any]] = []
        self.script: Callable[[Transport], Awaitable[None]] = read_to_the_end

    def serve(self, bot: str, transport: Transport) -> Coroutine[Any, Any, None]:
        handler = asyncio.current_task()
        assert handler
        self.handlers.append(handler)
        self.bots.append(bot)
        return self._serve(transport)

    async def _serve(self, transport: Transport) -> None:
        await self.script(transport)


async def read_to_the_end(transport: Transport) -> None:
    while await transport.recv() is not None:
        pass


class FakeTournaments:
    """Remembers what it was asked; knows one tournament, `weekend`."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.bots: list[Bot] = []
        self.results: list[Result] = []
        self.faults_: list[tuple[int, Fault]] = []
        self.events_: list[Event] = []
        self.text = b""
        self.progress = Progress(
            Tournament(
                1,
                TournamentSettings("weekend", "draftosaurus", "summer", 2, ("ada", "bob")),
                TournamentState.PLANNED,
                1,
                1_700_000_000.25,
                "",
            )
        )

    async def register_bot(
        self, name: str, display_name: str, owner: str, request_id: str
    ) -> Registered:
        self.calls.append(("register_bot", name, display_name, owner, request_id))
        return Registered(BotStatus(bot_record(name, display_name, owner)), "srd_new")

    async def list_bots(self, after: str, limit: int) -> tuple[BotStatus, ...]:
        self.calls.append(("list_bots", after, limit))
        return tuple(BotStatus(b) for b in self.bots if b.name > after)[:limit]

    async def rotate_token(self, name: str) -> str:
        self.calls.append(("rotate_token", name))
        return "srd_new"

    async def create(self, settings: TournamentSettings, request_id: str) -> Progress:
        self.calls.append(("create", settings, request_id))
        return self.progress._replace(
            tournament=self.progress.tournament._replace(settings=settings)
        )

    async def start(self, name: str, who: str = "organiser") -> Progress:
        return self._move("start", name)

    async def pause(self, name: str) -> Progress:
        return self._move("pause", name)

    async def resume(self, name: str) -> Progress:
        return self._move("resume", name)

    async def cancel(self, name: str) -> Progress:
        return self._move("cancel", name)

    async def get(self, name: str) -> Progress:
        return self._move("get", name)

    async def list_tournaments(self, before: int | None, limit: int) -> tuple[Progress, ...]:
        self.calls.append(("list_tournaments", before, limit))
        return (self.progress,)

    async def watch(self, name: str) -> AsyncIterator[Progress]:
        yield self._move("watch", name)
        yield self.progress._replace(done=1)

    async def standings(
        self, name: str, position: int | None = None, event: int | None = None
    ) -> Table:
        return Table(self._move("standings", name), ())

    async def faults(
        self, name: str, bot: str, before: int | None, limit: int
    ) -> tuple[tuple[int, Fault], ...]:
        self.calls.append(("faults", name, bot, before, limit))
        return tuple(f for f in self.faults_ if before is None or f[0] < before)[:limit]

    async def matches(self, name: str, after: int, limit: int) -> tuple[Listed, ...]:
        self.calls.append(("matches", name, after, limit))
        return tuple(Listed(r) for r in self.results if r.position > after)[:limit]

    async def act(self, name: str, act: TournamentAct) -> tuple[Progress, Event]:
        self.calls.append(("act", name, act))
        event = Event(len(self.events_) + 1, name, 0, *act[:6], 0.0, act.request_id)
        self.events_.append(event)
        return self.progress, event

    async def events(self, name: str, after: int, limit: int) -> tuple[Event, ...]:
        self.calls.append(("events", name, after, limit))
        return tuple(self.events_[after : after + limit])

    async def record(
        self, match_id: str, attempt: int, reader: str | None = None, *, for_all: bool = False
    ) -> bytes:
        self.calls.append(("record", match_id, attempt, reader, for_all))
        return self.text

    async def live(self, name: str, match_id: str, *, insider: bool) -> Spectacles:
        self.calls.append(("live", name, match_id, insider))
        shown = Spectacle("weekend/1/2/1", 1, ("ada", "bob"), ("bob",), 3, "place", ("a board",))
        return Spectacles((shown,), 2)

    def _move(self, what: str, name: str) -> Progress:
        self.calls.append((what, name))
        if name != "weekend":
            raise Refused(
                Kind.NOT_FOUND, "UNKNOWN_TOURNAMENT", f"No tournament {name}.", "name", "list them"
            )
        return self.progress


def bot_record(name: str, display_name: str = "", owner: str = "", number: int = 1) -> Bot:
    return Bot(number, name, display_name or name, owner, "id", b"hash", 1_700_000_000.5, "")


class Refusals(Observer):
    """Remembers the codes of refusals."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def session_refused(self, code: str) -> None:
        self.codes.append(code)


class Arena:
    """A running server, its fakes, and a client's channel."""

    def __init__(self, config: Config | None = None, roster: Roster | None = None) -> None:
        """Builds it, on any free port and with known tokens unless something else is given."""
        self.gate = FakeGate()
        self.tournaments = FakeTournaments()
        self.observer = Refusals()
        self.audit = MemoryStore()
        self.backend = Backend(
            roster or FakeDirectory(),
            self.gate,
            self.tournaments,
            registry.games(),
            self.observer,
            About("1.2.3", 60),
            roster,
            self.audit,
        )
        self.server = RpcServer(config or Config(data=Path(), bots_port=0), self.backend)
        self.channel = self.connect()

    def connect(self) -> grpc.aio.Channel:
        options = [("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]
        return grpc.aio.insecure_channel(f"127.0.0.1:{self.server.port}", options=options)

    def raw(self, kind: str, path: str) -> Any:
        """A method of some kind that takes and gives bytes."""
        return getattr(self.channel, kind)(path)

    def play(self, token: str | None = BOT_TOKEN) -> Any:
        """Opens a stream of raw bytes."""
        return self.raw("stream_stream", "/saurodrome.bot.v1.BotService/Play")(
            metadata=bearer(token)
        )

    async def unary(self, method: str, data: bytes = b"", token: str | None = ADMIN_TOKEN) -> bytes:
        """Calls a unary method with raw bytes; `method` is Service/Method."""
        call = self.raw("unary_unary", f"/saurodrome.{method}")
        answer: bytes = await call(data, metadata=bearer(token))
        return answer


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    return () if token is None else (("authorization", f"Bearer {token}"),)


class Told:
    """What a client was told when a call ended."""

    def __init__(self, code: grpc.StatusCode, details: str, trailing: Any) -> None:
        self.code = code
        self.details = details
        self.reason = self.where = self.do = self.domain = ""
        packed = dict(trailing or ()).get("grpc-status-details-bin")
        if packed:
            status = status_pb2.Status.FromString(packed)
            assert (status.code, status.message) == (code.value[0], details)
            info = error_details_pb2.ErrorInfo()
            assert status.details[0].Unpack(info)
            self.reason, self.domain = info.reason, info.domain
            self.where, self.do = info.metadata["where"], info.metadata["do"]


async def told(call: Any) -> Told:
    """How a call ended."""
    return Told(await call.code(), await call.details(), await call.trailing_metadata())


async def refusal(call: Awaitable[Any]) -> Told:
    """What a call that must fail was told."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = caught.value
    return Told(error.code(), error.details() or "", error.trailing_metadata())
