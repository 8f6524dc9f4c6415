"""Text for people: widths in cells, hidden marks made visible, lines broken at blanks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.client._text import cells, shown, wrap


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a\u202eb", "a\\u202eb"),
        ("a\x1b[31m", "a\\u001b[31m"),
        ("línea", "línea"),
        ("tag\U000e0041", "tag\\U000e0041"),
    ],
)
def test_control_and_direction_marks_are_written_out(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("abc", 3), ("恐竜", 4), ("e\u0301", 1), ("🦖", 2), ("", 0)]
)
def test_width_is_counted_in_cells(text: str, expected: int) -> None:
    assert cells(text) == expected


def test_lines_break_at_blanks_and_later_ones_are_indented() -> None:
    lines = list(wrap("one two three four", 10, "- ", "  "))

    assert lines == ["- one two", "  three", "  four"]


def test_own_line_breaks_and_indents_are_kept() -> None:
    assert list(wrap("first\n  second", 20, "> ", "  ")) == ["> first", "    second"]


def test_a_word_that_fits_nowhere_is_cut() -> None:
    assert list(wrap("abcdefgh", 5, "", "")) == ["abcde", "fgh"]


@given(
    text=st.text(st.characters(codec="utf-8"), max_size=200),
    width=st.integers(min_value=12, max_value=80),
)
def test_no_line_is_too_wide_and_no_letter_is_lost(text: str, width: int) -> None:
    lines = list(wrap(text, width, "ab ", "    "))

    assert all(cells(line) <= width for line in lines)
    kept = "".join(line[3:] if n == 0 else line[4:] for n, line in enumerate(lines))
    squeezed = "".join(shown(part) for part in text.split("\n"))
    assert kept.replace(" ", "") == squeezed.replace(" ", "")
