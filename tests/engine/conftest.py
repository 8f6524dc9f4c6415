"""The option that plays the golden matches anew."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --golden, which must be given together with this folder."""
    parser.addoption(
        "--golden", action="store_true", help="write tests/golden anew instead of comparing"
    )
