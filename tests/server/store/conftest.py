"""Stores to test, each empty and open."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from saurodrome.server.store.interface import Store
from saurodrome.server.store.memory import MemoryStore


@pytest.fixture(params=["memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Every kind of store."""
    kind: Store = MemoryStore()
    await kind.open()
    yield kind
    await kind.close()
