"""What several end-to-end tests stand on: servers, and a tournament with troubles."""

from collections.abc import Iterator

import pytest

from tests.e2e.arena import Arena
from tests.e2e.injection import Injection, find


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A folder with a running server, a finished tournament and a bot that was often late."""
    with Arena(tmp_path_factory.mktemp("arena")) as running:
        yield running


@pytest.fixture(scope="session")
def injection(tmp_path_factory: pytest.TempPathFactory) -> Injection:
    """Faults of system calls; without a working strace, and none to be had, a skip."""
    strace = find(tmp_path_factory.mktemp("strace"))
    if strace is None:
        pytest.skip("no strace works here, and Debian's cannot be fetched")
    return Injection(strace)
