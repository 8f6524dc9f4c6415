"""Changes that change nothing anybody could see: written down with the reason, and looked up."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from chores.mutants.mutant import Mutant

FILE = Path(__file__).with_name("equivalent.toml")


class Equivalent(NamedTuple):
    """Changes of one line that come to the same.

    Attributes:
        function: Where, as "scoring.totals".
        was: The line, without its indentation.
        now: What it may be as well.
        why: Why that comes to the same.
    """

    function: str
    was: str
    now: tuple[str, ...]
    why: str


def load(file: Path = FILE) -> list[Equivalent]:
    """Return all that is written down."""
    tables = tomllib.loads(file.read_text())
    return [
        Equivalent(entry["in"], entry["was"], tuple(entry["now"]), kind["why"])
        for kind in tables["kind"]
        for entry in kind["change"]
    ]


def reason(mutant: Mutant, known: Sequence[Equivalent]) -> str:
    """Return why a change comes to the same; "" where that is not known."""
    for one in known:
        same = one.function == mutant.function and mutant.was == (one.was,)
        if same and len(mutant.now) == 1 and mutant.now[0] in one.now:
            return one.why
    return ""


def stale(known: Sequence[Equivalent], mutants: Sequence[Mutant]) -> list[str]:
    """Return what is written down of the sources looked at, but is no change of them any more."""
    looked_at = {mutant.module.stem for mutant in mutants}
    there = {(one.function, one.was, one.now) for one in mutants}
    return [
        f"{one.function}: {now}"
        for one in known
        if one.function.partition(".")[0] in looked_at
        for now in one.now
        if (one.function, (one.was,), (now,)) not in there
    ]
