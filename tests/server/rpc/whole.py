"""A whole arbiter behind a real socket, its store in memory, its deals known."""

import time
from types import TracebackType
from typing import Any, Self

import grpc

from saurodrome.engine import registry
from saurodrome.server import tokens
from saurodrome.server.arbiter import Arbiter
from saurodrome.server.config import Config
from saurodrome.server.contracts import Progress
from saurodrome.server.deals import Deal, SeededDealer
from saurodrome.server.match import MatchPlan, Played
from saurodrome.server.observer import Observer
from saurodrome.server.port import TimeControl
from saurodrome.server.record import record_match
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import About
from saurodrome.server.rpc.server import Backend, RpcServer
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import TournamentState


def _record(plan: MatchPlan, deal: Deal, played: Played) -> bytes | None:
    return record_match(plan, deal, played, time.time(), "1")


class Whole:
    """Use it as an asynchronous context manager.

    Attributes:
        organiser: Makes and shows tournaments.
        address: Where bots connect.
        admin_token: The administrator's.
    """

    def __init__(self, config: Config, seed: int = 1) -> None:
        """Wire everything; deals follow from the seed."""
        observer, dealer, store = Observer(), SeededDealer(seed), MemoryStore()
        admin = tokens.new_token("admin")
        self.admin_token = admin.token
        self._arbiter = Arbiter(
            store, admin.digest, observer, dealer, Codec, _record, time.time, max_matches=8
        )
        self.organiser = self._arbiter.organiser
        games = registry.games()
        backend = Backend(
            self._arbiter.roster,
            self._arbiter.gate,
            self.organiser,
            games,
            observer,
            About("1", 60),
            self._arbiter.roster,
            store,
        )
        self._server = RpcServer(config, backend)
        self.address = f"127.0.0.1:{self._server.port}"

    async def __aenter__(self) -> Self:
        """Serve."""
        await self._arbiter.start()
        await self._server.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop."""
        await self._arbiter.drain(1.0)
        await self._arbiter.stop()
        await self._server.stop(0.1)

    async def register(self, *bots: str) -> dict[str, str]:
        """Register bots and give their tokens."""
        return {bot: (await self.organiser.register_bot(bot, "", "", "")).token for bot in bots}

    async def begin(
        self, name: str, game: str, variant: str, *bots: str, time: TimeControl, **more: Any
    ) -> None:
        """Create a tournament at tables of two, or of one, and start it."""
        players = registry.get(game).player_counts(variant)[0]
        made = TournamentSettings(name, game, variant, players, bots, time=time, **more)
        await self.organiser.create(made, "")
        await self.organiser.start(name)

    async def over(self, name: str) -> Progress:
        """Wait for the end of a tournament."""
        async for progress in self.organiser.watch(name):
            if progress.tournament.state is TournamentState.FINISHED:
                return progress
        raise AssertionError("it was cancelled")

    def channel(self) -> grpc.aio.Channel:
        """A connection of its own."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        return grpc.aio.insecure_channel(self.address, options=options)
