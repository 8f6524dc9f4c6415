"""What several end-to-end tests stand on: servers, and a tournament with troubles."""

from collections.abc import Iterator

import pytest

from tests.e2e.arena import Arena


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A folder with a running server, a finished tournament and a bot that was often late."""
    with Arena(tmp_path_factory.mktemp("arena")) as running:
        yield running
