"""Every value of the shipped set says whether it is sourced, derived or reconstructed."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from saurodrome.engine.games.duelosaur.loading import FILES, data

MARK = re.compile(r"[SDR]([/:(, ].*|$)")
ENTRIES = ("cards", "dice", "tokens")


def content(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data() / name).read_text(encoding="utf-8"))
    return found


def marks(content: dict[str, Any]) -> Iterator[str]:
    yield from content.get("prov", {}).values()
    for name in ENTRIES:
        for entry in content.get(name, []):
            yield from entry.get("prov", {}).values()


def dotted(entry: dict[str, Any], path: str) -> bool:
    """Return whether an entry has a field of this path."""
    value: Any = entry
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


@pytest.mark.parametrize("name", FILES)
def test_every_mark_begins_with_a_letter_of_the_legend(name: str) -> None:
    found = content(name)
    assert set(found.get("provenance_legend", {"S": 0, "D": 0, "R": 0})) == {"S", "D", "R"}
    assert [mark for mark in marks(found) if not MARK.match(mark)] == []


@pytest.mark.parametrize("name", FILES)
def test_every_entry_is_covered(name: str) -> None:
    found = content(name)
    entries = [entry for key in ENTRIES for entry in found.get(key, [])]
    covered = [entry for entry in entries if "default" in entry.get("prov", {})]
    assert "prov" in found or (entries and covered == entries)


@pytest.mark.parametrize("name", FILES)
def test_a_mark_names_a_field_that_exists(name: str) -> None:
    found = content(name)
    strange = [
        (entry["id"], path)
        for key in ENTRIES
        for entry in found.get(key, [])
        for path in entry.get("prov", {})
        if path != "default" and not dotted(entry, path)
    ]
    assert strange == []


def test_the_marks_say_both_what_is_known_and_what_is_not() -> None:
    kinds = {mark[0] for name in FILES for mark in marks(content(name))}
    assert kinds == {"S", "D", "R"}
