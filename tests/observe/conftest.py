"""Debian's Prometheus and Alertmanager for tests that ask them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from chores.debian import program
from chores.terminal import Refused


@pytest.fixture(scope="session")
def tool() -> Callable[[str], Path]:
    """Finds a program by its name; skips the test where it cannot be had, but in CI."""

    def find(name: str) -> Path:
        try:
            return program(name)
        except Refused as reason:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(reason))

    return find
