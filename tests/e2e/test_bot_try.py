"""Planted faults: `bot try` stops at the first one and shows where, what and how to see it."""

import json
import re
from pathlib import Path

import pytest

from tests.e2e.shell import Result, here, saurodrome

pytestmark = pytest.mark.wire

PLANTED = {
    "illegal": ("ILLEGAL_ACTION", "return 9999", "illegal answered 9999"),
    "nothing": ("BAD_REPLY", "return None", "choose() returned None"),
    "raises": ("BOT_RAISED", "return 1 // (d.state.turn - d.state.turn)", "ZeroDivisionError"),
    "sleeps": ("LATE", "import time; time.sleep(30)", "of 150"),
}
BOT = """
asked = 0


def choose(d):
    global asked
    asked += 1
    if asked == 30:
        {fault}
    return d.legal_actions[0].id
"""
FAULT_LINE = 9


def plant(folder: Path, name: str) -> Result:
    (folder / f"{name}.py").write_text(BOT.format(fault=PLANTED[name][1]))
    return saurodrome(
        *("bot", "try", f"{name}.py", "--matches", "6", "--limit", "150ms"), cwd=folder
    )


@pytest.mark.case("P48")
@pytest.mark.parametrize("name", PLANTED)
def test_the_first_fault_stops_the_dry_run_and_is_shown(tmp_path: Path, name: str) -> None:
    code, _, words = PLANTED[name]
    done = plant(tmp_path, name)
    assert done.code == 1, done.text
    # Decision 30 is the 6th of the second match: 24 steps a match with two players.
    assert "match 2 of 6 stopped at step 6" in done.err
    assert f"error[{code}]" in done.err
    assert words in done.err
    if name != "sleeps":
        assert re.search(rf"{name}\.py line [0-9]+", done.err)
    if name == "raises":
        assert f"line {FAULT_LINE}" in done.err
    assert re.search(r"(?m)^ +forest ", done.err)
    ids = re.search(r"(?m)^ +ids +([0-9 ]+)$", done.err)
    assert ids is not None
    assert ids[1].split()
    assert "saurodrome/server/" not in done.text  # no frame of our own files
    assert "Traceback" not in done.text


def test_a_fault_while_getting_ready_is_shown_and_no_match_is_waited_for(tmp_path: Path) -> None:
    text = "def prepare(m):\n    return {}['book']\ndef choose(d):\n    return 1\n"
    (tmp_path / "eager.py").write_text(text)
    done = saurodrome("bot", "try", "eager.py", "--matches", "2", cwd=tmp_path)
    assert done.code == 1, done.text
    assert "error[BOT_RAISED] KeyError: 'book'" in done.err
    assert "eager.py line 2" in done.err
    assert "--step" not in done.err  # there is no record of a match that was not played
    assert "MATCH_DID_NOT_END" not in done.err


@pytest.mark.slow  # the time to get ready is 20 s
def test_a_bot_that_is_not_ready_in_time_is_told_so(tmp_path: Path) -> None:
    text = "import time\ndef prepare(m):\n    time.sleep(60)\ndef choose(d):\n    return 1\n"
    (tmp_path / "slow.py").write_text(text)
    done = saurodrome("bot", "try", "slow.py", "--matches", "2", cwd=tmp_path)
    assert done.code == 1, done.text
    assert re.search(r"error\[NOT_READY\] prepare still works after 2\d\.\d s", done.err)
    assert "20.0 s are given" in done.err
    assert "--step" not in done.err  # there is no record of a match that was not played
    assert "Traceback" not in done.text


def test_an_object_is_tried_and_what_it_raises_in_its_thread_is_a_fault(tmp_path: Path) -> None:
    text = (
        "from saurodrome.client import run\n"
        "class Player:\n    def choose(self, d):\n        raise KeyboardInterrupt\n"
        "if __name__ == '__main__':\n    run(Player())\n"
    )
    (tmp_path / "player.py").write_text(text)
    done = saurodrome("bot", "try", "player.py", "--matches", "2", cwd=tmp_path)
    assert done.code == 1, done.text
    assert "error[BOT_RAISED] KeyboardInterrupt" in done.err
    assert "player.py line 4" in done.err
    assert "Traceback" not in done.text


