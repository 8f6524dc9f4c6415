"""Whole tournaments with all kinds of bots and faults, each chosen by a seed.

Usage: python -m tests.sim.scenes SEED [LAST], from the root of the workspace. It plays the seeds,
prints those that fail and why, and ends with 1 if there are any.
"""

import asyncio
import sys
import traceback
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from saurodrome.engine import registry
from saurodrome.engine.game import Observation
from saurodrome.server.errors import Refused
from saurodrome.server.settings import Deals, Format, TournamentSettings
from saurodrome.server.store.records import TournamentState
from tests.sim import invariants
from tests.sim.bots import HABITS, Bot, Slow
from tests.sim.loop import simulate
from tests.sim.ports import PlainCodec
from tests.sim.world import GAME, World

Fault = Callable[["Scene"], Awaitable[None]]


PLAYERS = {"draftosaurus": (2, 2, 2, 3, 4), "duelosaur": (2,)}


def games() -> list[tuple[str, str]]:
    """Return games and variants, the quickest one several times."""
    others = [
        (game.name, variant)
        for game in registry.games()
        for variant in game.variants
        if 2 in game.player_counts(variant)
    ]
    return [GAME] * (2 * len(others)) + others


class Bug(Exception):
    """A fault of the arbiter itself."""


def expected(error: BaseException) -> bool:
    """Tell whether a scene brings an error about: a planted bug, or trouble of its disk."""
    return isinstance(error, Bug) or (
        isinstance(error, Refused) and error.code.startswith("STORE_")
    )


class Brittle(PlainCodec):
    """A codec that fails now and then."""

    def __init__(self, rng: Random, share: float) -> None:
        """Fail at a share of the calls."""
        self._rng = rng
        self._share = share

    def public(self, observation: Observation) -> bytes:
        """Encode, or fail."""
        if self._rng.random() < self._share:
            raise Bug
        return super().public(observation)


