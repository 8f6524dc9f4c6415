"""A tournament's file: what it sets, what it implies, and what it is told when it is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from saurodrome.client import InputError
from saurodrome.server.cli.planning.file import TournamentFile, read
from saurodrome.server.cli.planning.keys import KEYS
from saurodrome.server.settings import (
    Deals,
    Entry,
    Format,
    Publish,
    PublishLive,
    PublishNotes,
    SameOwner,
    Seating,
    TournamentSettings,
)

WHOLE = """\
name = "Winter course 2026"
game = "draftosaurus"
variant = "winter"
players = 3
format = "round-robin"
rounds = 2
seating = "rotations"
same_owner = "apart"
deals = "duplicate"
trusted = true
blind = true
seed = 7
concurrency = 12
start_at = 2026-12-05T18:00:00Z
time = { ready = "10s", decision = "500ms", margin = "20ms", sealed = "3s", join = "1min" }
faults = { strikes = 6, strikes_in_a_row = 4, quarantine_after = 20 }
publish = { table = "end", live = "closed", notes = "public" }

[entry]
bots = ["a", "b", "c"]
house = ["greedy", "random"]
fillers = ["random"]
anchor = "greedy"
anchor_rating = 1200
open_until = 2026-12-04T18:00:00+01:00
"""


def told(tmp_path: Path, text: str) -> TournamentFile:
    path = tmp_path / "winter.toml"
    path.write_text(text, "utf-8")
    return read(path)


def refused(tmp_path: Path, text: str) -> InputError:
    with pytest.raises(InputError) as error:
        told(tmp_path, text)
    assert error.value.exit_code == 2
    return error.value


def test_all_that_a_file_can_say_is_in_the_settings(tmp_path: Path) -> None:
    file = told(tmp_path, WHOLE)
    settings = file.settings
    assert file.house == ("greedy", "random")
    assert (settings.name, settings.display_name) == ("winter-course-2026", "Winter course 2026")
    assert (settings.game, settings.variant, settings.players) == ("draftosaurus", "winter", 3)
    assert settings.format is Format.ROUND_ROBIN
    assert (settings.rounds, settings.seating) == (2, Seating.ROTATIONS)
    assert settings.same_owner is SameOwner.APART
    assert (settings.deals, settings.trusted, settings.blind) == (Deals.DUPLICATE, True, True)
    assert (settings.seed, settings.concurrency) == (7, 12)
    assert settings.start_at == 1_796_493_600.0
    assert settings.entry is Entry.OPEN
    assert settings.entry_until == 1_796_403_600.0
    assert settings.time[:4] == (10.0, 0.5, 0.02, 3.0)
    assert settings.join_timeout == 60.0
    assert settings.faults.strikes_in_match == 6
    assert settings.faults.strikes_in_a_row == 4
    assert settings.quarantine_after == 20
    assert settings.publish_table is Publish.END
    assert settings.publish_live is PublishLive.CLOSED
    assert settings.publish_notes is PublishNotes.PUBLIC
    assert settings.bots == ("a", "b", "c", "greedy", "random")
    assert (settings.fillers, settings.anchor) == (("random",), "greedy")
    assert settings.anchor_rating == 1200.0


def test_every_key_but_those_who_plays_has_a_default(tmp_path: Path) -> None:
    settings = told(tmp_path, 'entry = { bots = ["a", "b"] }').settings
    plain = TournamentSettings("winter", "draftosaurus", "summer", 2, ("a", "b"))
    assert settings == replace(plain, display_name="winter")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ('format = "swiss"\nrounds = 5\ngames = 4\nseeds = ["b"]', "seeds", ("b",)),
        ('format = "swiss"', "rounds", 0),
        ('format = "knockout"\ngames = 5', "games", 5),
        ('format = "ladder"\nmatches = 50\nwindow = 90.5', "window", 90.5),
        ('format = "ladder"', "seating", Seating.ROTATIONS),
        ('format = "gauntlet"\nentry.candidates = ["a"]', "candidates", ("a",)),
        ("matches = 6", "matches", 6),
        ("entry.open = true", "entry", Entry.OPEN),
        ('display_name = "Ж"', "display_name", "Ж"),
        ("time = { decision = '2s' }", "time", (20.0, 2.0, 0.05, 20.0)),
        (
            'time = { bank = "1min", increment = "100ms" }',
            "time",
            (20.0, 1.0, 0.05, 10.0, (), 60.0, 0.1),
        ),
        (
            'time = { phases = { place = "2s", discard = "300ms" } }',
            "time",
            (20.0, 1.0, 0.05, 10.0, (("place", 2.0), ("discard", 0.3))),
        ),
    ],
)
def test_single_keys(tmp_path: Path, text: str, field: str, value: object) -> None:
    settings = told(tmp_path, f'{text}\nentry.bots = ["a", "b", "c"]').settings
    found = getattr(settings, field)
    assert (found[: len(value)] if isinstance(value, tuple) else found) == value


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "says"),
    [
        ("strikes = 6", "strkes = 6", "UNKNOWN_KEY", 16, "did you mean `faults.strikes`?"),
        ("same_owner", "sameowner", "UNKNOWN_KEY", 8, "did you mean `same_owner`?"),
        ('join = "1min"', 'phases = { palce = "1s" }', "UNKNOWN_PHASE", 15, "did you mean place?"),
        ("[entry]", "[entri]", "UNKNOWN_KEY", 20, "did you mean `entry.bots`?"),
        ("seed =", "zzzzzz =", "UNKNOWN_KEY", 12, "all keys: saurodrome tournament plan --keys"),
        ('"winter"', '"wintr"', "UNKNOWN_VARIANT", 3, "did you mean winter?"),
        ('"draftosaurus"', '"draftosaur"', "UNKNOWN_GAME", 2, "did you mean draftosaurus?"),
        ("players = 3", 'players = "3"', "BAD_VALUE", 4, "a whole number from 1 to 5"),
        ("players = 3", "players = 6", "BAD_VALUE", 4, "a whole number from 1 to 5"),
        ("rounds = 2", "rounds = true", "BAD_VALUE", 6, "a whole number"),
        ('"round-robin"', '"robin"', "BAD_VALUE", 5, "swiss, knockout"),
        ('"round-robin"', '"swiss"', "BAD_PLAYER_COUNT", 4, "use 2"),
        ('"500ms"', '"500"', "BAD_VALUE", 15, '"500ms"'),
        ('"500ms"', "500", "BAD_VALUE", 15, '"500ms"'),
        ('"10s"', '"120min"', "BAD_DURATION", 15, "3600"),
        ("18:00:00Z", "18:00:00", "BAD_VALUE", 14, "its zone"),
        ("2026-12-05T18:00:00Z", '"tomorrow"', "BAD_VALUE", 14, "without quotes"),
        ("trusted = true", 'trusted = "yes"', "BAD_VALUE", 10, "true or false"),
        ("trusted = true", "trusted = false", "NOT_TRUSTED", 9, "or say trusted if"),
        ('["a", "b", "c"]', '["a", "b", "a"]', "BOT_TWICE", 20, "once"),
        ('["a", "b", "c"]', '["a", "b", "C"]', "BAD_NAME", 20, "a-z 0-9"),
        ('["a", "b", "c"]', '"a,b,c"', "BAD_VALUE", 20, "a list of names"),
        ('anchor = "greedy"', 'anchor = "nobody"', "UNKNOWN_ANCHOR", 23, "entrant"),
        ('fillers = ["random"]', 'fillers = ["greedy"]', "ROLE_TWICE", 22, "one role"),
        ("rounds = 2", "games = 2", "NOT_USED", 6, "swiss or knockout"),
        ("seed = 7", "seed = 7\nseed = 8", "BAD_TOML", 13, "each line"),
        ("seed = 7", "seed 7", "BAD_TOML", 12, "each line"),
        ('"Winter course 2026"', '"Ж"', "BAD_NAME", 1, "display_name"),
        ('"end"', '"never"', "BAD_VALUE", 17, "now, end"),
    ],
)
def test_what_is_wrong_is_told_with_key_line_and_what_to_do(
    tmp_path: Path, old: str, new: str, code: str, line: int, says: str
) -> None:
    assert old in WHOLE
    error = refused(tmp_path, WHOLE.replace(old, new))
    assert error.code == code
    assert f"winter.toml line {line}" in error.where
    assert "phases[" not in error.where  # a table by name
    assert says in error.do


def test_the_first_of_several_errors_is_told(tmp_path: Path) -> None:
    text = WHOLE.replace("strikes =", "strkes =").replace("players = 3", "plyers = 3")
    assert "plyers" in refused(tmp_path, text).what


def test_a_file_that_is_no_text_or_not_there_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "winter.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match="UTF-8"):
        read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.toml")


def test_no_key_is_two_keys() -> None:
    assert len({key.path for key in KEYS}) == len({key.field for key in KEYS}) == len(KEYS)
