"""SIGKILL at any point: no finished match is lost, none is counted twice."""

import asyncio
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from saurodrome.tournament.v1.messages_pb2 import Deals, Format
from tests.e2e import crashes
from tests.e2e.injection import Injection
from tests.e2e.processes import ServerProcess, free_port

ROUNDS = 8
KILLS = 10
SEED = int(os.environ.get("SAURODROME_CRASH_SEED", "20261130"))
MORE = range(SEED + 1, SEED + 5)


@pytest.mark.case("P17")
@pytest.mark.case("P17", "P25", "CR-04")
@pytest.mark.wire
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [SEED, *(pytest.param(s, marks=pytest.mark.slow) for s in MORE)])
async def test_sigkill_at_random_moments_loses_no_result_and_counts_none_twice(
    seed: int, tmp_path: Path
) -> None:
    """Ten moments; with the slow ones fifty."""
    chance = random.Random(seed)
    print(f"again: SAURODROME_CRASH_SEED={seed} pytest {__file__}")
    with ServerProcess(tmp_path / "data", free_port()) as server:
        async with crashes.tournament(server, ROUNDS) as told:
            for _ in range(KILLS):
                await asyncio.sleep(chance.uniform(0.3, 1.5))
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            await crashes.check(server, ROUNDS, told, tmp_path / "out")


@pytest.mark.slow
@pytest.mark.case("P25")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "more",
    [
        {"format": Format.FORMAT_SWISS, "rounds": 4},
        {"deals": Deals.DEALS_DUPLICATE, "trusted": True, "rounds": 2},
    ],
    ids=["swiss", "duplicate"],
)
async def test_sigkill_in_rounds_of_a_swiss_and_in_blocks_of_one_deal(
    more: dict[str, Any], tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    with ServerProcess(tmp_path / "data", free_port()) as server:
        async with crashes.tournament(server, **more) as told:
            for _ in range(6):
                await asyncio.sleep(chance.uniform(0.8, 2.0))
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            await crashes.check(server, 0, told, tmp_path / "out", plain=False)


KINDS = ("pwrite64", "fdatasync")
FIRST = (("pwrite64", 12), ("fdatasync", 5))
"""In the middle of a commit of results, and between its writes and its sync."""
SLICES = 8
POINTS = 48


@pytest.mark.wire
@pytest.mark.timeout(300)
async def test_killed_between_the_writes_and_the_sync_of_a_commit(
    injection: Injection, tmp_path: Path
) -> None:
    await die_at(FIRST, injection, tmp_path, rounds=4)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(SLICES))
async def test_killed_at_every_system_call_that_writes_or_syncs(
    part: int, injection: Injection, tmp_path: Path
) -> None:
    """Every write and every sync from the server's start on, a start for each."""
    points = [(kind, n) for n in range(1, POINTS // len(KINDS) + 1) for kind in KINDS]
    await die_at(points[part::SLICES], injection, tmp_path, rounds=12)


async def die_at(
    points: Sequence[tuple[str, int]], injection: Injection, folder: Path, rounds: int
) -> None:
    """Starts the server once a point, to be killed at its nth call of a kind on the database."""
    with ServerProcess(folder / "data", free_port()) as server:
        async with crashes.tournament(server, rounds) as told:
            for kind, number in points:
                await asyncio.to_thread(server.kill)
                under = injection.into(server.data, kind, f"signal=SIGKILL:when={number}")
                await asyncio.to_thread(server.start_under, under)
                await asyncio.to_thread(server.dies)
            await asyncio.to_thread(server.start)
            await crashes.check(server, rounds, told, folder / "out")


@pytest.mark.slow
@pytest.mark.case("CR-08")
@pytest.mark.parametrize("number", [1, 2, 20, 40])
async def test_killed_while_it_makes_its_schema(
    number: int, injection: Injection, tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path / "data")
    under = injection.into(server.data, "pwrite64", f"signal=SIGKILL:when={number}")
    await asyncio.to_thread(server.start_under, under)
    assert await asyncio.to_thread(server.dies) == -9
    with server:
        async with crashes.client_of(server) as client:
            assert (await client.register_bot("amber")).token
