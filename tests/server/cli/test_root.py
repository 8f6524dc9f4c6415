"""The command line as a whole: help that fits, commands that exist, errors in one form."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from rich.cells import cell_len

from saurodrome.server.cli import root as cli

SOURCES = Path(cli.__file__).parent


def all_commands() -> Iterator[tuple[str, ...]]:
    def below(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield path
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found is not None
                yield from below(found, (*path, name))

    return below(cli.root, ())


def command_at(path: tuple[str, ...]) -> click.Command:
    command: click.Command = cli.root
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    return command


@pytest.mark.parametrize("path", list(all_commands()), ids=" ".join)
def test_help_fits_80_columns_and_names_the_exit_codes(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*path, "--help"]) == 0
    text = capsys.readouterr().out
    assert max(map(cell_len, text.splitlines())) <= 80
    assert "130 stopped by" in text
    assert "..." not in text.partition("Commands:")[2]  # no summary is cut


@pytest.mark.parametrize("path", list(all_commands()), ids=" ".join)
def test_options_that_take_a_value_say_what_holds_without_them(path: tuple[str, ...]) -> None:
    for option in command_at(path).params:
        if isinstance(option, click.Option) and not option.is_flag and not option.required:
            told = option.show_default or "[default:" in (option.help or "")
            assert told or option.name in OPTIONAL, option.name


@pytest.mark.parametrize("number", ["99999999999999999999", "-1", "9" * 5000])
@pytest.mark.parametrize("path", list(all_commands()), ids=" ".join)
def test_a_number_that_fits_nowhere_is_refused_with_its_option_and_bounds(
    path: tuple[str, ...], number: str
) -> None:
    for option in command_at(path).params:
        if isinstance(option.type, click.types.IntParamType):
            with pytest.raises(click.BadParameter) as caught:
                option.type(number, option, None)
            assert len(number) > 99 or "<=x<=" in caught.value.message, option.name


OPTIONAL = {"at", "tls_key"}
"""Options that stand for a wish of their own: without them there is none."""


def test_every_command_that_is_printed_as_the_next_one_exists() -> None:
    told = [
        (file.name, words)
        for file in SOURCES.glob("*.py")
        for words in re.findall(r"\bsaurodrome ((?:[a-z]+ ?)+)", file.read_text())
    ]
    known = {" ".join(path) for path in all_commands()}
    parents = {path.split(" ")[0] for path in known if " " in path}
    for file, words in told:
        first, *rest = words.split()
        if first not in {path.split(" ")[0] for path in known}:
            continue  # a sentence that names the program
        command = f"{first} {rest[0]}" if first in parents and rest else first
        assert command in known, f"{file}: saurodrome {words}"
    assert len(told) > 10


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        (["gamse"], "UNKNOWN_COMMAND", "did you mean `games`?"),
        (["tournament", "standigns"], "UNKNOWN_COMMAND", "did you mean `standings`?"),
        (["bot", "try", "x.py", "--matchs", "3"], "UNKNOWN_OPTION", "did you mean `--matches`?"),
        (["bot", "try"], "MISSING_ARGUMENT", "saurodrome bot try [OPTIONS] FILE"),
        (["bot", "try", "x.py", "--players", "9"], "BAD_VALUE", "saurodrome bot try --help"),
        (["bot", "try", "x.py", "--limit", "soon"], "BAD_VALUE", "saurodrome bot try --help"),
        (
            ["tournament", "create", "a", "--bots", "a,b", "--seating", "balance"],
            "BAD_VALUE",
            "did you mean `balanced`?",
        ),
        (["tournament", "create", "a", "--bots", "a,b", "--time", "5"], "BAD_VALUE", "--help"),
        (
            ["tournament", "create", "a", "--bots", "a,b", "--rounds", "99999999999"],
            "BAD_VALUE",
            "1<=x<=4294967295",
        ),
        (["bot", "run", "missing.py"], "", ""),
    ],
)
def test_a_wrong_command_line_names_the_nearest_right_word(
    arguments: list[str], code: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error[{code}" if code else "error[")
    assert "\n  do " in err
    assert hint in err


def test_with_json_an_error_has_the_same_fields(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "show", "missing.play", "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "BAD_FILE"
    assert "missing.play" in error["what"]
    assert error["do"]


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert re.match(r"saurodrome, version \d", capsys.readouterr().out)


def test_games_need_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["games"]) == 0
    assert re.search(r"draftosaurus +summer.* 2 to 5 +1", capsys.readouterr().out)
    assert cli.main(["games", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["game"] == "draftosaurus"


@pytest.mark.parametrize("group", ["logs", "tournament", "replay"])
def test_a_group_alone_is_told_which_commands_it_has(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([group]) == 2
    said = capsys.readouterr().err
    assert "MISSING_COMMAND" in said
    assert "Usage" not in said
    command = command_at((group,))
    assert isinstance(command, click.Group)
    told = " ".join(said.split())
    assert f"one of: {', '.join(command.list_commands(click.Context(command)))}" in told
