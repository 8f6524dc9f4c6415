"""Stores to test, each empty and open."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from saurodrome.server.store.interface import Store
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Every kind of store."""
    kind: Store = (
        MemoryStore() if request.param == "memory" else SqlStore(SqliteDatabase(tmp_path / "data"))
    )
    await kind.open()
    yield kind
    await kind.close()
