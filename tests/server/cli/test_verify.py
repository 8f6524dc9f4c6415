"""Records prove themselves: what was played passes, and the first thing that was not is named."""

import hashlib
import json
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from saurodrome.server.cli.proof import Finding, prove
from saurodrome.server.cli.root import main
from tests.server.cli.recorded import recorded, retagged, signed

Captured = pytest.CaptureFixture[str]


def proved(text: str) -> Finding:
    return prove(text.encode(), "a.play")


def refused(text: str) -> tuple[str, int, str, str]:
    """Gives code, exit code, what and where of a record that is not verified."""
    error = proved(text).error
    assert error is not None
    assert error.do
    return error.code, error.exit_code, error.what, error.where


@pytest.mark.parametrize("variant", ["summer", "winter"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_was_played_is_verified_and_its_deal_proved(variant: str, players: int) -> None:
    found = proved(recorded(variant, players))
    assert found.error is None
    assert (found.players, found.deal) == (players, "deal proved")


@pytest.mark.parametrize("players", [2, 3])
def test_a_match_with_forfeits_is_verified(players: int) -> None:
    text = recorded("winter", players, forfeits=True)
    assert 'tag termination "forfeit"' in text
    assert proved(text).error is None


def test_windows_line_ends_do_no_harm() -> None:
    assert proved(recorded().replace("\n", "\r\n")).error is None


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_changed_byte_passes(data: st.DataObject) -> None:
    raw = recorded().encode()
    at = data.draw(st.integers(0, len(raw) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte not in (raw[at], 13)))
    error = prove(raw[:at] + bytes([other]) + raw[at + 1 :], "a.play").error
    assert error is not None
    assert error.where.startswith("a.play")
    assert error.exit_code == (2 if error.code == "RECORD_TOONEW" else 1)


def test_a_changed_action_is_named_with_turn_and_seat() -> None:
    """R goes to the pyramid in turn 1; nobody holds seven of them."""
    text = recorded("winter", 5)
    line = next(line for line in text.splitlines() if line.startswith("3 "))
    code, exit_code, what, where = refused(text.replace(line, "3 move R river", 1))
    assert (code, exit_code) == ("RECORD_EDITED", 1)
    assert "does not fit its checksum" in what
    assert "'move R river' was not legal: a placement is asked for" in what
    assert where == "a.play, turn 1, seat 3 (dan)"


def test_a_changed_name_is_edited_though_no_move_differs() -> None:
    code, exit_code, what, _ = refused(recorded().replace('tag seat0 "ann"', 'tag seat0 "bob"'))
    assert (code, exit_code) == ("RECORD_EDITED", 1)
    assert "a name, a time or a note was changed" in what


def test_what_cannot_be_read_any_more_names_the_line() -> None:
    text = recorded()
    number = text.splitlines().index("setup") + 1
    code, exit_code, what, where = refused(text.replace("\nsetup\n", "\nsetpu\n"))
    assert (code, exit_code) == ("RECORD_EDITED", 1)
    assert where == f"a.play, line {number}"
    assert "setpu" in what


def test_a_forged_die_is_found_by_the_secret_before_it_shows_in_a_move() -> None:
    text = recorded("summer", 3)
    dice = [match.start() for match in re.finditer(r"chance die 6=\d", text)]
    old = text[dice[4] + len("chance die 6=")]
    at = dice[4] + len("chance die 6=")
    forged = signed(text[:at] + str((int(old) + 1) % 6) + text[at + 1 :])
    code, exit_code, what, where = refused(forged)
    assert (code, exit_code) == ("DEAL_DIFFERS", 1)
    assert what == f"Die of 6: the record says {(int(old) + 1) % 6}, the secret gives {old}."
    assert where == "a.play, turn 4"  # rolled after four turns, for the fifth


def test_a_forged_hand_is_found_in_the_first_deal() -> None:
    forged = signed(recorded("winter", 5).replace("chance bag 60=", "chance bag 60=1", 1))
    assert refused(forged)[:2] in {("DEAL_DIFFERS", 1), ("DIFFERS", 1)}
    assert proved(forged).step == 0


def test_turn_and_step_differ_with_two_players() -> None:
    text = recorded("winter", 2)
    head, _, tail = text.partition("\nstep 6\n")
    action = tail.splitlines()[1]
    forged = signed(f"{head}\nstep 6\n{tail.replace(action, '1 discard Q', 1)}")
    code, _, what, where = refused(forged)
    assert code == "DIFFERS"
    assert "'discard Q' is not an action" in what
    assert where == "a.play, turn 3 (step 6), seat 1 (bob)"


def test_a_seat_that_is_left_out_is_named() -> None:
    text = recorded("winter", 3)
    head, _, tail = text.partition("\nstep 4\n")
    lines = tail.splitlines(keepends=True)
    forged = signed(f"{head}\nstep 4\n{''.join([lines[0], *lines[2:]])}")
    assert refused(forged)[3] == "a.play, turn 4, seat 1 (bob)"


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        (r"outcome points \d+", "outcome points 99", "a.play, the end, seat 0 (ann)"),
        (r'(seat2-result "place \d, )\d+', r"\g<1>99", "a.play, the end, seat 2 (cyd)"),
        (r'(seat1-result ")place', r"\g<1>plice", "a.play, the end, seat 1 (bob)"),
    ],
)
def test_a_forged_result_is_named(old: str, new: str, where: str) -> None:
    forged = signed(re.sub(old, new, recorded(), count=1))
    code, exit_code, _, found = refused(forged)
    assert (code, exit_code, found) == ("DIFFERS", 1, where)


