"""Results and hints go to their outputs; progress never floods what nobody watches."""

import io
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

from saurodrome.server.cli.options import Connection, connection_options
from saurodrome.server.cli.terminal import Progress, Terminal, wants_ascii, way_to_the_program
from saurodrome.server.cli.text import UNICODE


def terminal(tty: bool = False) -> tuple[Terminal, io.StringIO, io.StringIO]:
    out, err = io.StringIO(), io.StringIO()
    consoles = [Console(file=file, width=80, force_terminal=tty) for file in (out, err)]
    return Terminal(consoles[0], consoles[1], UNICODE), out, err


def test_results_and_hints_go_to_different_outputs() -> None:
    screen, out, err = terminal()
    screen.print(["a", "b"])
    screen.note("working")
    assert (out.getvalue(), err.getvalue()) == ("a\nb\n", "working\n")


def test_markup_and_emoji_codes_in_names_are_text() -> None:
    screen, out, _ = terminal()
    screen.print("[bold]rexy[/bold] :t-rex: http://x 12")
    assert out.getvalue() == "[bold]rexy[/bold] :t-rex: http://x 12\n"


def test_a_line_is_never_broken_by_the_terminal_code() -> None:
    screen, out, _ = terminal()
    screen.print("x" * 200)
    assert out.getvalue() == "x" * 200 + "\n"


def test_at_most_two_commands_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", "/nowhere")
    screen, _, err = terminal()
    screen.next("a", "b", "c")
    assert err.getvalue() == "next: a\n      b\n"


def test_where_the_shell_does_not_find_the_program_the_way_to_it_comes_first(
    tmp_path: Path,
) -> None:
    assert way_to_the_program(tmp_path, lambda name: None) == ()  # it is not installed there
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "saurodrome").touch()
    (line,) = way_to_the_program(tmp_path, lambda name: None)
    assert line.startswith(". ")
    assert Path(line[2:]).resolve() == (tmp_path / "bin" / "activate").resolve()
    assert way_to_the_program(tmp_path, lambda name: "/usr/bin/saurodrome") == ()


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_without_a_terminal_progress_is_a_line_at_once_then_one_in_30_s_and_a_last_one() -> None:
    screen, _, err = terminal()
    clock = FakeClock()
    progress = Progress(screen, clock)
    for second in range(65):
        clock.now = 100.0 + second
        progress.show(f"at {second} s", ["a block that is for terminals"])
    progress.close("finished")
    assert err.getvalue() == "at 0 s\nat 30 s\nat 60 s\nfinished\n"


def test_a_last_line_that_was_written_already_is_not_written_twice() -> None:
    screen, _, err = terminal()
    progress = Progress(screen)
    progress.show("finished")
    progress.close("finished")
    assert err.getvalue() == "finished\n"


@click.command()
@connection_options
@click.argument("following")
def follow(connection: Connection, following: str) -> None:
    screen, _, err = terminal()
    screen.next(following)
    click.echo(err.getvalue(), nl=False)


@pytest.mark.parametrize(
    ("following", "adds"),
    [
        ("saurodrome tournament watch a", " --server h:1 --ca 'c a.pem' --token-file t"),
        ("saurodrome bot run a.py", " --server h:1 --ca 'c a.pem'"),
        ("saurodrome bot try a.py", ""),
        ("saurodrome replay show a/1/1/1", " --server h:1 --ca 'c a.pem' --token-file t"),
        ("saurodrome replay show a.play", ""),
    ],
)
def test_the_next_command_reaches_the_server_as_this_one_did(
    following: str, adds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", "/nowhere")
    told = ["--server", "h:1", "--token-file", "t", "--ca", "c a.pem"]
    assert CliRunner().invoke(follow, [*told, following]).output == f"next: {following}{adds}\n"
    assert CliRunner().invoke(follow, [following]).output == f"next: {following}\n"


def test_on_a_terminal_the_block_takes_the_place_of_the_line() -> None:
    screen, _, err = terminal(tty=True)
    Progress(screen, FakeClock()).show("half", ["rows", "of a table"])
    assert "of a table" in err.getvalue()
    assert "half" not in err.getvalue()


def test_on_a_terminal_the_last_line_stays() -> None:
    screen, _, err = terminal(tty=True)
    progress = Progress(screen, FakeClock())
    progress.show("half", ["rows"])
    progress.close("finished")
    assert err.getvalue().rstrip("\n").rpartition("\x1b[2K")[2].startswith("finished")


@pytest.mark.parametrize(
    ("environment", "encoding", "ascii_only"),
    [
        ({"LANG": "en_US.UTF-8"}, "utf-8", False),
        ({"LANG": "C"}, "utf-8", True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True),  # what Python makes of LANG=C
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, "utf-8", False),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, "utf-8", True),
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, "utf-8", False),
        ({}, "utf-8", False),
        ({"LANG": "de_DE"}, "iso8859-1", True),
    ],
)
def test_ascii_is_all_where_the_locale_or_the_output_says_so(
    environment: dict[str, str], encoding: str, ascii_only: bool
) -> None:
    assert wants_ascii(environment, encoding) is ascii_only
