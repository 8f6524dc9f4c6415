"""A recorded decision is put to a bot again, with what the seat could know and no more."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from saurodrome.client import load
from saurodrome.engine.playthrough import loads
from saurodrome.server.cli.root import main
from tests.server.cli.recorded import recorded

Captured = pytest.CaptureFixture[str]
LAST = "def choose(d):\n    return d.legal_actions[-1].id\n"
SPY = """
seen = []


def choose(d):
    seen.append(d)
    return d.default
"""


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A winter match of five."""
    path = tmp_path / "m.play"
    path.write_text(recorded("winter", 5))
    return path


def bot(tmp_path: Path, code: str) -> str:
    path = tmp_path / "my_bot.py"
    path.write_text(code)
    return str(path)


def test_the_answer_stands_beside_what_was_played(
    match: Path, tmp_path: Path, capsys: Captured
) -> None:
    asked = ["replay", "ask", str(match), "--turn", "3", "--seat", "2"]
    assert main([*asked, "--bot", bot(tmp_path, LAST)]) == 0
    out = capsys.readouterr().out
    played = loads(match.read_text()).steps[2].choices[2]
    assert "turn 3, seat 2 (cyd)" in out
    assert f"  played           {played.action}   {played.note}" in out
    assert "  my_bot " in out
    assert "hidden" in out  # the board as that seat knew it
    assert max(map(cell_len, out.splitlines())) <= 80


def test_json_tells_whether_it_is_the_same(match: Path, tmp_path: Path, capsys: Captured) -> None:
    played = loads(match.read_text()).steps[4].choices[1].action
    code = f"def choose(d):\n    return next(a for a in d.legal_actions if str(a) == {played!r})\n"
    asked = ["replay", "ask", str(match), "--turn", "5", "--seat", "1", "--json"]
    assert main([*asked, "--bot", bot(tmp_path, code)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["turn"], said["step"], said["seat"]) == (True, 5, 5, 1)
    assert said["played"]["text"] == said["answer"]["text"] == played
    assert said["same"] is True
    assert said["played"]["by"] == "bob"


def test_the_move_out_of_quarantine_belongs_to_the_last_turn(
    match: Path, tmp_path: Path, capsys: Captured
) -> None:
    choices = loads(match.read_text()).steps[12].choices
    seat = choices[0].seat
    asked = ["replay", "ask", str(match), "--turn", "12", "--seat", str(seat), "--json"]
    assert main([*asked, "--bot", bot(tmp_path, LAST)]) == 0
    place, move = map(json.loads, capsys.readouterr().out.splitlines())
    assert (place["step"], move["step"]) == (12, 13)
    assert move["played"]["text"] == choices[0].action
    assert move["answer"]["text"].startswith("move ")
    assert move["answer"]["text"].endswith(" river")


def test_a_turn_of_two_players_has_two_decisions(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "two.play"
    path.write_text(recorded("summer", 2))
    asked = ["replay", "ask", str(path), "--seat", "0", "--bot", bot(tmp_path, LAST), "--json"]
    assert main([*asked, "--turn", "3"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["turn"], one["step"]) for one in told] == [(3, 5), (3, 6)]
    assert told[1]["answer"]["text"].startswith("discard ")
    assert main([*asked, "--step", "6"]) == 0
    assert json.loads(capsys.readouterr().out)["step"] == 6


def test_without_a_turn_the_whole_match_is_asked(
    match: Path, tmp_path: Path, capsys: Captured
) -> None:
    asked = ["replay", "ask", str(match), "--seat", "0", "--bot", bot(tmp_path, LAST)]
    assert main(asked) == 0
    out = capsys.readouterr().out.splitlines()
    record = loads(match.read_text())
    decisions = sum(choice.seat == 0 for step in record.steps for choice in step.choices)
    same = sum(line.endswith("the same") for line in out)
    assert out[-1] == f"{decisions} decisions, {same} answered as played"
    assert sum(line.startswith("turn ") for line in out) == decisions


def test_the_bot_is_told_what_the_record_knows_and_gets_ready_first(
    match: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = load(bot(tmp_path, SPY))
    ready: list[object] = []
    monkeypatch.setattr(
        "saurodrome.server.cli.replay_ask.load",
        lambda path: strategy_with(strategy, ready.append),
    )
    assert main(["replay", "ask", str(match), "--seat", "4", "--bot", "spy.py"]) == 0
    capsys.readouterr()
    seen = strategy.choose.__globals__["seen"]
    assert len(ready) == 1
    assert len(seen) >= 12
    first = seen[0]
    assert [player.bot for player in first.players] == ["ann", "bob", "cyd", "dan", "eve"]
    assert first.players[0].display_name == "Ann"
    assert (first.variant, first.seat, first.state.turn) == ("winter", 4, 1)
    assert [hand.dinosaurs is not None for hand in first.state.hands] == [False] * 4 + [True]
    assert first.match.time.decision == pytest.approx(1.0)
    assert first.match.time.margin == pytest.approx(0.05)


def strategy_with(strategy: object, prepare: object) -> object:
    """Gives a strategy that gets ready in another way."""
    from dataclasses import replace

    return replace(strategy, prepare=prepare)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("def choose(d):\n    return 9999\n", "ILLEGAL_ACTION"),
        ("def choose(d):\n    return None\n", "BAD_REPLY"),
        ("def choose(d):\n    raise ValueError('no')\n", "BOT_RAISED"),
        ("def prepare(m):\n    raise ValueError('no')\n\n\n" + LAST, "BOT_RAISED"),
    ],
)
def test_a_fault_ends_with_1_and_shows_the_position(
    code: str, fault: str, match: Path, tmp_path: Path, capsys: Captured
) -> None:
    asked = ["replay", "ask", str(match), "--turn", "2", "--seat", "1"]
    assert main([*asked, "--bot", bot(tmp_path, code)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"error[{fault}]" in err
    assert "legal " in err
    assert "Traceback" not in err
    assert main([*asked, "--bot", bot(tmp_path, code), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["error"]["code"], said["step"]) == (False, fault, 2)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--turn", "13", "--seat", "0"], "NO_TURN"),
        (["--step", "14", "--seat", "0"], "NO_STEP"),
        (["--turn", "1", "--seat", "5"], "NO_SEAT"),
        (["--turn", "1", "--step", "1", "--seat", "0"], "BAD_VALUE"),
        (["--turn", "1"], "MISSING_ARGUMENT"),
    ],
)
def test_what_was_not_decided_is_refused(
    options: list[str], code: str, match: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["replay", "ask", str(match), *options, "--bot", bot(tmp_path, LAST)]) == 2
    assert f"error[{code}]" in capsys.readouterr().err


def test_a_seat_that_had_nothing_to_move_decided_nothing(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "m.play"
    for players in (3, 4, 5):
        record = loads(recorded("winter", players))
        idle = set(range(players)) - {choice.seat for choice in record.steps[-1].choices}
        if len(record.steps) == 13 and idle:
            path.write_text(recorded("winter", players))
            asked = ["replay", "ask", str(path), "--step", "13", "--seat", str(idle.pop())]
            assert main([*asked, "--bot", bot(tmp_path, LAST)]) == 2
            assert "error[NO_DECISION]" in capsys.readouterr().err
            return
    pytest.fail("no match has a quarantine with an idle seat")
