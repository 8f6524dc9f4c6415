"""Text in the cells of a terminal: wide characters take two, invisible ones show as escapes."""

import unicodedata

_HIDDEN = ("C", "Zl", "Zp")


def fit(text: str, cells: int) -> str:
    """Return a text that takes at most so many cells of a terminal.

    Longer ones are cut and end in "~"; control and direction marks are shown as escapes.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= cells else text[: cells - 1] + "~"
    shown = [_shown(character) for character in text]
    if sum(map(width, shown)) <= cells:
        return "".join(shown)
    kept, used = "", 1
    for character in shown:
        used += width(character)
        if used > cells:
            break
        kept += character
    return kept + "~"


def pad(text: str, cells: int) -> str:
    """Return a text with blanks after it, so that it takes so many cells."""
    return text + " " * (cells - width(text))


def width(text: str) -> int:
    """Return how many cells a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(bool(unicodedata.combining(character)) for character in text)


def _shown(character: str) -> str:
    """Return a character, or its escape if it would not show."""
    if unicodedata.category(character).startswith(_HIDDEN):
        return f"\\u{ord(character):04x}"
    return character
