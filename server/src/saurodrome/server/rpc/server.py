"""The gRPC server: options that were tried together, services, health and reflection."""

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

import grpc
from grpc_health.v1 import (  # type: ignore[import-untyped]
    health,
    health_pb2,
    health_pb2_grpc,
)
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from saurodrome.engine.game import Game
from saurodrome.server.certificates import certificates
from saurodrome.server.config import Config
from saurodrome.server.contracts import Access, Audit, Directory, Gate, Tournaments
from saurodrome.server.frames import MAX_FRAME_BYTES
from saurodrome.server.observer import Observer
from saurodrome.server.rpc import access, permissions, play, tournaments
from saurodrome.server.rpc.auth import Authenticator
from saurodrome.server.rpc.guard import Guard
from saurodrome.server.rpc.listen import add_port
from saurodrome.server.rpc.meter import Meter
from saurodrome.server.rpc.outbound import About, Encoder
from saurodrome.server.rpc.oversight import Oversight
from saurodrome.server.threads import giving_way
from saurodrome.tournament.v1 import access_pb2_grpc, tournament_pb2_grpc

MAX_STREAMS = 2_050
"""Calls at once, of all clients: a thousand bots, each with an old and a new stream, and some."""

MAX_METADATA_BYTES = 8_192
"""Bytes of a call's metadata; from here to twice as many some calls are refused, beyond all."""

_OPTIONS = (
    ("grpc.so_reuseport", 0),  # two servers on one port would split the bots
    ("grpc.max_receive_message_length", MAX_FRAME_BYTES),
    ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", 2 * MAX_METADATA_BYTES),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),  # this one notices a frozen peer
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),  # bots ping every 10 s
    ("grpc.http2.bdp_probe", 0),  # else a sender that is not read takes 28 times the memory
    ("grpc.max_concurrent_streams", 16),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.max_connection_idle_ms", 300_000),
)
_SERVICES = (
    play.SERVICE,
    tournaments.SERVICE,
    access.SERVICE,
    health.SERVICE_NAME,
    reflection.SERVICE_NAME,
)
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Backend(NamedTuple):
    """What stands behind the server. Without an audit log nobody may change anything."""

    directory: Directory
    gate: Gate
    tournaments: Tournaments
    games: Sequence[Game]
    observer: Observer
    about: About
    access: Access | None = None
    audit: Audit | None = None


class RpcServer:
    """BotService and TournamentService on one port."""

    @giving_way()
    def __init__(self, config: Config, backend: Backend) -> None:
        """Builds the server and binds its port; belongs to the running loop.

        Raises:
            Refused: The port cannot be had, or would send tokens in the clear; or the
                certificate does not work.
        """
        self.certificates = certificates(config)
        """What TLS is served with; None without."""
        authenticator = Authenticator(
            backend.directory,
            permissions.ALLOWED,
            by_certificate=config.tls_client_ca is not None,
        )
        self._live = authenticator.live
        self._watching: asyncio.Task[None] | None = None
        self._bots = play.BotService(
            authenticator, backend.gate, Encoder(backend.about), backend.games
        )
        self._health = health.aio.HealthServicer()
        self._server = grpc.aio.server(
            interceptors=(
                Meter(backend.observer),
                Guard(authenticator, backend.observer),
                Oversight(authenticator, backend.audit, time.time),
            ),
            options=_OPTIONS,
            maximum_concurrent_rpcs=MAX_STREAMS,
        )
        self._server.add_generic_rpc_handlers((self._bots.handler(),))
        tournament_pb2_grpc.add_TournamentServiceServicer_to_server(
            tournaments.TournamentService(backend.tournaments, backend.games), self._server
        )
        if backend.access and backend.audit:
            access_pb2_grpc.add_AccessServiceServicer_to_server(
                access.AccessService(backend.access, backend.audit), self._server
            )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(_SERVICES, self._server)
        self.port = add_port(self._server, config, self.certificates)

    async def start(self) -> None:
        """Serves from now on."""
        await self._set_health(_SERVING)
        with giving_way():
            await self._server.start()
        self._watching = asyncio.create_task(self._live.watch(), name="live tokens")

    async def drain(self) -> None:
        """Says NOT_SERVING to health checks, so that no new bots are sent here."""
        await self._set_health(_NOT_SERVING)

    async def stop(self, grace: float = 1.0) -> None:
        """Stops; streams still open after `grace` seconds are cut."""
        if self._watching:
            self._watching.cancel()
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace)
        await self._bots.finish(grace)

    async def _set_health(self, status: int) -> None:
        for service in ("", play.SERVICE, tournaments.SERVICE):
            await self._health.set(service, status)