def test_a_match_that_is_not_over_is_no_finished_one() -> None:
    text = recorded("winter", 3)
    head = text.rpartition("\nstep ")[0]
    code, _, what, where = refused(signed(f"{head}\noutcome none\nsha256 "))
    assert code == "DIFFERS"
    assert "says finished, but the match goes on" in what
    assert where == "a.play, the end"


def test_another_secret_than_the_committed_one_is_found() -> None:
    other = bytes(32).hex()
    code, exit_code, what, where = refused(retagged(recorded(), secret=other))
    assert (code, exit_code, where) == ("SECRET_DIFFERS", 1, "a.play, the first deal")
    assert "committed to" in what
    both = retagged(recorded(), secret=other, commitment=hashlib.sha256(bytes(32)).hexdigest())
    assert refused(both)[0] == "DEAL_DIFFERS"
    assert refused(retagged(recorded(), secret="x"))[0] == "SECRET_DIFFERS"


def test_without_secret_or_commitment_the_rules_alone_are_verified() -> None:
    found = proved(retagged(recorded(), secret=None))
    assert (found.error, found.deal) == (None, "deal not proved: the record holds no secret")
    found = proved(retagged(recorded(), commitment=None))
    assert (found.error, found.deal) == (None, "draws fit the secret, no commitment kept")


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("playthrough 1", "playthrough 2", "RECORD_TOONEW", "format 2"),
        ("rules 1", "rules 2", "RULES_DIFFER", "recorded under rules 2"),
        ("game draftosaurus", "game chess", "UNKNOWN_GAME", "no game `chess`"),
        ("variant winter", "variant autumn", "UNKNOWN_VARIANT", "no variant `autumn`"),
        ("players 5", "players 9", "RECORD_MALFORMED", "9 seats"),
    ],
)
def test_what_these_rules_cannot_judge_says_so(old: str, new: str, code: str, words: str) -> None:
    found = refused(signed(recorded().replace(old, new, 1)))
    assert found[:2] == (code, 2)
    assert words in found[2]


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x89PNG\r\n\x1a\n\0\0", b'{"a": 1}'])
def test_something_else_is_foreign(content: bytes) -> None:
    error = prove(content, "a.play").error
    assert error is not None
    assert error.code in {"RECORD_FOREIGN", "RECORD_TRUNCATED"}
    assert (error.exit_code, error.where[:6]) == (2, "a.play")


@given(part=st.floats(0.01, 0.99))
def test_a_truncated_record_says_so(part: float) -> None:
    text = recorded()
    assert refused(text[: int(len(text) * part)])[:2] == ("RECORD_TRUNCATED", 2)


