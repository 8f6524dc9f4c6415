"""Figures, names and columns as people read them, in cells of a terminal; pure functions."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

WIDTH = 80
"""No line is wider, in cells."""
NAME_CELLS = 16
"""Names in tables are cut to this many cells."""
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Symbols(NamedTuple):
    """The few characters beyond ASCII, and what stands for them where ASCII is all there is."""

    ascii: bool
    plus_minus: str
    dot: str


UNICODE = Symbols(ascii=False, plus_minus="±", dot="·")
ASCII = Symbols(ascii=True, plus_minus="+-", dot="|")


def visible(text: str, symbols: Symbols = UNICODE) -> str:
    r"""Gives a text with control and direction marks written out, as in ``\u202e``."""
    if text.isascii() and text.isprintable():
        return text
    written = "".join(_written_out(c) if unicodedata.category(c) in _HIDDEN else c for c in text)
    return written.encode("ascii", "backslashreplace").decode() if symbols.ascii else written


def _written_out(char: str) -> str:
    number = ord(char)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def cut(text: str, width: int = NAME_CELLS, symbols: Symbols = UNICODE) -> str:
    """Gives a text of at most `width` cells; ``~`` at its end says that more was cut."""
    text = visible(text, symbols)
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "~"


def count(number: int) -> str:
    """Writes a whole number with commas: 38,452."""
    return f"{number:,}"


def percent(share: float) -> str:
    """Writes a share, 0 to 1, as whole per cent: 47 %."""
    return f"{share * 100:.0f} %"


def span(seconds: float) -> str:
    """Writes a duration in its two largest units: 9 h 13 min, 29 s, 41 ms."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24} d {hours % 24} h"


def moment(unix: float) -> str:
    """Writes a time, in seconds since 1970, to the minute: Fri 2026-12-04 17:00 UTC."""
    return f"{datetime.fromtimestamp(unix, UTC):%a %Y-%m-%d %H:%M} UTC"


def times(number: int) -> str:
    """Writes how often: once, 2 times."""
    return "once" if number == 1 else f"{count(number)} times"


def plural(number: int, word: str) -> str:
    """Writes a number with its noun: 1 match, 2 matches."""
    ending = "" if number == 1 else "es" if word.endswith(("ch", "s", "x")) else "s"
    return f"{count(number)} {word}{ending}"


def bar(share: float, width: int = 30) -> str:
    """Draws a bar of ``#`` and ``.`` for a share, 0 to 1."""
    filled = min(width, int(max(share, 0.0) * width))
    return "#" * filled + "." * (width - filled)


def wrapped(text: str, indent: str = "", width: int = WIDTH, *, hard: bool = False) -> list[str]:
    """Breaks a text at its blanks; every line after the first begins with `indent`.

    Blanks at its start and between words that stay on one line are kept as they are. Marks
    that are not seen are written out first, as by `visible`.

    Args:
        text: What to break.
        indent: How later lines begin.
        width: The most cells of a line.
        hard: Words that are too wide are broken, too: those of a text from outside. A path
            or a command stays whole, so that it can be copied.
    """
    lines: list[str] = []
    line = ""
    for blanks, word in re.findall(r"( *)([^ ]+)", visible(text)):
        longer = line + blanks + word
        if line.strip() and cell_len(longer) > width:
            lines.append(line)
            longer = indent + word
        while hard and cell_len(longer) > width:
            head, longer = _broken(longer, width)
            lines.append(head)
            longer = indent + longer
        line = longer
    return [*lines, line]


def _broken(text: str, width: int) -> tuple[str, str]:
    """Breaks a text after as many cells as fit."""
    end = 0
    while cell_len(text[: end + 1]) <= width:
        end += 1
    return text[:end], text[end:]


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        title: Its heading.
        right: Figures stand to the right, words to the left.
        drop: Where the table is too wide, columns go in this order, 1 first; 0 stays.
    """

    title: str
    right: bool = True
    drop: int = 0


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    *,
    gap: int = 2,
    width: int = WIDTH,
) -> list[str]:
    """Lays out a table, its heading first.

    Every column is as wide as its widest cell. If the table is too wide the gaps go down to
    one, then columns with a `drop` number go.

    Args:
        columns: The columns.
        rows: The cells of each row, as many as columns.
        gap: Cells between columns, where there is room.
        width: The most cells of a line.
    """
    lines = [[column.title for column in columns], *map(list, rows)]
    kept = list(range(len(columns)))
    sizes = [max(cell_len(line[i]) for line in lines) for i in kept]
    order = sorted((i for i in kept if columns[i].drop), key=lambda i: columns[i].drop)
    while True:
        for space in range(gap, 0, -1):
            if 1 + sum(sizes[i] for i in kept) + space * (len(kept) - 1) <= width:
                return [_line(columns, line, sizes, kept, " " * space) for line in lines]
        if not order:
            return [_line(columns, line, sizes, kept, " ") for line in lines]
        kept.remove(order.pop(0))


def _line(
    columns: Sequence[Column],
    cells: Sequence[str],
    sizes: Sequence[int],
    kept: Sequence[int],
    space: str,
) -> str:
    padded = [_pad(cells[i], sizes[i], columns[i].right) for i in kept]
    return (" " + space.join(padded)).rstrip()


def _pad(cell: str, size: int, right: bool) -> str:
    blanks = " " * (size - cell_len(cell))
    return blanks + cell if right else cell + blanks
