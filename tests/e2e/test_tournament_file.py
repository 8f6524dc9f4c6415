"""A tournament from its file over the wire: planned, created, played, and shown by its format."""

import json

import pytest

from tests.e2e.arena import Arena

pytestmark = pytest.mark.wire

CUP = """\
name = "A cup of four"
format = "knockout"
games = 1
time = { decision = "2s" }
faults = { quarantine_after = 3 }
[entry]
bots = ["late"]
house = ["greedy", "random"]
"""


def test_a_file_is_planned_created_and_played_to_its_end(arena: Arena) -> None:
    (arena.folder / "cup.toml").write_text(CUP)
    plan = json.loads(arena.run("tournament", "plan", "cup.toml", "--json"))
    assert plan["matches"] == 2  # one of the three has a bye
    arena.run("tournament", "create", "cup.toml", "--watch")
    table = json.loads(arena.run("tournament", "standings", "a-cup-of-four", "--json"))
    assert table["tournament"]["display_name"] == "A cup of four"
    assert table["tournament"]["state"] == "FINISHED"
    assert table["tournament"]["matches_done"] >= 2


def test_the_server_speaks_of_keys_and_lines_too(arena: Arena) -> None:
    (arena.folder / "cup.toml").write_text(CUP.replace('"late"', '"nobody"'))
    done = arena.piped("tournament", "create", "cup.toml")
    assert done.code == 2
    assert "error[UNKNOWN_BOT]" in done.err
    assert "cup.toml line 7, entry.bots" in done.err
