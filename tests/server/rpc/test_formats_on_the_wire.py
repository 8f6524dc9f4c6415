"""A Swiss and a knockout over a real socket, led by an organiser's client while they run."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from saurodrome.client import Bot, Decision, RequestError, Strategy, strategy_of
from saurodrome.client.tournaments import (
    AsyncTournamentClient,
    EntrantStatus,
    EventKind,
    Format,
    Match,
    TournamentSettings,
)
from saurodrome.server.config import Config
from tests.server.rpc.whole import Whole

pytestmark = pytest.mark.wire


def first(d: Decision) -> int:
    """Take the first legal action."""
    return d.legal_actions[0].id


@asynccontextmanager
async def hall(*names: str) -> AsyncIterator[AsyncTournamentClient]:
    """Serve, let bots of these names in, and give an organiser's client."""
    strategy: Strategy = strategy_of(first)
    async with Whole(Config(data=Path(), bots_port=0)) as whole:
        tokens = await whole.register(*names)
        bots = [
            Bot(strategy, server=whole.address, token=token, max_concurrent=4)
            for token in tokens.values()
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        async with AsyncTournamentClient(server=whole.address, token=whole.admin_token) as client:
            yield client
        for bot in bots:
            bot.stop()
        await asyncio.gather(*playing)


def cup(form: "Format.ValueType", bots: list[str], **more: object) -> TournamentSettings:
    """Return settings of a tournament with much time."""
    made = TournamentSettings(
        name="cup",
        game="draftosaurus",
        variant="summer",
        players=2,
        bots=bots,
        format=form,
        **more,  # type: ignore[arg-type]  # by the fields' names
    )
    made.decision_time.seconds = 5
    return made


async def finished(client: AsyncTournamentClient) -> list[Match]:
    """Start the tournament, wait for its end, and return its results."""
    await client.start("cup")
    async for _ in client.watch("cup"):
        pass
    return [match async for match in client.matches("cup")]


async def test_a_swiss_is_played_while_bots_come_and_go() -> None:
    names = [f"bot-{number}" for number in range(1, 7)]
    async with hall(*names) as client:
        await client.create(cup(Format.FORMAT_SWISS, names[:5], rounds=4, games=2))
        joined = await client.enter("cup", "bot-6", reason="late, but here")
        withdrawn = await client.withdraw("cup", "bot-5", reason="ill")
        results = await finished(client)
        table = await client.standings("cup")
        events = [event async for event in client.events("cup")]
        with pytest.raises(RequestError) as refused:
            await client.readmit("cup", "bot-5")
    assert (joined.bot, joined.who, withdrawn.reason) == ("bot-6", "admin", "ill")
    assert [(event.number, event.kind) for event in events] == [
        (1, EventKind.EVENT_KIND_JOINED),
        (2, EventKind.EVENT_KIND_WITHDRAWN),
        (3, EventKind.EVENT_KIND_STARTED),
    ]
    assert refused.value.code == "WRONG_STATE"
    pairs = Counter(frozenset(seat.bot for seat in match.seats) for match in results)
    assert len(results) == 4 * 2 * 2  # five bots: two pairings and a bye a round
    assert set(pairs.values()) == {2}  # both seats, and nobody twice
    # three points a round, the bye's too, and a bye a round
    assert sum(row.swiss.points for row in table.standings) == 4 * 3
    assert sum(row.swiss.byes for row in table.standings) == 4
    status = {row.bot: row.status for row in table.standings}
    assert status.pop("bot-5") == EntrantStatus.ENTRANT_STATUS_WITHDRAWN
    assert set(status.values()) == {EntrantStatus.ENTRANT_STATUS_PLAYING}


async def test_a_knockout_is_played_and_a_result_of_it_voided_once_it_is_over() -> None:
    names = [f"bot-{number}" for number in range(1, 5)]
    async with hall(*names) as client:
        await client.create(cup(Format.FORMAT_KNOCKOUT, names, games=1, blind=True))
        results = await finished(client)
        table = await client.standings("cup")
        final = [match for match in results if match.match_id.startswith("cup/2/1/")]
        voided = await client.void(final[-1].match_id, reason="the machine was on fire")
        again = [match async for match in client.matches("cup") if match.void_reason]
        after = await client.standings("cup")
    finalists = {seat.bot for match in final for seat in match.seats}
    assert len(finalists) == 2
    assert {row.bot for row in table.standings[:2]} == finalists
    left = [(row.knockout.passed, row.knockout.left_in) for row in table.standings]
    assert left == [(2, 0), (1, 2), (0, 1), (0, 1)]
    assert [match.match_id for match in again] == [voided.match_id] == [final[-1].match_id]
    assert after.tournament.matches_void == 1
