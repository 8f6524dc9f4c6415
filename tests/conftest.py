"""Options and marks that all tests share."""

import hashlib
import signal
import sys
from collections.abc import Generator

import hypothesis
import pytest

SLICES = 8
SECONDS = {"slow": 900, "wire": 240}  # for one test before it counts as hanging, by its mark

# A machine that is busy with something else makes no property false.
hypothesis.settings.register_profile("unhurried", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --slow-slice, with which many short runs together cover the slow tests."""
    parser.addoption(
        "--slow-slice",
        metavar="KEY",
        help=f"of the slow tests run one in {SLICES}, the same ones whenever KEY is the same",
    )


def pytest_configure() -> None:
    """Let programs that tests start hear Ctrl-C, also if the tests run in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let no test import from the folders of bots that another one loaded."""
    before = list(sys.path)
    try:
        return (yield)
    finally:
        sys.path[:] = before


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give some tests more time, and leave out slow ones that are not in the slice asked for."""
    for item in items:
        longer = [seconds for mark, seconds in SECONDS.items() if item.get_closest_marker(mark)]
        if longer and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(longer[0]))
    if key := config.getoption("--slow-slice"):
        config.hook.pytest_deselected(items=[i for i in items if not in_slice(i, key)])
        items[:] = [item for item in items if in_slice(item, key)]


def in_slice(item: pytest.Item, key: str) -> bool:
    """Tell whether a test is run in the slice of a key; all but the slow ones are."""
    return item.get_closest_marker("slow") is None or slot(item.nodeid) == slot(key)


def slot(text: str) -> int:
    """Return a number below SLICES that depends on the text alone, in any process."""
    return hashlib.sha256(text.encode()).digest()[0] % SLICES
