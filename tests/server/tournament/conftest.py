"""What tests of tournaments share."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def others_out_of_sight() -> Iterator[None]:
    """What is loaded, or left by other tests, need not be walked through by each test."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
