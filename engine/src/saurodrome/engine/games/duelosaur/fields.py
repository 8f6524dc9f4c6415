"""Reads component files strictly: each field by name, with type and range, and nothing else."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NoReturn

from saurodrome.engine.errors import BadComponents
from saurodrome.engine.games.duelosaur.components import NO_CAP, Gain
from saurodrome.engine.games.duelosaur.words import KEYS

_MARKS: Final = ("prov", "provenance_legend")
_ID: Final = re.compile(r"[A-Z]{1,8}[0-9]{1,8}")
_LARGEST: Final = 1000
"""Far beyond anything printed; keeps typing errors from becoming endless matches."""


class Fields:
    """The fields of one JSON object; each is taken once, and `close` refuses the rest."""

    def __init__(self, file: str, entry: str, value: object) -> None:
        """Begin with an object.

        Args:
            file: Name of the file, for errors.
            entry: Where in it the object stands, for errors.
            value: The object.

        Raises:
            BadComponents: It is no object.
        """
        self.file = file
        self.entry = entry
        if not isinstance(value, dict):
            self.refuse(f"expected an object, found {_shown(value)}")
        self._left: dict[str, object] = dict(value)

    def refuse(self, reason: str, field: str = "") -> NoReturn:
        """Raise BadComponents for this object or one of its fields."""
        where = ".".join(part for part in (self.entry, field) if part)
        raise BadComponents(self.file, where, reason)

    def __contains__(self, name: str) -> bool:
        return name in self._left

    def take(self, name: str) -> object:
        """Return a field as it is."""
        if name not in self._left:
            self.refuse(f"the field {name!r} is missing")
        return self._left.pop(name)

    def whole(self, name: str, least: int = 0, most: int = _LARGEST) -> int:
        """Return a field that is a whole number of a range."""
        return self._whole(self.take(name), name, least, most)

    def wholes(self, name: str, least: int) -> tuple[int, ...]:
        """Return a field that lists whole numbers, ascending."""
        found = tuple(self._whole(one, name, least) for one in self.items(name))
        if found != tuple(sorted(set(found))):
            self.refuse("values are not ascending", name)
        return found

    def cap(self, name: str, least: int) -> int:
        """Return the end of a track; null is NO_CAP."""
        value = self.take(name)
        return NO_CAP if value is None else self._whole(value, name, least, _LARGEST)

    def flag(self, name: str) -> bool:
        """Return a field that is true or false."""
        value = self.take(name)
        if not isinstance(value, bool):
            self.refuse(f"expected true or false, found {_shown(value)}", name)
        return value

    def text(self, name: str) -> str:
        """Return a field that is a text of printable characters."""
        value = self.take(name)
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.refuse(f"expected a printable text, found {_shown(value)}", name)
        return value

    def word(self, name: str, allowed: Sequence[str]) -> int:
        """Return the index of a field among the words that it may be."""
        return self._word(self.take(name), name, allowed)

    def words(self, name: str, allowed: Sequence[str]) -> tuple[str, ...]:
        """Return a field that lists words, each at most once."""
        found = tuple(allowed[self._word(one, name, allowed)] for one in self.items(name))
        if len(set(found)) < len(found):
            self.refuse("names one word twice", name)
        return found

    def items(self, name: str) -> list[object]:
        """Return a field that is a list."""
        value = self.take(name)
        if not isinstance(value, list):
            self.refuse(f"expected a list, found {_shown(value)}", name)
        return list(value)

    def inner(self, name: str) -> "Fields":
        """Return a field that is an object."""
        return Fields(self.file, f"{self.entry}.{name}" if self.entry else name, self.take(name))

    def amounts(self, name: str, allowed: Sequence[str] = KEYS) -> Gain:
        """Return a field that maps gain keys to amounts of 1 or more, in written order."""
        value = self.take(name)
        if not isinstance(value, dict) or not value:
            self.refuse(f"expected keys with amounts, found {_shown(value)}", name)
        return tuple(
            (KEYS.index(allowed[self._word(key, name, allowed)]), self._whole(amount, name, 1))
            for key, amount in value.items()
        )

    def expect(self, name: str, wanted: object) -> None:
        """Refuse a field that is anything else than what is wanted."""
        value = self.take(name)
        if value != wanted or type(value) is not type(wanted):
            self.refuse(f"expected {_shown(wanted)}, found {_shown(value)}", name)

    def names(self) -> tuple[str, ...]:
        """Return the names of the fields that are left."""
        return tuple(self._left)

    def close(self) -> None:
        """Refuse the fields that nobody asked for, except marks of provenance."""
        for mark in _MARKS:
            if mark in self._left:
                self._check_mark(mark)
        if self._left:
            known = ", ".join(map(repr, sorted(self._left)))
            self.refuse(f"no such field: {known}")

    def _check_mark(self, name: str) -> None:
        value = self._left.pop(name)
        if not isinstance(value, dict):
            self.refuse(f"expected an object, found {_shown(value)}", name)
        for key, mark in value.items():
            if name == "prov" and (not isinstance(mark, str) or mark[:1] not in ("S", "D", "R")):
                self.refuse(f"the mark of {key!r} begins with none of S, D, R", name)

    def _whole(self, value: object, name: str, least: int, most: int = _LARGEST) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            wanted = f"a whole number of {least} to {most}"
            self.refuse(f"expected {wanted}, found {_shown(value)}", name)
        return value

    def _word(self, value: object, name: str, allowed: Sequence[str]) -> int:
        if not isinstance(value, str) or value not in allowed:
            self.refuse(f"expected one of {', '.join(allowed)}, found {_shown(value)}", name)
        return allowed.index(value)


class Source:
    """Opens the files of one set and keeps their ids apart."""

    def __init__(self) -> None:
        """Begin without ids."""
        self._ids: dict[str, str] = {}

    def opened(self, file: str, text: str) -> Fields:
        """Return the fields of a file after checking its schema.

        Raises:
            BadComponents: It is no JSON object of the known schema.
        """
        name = file.removesuffix(".json")
        fields = Fields(file, "", _parsed(file, text))
        fields.expect("schema", f"duelosaur/{name}/1")
        return fields

    def entries(self, fields: Fields, name: str) -> Iterator[Fields]:
        """Yield the entries of a list whose length `count` tells, by id.

        Raises:
            BadComponents: Another count, an id that is no id, or one that is used already.
        """
        listed = fields.items(name)
        fields.expect("count", len(listed))
        entries = [
            Fields(fields.file, f"{name}[{number}]", value) for number, value in enumerate(listed)
        ]
        for entry in entries:
            entry.entry = self._id(entry)
        yield from sorted(entries, key=lambda entry: entry.entry)

    def _id(self, entry: Fields) -> str:
        found = entry.take("id")
        if not isinstance(found, str) or not _ID.fullmatch(found):
            entry.refuse(f"expected an id like P01, found {_shown(found)}", "id")
        if found in self._ids:
            entry.refuse(f"the id {found} is already used in {self._ids[found]}", "id")
        self._ids[found] = entry.file
        return found


def _parsed(file: str, text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _unique(file, pairs))
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadComponents(file, "", f"is no JSON: {error}") from error


def _unique(file: str, pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Return an object whose fields are all different."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise BadComponents(file, "", f"the field {key!r} stands twice in one object")
        found[key] = value
    return found


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else f"{text[:57]}..."
