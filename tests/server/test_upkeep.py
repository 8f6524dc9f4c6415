"""Upkeep: renewed certificates, changed settings, and records that are old enough."""

import asyncio
import shutil
from collections.abc import Collection, MutableMapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from saurodrome.server.certificates import Certificates
from saurodrome.server.config import Config
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store.access import Place
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.upkeep import Reloading, Upkeep, forget_records, note_change, renew
from tests.server.certificates import issue

needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")


@needs_openssl
async def test_renewals_are_logged_and_an_end_that_is_near_is_warned_of(tmp_path: Path) -> None:
    pairs = {"new": issue(tmp_path, "new", 5_000), "old": issue(tmp_path, "old", 7)}
    cert, key = tmp_path / "tls.crt", tmp_path / "tls.key"

    async def put(name: str) -> None:
        for path, source in zip((cert, key), pairs[name], strict=True):
            await asyncio.to_thread(shutil.copy, source, path)

    await put("new")
    served = Certificates(cert, key)
    with capture_logs() as logs:
        task = asyncio.create_task(renew(served, every=0.001))
        await asyncio.to_thread(cert.write_text, "no certificate")
        await seen(logs, "certificate not renewed")
        await put("old")
        await seen(logs, "certificate renewed")
        await seen(logs, "certificate ends")
        task.cancel()


async def seen(logs: Sequence[MutableMapping[str, Any]], event: str) -> None:
    """Waits until something is logged."""
    async with asyncio.timeout(5):
        while event not in [log["event"] for log in logs]:
            await asyncio.to_thread(lambda: None)  # other threads do what is waited for


class Applied:
    """Settings that were applied, newest last; what is read next is set by the test."""

    def __init__(self, config: Config) -> None:
        self.read: Config | Refused = config
        self.applied: list[Config] = []
        self.reloading = Reloading(config, self._read, self.applied.append)

    def _read(self) -> Config:
        if isinstance(self.read, Refused):
            raise self.read
        return self.read


@pytest.fixture
def applied() -> Applied:
    """Settings at the start."""
    return Applied(Config(data=Path("d"), max_matches=4, log_level="info"))


async def test_what_may_change_changes_and_what_may_not_is_named(applied: Applied) -> None:
    applied.read = Config(data=Path("e"), max_matches=8, log_level="debug", bots_port=1)
    with capture_logs() as logs:
        changed = await applied.reloading.again()
    assert changed == ("limits.max_matches", "log.level")
    assert applied.applied == [Config(data=Path("d"), max_matches=8, log_level="debug")]
    assert logs == [
        {
            "event": "settings reloaded",
            "log_level": "info",
            "changed": {"limits.max_matches": 8, "log.level": "debug"},
            "need_restart": ["data", "listen.bots_port"],
        }
    ]


async def test_wrong_settings_change_nothing_and_later_right_ones_do(applied: Applied) -> None:
    before = applied.reloading.config
    applied.read = Refused(Kind.INVALID, "BAD_SETTING", "No.", "line 3", "write another")
    with capture_logs() as logs:
        await applied.reloading.again()
    assert (applied.applied, applied.reloading.config) == ([], before)
    assert (logs[0]["event"], logs[0]["where"]) == ("settings not reloaded", "line 3")
    applied.read = replace(before, drain=9.0)
    await applied.reloading.again()
    assert applied.reloading.config.drain == 9.0


class Records(MemoryStore):
    """Has some records to delete, and may have trouble at first; tells what it was asked."""

    dropped = 0

    def __init__(self, there: int, trouble: int = 0) -> None:
        super().__init__()
        self.there = there
        self.trouble = trouble
        self.asked: asyncio.Queue[float] = asyncio.Queue()

    async def drop_records(self, ended_before: float, limit: int) -> tuple[Place, ...]:
        self.asked.put_nowait(ended_before)
        await asyncio.sleep(0)
        if self.trouble:
            self.trouble -= 1
            raise StoreTrouble("STORE_FULL", "full")
        gone = min(limit, self.there)
        self.there -= gone
        return tuple(("cup", number) for number in range(gone))

    def hear(self, places: Collection[Place]) -> None:
        """Hears of results without records."""
        self.dropped += len(places)


async def asked(store: Records, days: int, times: int) -> list[float]:
    """What the task asks first."""
    task = asyncio.create_task(
        forget_records(store, store.hear, lambda: days, lambda: 1e9, every=0.0)
    )
    async with asyncio.timeout(5):
        told = [await store.asked.get() for _ in range(times)]
    task.cancel()
    return told


@pytest.mark.parametrize("trouble", [0, 2])
async def test_old_records_go_until_none_is_left_whatever_the_store_has(
    monkeypatch: pytest.MonkeyPatch, trouble: int
) -> None:
    monkeypatch.setattr("saurodrome.server.upkeep.RECORDS_PAUSE", 0.0)
    store = Records(450, trouble)
    assert set(await asked(store, 30, times=4 + trouble)) == {1e9 - 30 * 86_400}
    assert (store.there, store.dropped) == (0, 450)


async def test_records_are_kept_for_ever_unless_told_otherwise() -> None:
    store, looks = Records(10), asyncio.Queue[None]()

    def days() -> int:
        looks.put_nowait(None)
        return 0

    task = asyncio.create_task(forget_records(store, store.hear, days, every=0.0))
    async with asyncio.timeout(5):
        for _ in range(3):
            await looks.get()
    task.cancel()
    assert store.asked.empty()


async def test_changes_by_signal_are_in_the_audit_log() -> None:
    store = MemoryStore()
    await note_change(store, (), lambda: 5.0)
    await note_change(store, ("log.level", "limits.drain"), lambda: 5.0)
    (act,) = await store.acts()
    assert (act.who, act.act, act.subject, act.outcome) == (
        *("operator", "SIGHUP", "log.level limits.drain"),
        "done",
    )


async def test_a_change_that_cannot_be_noted_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(act: object) -> int:
        raise StoreTrouble("STORE_FULL", "full")

    store = MemoryStore()
    monkeypatch.setattr(store, "add_act", full)
    with capture_logs() as logs:
        await note_change(store, ("log.level",))
    assert (logs[0]["event"], logs[0]["code"]) == ("change not noted", "STORE_FULL")


async def test_a_task_that_fails_is_told_and_the_others_go_on() -> None:
    told: list[tuple[str, str]] = []
    upkeep = Upkeep(lambda where, error: told.append((where, str(error))))
    ended = asyncio.Event()

    async def fails() -> None:
        raise RuntimeError("a bug")

    async def goes_on() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    upkeep.start(goes_on(), "one")
    upkeep.start(fails(), "two")
    for _ in range(3):
        await asyncio.sleep(0)
    assert (told, ended.is_set()) == ([("upkeep: two", "a bug")], False)
    await upkeep.stop()
    assert ended.is_set()
    assert len(told) == 1  # an end by stopping is none
