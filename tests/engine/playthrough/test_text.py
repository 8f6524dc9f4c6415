"""The text form loses nothing, cannot be injected into, and says what is wrong with it."""

import hashlib
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.chance import Draw
from saurodrome.engine.errors import (
    Edited,
    Foreign,
    Malformed,
    PlaythroughError,
    TooNew,
    Truncated,
)
from saurodrome.engine.game import Outcome
from saurodrome.engine.playthrough import Choice, Playthrough, Step, dumps, loads
from tests.engine.playthrough.samples import sample

SMALL = Playthrough(
    game="draftosaurus",
    variant="summer",
    rules_version=1,
    players=2,
    start=1,
    tags=(("seat0", "Ada's bot"), ("seat1", "")),
    setup=(Draw("bag", 48, 3), Draw("bag", 47, 11), Draw("die", 6, 2)),
    steps=(
        Step((Choice(0, "S forest", "12 ms"), Choice(1, "R trio")), ()),
        Step((Choice(0, "discard S"), Choice(1, "discard C")), (Draw("die", 6, 4),)),
    ),
    outcome=Outcome((31, -2), (1, 2)),
)

SMALL_TEXT = """\
saurodrome-playthrough 1
game draftosaurus
rules 1
variant summer
players 2
start 1
tag seat0 "Ada's bot"
tag seat1 ""
setup
chance bag 48=3 47=11
chance die 6=2
step 1
0 S forest "12 ms"
1 R trio
step 2
0 discard S
1 discard C
chance die 6=4
outcome points 31 -2 placements 1 2
"""


def signed(body: str) -> str:
    return f"{body}sha256 {hashlib.sha256(body.encode()).hexdigest()}\n"


def test_the_form_is_the_documented_one() -> None:
    assert dumps(SMALL) == signed(SMALL_TEXT)
    assert loads(signed(SMALL_TEXT)) == SMALL


def test_a_whole_match_comes_back() -> None:
    record = sample(5, tags={"event": "winter"})
    text = dumps(record)
    assert loads(text) == record
    assert max(map(len, text.splitlines())) <= 100


def test_an_unfinished_match_comes_back() -> None:
    record = SMALL._replace(outcome=None)
    assert "\noutcome none\n" in dumps(record)
    assert loads(dumps(record)) == record


@given(st.text(), st.text())
def test_no_name_or_note_can_break_out_of_its_line(name: str, note: str) -> None:
    step = Step((Choice(0, "S forest", note),), ())
    record = SMALL._replace(tags=(("name", name),), steps=(step,))
    text = dumps(record)
    assert loads(text) == record
    assert len(text.splitlines()) == len(text.split("\n")) - 1 == 14
    assert all(c == "\n" or not unicodedata.category(c).startswith("C") for c in text)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1))
def test_a_visible_note_is_written_as_json_has_it(note: str) -> None:
    step = Step((Choice(0, "S forest", note),), ())
    assert f"\n0 S forest {json.dumps(note)}\n" in dumps(SMALL._replace(steps=(step,)))


@pytest.mark.parametrize("name", ["\u202egnp.exe", "a\nstep 9", 'x" "', "\\", "\ud800", "\u2028"])
def test_hostile_names_come_back_unseen(name: str) -> None:
    record = SMALL._replace(tags=(("name", name),))
    text = dumps(record)
    text.encode()
    assert loads(text) == record
    assert [line for line in text.splitlines() if line.startswith("tag")] == [
        line for line in text.split("\n") if line.startswith("tag")
    ]


def test_windows_line_ends_and_marks_are_forgiven() -> None:
    text = dumps(SMALL)
    assert loads("\ufeff" + text.replace("\n", "\r\n")) == SMALL
    assert loads(text.rstrip("\n")) == SMALL


@given(st.data())
def test_every_cut_is_seen_as_a_cut(data: st.DataObject) -> None:
    text = dumps(SMALL)
    end = data.draw(st.integers(0, len(text) - 2))
    with pytest.raises(Truncated):
        loads(text[:end])


@given(st.data())
def test_every_changed_character_is_noticed(data: st.DataObject) -> None:
    text = dumps(SMALL)
    at = data.draw(st.integers(0, len(text) - 2))
    other = data.draw(st.characters(exclude_characters=text[at] + "\r"))
    with pytest.raises(PlaythroughError):
        loads(text[:at] + other + text[at + 1 :])


