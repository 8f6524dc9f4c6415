"""Component sets in a folder, as somebody who corrects the shipped one would write them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from saurodrome.engine.games.duelosaur.loading import FILES, data

Json = Any
Edit = Callable[[Json], object]


def write(
    folder: Path, edits: Mapping[str, Edit] | None = None, ruleset: str = "corrected-1"
) -> Path:
    """Write a set into a folder: the shipped one with some files edited.

    Args:
        folder: Where to.
        edits: By file name, a function that changes the file's content in place.
        ruleset: Its id.
    """
    for name in FILES:
        content = json.loads((data() / name).read_text(encoding="utf-8"))
        if edits and name in edits:
            edits[name](content)
        (folder / name).write_text(json.dumps(content, indent=1), encoding="utf-8")
    described = {"schema": "duelosaur/ruleset/1", "id": ruleset}
    (folder / "ruleset.json").write_text(json.dumps(described), encoding="utf-8")
    return folder


def entry(content: Json, wanted: str) -> Json:
    """Return the entry with an id of a file's content."""
    listed = next(content[name] for name in ("cards", "dice", "tokens") if name in content)
    return next(one for one in listed if one["id"] == wanted)


def changed(wanted: str, **fields: Json) -> Edit:
    """Return an edit that sets fields of one entry."""
    return lambda content: entry(content, wanted).update(fields)


def ability(wanted: str, **fields: Json) -> Edit:
    """Return an edit that gives one specialist another ability."""
    return changed(wanted, ability=fields)


def together(*edits: Edit) -> Edit:
    """Return several edits of one file as one."""
    return lambda content: [edit(content) for edit in edits]
