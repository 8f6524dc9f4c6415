"""The fixture that the tests of the gRPC side share."""

from collections.abc import AsyncIterator

import pytest

from tests.server.rpc.arena import Arena


@pytest.fixture
async def arena() -> AsyncIterator[Arena]:
    """A server with fakes behind it."""
    running = Arena()
    await running.server.start()
    yield running
    await running.channel.close()
    await running.server.stop(0)
