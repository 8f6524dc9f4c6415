"""Boards as plain text for terminals of 80 columns: letters carry all meaning."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from saurodrome.engine.games.draftosaurus.board import (
    FACES,
    FREE,
    LETTERS,
    NO_LIMIT,
    SCORE_PAIRS,
    SCORE_WATCH,
    Pen,
)
from saurodrome.engine.games.draftosaurus.kernel import TURNS, turns_a_round
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Observation, Public
from saurodrome.engine.games.draftosaurus.pens import RULE_PYRAMID, counts_of, tally, unpack
from saurodrome.engine.games.draftosaurus.position import OVER
from saurodrome.engine.games.draftosaurus.scoring import ZooPoints, score_pens
from saurodrome.engine.games.draftosaurus.text import action_text, letters

_LABEL = 8
_POINTS = 4
_ZONES = ("woods", "grass", "food", "rest")
_ROOM = 6
"""Dinosaurs on one line of a zoo: no pen with a limit holds more."""


def render(observation: Observation, *, names: Sequence[str] = ()) -> list[str]:
    """Return what an observer knows as lines of at most 80 columns, zoos side by side.

    Each row is a pen: its dinosaurs, free places as dots, points as they are now (+1 for a
    T-Rex), zone and side. A pyramid stands in three rows. Couples of the bridge stand between its
    halves, one letter each; the lookout names the seat that it looks at; at the end the
    quarantine shows where its dinosaur went. Seats are numbered from 0.

    Args:
        observation: What to show.
        names: Names of the seats, if any; cut to the column, controls shown as escapes.
    """
    public = observation.public
    sheets = score_pens(public.board, public.zoos)
    wide = len(public.zoos) < 4
    titles = [f"{seat} {name}" for seat, name in enumerate(_names(public, names))]
    lines = [_turn_line(public, _names(public, names))]
    lines.append(_row("", [fit(title, _width(wide) - 1) for title in titles], "", wide))
    for index, pen in enumerate(public.board.pens):
        lines.extend(_pen_rows(public, sheets, index, pen, wide))
    totals = [f"{sheet.total:>{_width(wide) - 1}}" for sheet in sheets]
    lines.append(_row("total", totals, "", wide))
    lines.append(_row("hand", _hands(observation, wide), "", wide))
    if observation.private.unseen:
        lines.append(f"{'unseen':{_LABEL}}{_counts(observation.private.unseen)}")
    return lines


def fit(text: str, cells: int) -> str:
    """Return a text that takes at most so many cells of a terminal.

    Longer ones are cut and end in "~"; control and direction marks are shown as escapes.
    """
    shown = [_shown(character) for character in text]
    if sum(map(_cells, shown)) <= cells:
        return "".join(shown)
    kept, used = "", 1
    for character in shown:
        used += _cells(character)
        if used > cells:
            break
        kept += character
    return kept + "~"


def _shown(character: str) -> str:
    """Return a character, or its escape if it would not show."""
    if unicodedata.category(character).startswith(("C", "Zl", "Zp")):
        return f"\\u{ord(character):04x}"
    return character


def _cells(text: str) -> int:
    """Return how many cells a text takes."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(bool(unicodedata.combining(character)) for character in text)


def _width(wide: bool) -> int:
    """Return the width of a zoo's column, the gap after it included."""
    return 2 * _ROOM + _POINTS + 3 if wide else _ROOM + _POINTS + 2


def _names(public: Public, names: Sequence[str]) -> list[str]:
    return [names[seat] if seat < len(names) else "" for seat in range(len(public.zoos))]


def _turn_line(public: Public, names: list[str]) -> str:
    """Return the state of the match in one line."""
    if public.turn == TURNS:
        return public.phase if public.stage == OVER else "after turn 12: quarantine, without die"
    a_round = turns_a_round(len(public.zoos))
    rolled = fit(names[public.roller], 16) or f"seat {public.roller}"
    where = f"turn {public.turn + 1} of {TURNS}, round {public.turn // a_round + 1}"
    die = FACES[public.die].replace("_", " ")
    return f"{where}, {public.phase}: die {die}, rolled by {rolled}"


def _row(label: str, cells: Sequence[str], zone: str, wide: bool) -> str:
    columns = "".join(cell + " " * (_width(wide) - _cells(cell)) for cell in cells)
    return f"{label[: _LABEL - 1]:{_LABEL}}{columns}{zone}".rstrip()


def turn_of(observation: Observation) -> int:
    """Return the turn of the game, from 1; what follows the last turn belongs to it."""
    return min(observation.public.turn + 1, TURNS)


class _Cell(NamedTuple):
    """What one zoo has in one row: dinosaurs, and points behind them."""

    shown: str
    points: str = ""


