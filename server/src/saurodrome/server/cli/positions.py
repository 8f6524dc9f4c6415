"""Positions of Draftosaurus in files: what they say, checked before anything is counted."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from saurodrome.client import InputError
from saurodrome.engine.errors import BadPlayerCount, EngineError, UnknownVariant
from saurodrome.engine.games.draftosaurus.positions import (
    BadPosition,
    PlainZoo,
    check_table,
    owners,
)
from saurodrome.server.cli.failures import from_engine, sentence

LIST = "score_and_quarantine_cases"
"""Under this key a file of cases keeps its positions."""
ZOOS = {"score": "zoos", "quarantine": "zoos_before"}
FORM = '{"board": "summer" or "winter", "zoos": [{pen: [species, ...], ...}, ...]}'


class Position(NamedTuple):
    """One position to be judged.

    Attributes:
        id: What it is called in its file, else its number from 1.
        board: Name of the board.
        zoos: The zoos, by seat.
        owner: The seat whose dinosaur leaves quarantine; None where the points are asked for.
    """

    id: str
    board: str
    zoos: tuple[PlainZoo, ...]
    owner: int | None


def read(path: Path) -> list[tuple[str, Any]]:
    """Reads the positions of a file as (id, what it says), not checked yet.

    Args:
        path: A whole file of cases, one case, or a list of cases; `-` is the standard input.

    Raises:
        InputError: It cannot be read, or is nothing of the kind.
    """
    name = "standard input" if str(path) == "-" else str(path)
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        said = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=without_repeats)
    except json.JSONDecodeError as error:
        where = f"{name}, line {error.lineno}, column {error.colno}"
        raise InputError("BAD_JSON", sentence(error.msg), where=where, do=f"write {FORM}") from None
    except (ValueError, RecursionError) as error:
        what = sentence(str(error))
        raise InputError("BAD_JSON", what, where=name, do=f"write {FORM}") from None
    found = listed(said)
    if not found:
        raise InputError("NO_POSITION", "There is none in it.", where=name, do=f"write {FORM}")
    return [(id_of(case, number), case) for number, case in enumerate(found, 1)]


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Makes an object of JSON, and refuses one that says the same key twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, _ in pairs if [k for k, _ in pairs].count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return made


def listed(said: Any) -> list[Any]:
    """Gives the cases of what a file says."""
    if isinstance(said, dict) and LIST in said:
        said = said[LIST]
    if isinstance(said, list):
        return said
    return [said] if isinstance(said, dict) and "board" in said else []


def id_of(case: Any, number: int) -> str:
    """Gives what a case is called."""
    said = case.get("id", number) if isinstance(case, dict) else number
    return str(said)


def check(case_id: str, case: Any) -> Position:
    """Makes a position of what a file says.

    Raises:
        InputError: It is none, or one that cannot be; says of which case.
    """
    try:
        return checked(case_id, case)
    except Misshapen as error:
        where = f"case {case_id}"
        raise InputError(
            "BAD_CASE", sentence(str(error)), where=where, do=f"write {FORM}"
        ) from None
    except BadPosition as error:
        raise impossible(case_id, error) from None
    except (UnknownVariant, BadPlayerCount) as error:
        said = from_engine(error)
        said.where = f"case {case_id}"
        raise said from None


class Misshapen(Exception):
    """What a file says is not of the form of a case."""


def checked(case_id: str, case: Any) -> Position:
    """Makes a position of a case.

    Raises:
        Misshapen, EngineError: It is none.
    """
    if not isinstance(case, dict):
        raise Misshapen("a case is an object")
    kind = case.get("kind", "quarantine" if "zoos_before" in case else "score")
    if kind not in ZOOS:
        raise Misshapen(f"kind {kind!r} is neither score nor quarantine")
    board = case.get("board")
    if not isinstance(board, str):
        raise Misshapen("board must be a name")
    zoos = tuple(zoos_of(case.get(ZOOS[kind]), ZOOS[kind]))
    if case.get("players", len(zoos)) != len(zoos):
        raise Misshapen(f"players is {case['players']!r}, but there are {len(zoos)} zoos")
    check_table(board, zoos, complete=case.get("complete_zoos") is True)
    owner = owner_of(case, board, zoos) if kind == "quarantine" else None
    return Position(case_id, board, zoos, owner)


def zoos_of(said: Any, key: str) -> Iterator[PlainZoo]:
    """Gives the zoos of a case.

    Raises:
        Misshapen: They are no list of objects of lists of names.
    """
    if not isinstance(said, list):
        raise Misshapen(f"{key} must be a list of zoos")
    for seat, zoo in enumerate(said):
        if not isinstance(zoo, dict):
            raise Misshapen(f"zoo {seat} must be an object of pens")
        for pen, inside in zoo.items():
            if not isinstance(inside, list) or not all(
                one is None or isinstance(one, str) for one in inside
            ):
                raise Misshapen(f"zoo {seat}, {pen}: must be a list of names of species")
        yield zoo


def owner_of(case: dict[str, Any], board: str, zoos: tuple[PlainZoo, ...]) -> int:
    """Gives the seat whose dinosaur leaves quarantine.

    Raises:
        Misshapen: There is none, or another than the case says.
    """
    waiting = owners(board, zoos)
    seat = case.get("seat", next(iter(waiting)) if len(waiting) == 1 else None)
    if type(seat) is not int or not 0 <= seat < len(zoos):
        raise Misshapen(f"seat must say whose dinosaur moves: one of {sorted(waiting)}")
    if seat not in waiting:
        raise Misshapen(f"seat {seat} has no dinosaur in quarantine")
    if case.get("species", waiting[seat]) != waiting[seat]:
        raise Misshapen(f"seat {seat} has {waiting[seat]} in quarantine, not {case['species']!r}")
    return seat


def impossible(case_id: str, error: EngineError) -> InputError:
    """Says why a position cannot be, and in which case, zoo and pen."""
    where = f"case {case_id}"
    if isinstance(error, BadPosition):
        where += "" if error.zoo is None else f", seat {error.zoo}"
        where += f", {error.pen}" if error.pen else ""
        what = sentence(error.what)
    else:
        what = sentence(str(error))
    do = "mend the position: this one cannot come up in a game"
    return InputError("IMPOSSIBLE_POSITION", what, where=where, do=do)
