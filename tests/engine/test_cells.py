"""Text in the cells of a terminal."""

import pytest

from saurodrome.engine.cells import fit, pad, width


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("ada", 3, "ada"),
        ("adam", 3, "ad~"),
        ("恐竜", 4, "恐竜"),
        ("恐竜", 3, "恐~"),
        ("e\u0301e", 2, "e\u0301e"),
        ("a\tb", 8, "a\\u0009b"),
        ("\u202ea", 9, "\\u202ea"),
        ("a\u2028b", 9, "a\\u2028b"),
        ("a\nb", 3, "a~"),
        ("", 0, ""),
    ],
)
def test_fit(text: str, cells: int, shown: str) -> None:
    assert fit(text, cells) == shown
    assert width(shown) <= cells


def test_pad() -> None:
    assert pad("竜", 4) == "竜  "
    assert pad("long", 2) == "long"
