"""Boards as plain text for terminals of 80 columns: letters carry all meaning."""

import unicodedata
from collections.abc import Iterator, Sequence

from saurodrome.engine.games.draftosaurus.board import FACES, FREE, LETTERS, NO_LIMIT, Pen
from saurodrome.engine.games.draftosaurus.kernel import TURNS, turns_a_round
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN, Observation, Public
from saurodrome.engine.games.draftosaurus.pens import tally, unpack
from saurodrome.engine.games.draftosaurus.scoring import ZooPoints, score_pens
from saurodrome.engine.games.draftosaurus.text import letters

_LABEL = 8
_POINTS = 4
_ZONES = ("woods", "grass", "food", "rest")
_ROOM = 6
"""Dinosaurs on one line of a zoo: no pen with a limit holds more."""


def render(observation: Observation, *, names: Sequence[str] = ()) -> list[str]:
    """Return what an observer knows as lines of at most 80 columns, zoos side by side.

    Each row is a pen: its dinosaurs, free places as dots, points as they are now (+1 for a
    T-Rex), zone and side. A pyramid's slots stand in order: three below, two, one on top.
    Seats are numbered from 0.

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
        return public.phase
    a_round = turns_a_round(len(public.zoos))
    rolled = fit(names[public.roller], 16) or f"seat {public.roller}"
    where = f"turn {public.turn + 1} of {TURNS}, round {public.turn // a_round + 1}"
    die = FACES[public.die].replace("_", " ")
    return f"{where}, {public.phase}: die {die}, rolled by {rolled}"


def _row(label: str, cells: Sequence[str], zone: str, wide: bool) -> str:
    columns = "".join(cell + " " * (_width(wide) - _cells(cell)) for cell in cells)
    return f"{label[: _LABEL - 1]:{_LABEL}}{columns}{zone}".rstrip()


def _pen_rows(
    public: Public, sheets: tuple[ZooPoints, ...], index: int, pen: Pen, wide: bool
) -> Iterator[str]:
    """Yield the rows of one pen; more than one if it is too full for one."""
    chunks = [list(_chunks(zoo[index], pen, wide)) for zoo in public.zoos]
    points = [_points(public, sheets[seat], seat, index) for seat in range(len(sheets))]
    zone = "" if pen.zone == FREE else f"{_ZONES[pen.zone]}/{_ZONES[pen.side]}"
    for number in range(max(map(len, chunks))):
        parts = [lines[number] if number < len(lines) else "" for lines in chunks]
        first = number == 0
        room = _width(wide) - _POINTS - 2
        cells = [
            f"{part:{room}} {points[seat] if first else '':>{_POINTS}}"
            for seat, part in enumerate(parts)
        ]
        yield _row(pen.short if first else "", cells, zone if first else "", wide)


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
    lines = public.board.scores
    own = [points for line, points in zip(lines, sheet.lines, strict=True) if line.pen == pen]
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
