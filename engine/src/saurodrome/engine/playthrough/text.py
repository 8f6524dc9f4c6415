"""The text form of playthroughs: one file format, readable by people, version 1.

    saurodrome-playthrough 1
    game draftosaurus
    rules 1
    variant summer
    players 2
    start 0
    tag seat0 "Ada's bot"
    setup
    chance bag 48=3 47=11 46=0
    chance die 6=2
    step 1
    0 S forest "12 ms"
    1 R trio
    chance die 6=4
    outcome points 31 24 placements 1 2
    sha256 <64 hexadecimal digits of all text above, UTF-8, line ends included>

Lines end with a line feed, the order is fixed. `chance` names a stream, then n=value for each
draw; lines are split at about 100 columns. A choice is a seat, the action's text and, in
quotation marks, a note. Notes and tag values are JSON strings in which also invisible,
direction-changing and line-breaking characters are escaped, so that no name can look like
another line. A match that did not end by the rules has `outcome none`.

Reading forgives a byte order mark, Windows line ends and a missing last line end.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from saurodrome.engine.chance import Draw
from saurodrome.engine.errors import Edited, Foreign, Malformed, TooNew, Truncated
from saurodrome.engine.game import Outcome
from saurodrome.engine.playthrough.record import Choice, Playthrough, Step

VERSION: Final = 1
MAGIC: Final = "saurodrome-playthrough"
_WIDTH: Final = 100
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
_CHECKSUM: Final = re.compile(r"sha256 [0-9a-f]{64}")
_ALMOST_CHECKSUM: Final = re.compile(r"(?!tag )(?=.{71}).*[0-9a-f]{31}.*")
"""What a checksum's line still looks like when one character of it, or around it, was changed."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_TAG: Final = re.compile(r"tag ([a-z0-9][a-z0-9._-]*) (\".*\")")
_CHANCE: Final = re.compile(r"chance ([a-z0-9][a-z0-9._-]*)((?: [0-9]{1,99}=[0-9]{1,99})+)")
_CHOICE: Final = re.compile(r"([0-9]{1,4}) ([^\" ](?:[^\"]*[^\" ])?)(?: (\".*\"))?")
_OUTCOME: Final = re.compile(r"outcome (none|points(?: -?[0-9]{1,99})+ placements(?: [0-9]{1,9})+)")
_HIDDEN: Final = ("C", "Zl", "Zp")
_AS_JSON: Final = json.JSONEncoder(ensure_ascii=False).encode
_FETCH_AGAIN: Final = "fetch the file again from where it was recorded"
_REPORT: Final = "report it together with the file: the program that wrote it is at fault"


def dumps(record: Playthrough) -> str:
    """Return the text form of a playthrough.

    Raises:
        ValueError: A name, a tag key, a stream or an action text does not fit the format.
    """
    body = "\n".join(_lines(record))
    return f"{body}sha256 {_checksum(body)}\n"


def loads(text: str, *, checked: bool = True) -> Playthrough:
    """Return the playthrough that a text holds.

    Args:
        text: The text.
        checked: Refuse a text that does not fit its checksum. Without it, what an edited text
            says can still be compared with the rules.

    Raises:
        Foreign: It is something else.
        TooNew: It was written by a newer version.
        Truncated: It ends early.
        Edited: It was changed after it was written.
        Malformed: It is as written, but makes no sense.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = text.removesuffix("\n").split("\n")
    _check_first_line(lines)
    _check_end(lines, checked)
    return _Reader(lines[:-1]).record()


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _lines(record: Playthrough) -> list[str]:
    """Return all lines but the checksum, and an empty one."""
    game, variant, rules_version, players, start, tags, setup, steps, outcome = record
    if len(dict(tags)) < len(tags):
        raise ValueError("a tag is there twice")
    lines = [
        f"{MAGIC} {VERSION}",
        f"game {_slug(game)}",
        f"rules {rules_version}",
        f"variant {_slug(variant)}",
        f"players {players}",
        f"start {start}",
        *[f"tag {_slug(key)} {_quote(value)}" for key, value in tags],
        "setup",
    ]
    _add_draws(lines, setup)
    for number, (choices, draws) in enumerate(steps, start=1):
        lines.append(f"step {number}")
        for seat, action, note in choices:
            noted = f" {_quote(note)}" if note else ""
            lines.append(f"{seat} {_action(action)}{noted}")
        if draws:
            _add_draws(lines, draws)
    lines += (_outcome_line(outcome), "")
    return lines


@lru_cache(256)
def _slug(name: str) -> str:
    if not _SLUG.fullmatch(name):
        raise ValueError(f"{name!r} is no name of the form [a-z0-9][a-z0-9._-]*")
    return name


def _quote(value: str) -> str:
    """Return a text as a JSON string of visible characters only."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'  # as JSON would have it, at a tenth of its price
    quoted = _AS_JSON(value)
    if quoted.isascii() and quoted.isprintable():
        return quoted
    return "".join(map(_visible, quoted))


def _visible(character: str) -> str:
    if unicodedata.category(character).startswith(_HIDDEN):
        return json.dumps(character)[1:-1]
    return character


@lru_cache(1024)
def _action(text: str) -> str:
    if '"' in text or not text.isprintable() or text.strip() != text or not text:
        raise ValueError(f"{text!r} is no action text")
    return text


