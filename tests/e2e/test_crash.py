"""SIGKILL at any point: no finished match is lost, none is counted twice."""

import asyncio
import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from saurodrome.client import Decision, Event, MatchEnded, Status, play
from saurodrome.client.tournaments import AsyncTournamentClient, Match, TournamentSettings
from saurodrome.engine import playthrough
from saurodrome.server.rating import elo
from saurodrome.server.recorder import START, K
from saurodrome.server.schedule import round_robin
from tests.e2e.processes import ServerProcess, free_port

NAMES = ("amber", "birch", "cedar", "dune", "elm")
ROUNDS = 8
KILLS = 10
SEED = int(os.environ.get("SAURODROME_CRASH_SEED", "20261130"))

Ends = dict[str, list[tuple[str, int]]]
"""By bot: the matches that it was told the result of, with their attempts."""


@pytest.mark.case("P17")
@pytest.mark.wire
@pytest.mark.timeout(300)
async def test_sigkill_at_random_moments_loses_no_result_and_counts_none_twice(
    tmp_path: Path,
) -> None:
    chance = random.Random(SEED)
    print(f"again: SAURODROME_CRASH_SEED={SEED} pytest {__file__}")
    with ServerProcess(tmp_path / "data", free_port()) as server:
        tokens = await _prepare(server)
        told: Ends = {name: [] for name in NAMES}
        bots = [asyncio.create_task(_bot(server, n, t, told[n])) for n, t in tokens.items()]
        for _ in range(KILLS):
            await asyncio.sleep(chance.uniform(0.3, 1.5))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        log, records = await _result(server)
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)
    _each_scheduled_match_once(log)
    _nothing_told_is_missing(log, told)
    _elo_is_the_fold_of_the_log(log)
    for text in records:
        assert playthrough.verify(playthrough.loads(text.decode())) is None


async def _prepare(server: ServerProcess) -> dict[str, str]:
    async with AsyncTournamentClient(
        server=server.address, token_file=server.admin_token
    ) as client:
        tokens = {name: (await client.register_bot(name)).token for name in NAMES}
        await client.create(
            TournamentSettings(
                name="crash",
                game="draftosaurus",
                variant="summer",
                players=2,
                bots=NAMES,
                rounds=ROUNDS,
            )
        )
        await client.start("crash")
    return tokens


async def _bot(server: ServerProcess, name: str, token: str, told: list[tuple[str, int]]) -> None:
    own = random.Random(name)

    def choose(decision: Decision) -> int:
        time.sleep(0.002)  # in the bot's own thread: a match takes long enough to be hit
        return own.choice(decision.legal_actions).id

    def hear(event: Event, _: Status) -> None:
        if isinstance(event, MatchEnded) and event.counts:
            told.append((event.match_id, event.attempt))

    await play(choose, server=server.address, token=token, name=name, on_event=hear)


async def _result(server: ServerProcess) -> tuple[list[Match], list[bytes]]:
    async with AsyncTournamentClient(
        server=server.address, token_file=server.admin_token
    ) as client:
        async for now in client.watch("crash"):
            print(f"{now.matches_done} of {now.matches_total}, void {now.attempts_void}")
        log = [match async for match in client.matches("crash")]
        return log, [await client.record(match.match_id) for match in log if match.has_record]


def _each_scheduled_match_once(log: list[Match]) -> None:
    schedule = round_robin(NAMES, 2, seed=0, rounds=ROUNDS)
    assert Counter(match.match_id for match in log) == Counter(
        f"crash/{match.id}" for match in schedule.matches()
    )
    assert [match.log_position for match in log] == list(range(1, len(log) + 1))


def _nothing_told_is_missing(log: list[Match], told: Ends) -> None:
    counted = {(match.match_id, match.attempt) for match in log}
    for name, ends in told.items():
        assert set(ends) <= counted, name
        assert len(set(ends)) == len(ends), name


def _elo_is_the_fold_of_the_log(log: list[Match]) -> None:
    live = dict.fromkeys(NAMES, START)
    for match in log:
        before = [live[seat.bot] for seat in match.seats]
        assert [seat.elo_before for seat in match.seats] == before
        after = elo(before, [seat.placement for seat in match.seats], k=K)
        assert [seat.elo_after for seat in match.seats] == list(after)
        live.update(zip((seat.bot for seat in match.seats), after, strict=True))
