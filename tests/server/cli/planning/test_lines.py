"""On which line a key stands, in all the ways in which TOML sets one."""

from saurodrome.server.cli.planning.lines import lines_of

TEXT = """\
# name = "not this one"
name = "a = b # c"

time = { ready = "20s", decision = "x = 1" } # margin = "0s"
"quoted" = 1
entry.house = []
[faults]  # of bots
strikes = 5
  in_a_row   =   3

[ entry ]
bots = [
  "a",
]
[time.phases]
place = "1s"
"""


def test_each_key_and_table_has_its_line() -> None:
    assert lines_of(TEXT) == {
        "name": 2,
        "time": 4,
        "time.ready": 4,
        "time.decision": 4,
        "quoted": 5,
        "entry.house": 6,
        "faults": 7,
        "faults.strikes": 8,
        "faults.in_a_row": 9,
        "entry": 11,
        "entry.bots": 12,
        "time.phases": 15,
        "time.phases.place": 16,
    }


def test_an_empty_text_has_none() -> None:
    assert lines_of("") == {}
