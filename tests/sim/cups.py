"""Small tournaments of honest bots, for tests of those who organise them."""

from saurodrome.server.contracts import Progress
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import Tournament, TournamentState
from tests.sim.bots import Bot
from tests.sim.world import GAME, TIME, World

PLANNED, RUNNING, PAUSED, FINISHED, CANCELLED = TournamentState
PAIR = ("ann", "bob")


def settings(
    name: str = "cup", bots: tuple[str, ...] = PAIR, players: int = 2
) -> TournamentSettings:
    """Return settings of a small tournament."""
    return TournamentSettings(name, *GAME, players, bots, time=TIME, join_timeout=3.0)


def arrive(world: World, *names: str) -> list[Bot]:
    """Let honest bots come."""
    return [Bot(world, name) for name in names]


def stop(bots: list[Bot]) -> None:
    """Let bots go."""
    for bot in bots:
        bot.stop()


def state(progress: Progress) -> TournamentState:
    """Return the state of a tournament."""
    return progress.tournament.state


async def brought_to(world: World, goal: TournamentState) -> None:
    """Bring a tournament to a state."""
    await world.register(*PAIR)
    await world.organiser.create(settings(), "")
    if goal in (RUNNING, PAUSED, FINISHED):
        await world.organiser.start("cup")
    if goal is PAUSED:
        await world.organiser.pause("cup")
    if goal is CANCELLED:
        await world.organiser.cancel("cup")
    if goal is FINISHED:
        await world.over()


def rewrite(world: World, record: Tournament) -> None:
    """Change what is stored of a tournament behind the arbiter's back."""
    assert isinstance(world.disk.inner, MemoryStore)
    world.disk.inner._tournaments[record.settings.name] = record
