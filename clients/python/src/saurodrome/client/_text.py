"""Text for people: cells instead of characters, control marks made visible."""

import unicodedata
from collections.abc import Iterator

WIDTH = 80
"""No line is wider, in cells."""
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown(text: str) -> str:
    r"""Gives the text with control and direction marks written out, as in ``\u202e``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if unicodedata.category(c) in _HIDDEN else c for c in text)


def _escape(char: str) -> str:
    number = ord(char)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def cells(text: str) -> int:
    """Counts the terminal cells that the text takes: wide letters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Gives one line of at most `width` cells, marks written out; ``~`` says that more was."""
    text = shown(text)
    if cells(text) <= width:
        return text
    while cells(text) >= width:
        text = text[: min(len(text) - 1, width)]
    return f"{text}~"


def wrap(text: str, width: int, first: str, rest: str) -> Iterator[str]:
    """Breaks the text at blanks into lines of at most `width` cells.

    Args:
        text: What to break. Its own line breaks are kept, blanks at their starts too.
        width: The most cells of a line, the prefix included.
        first: The prefix of the first line.
        rest: The prefix of all other lines.
    """
    prefix = first
    for line in text.split("\n"):
        for piece in _pieces(shown(line), width - cells(prefix), width - cells(rest)):
            yield (prefix + piece).rstrip(" ")
            prefix = rest


def _pieces(line: str, room: int, later_room: int) -> Iterator[str]:
    while cells(line) > room:
        cut = _cut(line, room)
        yield line[:cut]
        line = line[cut:].lstrip(" ")
        room = later_room
    yield line


def _cut(line: str, room: int) -> int:
    """Finds where to break: after the last blank that fits, else in the middle of the word."""
    used, end, blank = 0, 0, 0
    for end, char in enumerate(line):
        used += _width(char)
        if used > room:
            break
        if char == " " and line[:end].strip():
            blank = end
    if line[end] == " ":
        blank = end
    return blank or max(end, 1)