def test_a_changed_action_says_edited() -> None:
    text = dumps(SMALL).replace("R trio", "R king")
    with pytest.raises(Edited) as caught:
        loads(text)
    assert caught.value.line == 20
    assert "checksum" in caught.value.what


def test_something_added_says_edited() -> None:
    with pytest.raises(Edited) as caught:
        loads(dumps(SMALL) + "step 3\n")
    assert caught.value.line == 21


@pytest.mark.parametrize(
    "text", ["[Event]\n1. e4", "\n" + dumps(SMALL), "saurodrome-playthrough x\n"]
)
def test_something_else_says_foreign(text: str) -> None:
    with pytest.raises(Foreign) as caught:
        loads(text)
    assert caught.value.line == 1


@pytest.mark.parametrize("at", [0, 11, *range(-73, -1)])
def test_one_changed_character_at_either_end_says_edited(at: int) -> None:
    """The first line and the checksum's, the line end before it included."""
    text = dumps(SMALL)
    with pytest.raises(Edited):
        loads(text[:at] + "X" + text[len(text) + at + 1 if at < 0 else at + 1 :])
    with pytest.raises(Edited):
        loads(text[:-1] + "X")


def test_what_an_edited_text_says_can_still_be_read() -> None:
    text = dumps(SMALL).replace("R trio", "R king")
    step = SMALL.steps[0]._replace(choices=(Choice(0, "S forest", "12 ms"), Choice(1, "R king")))
    assert loads(text, checked=False) == SMALL._replace(steps=(step, SMALL.steps[1]))
    with pytest.raises(Malformed) as caught:
        loads(text.replace("setup", "set up"), checked=False)
    assert caught.value.line == 9
    for cut in (text[:50], text[:-20]):
        with pytest.raises(Truncated):
            loads(cut, checked=False)


def test_a_newer_version_says_so() -> None:
    with pytest.raises(TooNew) as caught:
        loads(signed(SMALL_TEXT.replace("playthrough 1", "playthrough 2")))
    assert caught.value.line == 1
    assert "2" in caught.value.what


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("game draftosaurus", "game Drafto saurus", 2),
        ("rules 1", "rules one", 3),
        ("players 2", "players", 5),
        ("tag seat1", "tag seat0", 8),
        ('tag seat1 ""', "tag seat1 x", 8),
        ('tag seat1 ""', 'tag seat1 "\\q"', 8),
        ("setup", "set up", 9),
        ("48=3", "48:3", 10),
        ("step 2", "step 3", 15),
        ("1 R trio", "1", 14),
        ("1 R trio", '1 R trio "x" y', 14),
        ("placements 1 2", "placements 1 2 3", 19),
        ("placements 1 2", "", 19),
        ("31 -2 placements 1 2", "31 placements -2 1 2", 19),
        ("outcome points 31 -2 placements 1 2\n", "", 19),
        ("1 2\n", "1 2\nstep 3\n", 20),
    ],
)
def test_nonsense_under_a_right_checksum_names_its_line(old: str, new: str, line: int) -> None:
    with pytest.raises(Malformed) as caught:
        loads(signed(SMALL_TEXT.replace(old, new)))
    assert caught.value.line == line
    assert f"line {line}: " in str(caught.value)
    assert caught.value.do


@pytest.mark.parametrize(
    "record",
    [
        SMALL._replace(tags=(("two words", ""),)),
        SMALL._replace(tags=(("", ""),)),
        SMALL._replace(setup=(Draw("two words", 2, 1),)),
        SMALL._replace(game="a\nb"),
        SMALL._replace(steps=(Step((Choice(0, 'say "S"'),), ()),)),
        SMALL._replace(steps=(Step((Choice(0, "S\nforest"),), ()),)),
        SMALL._replace(steps=(Step((Choice(0, " S"),), ()),)),
        SMALL._replace(steps=(Step((Choice(0, ""),), ()),)),
    ],
)
def test_what_does_not_fit_the_form_is_refused(record: Playthrough) -> None:
    with pytest.raises(ValueError, match=r"no name|no action text"):
        dumps(record)


def test_a_duplicate_tag_is_not_written() -> None:
    with pytest.raises(ValueError, match="twice"):
        dumps(SMALL._replace(tags=(("a", "1"), ("a", "2"))))
