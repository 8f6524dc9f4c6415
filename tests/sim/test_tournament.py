"""Whole tournaments with all kinds of bots and faults, each repeatable from its seed."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from saurodrome.engine import registry
from saurodrome.engine.game import Observation
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import TournamentState
from tests.sim import invariants
from tests.sim.bots import HABITS, Bot, Slow
from tests.sim.loop import simulate
from tests.sim.ports import PlainCodec
from tests.sim.world import GAME, World

ROOT = Path(__file__).resolve().parents[2]
FAST = range(6)
SLOW = range(6, 206)

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
        self.bots: list[Bot] = []
        self.cups: list[TournamentSettings] = []

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
            assert {type(error) for error in errors} <= {Bug}

    async def begin(self, name: str) -> TournamentSettings:
        """Begin a tournament of a part of what a round robin would be."""
        bots = (*self.kinds, *self.absent)
        size = {2: 2, 3: 6, 4: 12}[self.players]
        least = -(-len(bots) // self.players) * size
        return await self.world.begin(
            *bots,
            name=name,
            game=self.game,
            players=self.players,
            matches=max(least, 16 // size * size) if self.game == GAME else least,
            concurrency=self.rng.choice((1, 3, 16)),
            seed=self.seed,
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


async def pause(scene: Scene) -> None:
    """An organiser pauses a tournament for a while."""
    name = scene.rng.choice(scene.cups).name
    progress = await scene.world.organiser.get(name)
    if progress.tournament.state is TournamentState.RUNNING:
        await scene.world.organiser.pause(name)
        await asyncio.sleep(scene.rng.uniform(0.0, 1.0))
        progress = await scene.world.organiser.get(name)
    if progress.tournament.state is TournamentState.PAUSED:
        await scene.world.organiser.resume(name)


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
    pause,
    crash,
    restart,
)


def command(seed: int) -> str:
    """Return the command that runs one seed again."""
    test = "seeds" if seed in FAST else "many_seeds"
    return f"python -m pytest -n0 'tests/sim/test_tournament.py::test_{test}[{seed}]'"


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


@pytest.mark.parametrize("seed", FAST)
def test_seeds(seed: int) -> None:
    run(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_many_seeds(seed: int) -> None:
    run(seed)


def test_the_same_seed_gives_the_same_history_byte_for_byte() -> None:
    first, second = run(1), run(1)
    assert first.encode() == second.encode()
    assert first != run(2)


@pytest.mark.slow
def test_a_history_does_not_depend_on_the_process() -> None:
    """Not even on the salt of its hashes, which decides the order of sets."""
    digests = set()
    for salt in ("0", "1", "2"):
        code = "import sys; from tests.sim.test_tournament import digest; print(digest(3))"
        environment = os.environ | {"PYTHONHASHSEED": salt, "PYTHONPATH": ":".join(sys.path)}
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(ran.stdout)
    assert digests == {digest(3) + "\n"}


def digest(seed: int) -> str:
    """Return the digest of a seed's history."""
    return sha256(run(seed).encode()).hexdigest()


def test_a_seed_that_fails_says_how_to_run_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise AssertionError("something does not hold")

    monkeypatch.setattr(invariants, "check", broken)
    with pytest.raises(AssertionError) as failure:
        run(0)
    assert failure.value.__notes__ == [f"run it again: {command(0)}"]