class Scene:
    """A world, its bots and tournaments, all chosen by a seed."""

    def __init__(self, seed: int) -> None:
        """Choose."""
        self.seed = seed
        self.rng = Random(f"scene {seed}")
        codec = Brittle(self.rng, self.rng.choice((0.0, 0.0, 0.01, 0.2)))
        most = self.rng.choice((2, 5, 16))
        self.world = World(seed, max_matches=most, codec_of=lambda game, variant: codec)
        self.game = self.rng.choice(games())
        self.players = self.rng.choice(PLAYERS[self.game[0]])
        kinds: list[type[Bot]] = [Bot, Slow, *self.rng.sample(HABITS, self.players + 1)]
        self.kinds = {f"{kind.__name__.lower()}-{n}": kind for n, kind in enumerate(kinds)}
        self.absent = ["absent"] if self.rng.random() < 0.3 else []
        self.more = self.variation()
        self.bots: list[Bot] = []
        self.cups: list[TournamentSettings] = []

    def variation(self) -> dict[str, Any]:
        """Choose settings: one seed in eight has another format, one duplicate deals."""
        if self.seed % 8 == 3:
            self.game, self.players = GAME, 2
            return {"format": self.rng.choice((Format.SWISS, Format.KNOCKOUT)), "rounds": 3}
        duplicate = {"deals": Deals.DUPLICATE, "trusted": True}
        return duplicate if self.seed % 8 == 7 else {}

    async def play(self) -> None:
        """Play everything to its end, with faults on the way."""
        async with self.world:
            for name in ("cup", "bowl")[: self.rng.choice((1, 1, 2))]:
                self.cups.append(await self.begin(name))
            self.bots = [kind(self.world, n, self.seed) for n, kind in self.kinds.items()]
            faults = asyncio.create_task(self.go_wrong())
            self.world.outside.add(faults)
            for cup in self.cups:
                progress = await self.world.over(cup.name)
                assert progress.tournament.state is TournamentState.FINISHED
            await faults
            for bot in self.bots:
                bot.stop()
            await asyncio.sleep(5.0)
            await invariants.check(self.world, *self.cups)
            errors = [error for _, error in self.world.trace.all("error")]
            assert [error for error in errors if not expected(error)] == []

    async def begin(self, name: str) -> TournamentSettings:
        """Begin a tournament of a part of what a round robin would be."""
        bots = (*self.kinds, *self.absent)
        size = {2: 2, 3: 6, 4: 12}[self.players]
        least = -(-len(bots) // self.players) * size
        most = max(least, 16 // size * size) if self.game == GAME else least
        return await self.world.begin(
            *bots,
            name=name,
            game=self.game,
            players=self.players,
            matches=0 if "format" in self.more else most,
            concurrency=self.rng.choice((1, 3, 16)),
            seed=self.seed,
            **self.more,
        )

    async def go_wrong(self) -> None:
        """Let some things go wrong."""
        for _ in range(self.rng.randrange(7)):
            await asyncio.sleep(self.rng.uniform(0.05, 0.8))
            await self.rng.choice(FAULTS)(self)


async def stutter(scene: Scene) -> None:
    """The loop stands still for a moment, several times."""
    for _ in range(scene.rng.randrange(1, 6)):
        scene.world.loop.stall(scene.rng.uniform(0.003, 0.099))
        await asyncio.sleep(scene.rng.uniform(0.0, 0.1))


async def stand_still(scene: Scene) -> None:
    """The loop stands still for long."""
    scene.world.loop.stall(scene.rng.uniform(0.1, 1.0))


async def storm(scene: Scene) -> None:
    """All connections break at once."""
    scene.world.cut_all(scene.rng.uniform(0.0, 0.3))


async def full_disk(scene: Scene) -> None:
    """Nothing can be stored for a while."""
    disk = scene.world.disk
    disk.trouble = lambda: True
    await asyncio.sleep(scene.rng.uniform(0.1, 2.0))
    disk.trouble = lambda: False


async def lost_words(scene: Scene) -> None:
    """Some commits succeed without a word."""
    disk, rng = scene.world.disk, scene.rng
    disk.lost_word = lambda: rng.random() < 0.5
    await asyncio.sleep(scene.rng.uniform(0.1, 2.0))
    disk.lost_word = lambda: False


async def slow_disk(scene: Scene) -> None:
    """Every write takes long, from here on."""
    scene.world.disk.takes = scene.rng.choice((0.0, 0.005, 0.05, 0.5))


async def dying_disk(scene: Scene) -> None:
    """The process dies at one of the next writes, or of the first ones of the process after it."""
    disk, rng = scene.world.disk, scene.rng
    left = rng.randrange(12)
    times = rng.choice((1, 1, 2))

    def dies(name: str, when: str) -> bool:
        nonlocal left, times
        left -= 1
        if left >= 0 or not times:
            return False
        times, left = times - 1, rng.randrange(4)
        return True

    disk.dies = dies
    await asyncio.sleep(rng.uniform(0.1, 1.0))
    async with scene.world.steady:
        disk.dies = lambda name, when: False


async def pause(scene: Scene) -> None:
    """An organiser pauses a tournament for a while."""
    name = scene.rng.choice(scene.cups).name
    progress = await scene.world.organiser.get(name)
    if progress.tournament.state is TournamentState.RUNNING:
        await scene.world.insist(lambda: scene.world.organiser.pause(name))
        await asyncio.sleep(scene.rng.uniform(0.0, 1.0))
        progress = await scene.world.organiser.get(name)
    if progress.tournament.state is TournamentState.PAUSED:
        await scene.world.insist(lambda: scene.world.organiser.resume(name))


async def crash(scene: Scene) -> None:
    """The process is killed and starts again."""
    await scene.world.crash()


async def restart(scene: Scene) -> None:
    """The process stops in order and starts again."""
    await scene.world.restart()


FAULTS: tuple[Fault, ...] = (
    stutter,
    stutter,
    stand_still,
    storm,
    full_disk,
    lost_words,
    slow_disk,
    slow_disk,
    dying_disk,
    dying_disk,
    pause,
    crash,
    restart,
)


def command(first: int, last: int | None = None) -> str:
    """Return the command that plays a seed again, or several."""
    return f"python -m tests.sim.scenes {first}" + (f" {last}" if last is not None else "")


def run(seed: int) -> str:
    """Play one seed; return all that happened as text.

    Raises:
        AssertionError: Something does not hold; a note says how to run it again.
    """

    async def main() -> str:
        scene = Scene(seed)
        await scene.play()
        return scene.world.trace.text()

    try:
        return simulate(main())
    except BaseException as error:
        error.add_note(f"run it again: {command(seed)}")
        raise


def main(first: int, last: int) -> int:
    """Play seeds; return how many failed."""
    failed = 0
    for seed in range(first, last + 1):
        try:
            run(seed)
        except Exception:
            failed += 1
            print(f"seed {seed}", traceback.format_exc(), sep="\n", flush=True)
    print(f"{last + 1 - first} seeds, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[-1]))))
