"""Two games at once on one arbiter, played by real bots over a real socket."""

import asyncio
from pathlib import Path

import pytest

from saurodrome.client import Bot, Strategy, load
from saurodrome.engine import playthrough, registry
from saurodrome.server.config import Config
from saurodrome.server.port import TimeControl
from saurodrome.server.recorder import START
from tests.server.rpc.whole import Whole

pytestmark = pytest.mark.wire

EXAMPLES = Path(__file__).parents[3] / "clients" / "examples"
TIME = TimeControl(ready=20.0, decision=5.0, margin=1.0, sealed=20.0)


def bot(whole: Whole, file: str, token: str) -> Bot:
    """An example bot that is wanted in both games."""
    strategy: Strategy = load(EXAMPLES / file)
    return Bot(strategy, server=whole.address, token=token, max_concurrent=4)


async def test_two_games_at_once_keep_their_ratings_apart() -> None:
    files = {
        "greedy": "greedy_bot.py",
        "duelist": "duelosaur_greedy_bot.py",
        "random": "random_bot.py",
    }
    async with Whole(Config(data=Path(), bots_port=0)) as whole:
        tokens = await whole.register(*files)
        bots = [bot(whole, file, tokens[name]) for name, file in files.items()]
        playing = [asyncio.create_task(one.play()) for one in bots]
        tables = {"dinos": "greedy", "duel": "duelist"}
        await whole.begin(
            "dinos", "draftosaurus", "summer", "greedy", "random", time=TIME, rounds=3
        )
        await whole.begin("duel", "duelosaur", "short", "duelist", "random", time=TIME, rounds=3)
        both = await asyncio.gather(*map(whole.over, tables))
        for one in bots:
            one.stop()
        await asyncio.gather(*playing)
        assert [progress.done for progress in both] == [6, 6]
        for name, strong in tables.items():
            table = await whole.organiser.standings(name)
            rows = {row.bot: row for row in table.rows}
            assert set(rows) == {strong, "random"}
            assert rows[strong].elo_live > START
            # Elo is zero-sum in each pool by itself.
            assert sum(row.elo_live for row in table.rows) == pytest.approx(2 * START)
            results = await whole.organiser.matches(name, 0, 100)
            before = [seat.elo_before for seat in results[0].result.seats]
            assert before == [START, START]
            for result in (listed.result for listed in results):
                text = (await whole.organiser.record(result.match_id, 0)).decode()
                record = playthrough.loads(text)
                assert playthrough.verify(record) is None
                game = registry.get(record.game)
                assert dict(record.tags).get("ruleset", "") == game.ruleset
