"""Tokens are private files; servers that are gone are not found."""

import json
import os
import stat
from pathlib import Path

import pytest

from saurodrome.server.cli.home import address, running_server, set_aside, write_token


def test_a_token_is_readable_by_its_owner_alone_and_replaces_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "new" / "my_bot.token"
    write_token(path, "one")
    write_token(path, "two")
    assert path.read_text() == "two\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["my_bot.token"]


def test_a_token_in_the_way_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.token"
    assert set_aside(path) is None
    path.write_text("of another server")
    aside = set_aside(path)
    assert aside is not None
    assert aside.read_text() == "of another server"
    assert not path.exists()


def serve_file(folder: Path, pid: int) -> None:
    facts = {"pid": pid, "host": "127.0.0.1", "bots_port": 1, "web_port": 2, "started": 3.0}
    (folder / "serve.json").write_text(json.dumps(facts))


def test_a_server_that_runs_is_found_by_its_data_directory(tmp_path: Path) -> None:
    serve_file(tmp_path, os.getpid())
    running = running_server(tmp_path)
    assert running is not None
    assert running.address == "localhost:1"


def test_a_file_that_a_killed_server_left_behind_names_no_server(tmp_path: Path) -> None:
    serve_file(tmp_path, 2**22 + 1)  # beyond the largest process id
    assert running_server(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '"x"'])
def test_a_file_that_is_not_whole_names_no_server(tmp_path: Path, text: str) -> None:
    (tmp_path / "serve.json").write_text(text)
    assert running_server(tmp_path) is None


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("0.0.0.0", "localhost:7741"),
        ("127.0.0.1", "localhost:7741"),
        ("::1", "localhost:7741"),
        ("arena.example", "arena.example:7741"),
        ("2001:db8::1", "[2001:db8::1]:7741"),
    ],
)
def test_addresses_are_shown_as_one_types_them(host: str, shown: str) -> None:
    assert address(host, 7741) == shown
