"""`run`: its command line, its exit codes, and that it loads nothing it should not."""

import asyncio
from pathlib import Path

import pytest

from saurodrome.client import Bot, InputError, Status, run, strategy_of
from saurodrome.client._run import _options


def choose(d: object) -> int:
    return 3


def test_options_are_none_unless_given() -> None:
    assert set(vars(_options([])).values()) == {None}


def test_options_are_read() -> None:
    line = (
        "--server a:1 --token-file t --name rex --matches 3 --max-concurrent 2 --strict"
        " --tls --ca c --give-up-after 1.5"
    )

    assert vars(_options(line.split())) == {
        "server": "a:1",
        "token_file": "t",
        "name": "rex",
        "matches": 3,
        "max_concurrent": 2,
        "strict": True,
        "tls": True,
        "ca": "c",
        "give_up_after": 1.5,
    }


def test_help_fits_80_columns_and_names_the_exit_codes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    with pytest.raises(SystemExit) as caught:
        run(choose, argv=["--help"])

    out = capsys.readouterr().out
    assert caught.value.code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "130 stopped by Ctrl-C" in out


def exit_of(capsys: pytest.CaptureFixture[str], choose: object, *argv: str) -> tuple[object, str]:
    """Runs a bot that cannot come far; gives exit code and what it printed."""
    with pytest.raises(SystemExit) as caught:
        run(choose, name="rex", argv=argv)
    return caught.value.code, capsys.readouterr().err


def test_without_a_token_it_says_how_to_get_one(capsys: pytest.CaptureFixture[str]) -> None:
    code, err = exit_of(capsys, choose)

    assert code == 2
    assert err.startswith("error[TOKEN_MISSING] ")
    assert ".saurodrome/rex.token" in err
    assert "saurodrome bot register rex" in err


def test_a_bot_that_cannot_be_asked_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, err = exit_of(capsys, None)

    assert (code, err.splitlines()[0]) == (
        2,
        "error[BAD_CHOOSE] choose is the NoneType None, no function.",
    )


def test_a_game_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(choose, games=["chess"], argv=[])

    assert caught.value.code == 2
    assert "error[UNKNOWN_GAME] this client knows no game chess." in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv", [["--max-concurrent", "0"], ["--max-concurrent", "65"], ["--matches", "0"]]
)
def test_numbers_out_of_range_are_refused(
    capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    code, err = exit_of(capsys, choose, *argv)

    assert code == 2
    assert err.startswith("error[BAD_ARGUMENT] ")


def test_a_server_that_is_away_ends_the_run_if_so_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "t").write_text("token")

    code, err = exit_of(
        capsys, choose, "--token-file", "t", "--server", "127.0.0.1:1", "--give-up-after", "0"
    )

    assert code == 3
    assert "error[UNREACHABLE] nothing answers at 127.0.0.1:1: connection refused." in err
    assert "127.0.0.1:1 from" in err


def bot(**arguments: object) -> Bot:
    return Bot(strategy_of(choose, name="rex"), **arguments)  # type: ignore[arg-type]


def test_the_token_is_found_by_the_bots_name(tmp_path: Path) -> None:
    (tmp_path / ".saurodrome").mkdir()
    (tmp_path / ".saurodrome" / "rex.token").write_text("secret\n")
    (tmp_path / ".saurodrome" / "tri.token").write_text("other\n")

    assert bot().target.token == "secret"
    assert bot(name="tri").target.token == "other"


def test_the_server_is_said_to_be_from_where_it_was_found() -> None:
    assert bot(token="t", server="arena").target.server_from == "--server or server="
    assert bot(token="t").target.server_from == "the default"


async def test_in_an_event_loop_it_says_what_to_write_instead() -> None:
    with pytest.raises(InputError) as caught:
        bot(token="t").run()

    assert caught.value.code == "LOOP_RUNNING"
    assert asyncio.get_running_loop().is_running()


def test_a_bot_that_leaves_before_it_starts_has_played_nothing() -> None:
    idle = bot(token="t", server="127.0.0.1:1")
    idle.leave()

    assert idle.run() == Status()
