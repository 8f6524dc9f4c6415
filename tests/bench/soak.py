"""A soak with random faults: memory and descriptors of the server stay flat, results stay whole.

    python -m tests.bench.soak [--seconds 60] [--bots 12] [--seed 1]

Tournaments follow each other while bots drop, freeze, think too long, attack, log in wrongly
and connect for nothing, and the server is stopped for half a second now and then. Samples of
memory and descriptors are printed. At the end every match has one result, live Elo is the fold
of the log, and every record verifies. Half an hour: --seconds 1800. Ends with 1 if something
does not hold. Linux only.

Flat means two things. Memory grows by no more than `FILL` in all: what the caches of positions
and frames hold, each of which is bounded, and the connections that attackers leave open until the
server ends idle ones after ten minutes. And from `WARM` matches on, when most of that is full, the
slope of all samples, by least squares, is at most `SLOPE`. Samples lie within half a MiB of a line,
so that its slope is known to 0.05 after ten of them. A soak that plays fewer matches says that it
cannot tell one. Descriptors are never more than a few above those of the start.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from statistics import linear_regression
from typing import NamedTuple

import grpc

from saurodrome.client.tournaments import Match
from saurodrome.engine import playthrough
from saurodrome.server.rating.elo import elo
from saurodrome.server.recorder import START, K
from tests.bench.crowd import ATTACKS
from tests.e2e.processes import ServerProcess
from tests.e2e.wirebots import Cup, WireBot, descriptors, memory

ROUNDS = 2
STOPS = 0.5
WARM = 6_000
"""Matches after which most caches are full."""
FILL = 40.0
"""MiB; half an hour with 11,000 matches took 26."""
SLOPE = 0.2
"""MiB a 500 matches after that; half an hour showed less than 0.1."""
FEWEST = 5
"""Samples that a slope is told from."""
SPARE = 8
"""Descriptors that may be open at a moment beyond those of the start: attackers come and go."""


class Sample(NamedTuple):
    """The server at one moment."""

    when: float
    matches: int
    memory: float
    descriptors: int
    """Of the server, those that somebody at the other end holds open not counted."""


def held(pid: int) -> int:
    """Descriptors of the server beyond the connections that this process holds open to it."""
    return descriptors(pid) - descriptors(os.getpid())


async def faults(chance: Random, server: ServerProcess, bots: list[WireBot], token: str) -> None:
    """One random fault after the other, for ever."""
    while True:
        await asyncio.sleep(chance.uniform(0.05, 0.3))
        kind = chance.choice(("drop", "drop", "think", "stop", *ATTACKS))
        if kind == "drop":
            chance.choice(bots).drop()
        elif kind == "think":
            bot = chance.choice(bots)
            bot.thinks = lambda number: 0.5 if number % 40 == 0 else 0.0
        elif kind == "stop":
            os.kill(server.pid, signal.SIGSTOP)
            await asyncio.sleep(STOPS)
            os.kill(server.pid, signal.SIGCONT)
        else:
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await ATTACKS[kind](server.address, token)


async def soak(seconds: float, names: list[str], chance: Random, folder: Path) -> list[str]:
    """Runs it; gives what does not hold."""
    with ServerProcess(folder / "data") as server:
        cup = Cup(server)
        async with cup.client() as client:
            evil = (await client.register_bot("evil")).token
        await cup.begin(*names, name="cup-0", limit=0.3, rounds=ROUNDS, concurrency=len(names))
        async with AsyncExitStack() as stack:
            bots = [WireBot(server.address, token) for token in cup.tokens.values()]
            for bot in bots:
                await stack.enter_async_context(bot)
            nemesis = asyncio.create_task(faults(chance, server, bots, evil))
            samples: list[Sample] = []
            logs: list[list[Match]] = []
            begun = time.monotonic()
            while time.monotonic() - begun < seconds or len(logs) < 2:
                log = await cup.over(f"cup-{len(logs)}")
                logs.append(log)
                now = time.monotonic() - begun
                done = sum(map(len, logs))
                one = Sample(now, done, memory(server.pid), held(server.pid))
                samples.append(one)
                print(f"{now:7.0f} s  {done:6} matches  {one.memory:7.1f} MiB  "
                      f"{one.descriptors:4} descriptors", flush=True)  # fmt: skip
                await cup.begin(
                    *names, name=f"cup-{len(logs)}", limit=0.3, rounds=ROUNDS,
                    concurrency=len(names),
                )  # fmt: skip
            nemesis.cancel()
            await asyncio.gather(nemesis, return_exceptions=True)
            async with cup.client() as client:
                records = [
                    (await client.record(match.match_id)).decode()
                    for log in logs[-2:] for match in log if match.has_record
                ]  # fmt: skip
    return [*flat(samples), *whole(logs, names), *verified(records)]


def flat(samples: list[Sample]) -> list[str]:
    """What grew."""
    wrong = []
    grown = max(sample.memory for sample in samples) - samples[0].memory
    if grown > FILL:
        wrong.append(f"memory grew by {grown:.1f} MiB, {FILL:.1f} fill the caches")
    rises = slope(samples)
    if rises is None:
        print(f"too few samples after {WARM} matches to tell a slope")
    else:
        print(f"{rises:+.2f} MiB a 500 matches, from {WARM} matches on")
        if rises > SLOPE:
            wrong.append(f"memory grows by {rises:.2f} MiB a 500 matches, {SLOPE} allowed")
    if samples[-1].descriptors > samples[0].descriptors + SPARE:
        wrong.append(f"descriptors: {samples[0].descriptors}, then {samples[-1].descriptors}")
    return wrong


def slope(samples: list[Sample]) -> float | None:
    """MiB a 500 matches after the warm-up; None where that cannot be told."""
    warm = [sample for sample in samples if sample.matches >= WARM]
    if len(warm) < FEWEST:
        return None
    matches, memories = [s.matches for s in warm], [s.memory for s in warm]
    return 500 * linear_regression(matches, memories).slope


def whole(logs: list[list[Match]], names: list[str]) -> list[str]:
    """What is wrong with the results."""
    wrong = []
    tables = ROUNDS * len(names) * (len(names) - 1)
    for number, log in enumerate(logs):
        ids = Counter(match.match_id for match in log)
        if len(ids) != tables or max(ids.values()) > 1:
            wrong.append(f"cup-{number}: {len(log)} results of {tables} matches")
        live = dict.fromkeys(names, START)
        for match in log:
            before = [live[seat.bot] for seat in match.seats]
            if [seat.elo_before for seat in match.seats] != before:
                wrong.append(f"{match.match_id}: live Elo does not follow from the log")
                break
            if all(seat.rated for seat in match.seats):
                after = elo(before, [seat.placement for seat in match.seats], k=K)
                live.update(zip((seat.bot for seat in match.seats), after, strict=True))
        if abs(sum(live.values()) - START * len(names)) > 1e-6:
            wrong.append(f"cup-{number}: the sum of live Elo moved")
    return wrong


def verified(records: list[str]) -> list[str]:
    """What is wrong with match records."""
    wrong = [playthrough.verify(playthrough.loads(record)) for record in records]
    return [str(difference) for difference in wrong if difference is not None]


def main(arguments: list[str] | None = None) -> int:
    """Soaks; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    names = [f"bot-{number:02}" for number in range(options.bots)]
    with tempfile.TemporaryDirectory() as folder:
        wrong = asyncio.run(soak(options.seconds, names, Random(options.seed), Path(folder)))
    print("\n".join(wrong) if wrong else "flat, whole and verified")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