def test_the_board_can_be_seen_again_and_the_same_decision_asked_again(tmp_path: Path) -> None:
    first = plant(tmp_path, "illegal")
    shown = saurodrome(
        "replay", "show", ".saurodrome/try/2.play", "--step", "6", "--json", cwd=tmp_path
    )
    assert shown.code == 0, shown.text
    again = saurodrome("bot", "try", "illegal.py", "--at", "2:6", "--json", cwd=tmp_path)
    assert again.code == 0, again.text  # in a new process it is the bot's first decision
    answered = json.loads(again.out)
    legal = re.search(r"(?m)^ +ids +([0-9 ]+)$", first.err)
    assert legal is not None
    assert str(answered["action"]) == legal[1].split()[0]


def test_a_fault_in_json_has_code_where_do_and_the_legal_ids(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def choose(d):\n    return 9999\n")
    done = saurodrome("bot", "try", "wrong.py", "--json", cwd=tmp_path)
    assert done.code == 1
    told = json.loads(done.out)
    assert told["error"]["code"] == "ILLEGAL_ACTION"
    assert told["error"]["where"]
    assert told["error"]["do"]
    assert told["legal"]
    assert (told["match"], told["step"]) == (1, 1)
    again = saurodrome("bot", "try", "wrong.py", "--at", "1:1", "--json", cwd=tmp_path)
    assert again.code == 1
    assert json.loads(again.out)["legal"] == told["legal"]


def test_a_bot_without_a_fault_gets_its_table_and_keeps_every_match(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text("def choose(d):\n    return d.legal_actions[0].id\n")
    done = saurodrome("bot", "try", "fine.py", "--matches", "6", "--json", cwd=tmp_path)
    assert done.code == 0, done.text
    told = json.loads(done.out)
    assert (told["ok"], told["matches"], told["decisions"]) == (True, 6, 6 * 24)
    kept = sorted((tmp_path / ".saurodrome" / "try").glob("*.play"))
    assert [path.name for path in kept] == [f"{n}.play" for n in range(1, 7)]
    assert set(told["versus"]) == {"greedy", "random"}


def test_winter_is_tried_to_its_last_move(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text(
        "def choose(d):\n"
        "    waits = [a for a in d.legal_actions if a.pen == 'quarantine_zone']\n"
        "    return (waits or d.legal_actions)[0]\n"
    )
    done = saurodrome(
        *("bot", "try", "fine.py", "--variant", "winter", "--players", "3"),
        *("--matches", "3", "--json"),
        cwd=tmp_path,
    )
    assert done.code == 0, done.text
    kept = [path.read_text() for path in (tmp_path / ".saurodrome" / "try").glob("*.play")]
    assert len(kept) == 3
    assert all("\nvariant winter\n" in text for text in kept)
    assert any("\nstep 13\n" in text for text in kept)
    assert saurodrome("replay", "verify", ".saurodrome/try", cwd=tmp_path).code == 0


def test_four_players_sit_with_both_kinds(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text("def choose(d):\n    return d.legal_actions[0].id\n")
    done = saurodrome(
        *("bot", "try", "fine.py", "--players", "4", "--matches", "3", "--json"), cwd=tmp_path
    )
    assert done.code == 0, done.text
    assert json.loads(done.out)["decisions"] == 3 * 12


def test_a_bot_that_plays_winter_only_is_tried_in_what_is_asked_for(tmp_path: Path) -> None:
    text = "GAMES = ['draftosaurus/winter']\ndef choose(d):\n    return d.legal_actions[0]\n"
    (tmp_path / "winter.py").write_text(text)
    done = saurodrome("bot", "try", "winter.py", "--matches", "1", "--json", cwd=tmp_path)
    assert done.code == 0, done.text
    assert json.loads(done.out)["matches"] == 1


def test_a_bot_of_another_game_is_refused_with_the_option_that_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel.py").write_text("GAMES = ['duelosaur/short']\ndef choose(d):\n    return 1\n")
    done = here(capsys, "bot", "try", "duel.py")
    assert done.code == 2, done.text
    assert "error[WRONG_GAME] duel plays duelosaur only, not draftosaurus." in done.err
    assert "add --game duelosaur" in done.err