def _pen_rows(
    public: Public, sheets: tuple[ZooPoints, ...], index: int, pen: Pen, wide: bool
) -> Iterator[str]:
    """Yield the rows of one pen; more than one if it is too full for one."""
    columns = [
        _pen_cells(public, sheets[seat], seat, index, wide) for seat in range(len(public.zoos))
    ]
    zone = "" if pen.zone == FREE else f"{_ZONES[pen.zone]}/{_ZONES[pen.side]}"
    label = pen.short
    for cells in zip_longest(*columns, fillvalue=_Cell("")):
        yield _row(label, [_aligned(cell, wide) for cell in cells], zone, wide)
        label = zone = ""
    if any(line.kind == SCORE_PAIRS and line.pen == index for line in public.board.scores):
        couples = [_couples(public, sheets[seat], seat, wide) for seat in range(len(columns))]
        yield _row("couples", [_aligned(cell, wide) for cell in couples], "", wide)


def _aligned(cell: _Cell, wide: bool) -> str:
    """Return a cell with its points at the right end of the column, if there is room for both."""
    room = _width(wide) - _POINTS - 2
    return f"{cell.shown:{room}} {cell.points:>{_POINTS}}"[: _width(wide) - 1]


def _pen_cells(
    public: Public, sheet: ZooPoints, seat: int, index: int, wide: bool
) -> Iterator[_Cell]:
    """Yield what a seat's pen shows, row by row."""
    contents, pen = public.zoos[seat][index], public.board.pens[index]
    points = _points(public, sheet, seat, index)
    if pen.rule == RULE_PYRAMID:
        yield from _pyramid(contents, points)
        return
    if moved := _moved(public, seat, index):
        yield _Cell(moved)
        return
    watches = any(line.kind == SCORE_WATCH and line.pen == index for line in public.board.scores)
    neighbour = f" of {(seat - 1) % len(public.zoos)}" if watches else ""
    for shown in _chunks(contents, pen, wide):
        yield _Cell(shown + neighbour, points)
        points = ""


def _moved(public: Public, seat: int, index: int) -> str:
    """Return where a pen's dinosaur went out of quarantine at the end, as "S>wood", or ""."""
    board = public.board
    if index != board.quarantine or public.stage != OVER or not public.reveal:
        return ""
    if public.reveal[seat] < board.first_move:
        return ""
    letter, _, goal = action_text(board, public.reveal[seat] - board.first_move).partition(" ")
    return f"{letter}>{goal}"


def _pyramid(contents: int, points: str) -> Iterator[_Cell]:
    """Yield the rows of a pyramid, the top first; its points stand at the bottom."""
    slots = [LETTERS[one] if one >= 0 else "." for one in unpack(contents)]
    slots += ["."] * (6 - len(slots))
    yield _Cell(f"  {slots[5]}")
    yield _Cell(f" {slots[3]} {slots[4]}")
    yield _Cell(" ".join(slots[:3]), points)


def _couples(public: Public, sheet: ZooPoints, seat: int, wide: bool) -> _Cell:
    """Return the couples over the river, a letter each, and their points."""
    for line, points in zip(public.board.scores, sheet.lines, strict=True):
        if line.kind == SCORE_PAIRS:
            halves = [tally(public.zoos[seat][pen]) for pen in (line.pen, line.partner)]
            pairs = [min(left, right) for left, right in zip(*map(counts_of, halves), strict=True)]
            found = "".join(letter * pair for letter, pair in zip(LETTERS, pairs, strict=True))
            return _Cell(_spread(found, wide) or "-", str(points))
    return _Cell("")


def _chunks(contents: int, pen: Pen, wide: bool) -> Iterator[str]:
    """Yield the dinosaurs of a pen as lines."""
    shown = "".join("." if one < 0 else LETTERS[one] for one in unpack(contents))
    shown = shown.ljust(pen.capacity, ".") if pen.capacity != NO_LIMIT else shown or "-"
    for begin in range(0, len(shown), _ROOM):
        yield _spread(shown[begin : begin + _ROOM], wide)


def _spread(shown: str, wide: bool) -> str:
    return " ".join(shown) if wide else shown


def _points(public: Public, sheet: ZooPoints, seat: int, pen: int) -> str:
    """Return the points of a pen, its T-Rex apart; "" if it has no line of its own."""
    lines = zip(public.board.scores, sheet.lines, strict=True)
    own = [points for line, points in lines if line.pen == pen and line.kind != SCORE_PAIRS]
    bonus = pen != public.board.river and tally(public.zoos[seat][pen]) & 15
    return "".join(map(str, own)) + ("+1" if bonus else "")


def _hands(observation: Observation, wide: bool) -> list[str]:
    """Return each hand: its dinosaurs where they are known, else how many there are."""
    sizes = observation.public.hand_sizes
    return [
        f"{size} hidden" if hand == UNKNOWN else _spread(letters(hand), wide) or "-"
        for hand, size in zip(observation.private.hands, sizes, strict=True)
    ]


def _counts(packed: int) -> str:
    """Return a packed count as "3 R, 2 S"."""
    counted = [(packed >> 4 * one & 15, letter) for one, letter in enumerate(LETTERS)]
    return ", ".join(f"{count} {letter}" for count, letter in counted if count)
