"""What anybody can read of a running match tells nothing that a spectator may not know.

The whole arbiter in virtual time: every page and every RPC that reads is asked again and again
until the first reveal, by an organiser, who sees the most. One run has the deal as it is; in the
others all that spectators cannot know is dealt anew: hands, bag, and with them what is chosen.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine import registry
from saurodrome.engine.chance import Chance, FastChance
from saurodrome.engine.game import State
from saurodrome.server.errors import Refused
from saurodrome.server.frames import Decision
from saurodrome.server.metrics import Metrics
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.tournaments import SERVICE, TournamentService
from saurodrome.server.web.app import make_app
from saurodrome.tournament.v1 import acts_pb2
from saurodrome.tournament.v1 import tournament_pb2 as pb
from tests.sim.loop import simulate
from tests.sim.test_hidden_hands import Wired
from tests.sim.world import World

BOTS = ("ann", "bob", "cyd")
MATCH = "cup/1/1/1"
STEP = 0.003
"""Seconds between two looks; bots think three times as long."""
READS: dict[str, list[Any]] = {
    "ListBots": [pb.ListBotsRequest()],
    "GetTournament": [pb.GetTournamentRequest(name="cup")],
    "ListTournaments": [pb.ListTournamentsRequest()],
    "WatchTournament": [],  # it goes on: `Visitor.watch`
    "GetStandings": [pb.GetStandingsRequest(name="cup")],
    "ListFaults": [pb.ListFaultsRequest(name="cup")],
    "ListMatches": [pb.ListMatchesRequest(name="cup")],
    "GetMatchRecord": [pb.GetMatchRecordRequest(match_id=MATCH)],
    "ListTournamentEvents": [acts_pb2.ListTournamentEventsRequest(name="cup")],
    "ListLiveMatches": [
        pb.ListLiveMatchesRequest(name="cup"),
        pb.ListLiveMatchesRequest(name="cup", match_id=MATCH),
    ],
}
PAGES = ("/", f"/live/{MATCH}", "/healthz", "/metrics", "/style.css")


class Look(NamedTuple):
    """All that can be read in one moment, by page and RPC."""

    when: float
    read: tuple[tuple[str, bytes], ...]


class Run(NamedTuple):
    """One run.

    Attributes:
        hidden: What each bot was asked, with its hand.
        before: Looks before the first reveal.
        watched: What WatchTournament told until then.
        after: A look after it.
    """

    hidden: list[bytes]
    before: list[Look]
    watched: list[bytes]
    after: Look


class First(Wired):
    """Takes the first action, which depends on the hand more than the last one does."""

    def answer(self, decision: Decision) -> None:
        """Send it."""
        message = bot_pb2.Decision.FromString(decision.payload)
        self.reply(decision, message.legal_actions[0].id)


class Page:
    """The metrics of all that has happened, but for those of the process."""

    def __init__(self, world: World) -> None:
        self._world = world

    def parts(self) -> Iterator[bytes]:
        metrics = Metrics("1", lambda: 0.0)
        for event in self._world.trace.events:
            if event.name != "restarted":
                getattr(metrics, event.name)(*event.args)
        lines = metrics.render().splitlines(keepends=True)
        yield from (ln for ln in lines if ln.startswith(b"saurodrome_") and b"scrape" not in ln)


class Visitor:
    """Reads everything."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.service = TournamentService(world.organiser, registry.games())
        self.watched: list[bytes] = []

    async def watch(self) -> None:
        """Keep what a stream tells."""
        context: Any = None
        async for told in self.service.WatchTournament(
            pb.WatchTournamentRequest(name="cup"), context
        ):
            self.watched.append(told.SerializeToString(deterministic=True))

    async def look(self) -> Look:
        """Read all there is."""
        read = [(path, await self.page(path)) for path in PAGES]
        for method, requests in READS.items():
            read += [(method, await self.call(method, request)) for request in requests]
        return Look(round(self.world.loop.time(), 6), tuple(read))

    async def page(self, path: str) -> bytes:
        """Read a page that nobody has asked for before."""
        app = make_app(self.world.organiser, Page(self.world), "1", lambda: {"status": "serving"})
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://arbiter"
        ) as client:
            answer = await client.get(path)
        return repr(answer.headers).encode() + answer.content

    async def call(self, method: str, request: Any) -> bytes:
        """Call an RPC; a refusal is an answer, too."""
        try:
            answer = getattr(self.service, method)(request, None)
            if hasattr(answer, "__aiter__"):
                return b"".join([part.SerializeToString() async for part in answer])
            message = await answer
        except Refused as refused:
            return f"{refused.code} {refused.what}".encode()
        return bytes(message.SerializeToString(deterministic=True))


def asked(world: World) -> list[Decision]:
    """Return the decisions that bots were asked."""
    out = [line.frame for line in world.trace.frames() if line.direction == "out"]
    return [frame for frame in out if isinstance(frame, Decision)]


def run(variant: str) -> Run:
    """Play until what was chosen first is shown, and look all the time."""

    async def main() -> Run:
        async with World(seed=5, codec_of=Codec) as world:
            await world.begin(*BOTS, players=3, game=("draftosaurus", variant), concurrency=1)
            visitor = Visitor(world)
            watching = asyncio.create_task(visitor.watch())
            bots = [First(world, name) for name in BOTS]
            looks: list[Look] = []
            watched = 0
            while len(asked(world)) <= len(BOTS):
                watched = len(visitor.watched)
                looks.append(await visitor.look())
                await asyncio.sleep(STEP)
            after = await visitor.look()
            hidden = [decision.payload for decision in asked(world)[: len(BOTS)]]
            watching.cancel()
            await asyncio.wait({watching})
            await world.organiser.cancel("cup")
            for bot in bots:
                bot.stop()
            return Run(hidden, looks, visitor.watched[:watched], after)

    return simulate(main())


@pytest.fixture
def redeal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Deal anew what a spectator cannot know, from a seed."""
    kind = type(registry.get("draftosaurus"))
    dealt = kind.initial_state

    def use(seed: int) -> None:
        def initial(self: Any, variant: str, players: int, chance: Chance, start: int = 0) -> State:
            state: State = dealt(self, variant, players, chance, start)
            return state.resample(None, FastChance(seed))

        monkeypatch.setattr(kind, "initial_state", initial)

    return use


def test_whatever_can_be_read_is_read() -> None:
    assert READS.keys() == {
        method.name
        for method in pb.DESCRIPTOR.services_by_name[SERVICE.rpartition(".")[2]].methods
        if method.name.startswith(("Get", "List", "Watch"))
    }


@pytest.mark.case("HI-02")
@pytest.mark.parametrize("variant", ["summer", "winter"])
def test_hidden_hands_change_no_byte_of_any_page_or_answer_before_the_reveal(
    variant: str, redeal: Callable[[int], None]
) -> None:
    as_dealt = run(variant)
    others = []
    for seed in range(2):
        redeal(seed)
        others.append(run(variant))
    board = f"/live/{MATCH}"
    assert sum(b"river" in dict(look.read)[board].lower() for look in as_dealt.before) >= 3
    for other in others:
        assert other.before == as_dealt.before
        assert other.watched == as_dealt.watched
    assert len({tuple(one.hidden) for one in (as_dealt, *others)}) == 3
    assert len({dict(one.after.read)[board] for one in (as_dealt, *others)}) > 1
