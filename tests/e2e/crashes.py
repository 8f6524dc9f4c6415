"""A tournament whose server dies again and again, and what must hold of it in the end."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from saurodrome.client import Decision, Event, MatchEnded, Status, play
from saurodrome.client.tournaments import (
    AsyncTournamentClient,
    Match,
    Standings,
    TournamentClient,
    TournamentSettings,
)
from saurodrome.engine import playthrough
from saurodrome.server.cli import export
from saurodrome.server.rating.elo import elo
from saurodrome.server.recorder import START, K
from saurodrome.server.schedule import round_robin
from tests.e2e.processes import ServerProcess

NAMES = ("amber", "birch", "cedar", "dune", "elm")

Ends = dict[str, list[tuple[str, int]]]
"""By bot: the matches that it was told the result of, with their attempts."""


@asynccontextmanager
async def tournament(server: ServerProcess, rounds: int, **more: Any) -> AsyncIterator[Ends]:
    """Plays one named `crash`, with bots that only reconnect; gives what they are told.

    Args:
        server: A server that serves, and will be killed.
        rounds: How many.
        more: Settings, where it is no plain round robin.
    """
    tokens = await _prepare(server, rounds, more)
    told: Ends = {name: [] for name in NAMES}
    bots = [asyncio.create_task(_bot(server, n, t, told[n])) for n, t in tokens.items()]
    try:
        yield told
    finally:
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


async def check(
    server: ServerProcess, rounds: int, told: Ends, folder: Path, *, plain: bool = True
) -> None:
    """Plays on to the end, and checks that log, told results, table, export and records agree.

    `plain` says that it is a plain round robin, whose matches are known.
    """
    async with client_of(server) as client:
        async for now in client.watch("crash"):
            print(f"{now.matches_done} of {now.matches_total}, void {now.attempts_void}")
        log = [match async for match in client.matches("crash")]
        table = await client.standings("crash")
    if plain:
        _each_scheduled_match_once(log, rounds)
    assert now.matches_done == now.matches_total
    _each_match_counts_once(log)
    _nothing_told_is_missing(log, told)
    live = _elo_is_the_fold_of_the_log(log)
    _the_table_is_the_fold_of_the_log(table, log, live)
    await asyncio.to_thread(_the_export_is_the_log, server, log, table, folder)
    await asyncio.to_thread(_the_records_are_the_log, log, folder / "records")


def client_of(server: ServerProcess) -> AsyncTournamentClient:
    """The organiser's client."""
    return AsyncTournamentClient(server=server.address, token_file=server.admin_token)


async def _prepare(server: ServerProcess, rounds: int, more: dict[str, Any]) -> dict[str, str]:
    async with client_of(server) as client:
        tokens = {name: (await client.register_bot(name)).token for name in NAMES}
        await client.create(
            TournamentSettings(
                name="crash",
                game="draftosaurus",
                variant="summer",
                players=2,
                bots=NAMES,
                rounds=rounds,
                **more,
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


def _each_scheduled_match_once(log: list[Match], rounds: int) -> None:
    schedule = round_robin(NAMES, 2, seed=0, rounds=rounds)
    assert Counter(match.match_id for match in log) == Counter(
        f"crash/{match.id}" for match in schedule.matches()
    )


def _counted(log: list[Match]) -> list[Match]:
    return [match for match in log if not match.void_reason]


def _each_match_counts_once(log: list[Match]) -> None:
    """A match that is played anew ends in r1, r2 and so on; every bot plays as often."""
    ids = Counter(
        match.match_id.removeprefix("crash/").partition("r")[0] for match in _counted(log)
    )
    assert set(ids.values()) == {1}
    seats = Counter(seat.bot for match in _counted(log) for seat in match.seats)
    assert len(seats) == len(NAMES)
    assert [match.log_position for match in log] == list(range(1, len(log) + 1))


def _nothing_told_is_missing(log: list[Match], told: Ends) -> None:
    counted = {(match.match_id, match.attempt) for match in log}
    for name, ends in told.items():
        assert set(ends) <= counted, name
        assert len(set(ends)) == len(ends), name


def _elo_is_the_fold_of_the_log(log: list[Match]) -> dict[str, float]:
    live = dict.fromkeys(NAMES, START)
    for match in log:
        before = [live[seat.bot] for seat in match.seats]
        assert [seat.elo_before for seat in match.seats] == before
        after = elo(before, [seat.placement for seat in match.seats], k=K)
        assert [seat.elo_after for seat in match.seats] == list(after)
        live.update(zip((seat.bot for seat in match.seats), after, strict=True))
    return live


def _the_table_is_the_fold_of_the_log(
    table: Standings, log: list[Match], live: dict[str, float]
) -> None:
    assert table.tournament.log_position == len(log)
    if _counted(log) == log:
        assert {row.bot: row.elo_live for row in table.standings} == live
    seats = Counter(seat.bot for match in _counted(log) for seat in match.seats)
    assert {row.bot: row.matches for row in table.standings} == seats


def _the_export_is_the_log(
    server: ServerProcess, log: list[Match], table: Standings, folder: Path
) -> None:
    with TournamentClient(server=server.address, token_file=server.admin_token) as client:
        done = export.write(client, "crash", folder)
    assert done["log_position"] == done["matches"] == table.tournament.log_position
    lines = (folder / "matches.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        json.loads(json.dumps(export.match_json(match))) for match in log
    ]
    assert (folder / "standings.csv").read_text().count("\n") == 1 + len(NAMES)


def _the_records_are_the_log(log: list[Match], records: Path) -> None:
    """Each record replays, and its rules give the points and places that the log has."""
    for match in log:
        text = (records / export.record_name(match)).read_text()
        record = playthrough.loads(text)
        assert playthrough.verify(record) is None
        tags = dict(record.tags)
        assert (tags["match"], int(tags["attempt"])) == (match.match_id, match.attempt)
        assert record.outcome is not None
        assert record.outcome.points == tuple(seat.points for seat in match.seats)
        assert record.outcome.placements == tuple(seat.placement for seat in match.seats)
