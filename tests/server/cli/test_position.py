"""A fault's screen: the board as the bot knew it, and how to see it again."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from saurodrome.client import BadReply, InputError, LateReply
from saurodrome.engine.playthrough import replay
from saurodrome.server.cli import records
from saurodrome.server.cli.boards import actions, meaning
from saurodrome.server.cli.position import Fault, advice, fault_lines, position
from saurodrome.server.cli.try_again import find, parse_at, position_at, start_of
from tests.server.cli.played import played, text


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_position_fits_and_hides_what_the_bot_did_not_know(players: int) -> None:
    record = records.parse(text(players), "a.play")
    lines = position(record, 1, 0, number=3)
    assert max(map(cell_len, lines)) <= 80
    assert "hidden" in "\n".join(lines)


def test_legal_actions_stand_there_in_words_grouped_by_dinosaur() -> None:
    state = next(iter(replay(played())))
    listed = {
        f"{first} {rest}"
        for words in actions(state, 0)
        for first in words.partition(":")[0].split()
        for rest in words.partition(":")[2].split()
    }
    assert listed == {state.action_text(0, a) for a in state.legal_actions(0)}


def test_an_id_is_said_in_words_even_if_it_means_nothing() -> None:
    state = next(iter(replay(played())))
    assert meaning(state, 0, 0) == "R forest"
    assert meaning(state, 0, 10_000) == "no action at all"


def test_without_a_place_in_the_file_the_board_is_where(tmp_path: Path) -> None:
    path = tmp_path / "7.play"
    path.write_text(text())
    late = LateReply("LATE", "251 ms of 200.", where="match x, turn 3")
    lines = fault_lines(Fault(late, 7, 5, Path("my_bot.py"), path))
    assert lines[2].startswith("  where  turn 3 of 12")


def test_the_screen_names_match_step_code_and_two_commands(tmp_path: Path) -> None:
    path = tmp_path / "7.play"
    path.write_text(text())
    error = BadReply("BAD_REPLY", "choose() returned None.", where="my_bot.py line 3\nmatch x")
    lines = fault_lines(Fault(error, 7, 5, Path("my_bot.py"), path), planned=80)
    assert lines[0] == "match 7 of 80 stopped at step 5"
    assert lines[1] == "error[BAD_REPLY] choose() returned None."
    assert lines[2] == "  where  my_bot.py line 3"
    assert any(f"saurodrome replay show {path} --step 5" in line for line in lines)
    assert any("saurodrome bot try my_bot.py --at 7:5" in line for line in lines)


def test_a_fault_before_the_first_step_has_no_position() -> None:
    error = BadReply("BOT_RAISED", "ValueError", do="mend it")
    assert advice(Fault(error, 1, 0, Path("b.py"), Path("1.play"))) == ["  do     mend it"]


@pytest.mark.parametrize("wrong", ["", "7", "7:", "x:1", "7:5:1", "-1:2"])
def test_what_names_no_decision_is_refused(wrong: str) -> None:
    with pytest.raises(InputError, match="names no decision"):
        parse_at(wrong)


def test_the_same_decision_is_asked_again(tmp_path: Path) -> None:
    (tmp_path / "7.play").write_text(text())
    asked = find("7:5", tmp_path, "my_bot")
    state = list(replay(played()))[4]
    assert [a.id for a in asked.decision.legal_actions] == list(state.legal_actions(0))
    assert asked.decision.default.id == state.default_action(0)
    assert asked.decision.state.turn == 3  # two steps a turn with two players
    assert asked.decision.match.time.decision == pytest.approx(0.2)
    assert [str(a) for a in asked.decision.legal_actions] == [
        state.action_text(0, a) for a in state.legal_actions(0)
    ]


def test_a_decision_that_is_not_there_says_which_are(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        find("7:5", tmp_path, "my_bot")
    assert raised.value.code == "NO_MATCH"
    record = records.parse(text(), "7.play")
    for step, bot in ((0, "my_bot"), (25, "my_bot"), (1, "nobody")):
        with pytest.raises(InputError, match="NO_STEP"):
            position_at(record, step, bot)


def test_what_the_bot_was_told_of_the_match_comes_from_the_record() -> None:
    start = start_of(records.parse(text(3), "a.play"), 2)
    assert (start.game, start.variant, start.seat) == ("draftosaurus", "summer", 2)
    assert [player.bot for player in start.players][:2] == ["my_bot", "greedy"]
