"""Texts from outside, whoever wrote them, do nothing to a terminal and stay within 80 cells."""

import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from saurodrome.client import BotRaised
from saurodrome.client.testing import decision
from saurodrome.client.tournaments import Bot
from saurodrome.client.tournaments import Fault as OneFault
from saurodrome.engine.playthrough import Choice, Playthrough, Step, dumps
from saurodrome.server.cli import bot, faults, standings, terminal, tournament, watching
from saurodrome.server.cli.position import Fault, fault_lines
from saurodrome.server.cli.root import main
from saurodrome.server.cli.terminal import way_to_the_program
from saurodrome.server.cli.text import UNICODE, WIDTH, wrapped
from tests.server.cli import fixtures
from tests.server.cli.played import played
from tests.server.cli.test_terminal import terminal as screen_in_memory

HOSTILE = "\x1b]0;owned\x07\x1b[2Jfake\nerror[FAKE] \u202eeslaf\u2066\x9b31m " + "A恐" * 200


def harmless(text: str) -> bool:
    """Tells whether nothing in a text but line ends is a mark that a terminal obeys."""
    return all(char == "\n" or unicodedata.category(char)[0] != "C" for char in text)


def hostile_record() -> Playthrough:
    """Gives a match whose every text is hostile."""
    match = played(2, steps=3)
    tags = {key: HOSTILE for key in dict(match.tags) if key != "decision-time"}
    steps = tuple(
        Step(tuple(Choice(one.seat, one.action, HOSTILE) for one in step.choices), step.draws)
        for step in match.steps
    )
    return match._replace(tags=tuple({**dict(match.tags), **tags}.items()), steps=steps)


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "show", "1.play"],
        ["replay", "show", "1.play", "--step", "2"],
        ["replay", "list", "."],
        ["replay", "ask", "1.play", "--seat", "0", "--bot", "bot.py"],
        ["replay", "ask", "1.play", "--seat", "0", "--turn", "1", "--bot", "bot.py"],
    ],
    ids=" ".join,
)
def test_a_record_is_shown_without_what_a_terminal_obeys(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1.play").write_text(dumps(hostile_record()))
    (tmp_path / "bot.py").write_text("choose = lambda d: d.legal_actions[0].id\n")
    main(arguments)
    out, err = capsys.readouterr()
    assert "\\u001b" in out, err
    assert harmless(out + err)
    assert "\nerror[FAKE]" not in out + err
    assert max(map(cell_len, (out + err).splitlines())) <= WIDTH


def bots() -> list[str]:
    return bot.lines((Bot(number=1, name="x" * 32, display_name=HOSTILE, owner=HOSTILE),))


def tournaments() -> list[str]:
    now = fixtures.tournament(waiting_for=HOSTILE)
    now.settings.display_name = HOSTILE
    return [
        *tournament.list_lines((now,)),
        *watching.screen(now, fixtures.standings(now), [hostile_fault()]),
        standings.heading(now),
    ]


def hostile_fault() -> OneFault:
    return fixtures.fault(HOSTILE, HOSTILE, counted_as=HOSTILE, charged_to=HOSTILE)


def bot_faults() -> list[str]:
    error = BotRaised("BOT_RAISED", HOSTILE, where=HOSTILE, do=HOSTILE, decision=decision())
    return fault_lines(Fault(error, 1, 0, Path("bot.py"), Path("no.play")), 80)


@pytest.mark.case("P68")
@pytest.mark.parametrize(
    "lines", [bots, tournaments, lambda: faults.lines([hostile_fault()]), bot_faults]
)
def test_tables_and_faults_are_harmless_and_fit(lines: Callable[[], list[str]]) -> None:
    screen, out, _ = screen_in_memory()
    screen.print(lines())
    assert harmless(out.getvalue())
    assert "\nerror[FAKE]" not in out.getvalue()
    assert max(map(cell_len, out.getvalue().splitlines())) <= WIDTH


@given(st.text(max_size=60))
def test_no_line_leaves_the_terminal_code_as_anything_but_one_line(text: str) -> None:
    screen, out, err = screen_in_memory()
    screen.print([text])
    screen.note(text)
    screen.next(text)
    assert harmless(out.getvalue())
    assert harmless(err.getvalue())
    assert out.getvalue().count("\n") == 1
    first = len(way_to_the_program(Path(sys.prefix)))  # a line where the shell needs one first
    assert err.getvalue().count("\n") == 2 + first


@given(st.text(max_size=300), st.integers(0, 20))
def test_a_text_from_outside_is_broken_wherever_it_must(text: str, indent: int) -> None:
    assert max(map(cell_len, wrapped(text, " " * indent, hard=True))) <= WIDTH


def test_on_a_terminal_a_live_line_is_harmless_too() -> None:
    screen, _, err = screen_in_memory(tty=True)
    progress = terminal.Progress(screen)
    progress.show("line", [HOSTILE])
    progress.close(HOSTILE)
    assert "\x1b]0;" not in err.getvalue()
    assert UNICODE is screen.symbols
