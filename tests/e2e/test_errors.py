"""Mistakes that users make, each provoked for real: code, where, what to do, exit code."""

import json
import socket
from pathlib import Path

import pytest

from tests.e2e.arena import Arena
from tests.e2e.processes import free_port
from tests.e2e.shell import Result, here, saurodrome

pytestmark = pytest.mark.wire


def has_all_parts(done: Result, code: str, exit_code: int) -> None:
    """Checks the error form: one error, with what, where and what to do, and nothing else."""
    assert done.code == exit_code, done.text
    assert done.err.count("error[") == 1, done.err
    assert f"error[{code}] " in done.err
    assert "\n  where  " in done.err
    assert "\n  do     " in done.err
    assert "Traceback" not in done.text


def in_json(done: Result, code: str) -> None:
    """Checks the same in JSON."""
    error = json.loads(done.err.splitlines()[-1])["error"]
    assert error["code"] == code
    assert error["what"]
    assert error["where"]
    assert error["do"]


ORGANISERS = [
    ("TOKEN_UNKNOWN", 3, ("bot", "list", "--token-file", "wrong.token")),
    ("TOKEN_MISSING", 2, ("bot", "list", "--token-file", "missing.token")),
    ("BAD_SERVER", 2, ("bot", "list", "--server", "http://x")),
    ("UNREACHABLE", 3, ("bot", "list", "--server", "localhost:1")),
    ("NAME_TAKEN", 2, ("bot", "register", "late")),
    ("BAD_NAME", 2, ("bot", "register", "Ádá")),
    ("BAD_DISPLAY_NAME", 2, ("bot", "register", "x", "--display-name", "a\u202eb")),
    ("UNKNOWN_BOT", 2, ("bot", "token", "nobody", "--new")),
    ("UNKNOWN_TOURNAMENT", 2, ("tournament", "standings", "nope")),
    ("UNKNOWN_GAME", 2, ("tournament", "create", "x", "--bots", "late,greedy", "--game", "chess")),
    (
        "UNKNOWN_VARIANT",
        2,
        ("tournament", "create", "x", "--bots", "late,greedy", "--variant", "sumer"),
    ),
    ("UNKNOWN_BOT", 2, ("tournament", "create", "x", "--bots", "late,nobody")),
    ("TOO_FEW_BOTS", 2, ("tournament", "create", "x", "--bots", "late,greedy", "--players", "4")),
    ("NAME_TAKEN", 2, ("tournament", "create", "troubles", "--bots", "late,greedy")),
    ("WRONG_STATE", 2, ("tournament", "start", "troubles")),
    ("FOLDER_IN_USE", 2, ("tournament", "export", "troubles", "--to", "full")),
]


@pytest.mark.parametrize(("code", "exit_code", "command"), ORGANISERS, ids=lambda v: str(v)[:40])
def test_what_organisers_ask_wrongly(
    arena: Arena,
    code: str,
    exit_code: int,
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(arena.folder)
    (arena.folder / "wrong.token").write_text("srd_admin_abcdefgh_" + "a" * 32 + "\n")
    (arena.folder / "full").mkdir(exist_ok=True)
    (arena.folder / "full" / "thesis").touch()
    done = here(capsys, *command)
    has_all_parts(done, code, exit_code)
    assert "a" * 32 not in done.text  # no token, not even a wrong one
    in_json(here(capsys, *command, "--json"), code)


AUTHORS = {
    "syntax.py": ("BOT_SYNTAX", "def choose(d)\n    return 1\n"),
    "empty.py": ("", "x = 1\n"),
    "crash.py": ("", "import nothing_of_this_name\n"),
    "many.py": ("", "def choose(a, b):\n    return 1\n"),
}


@pytest.mark.parametrize("name", AUTHORS)
@pytest.mark.parametrize("command", ["try", "run"])
def test_files_that_hold_no_bot(tmp_path: Path, name: str, command: str) -> None:
    code, text = AUTHORS[name]
    (tmp_path / name).write_text(text)
    done = saurodrome("bot", command, name, cwd=tmp_path)
    assert done.code == 2, done.text
    assert f"error[{code}" in done.err
    assert name in done.err
    assert "\n  do     " in done.err
    assert "Traceback" not in done.text


def test_a_bot_without_a_token_is_told_how_to_get_one(tmp_path: Path) -> None:
    (tmp_path / "lone.py").write_text("def choose(d):\n    return d.legal_actions[0].id\n")
    done = saurodrome("bot", "run", "lone.py", cwd=tmp_path)
    has_all_parts(done, "TOKEN_MISSING", 2)
    assert "saurodrome bot register lone" in done.err


@pytest.mark.case("CR-05")
def test_a_port_that_somebody_has(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for option in ("--bots-port", "--web-port"):
            other = "--web-port" if option == "--bots-port" else "--bots-port"
            done = saurodrome("serve", option, port, other, "0", cwd=tmp_path)
            has_all_parts(done, "PORT_IN_USE", 4)
            assert port in done.err
            assert f"where  {option}\n" in done.err


def test_a_store_without_its_content_is_not_begun_anew_in_silence(tmp_path: Path) -> None:
    (tmp_path / "admin.token").write_text("srd_admin_abcdefgh_" + "a" * 32)
    (tmp_path / "arena.db").touch()
    done = saurodrome("serve", "--data", ".", cwd=tmp_path)
    has_all_parts(done, "STORE_EMPTY", 4)
    assert (tmp_path / "arena.db").stat().st_size == 0


def test_a_directory_in_place_of_the_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "arena.db").mkdir()
    done = saurodrome("serve", "--data", ".", cwd=tmp_path)
    has_all_parts(done, "STORE_UNUSABLE", 4)
    assert "is a directory" in done.err


@pytest.mark.case("CR-05")
def test_a_data_directory_that_another_server_has(arena: Arena) -> None:
    done = saurodrome("serve", "--bots-port", "0", "--web-port", "0", cwd=arena.folder)
    assert done.code == 4, done.text
    assert "error[" in done.err
    assert "\n  do     " in done.err
    assert "Traceback" not in done.text


def test_plain_text_to_the_world_is_refused(tmp_path: Path) -> None:
    done = saurodrome(
        *("serve", "--host", "0.0.0.0", "--bots-port", "0", "--web-port", "0"), cwd=tmp_path
    )
    assert done.code == 2, done.text
    assert "error[PLAINTEXT_REFUSED]" in done.err


def test_a_house_bot_that_does_not_exist(tmp_path: Path) -> None:
    done = saurodrome("serve", "--house", "mcts", cwd=tmp_path)
    has_all_parts(done, "BAD_VALUE", 2)


def test_the_port_of_the_pages_is_no_port_for_bots(arena: Arena) -> None:
    facts = json.loads((arena.folder / ".saurodrome" / "serve.json").read_text())
    done = saurodrome("bot", "list", "--server", f"localhost:{facts['web_port']}", cwd=arena.folder)
    has_all_parts(done, "WRONG_PORT", 3)


def test_nothing_answers_at_a_free_port(tmp_path: Path) -> None:
    (tmp_path / ".saurodrome").mkdir()
    (tmp_path / ".saurodrome" / "admin.token").write_text("srd_admin_abcdefgh_" + "a" * 32)
    done = saurodrome("bot", "list", "--server", f"localhost:{free_port()}", cwd=tmp_path)
    has_all_parts(done, "UNREACHABLE", 3)
