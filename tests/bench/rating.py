"""How long a refit of 1,000 bots over 1,000,000 matches takes, and whether deadlines are kept.

    python -m tests.bench.rating [BOTS [MATCHES [ROUNDS]]]

Interleaved rounds of the whole table (aggregation of the matches, strengths, intervals by block,
rank ranges and effective matches), of its strengths alone, and of `choix.ilsr_pairwise_dense`,
which gives the same strengths from results that are aggregated already. Both rest on OpenBLAS,
with as many threads as OPENBLAS_NUM_THREADS says to both: 1 is steadiest, since on a busy
machine threads wait for each other. Prints medians, and ratios as the medians of those of each
round. Then how late an event loop is, asked every 5 ms, that has the whole table made in a thread
as the server does.

Ends with 1 if strengths differ by more than a thousandth, the whole table takes more than twice
as long, or the loop was so late that the arbiter would no longer look for a reply that had come
in time (100 ms) and more than twice as late as on its own, which on a busy machine is late enough.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import choix
import numpy as np

from saurodrome.server.rating.bradley_terry import BradleyTerry
from saurodrome.server.rating.fit import fit_pool
from saurodrome.server.rating.games import Floats, Games
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.pool import Pool
from saurodrome.server.refit import ratings
from saurodrome.server.session.decision import SECOND_LOOK

GOAL = 2.0
EVERY = 0.005
ALONE = 5.0


def pool_of(bots: int, matches: int) -> Pool:
    """Give matches of two between bots near in strength, two seatings a block."""
    random = np.random.default_rng(1)
    strengths = random.normal(0, 1, bots)
    blocks = matches // 2
    first = random.integers(0, bots, blocks)
    second = (first + random.integers(1, bots, blocks)) % bots
    pool = Pool()
    for block, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        chance = 1 / (1 + np.exp(strengths[b] - strengths[a]))
        for won in random.random(2) < chance:
            placements = ((f"b{a}", 1 if won else 2), (f"b{b}", 2 if won else 1))
            pool.add(RatedMatch(f"{block}", placements))
    return pool


def timed(work: Callable[[], object]) -> float:
    """Give the seconds that a call takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def times(ours: list[float], theirs: list[float]) -> float:
    """Give how many times as long it takes, typically."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def refit(pool: Pool) -> Floats:
    """Give the strengths of all bots, by name."""
    return BradleyTerry(Games.of(pool).won()).strengths()


async def lateness(pool: Pool) -> tuple[list[float], list[float]]:
    """Give how late the loop is, ascending: on its own, and while a table is made in a thread."""
    alone = await _late(asyncio.create_task(asyncio.sleep(ALONE)))
    beside = await _late(asyncio.create_task(asyncio.to_thread(ratings, pool, 1500.0, None)))
    return sorted(alone), sorted(beside)


async def _late(work: asyncio.Task[object]) -> list[float]:
    loop, late = asyncio.get_running_loop(), []
    while not work.done():
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        late.append(loop.time() - due)
    return late


def told(late: list[float]) -> str:
    """Say how late a loop was."""
    typical, seldom = 1e3 * median(late), 1e3 * late[int(0.99 * len(late))]
    return f"{typical:5.1f} ms (median) {seldom:5.1f} ms (p99) {1e3 * late[-1]:5.1f} ms (most)"


def main(bots: int = 1_000, matches: int = 1_000_000, rounds: int = 5) -> int:
    """Print the figures; give the exit code."""
    pool = pool_of(bots, matches)
    won = Games.of(pool).won()
    apart = float(np.abs(refit(pool) - choix.ilsr_pairwise_dense(won)).max())
    theirs, ours, tables = [], [], []
    for _ in range(rounds):
        theirs.append(timed(lambda: choix.ilsr_pairwise_dense(won)))
        ours.append(timed(lambda: refit(pool)))
        tables.append(timed(lambda: fit_pool(pool)))
    ratio = times(tables, theirs)
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "all")
    print(f"{bots:,} bots, {matches:,} matches, median of {rounds}; strengths within {apart:.0e}")
    print(f"threads of BLAS     {threads:>6}")
    print(f"ilsr_pairwise_dense {median(theirs):6.2f} s")
    print(f"strengths           {median(ours):6.2f} s   {times(ours, theirs):.2f} times")
    print(f"whole table         {median(tables):6.2f} s   {ratio:.2f} times, at most {GOAL:g}")
    sys.stdout.flush()
    alone, beside = asyncio.run(lateness(pool))
    print(f"loop on its own       late by {told(alone)}")
    print(f"loop beside the table late by {told(beside)}")
    kept = beside[-1] <= max(SECOND_LOOK, 2 * alone[-1])
    return 0 if apart < 1e-3 and ratio <= GOAL and kept else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs="?", type=int, default=1_000)
    parser.add_argument("matches", nargs="?", type=int, default=1_000_000)
    parser.add_argument("rounds", nargs="?", type=int, default=5)
    given = parser.parse_args()
    sys.exit(main(given.bots, given.matches, given.rounds))