def folder(tmp_path: Path) -> Path:
    records = tmp_path / "export" / "records"
    records.mkdir(parents=True)
    for number in (1, 2, 10):
        (records / f"1-1-{number}.play").write_text(recorded("winter", 5))
    return tmp_path / "export"


def test_a_folder_is_checked_file_by_file(tmp_path: Path, capsys: Captured) -> None:
    assert main(["replay", "verify", str(folder(tmp_path))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "3 of 3 records verified, 3 deals proved"
    told = " ".join(lines)
    assert told.count("verified ") == 3
    assert told.index("1-1-2.play") < told.index("1-1-10.play")


def test_the_one_changed_file_is_named(tmp_path: Path, capsys: Captured) -> None:
    export = folder(tmp_path)
    path = export / "records" / "1-1-2.play"
    path.write_text(path.read_text().replace("\n2 ", "\n3 ", 1))
    assert main(["replay", "verify", str(export)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "2 of 3 records verified, 2 deals proved"
    assert "1-1-2.play" in lines[lines.index(next(x for x in lines if x.startswith("NOT"))) + 1]
    assert "error[RECORD_EDITED]" in "".join(lines)


def test_json_has_a_line_for_each_file(tmp_path: Path, capsys: Captured) -> None:
    export = folder(tmp_path)
    path = export / "records" / "1-1-2.play"
    path.write_text(signed(re.sub(r"outcome points \d+", "outcome points 99", path.read_text())))
    assert main(["replay", "verify", str(export), "--json"]) == 1
    good, bad, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert good == {
        "record": str(export / "records" / "1-1-1.play"),
        "verified": True,
        "deal_proved": True,
        "players": 5,
        "steps": 13,
        "step": None,
        "turn": None,
        "seat": None,
        "error": None,
    }
    assert (bad["verified"], bad["deal_proved"], bad["seat"]) == (False, False, 0)
    assert bad["error"]["code"] == "DIFFERS"


def test_an_archive_is_checked_without_unpacking_it(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "records.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.play", recorded())
        archive.writestr("2.play", recorded().replace("step 3", "step 4"))
        archive.writestr("table.csv", "not a record")
    assert main(["replay", "verify", str(path), "--json"]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["record"], one["verified"]) for one in found] == [
        (f"{path}/1.play", True),
        (f"{path}/2.play", False),
    ]
    raw = bytearray(path.read_bytes())
    raw[60] ^= 0xFF  # in the packed bytes of the first
    path.write_bytes(raw)
    assert main(["replay", "verify", str(path), "--json"]) == 1
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["error"]["code"] == "BAD_ARCHIVE"


@pytest.mark.parametrize(
    ("names", "code"),
    [(["nothing"], "BAD_FILE"), (["empty"], "NO_RECORD"), (["no.zip"], "RECORD_")],
)
def test_what_is_not_there_is_an_error_of_its_own(
    names: list[str], code: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04 cut off")
    (tmp_path / "good.play").write_text(recorded())
    paths = [str(tmp_path / name) for name in [*names, "good.play"]]
    assert main(["replay", "verify", *paths, "--json"]) == 2
    bad, good = map(json.loads, capsys.readouterr().out.splitlines())
    assert bad["error"]["code"].startswith(code)
    assert good["verified"]


def test_no_is_worth_more_than_unreadable(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "cut.play").write_text(recorded()[:200])
    (tmp_path / "edited.play").write_text(recorded().replace("step 3", "step 4"))
    paths = [str(tmp_path / name) for name in ("cut.play", "edited.play")]
    assert main(["replay", "verify", *paths]) == 1
    assert main(["replay", "verify", paths[0]]) == 2
    capsys.readouterr()


def test_the_screen_fits(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate([recorded(), recorded()[:90], recorded().replace("R", "S")]):
        Path(f"{number}.play").write_text(text)
    assert main(["replay", "verify", "."]) == 1
    shown = capsys.readouterr().out
    assert max(map(cell_len, shown.splitlines())) <= 80
