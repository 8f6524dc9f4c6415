"""Nothing that comes from outside makes more series than the catalogue says, or a slow page."""

import asyncio
import time
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from saurodrome.server.contracts import Progress, TableRow
from saurodrome.server.log import LogObserver
from saurodrome.server.metrics import Metrics
from saurodrome.server.metrics.catalogue import BY_NAME, ENTRIES, MAX_SERIES, table
from saurodrome.server.observer import VoidWhy, Waits
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.readings import watch
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import (
    RatedSeat,
    Result,
    Termination,
    Tournament,
    TournamentState,
)
from saurodrome.server.store.sqlite import FILE

BOTS = 5_000
HOSTILE = 'a"} 1\nsaurodrome_fake 2\x1b[2J\u202e\ud800{bot="'
MAX_BYTES = 1024 * 1024


def attack(metrics: Metrics) -> None:
    """Lets 5,000 bots do everything that is counted, each with words of its own."""
    answer = Answer(1, Verdict.ACCEPTED, 0.1)
    for n in range(BOTS):
        bot, own = f"bot-{n}", f"{HOSTILE}{n}"
        metrics.session_opened(bot, own, own)
        metrics.session_closed(bot, f"REASON_{n}")
        metrics.session_refused(f"CODE_{n}")
        metrics.surplus_frame(bot, own)
        metrics.forfeited(bot, own, f"kind {n}")
        metrics.decision_closed(bot, own, own, answer, 0.001)
        metrics.match_started(f"t{n}", f"t{n}/1", 1, (bot,))
        metrics.match_void(f"t{n}", f"t{n}/1", 1, VoidWhy.ERROR, f"reason {n}")
        metrics.tournament_changed(f"t{n}", "running")
        metrics.commit_failed(f"STORE_{n}", own, 0.1)
        metrics.scheduler_waits(Waits.BOTS, own)
        method = (("unary", "bidi_stream")[n % 2], "saurodrome", f"Method{n}")
        metrics.call_began(method)
        metrics.call_ended(method, f"STATUS_{n}", 0.1)
    seat = RatedSeat("bot-0", 1, 10, 0, 0, False, False, True, 1500.0, 1508.0)
    metrics.match_finished(Result(1, "w", "w/1", 1, Termination.FINISHED, (seat,), 9.0, True), 1.0)


def arbiter(bots: int) -> Any:
    """What a scrape reads of an arbiter with so many bots and a hundred tournaments."""
    rows = [TableRow(n + 1, f"bot-{n}", f"{HOSTILE}{n}", 1500.0, 1500.0, 10.0) for n in range(bots)]
    settings = [
        TournamentSettings(f"t{n}", "draftosaurus", "summer", 2, ("a", "b")) for n in range(100)
    ]
    progresses = [
        Progress(Tournament(n, one, TournamentState.RUNNING, 1, 0.0, ""), 10, 3, 2)
        for n, one in enumerate(settings)
    ]

    async def standings(name: str) -> Any:
        return SimpleNamespace(rows=rows, progress=progresses[0])

    return SimpleNamespace(
        recorder=SimpleNamespace(waiting=3, behind=0.5),
        lobby=SimpleNamespace(
            load=lambda: SimpleNamespace(decisions=4, frames=5), connected=lambda bot: True
        ),
        organiser=SimpleNamespace(
            running=lambda: progresses,
            latest=lambda limit: progresses[:limit],
            standings=standings,
        ),
    )


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> Metrics:
    """Metrics of a server with 5,000 bots, after the attack."""
    data = tmp_path_factory.mktemp("data")
    (data / FILE).write_bytes(b"x" * 10)
    metrics = Metrics("1")
    certificates: Any = SimpleNamespace(ends=1e9)
    watch(metrics, arbiter(BOTS), LogObserver(), data, certificates)
    attack(metrics)
    return metrics


async def test_5000_hostile_bots_make_no_more_series_than_the_catalogue_says(
    metrics: Metrics,
) -> None:
    metrics.render()
    await asyncio.sleep(0)  # the table is made
    page = metrics.render().decode()
    counted: Counter[str] = Counter()
    for family in text_string_to_metric_families(page):
        name = family.name + "_total" * (family.type == "counter")
        counted[name] += len(family.samples)
    assert counted.keys() <= BY_NAME.keys()
    over = {name: number for name, number in counted.items() if number > BY_NAME[name].bound}
    assert over == {}
    assert counted.total() <= MAX_SERIES
    assert counted.total() > 0.6 * MAX_SERIES  # the attack reached the bounds
    assert "saurodrome_fake" not in counted
    assert len(page) < MAX_BYTES
    assert not set(page) - set(map(chr, range(0x20, 0x7F))) - {"\n"}


async def test_the_page_shows_every_metric_of_the_catalogue_and_no_other(metrics: Metrics) -> None:
    types = {
        line.split(" ")[2]: line.split(" ")[3]
        for line in metrics.render().decode().splitlines()
        if line.startswith("# TYPE")
    }
    assert types == {entry.name: entry.kind for entry in ENTRIES}


def test_the_catalogue_explains_every_metric() -> None:
    for entry in ENTRIES:
        assert entry.unit, entry.name
        assert entry.question, entry.name
        assert entry.text or entry.name.startswith("process_"), entry.name
        if entry.kind == "counter":
            assert entry.name.endswith("_total"), entry.name
        for unit in ("seconds", "bytes"):
            named = unit in entry.name.removesuffix("_total").split("_")
            assert named == (unit in entry.unit), entry.name
    assert len(BY_NAME) == len(ENTRIES)
    assert f"| all | | | {MAX_SERIES:,} | |" in table()


async def test_a_page_is_made_quickly_and_in_small_slices(metrics: Metrics) -> None:
    runs = [sliced(metrics) for _ in range(5)]
    assert min(map(sum, runs)) < 0.1
    # No clock is held up: a stall of the loop is one from 5 ms on; five times wider here.
    assert min(map(max, runs)) < 0.025


def sliced(metrics: Metrics) -> list[float]:
    """The processor's time for each slice of a page, in seconds: others may be busy, too."""
    began = time.thread_time()
    ends = [time.thread_time() for _ in metrics.parts()]
    return [after - before for before, after in pairwise((began, *ends))]