def _add_draws(lines: list[str], draws: tuple[Draw, ...]) -> None:
    """Add draws, one line for each run of one stream, split where it gets too long."""
    line, running = "", None
    for stream, n, value in draws:
        item = f" {n}={value}"
        if stream != running or len(line) + len(item) > _WIDTH:
            if line:
                lines.append(line)
            line, running = f"chance {_slug(stream)}", stream
        line += item
    if line:
        lines.append(line)


def _outcome_line(outcome: Outcome | None) -> str:
    if outcome is None:
        return "outcome none"
    points = " ".join(map(str, outcome.points))
    return f"outcome points {points} placements {' '.join(map(str, outcome.placements))}"


def _check_first_line(lines: list[str]) -> None:
    """Raise unless this is the first line of a playthrough that we can read."""
    if len(lines) == 1 and f"{MAGIC} ".startswith(lines[0]):
        raise Truncated(1, "the file ends in its first line", _FETCH_AGAIN)
    magic, _, version = lines[0].partition(" ")
    if magic != MAGIC or not _NUMBER.fullmatch(version) or int(version) < 1:
        halves = MAGIC.split("-")
        if any(half in lines[0] for half in halves) and _ALMOST_CHECKSUM.fullmatch(lines[-1]):
            raise Edited(1, "the first line is not as it was written", _FETCH_AGAIN)
        raise Foreign(1, "this is not a playthrough", "give the name of a .play file")
    if int(version) > VERSION:
        what = f"this is format {version}, only {VERSION} and older can be read"
        raise TooNew(1, what, "use the version of the program that wrote it, or a newer one")


def _check_end(lines: list[str], checked: bool) -> None:
    """Raise unless the last line is a checksum, and the right one if that is asked for."""
    last = lines[-1]
    if not _CHECKSUM.fullmatch(last):
        sums = [number for number, line in enumerate(lines, 1) if _CHECKSUM.fullmatch(line)]
        if sums:
            raise Edited(sums[0] + 1, "something follows the checksum", _FETCH_AGAIN)
        if _ALMOST_CHECKSUM.fullmatch(last):
            raise Edited(len(lines), "the checksum is not as it was written", _FETCH_AGAIN)
        raise Truncated(len(lines), "the file ends before its checksum", _FETCH_AGAIN)
    body = "".join(f"{line}\n" for line in lines[:-1])
    if checked and last != f"sha256 {_checksum(body)}":
        raise Edited(len(lines), "the text does not fit its checksum", _FETCH_AGAIN)


class _Reader:
    """Reads the lines of one playthrough from top to bottom."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._next = 1

    def record(self) -> Playthrough:
        """Return what the lines say."""
        game = self._field("game", _SLUG)
        rules = int(self._field("rules", _NUMBER))
        variant = self._field("variant", _SLUG)
        players = int(self._field("players", _NUMBER))
        start = int(self._field("start", _NUMBER))
        tags = tuple(self._tags())
        self._match(re.compile("setup"), "setup")
        setup = self._draws()
        steps = tuple(self._steps())
        outcome = self._outcome(players)
        if self._next != len(self._lines):
            raise self._malformed("nothing more")
        return Playthrough(game, variant, rules, players, start, tags, setup, steps, outcome)

    def _line(self) -> str:
        return self._lines[self._next] if self._next < len(self._lines) else ""

    def _malformed(self, expected: str) -> Malformed:
        line = self._line()
        found = repr(line[:60]) if line else "the end"
        return Malformed(self._next + 1, f"expected {expected}, found {found}", _REPORT)

    def _match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        """Take the next line, which must match."""
        match = pattern.fullmatch(self._line())
        if match is None:
            raise self._malformed(expected)
        self._next += 1
        return match

    def _field(self, word: str, value: re.Pattern[str]) -> str:
        pattern = re.compile(f"{word} ({value.pattern})")
        return self._match(pattern, f"{word} and a value")[1]

    def _quoted(self, text: str) -> str:
        """Return the value of a JSON string in the line before."""
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if not isinstance(value, str):
            self._next -= 1
            raise self._malformed("a text in quotation marks")
        return value

    def _tags(self) -> Iterator[tuple[str, str]]:
        seen = set()
        while self._line().startswith("tag "):
            match = self._match(_TAG, "tag, a key and a text in quotation marks")
            if match[1] in seen:
                self._next -= 1
                raise self._malformed("each tag once")
            seen.add(match[1])
            yield match[1], self._quoted(match[2])

    def _draws(self) -> tuple[Draw, ...]:
        draws = []
        while self._line().startswith("chance "):
            match = self._match(_CHANCE, "chance, a stream and n=value")
            for item in match[2].split():
                n, value = item.split("=")
                draws.append(Draw(match[1], int(n), int(value)))
        return tuple(draws)

    def _steps(self) -> Iterator[Step]:
        number = 1
        while self._line().startswith("step "):
            self._match(re.compile(f"step {number}"), f"step {number}")
            choices = []
            while self._line()[:1].isdecimal():
                match = self._match(_CHOICE, "a seat and its action")
                note = self._quoted(match[3]) if match[3] else ""
                choices.append(Choice(int(match[1]), match[2], note))
            yield Step(tuple(choices), self._draws())
            number += 1

    def _outcome(self, players: int) -> Outcome | None:
        expected = f"outcome none, or points and placements of {players} seats"
        words = self._match(_OUTCOME, expected)[1].split()
        if words == ["none"]:
            return None
        numbers = [int(word) for word in words if word not in ("points", "placements")]
        if len(numbers) != 2 * players or words[players + 1] != "placements":
            self._next -= 1
            raise self._malformed(expected)
        return Outcome(tuple(numbers[:players]), tuple(numbers[players:]))
