"""Figures, names and columns fit their cells, whatever script a name is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from saurodrome.server.cli.text import (
    ASCII,
    UNICODE,
    WIDTH,
    Column,
    bar,
    count,
    cut,
    percent,
    plural,
    span,
    table,
    visible,
    wrapped,
)


def test_a_long_name_is_cut_to_its_cells_and_says_so() -> None:
    assert cut("brontosaurus-search-9000") == "brontosaurus-se~"


def test_a_name_that_fits_is_left_alone() -> None:
    assert cut("brontosaurus-sea") == "brontosaurus-sea"


def test_width_is_counted_in_cells_not_characters() -> None:
    assert cut("恐竜恐竜恐竜恐竜") == "恐竜恐竜恐竜恐竜"  # 8 characters, 16 cells
    assert cut("恐竜恐竜恐竜恐竜恐") == "恐竜恐竜恐竜恐~"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [("a\u202eb", r"a\u202eb"), ("tab\there", r"tab\u0009here"), ("esc\x1b[2J", r"esc\u001b[2J")],
)
def test_control_and_direction_marks_are_written_out(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_without_unicode_every_letter_is_written_in_ascii() -> None:
    assert visible("Ádá", ASCII) == r"\xc1d\xe1"


@given(st.text(max_size=80), st.integers(2, 40), st.sampled_from([UNICODE, ASCII]))
def test_whatever_is_cut_fits(text: str, width: int, symbols: object) -> None:
    chosen = ASCII if symbols is ASCII else UNICODE
    assert cell_len(cut(text, width, chosen)) <= width


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0412, "41 ms"),
        (2.04, "2.0 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.99, "1 min 0 s"),
        (372, "6 min 12 s"),
        (33_180, "9 h 13 min"),
        (352_800, "4 d 2 h"),
    ],
)
def test_durations_are_written_in_their_two_largest_units(seconds: float, shown: str) -> None:
    assert span(seconds) == shown


def test_numbers() -> None:
    assert count(38452) == "38,452"
    assert percent(0.473) == "47 %"
    assert plural(1, "match") == "1 match"
    assert plural(2, "match") == "2 matches"
    assert plural(1000, "bot") == "1,000 bots"


@pytest.mark.parametrize(
    ("share", "shown"), [(0, ".........."), (0.5, "#####....."), (1, "##########"), (2, "#" * 10)]
)
def test_a_bar_is_as_long_as_its_share(share: float, shown: str) -> None:
    assert bar(share, 10) == shown


def test_figures_stand_to_the_right_and_words_to_the_left() -> None:
    columns = (Column("bot", right=False), Column("Elo"))
    assert table(columns, [["rexy", "1120"], ["brontosearch", "9"]]) == [
        " bot            Elo",
        " rexy          1120",
        " brontosearch     9",
    ]


def test_a_table_that_is_too_wide_first_loses_its_gaps_then_its_least_columns() -> None:
    columns = (Column("name", right=False), Column("a", drop=2), Column("b", drop=1))
    rows = [["n" * 8, "1" * 8, "2" * 8]]
    assert table(columns, rows, width=29)[1] == " nnnnnnnn  11111111  22222222"
    assert table(columns, rows, width=28)[1] == " nnnnnnnn 11111111 22222222"
    assert table(columns, rows, width=26)[1] == " nnnnnnnn  11111111"
    assert table(columns, rows, width=17)[1] == " nnnnnnnn"


def test_blanks_are_kept_where_a_line_does_not_break() -> None:
    assert wrapped("  where  a   b", "---", 12) == ["  where  a", "---b"]
    assert wrapped("  where  a   b", "---", 14) == ["  where  a   b"]


@given(st.text(alphabet="ab ", max_size=300), st.integers(0, 12))
def test_wrapped_lines_fit_where_their_words_do(text: str, indent: int) -> None:
    short = " ".join(word[:40] for word in text.split())
    lines = wrapped(short, " " * indent)
    assert all(cell_len(line) <= WIDTH for line in lines)
    assert " ".join(lines).split() == short.split()
