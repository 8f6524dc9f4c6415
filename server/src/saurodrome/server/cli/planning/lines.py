"""On which line of a TOML text a key is set: the parser of the standard library does not say."""

import re
from collections.abc import Iterator

_HEAD = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""(["']?)([A-Za-z0-9_.-]+)\1\s*=""")
_VALUE = re.compile(r"""("(?:\\.|[^"\\])*"|'[^']*')(?!\s*=)""")


def lines_of(text: str) -> dict[str, int]:
    """Return the line, from 1, of every key and table by its whole path.

    Texts over several lines that look like keys may mislead it; a wrong line is all that comes
    of it.
    """
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if head := _HEAD.match(line):
            table = head[1].strip("\"'") + "."
            found.setdefault(table[:-1], number)
        else:
            for path in _paths(line):
                found.setdefault(table + path, number)
    return found


def _paths(line: str) -> Iterator[str]:
    """Yield the keys of a line, those inside of its inline tables with what they stand in."""
    bare = _VALUE.sub('""', line).lstrip()
    outer = _KEY.match(bare)
    if outer is None:
        return
    yield outer[2]
    inside = bare[outer.end() :].partition("#")[0]
    if "{" in inside:
        yield from (f"{outer[2]}.{inner[2]}" for inner in _KEY.finditer(inside))
