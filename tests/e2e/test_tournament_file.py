"""A tournament from its file over the wire: planned, created, played, and shown by its format."""

import json

import pytest

from tests.e2e.arena import Arena

pytestmark = pytest.mark.wire

CUP = """\
name = "A small cup"
format = "knockout"
games = 1
time = { decision = "2s" }
faults = { quarantine_after = 3 }
[entry]
bots = []
house = ["greedy", "random"]
"""


def test_a_file_is_planned_created_and_played_to_its_end(arena: Arena) -> None:
    (arena.folder / "cup.toml").write_text(CUP)
    plan = json.loads(arena.run("tournament", "plan", "cup.toml", "--json"))
    assert plan["matches"] == 1
    arena.run("tournament", "create", "cup.toml", "--watch")
    known = json.loads(arena.run("tournament", "list", "--json"))
    (cup,) = [one for one in known if one["tournament"] == "a-small-cup"]
    assert cup["state"] == "finished"
    assert cup["matches_done"] >= 1  # a level one is played on


def test_the_server_speaks_of_keys_and_lines_too(arena: Arena) -> None:
    (arena.folder / "cup.toml").write_text(CUP.replace("bots = []", 'bots = ["nobody"]'))
    done = arena.piped("tournament", "create", "cup.toml")
    assert done.code == 2
    assert "error[UNKNOWN_BOT]" in done.err
    assert "cup.toml line 7, entry.bots" in done.err
