"""Metrics of a whole tournament agree with its log: nothing is counted twice or forgotten."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from saurodrome.server.log import LogObserver
from saurodrome.server.metrics import Metrics
from saurodrome.server.readings import watch
from tests.sim.bots import Bot
from tests.sim.cups import stop
from tests.sim.heard import Event
from tests.sim.loop import simulated
from tests.sim.world import World

NAMES = tuple("abcd")


class Page:
    """The metrics of a world: what it has told so far, and what is read of it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._metrics = Metrics("1", world.loop.time)
        self._told = 0
        watch(self._metrics, world.arbiter, LogObserver(), Path(), None)

    async def look(self) -> dict[str, float]:
        """A scrape: series by name and the last label's value."""
        lines = self._world.trace.lines
        for line in lines[self._told :]:
            if isinstance(line, Event):
                getattr(self._metrics, line.name)(*line.args)
        self._told = len(lines)
        self._metrics.render()
        await asyncio.sleep(1.0)  # the table is made meanwhile
        return {
            name(sample.name, sample.labels): sample.value
            for family in text_string_to_metric_families(self._metrics.render().decode())
            for sample in family.samples
        }


def name(series: str, labels: Mapping[str, str]) -> str:
    """A short name of a series: that of the tournament goes without saying, if not alone."""
    told = [value for label, value in labels.items() if label != "tournament" or len(labels) == 1]
    return ":".join((series.removeprefix("saurodrome_"), *told))


@simulated
async def test_metrics_agree_with_the_log_of_a_whole_tournament() -> None:
    async with World() as world:
        await world.begin(*NAMES, rounds=1, join_timeout=30.0)
        page = Page(world)
        before = await page.look()
        assert before["scheduler_state:waiting_for_bots"] == 1
        assert before["tournament_waiting:cup"] == 1
        assert before["matches_left"] == before["tournament_matches:left"] > 0
        bots = [Bot(world, name) for name in NAMES[:-1]]  # d never comes
        await world.over()
        after = await page.look()
        results = await world.results()
        stop([*bots])
        await asyncio.sleep(1.0)
        gone = await page.look()
    ends = Counter(result.termination.value for result in results)
    assert ends["absent"] > 0
    for termination, number in ends.items():
        assert after[f"matches_total:{termination}"] == number
    assert after["tournament_matches:done"] == len(results) == before["matches_left"]
    assert after["matches_left"] == after["matches_running"] == 0
    assert after["attempts_started_total"] == ends["finished"] + ends["forfeit"]
    assert after["decisions_total:accepted"] == after["decision_seconds_count"] > 0
    assert after["sessions"] == 3
    assert after["elo_drift"] < 1e-6
    played = Counter(seat.bot for result in results for seat in result.seats)
    assert {bot: after[f"bot_matches:{bot}"] for bot in NAMES} == played
    assert (after["bot_connected:a"], after["bot_connected:d"]) == (1, 0)
    assert after["bot_decisions_total:a"] > 0
    assert after["scheduler_state:idle"] == 1
    assert after["commit_items_total"] >= len(results)
    assert gone["sessions"] == 0
