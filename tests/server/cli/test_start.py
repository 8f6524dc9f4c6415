"""How a command starts: without what it does not need, since that takes longer than the command."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import saurodrome
import saurodrome.client
from saurodrome.server.cli import root as cli

HEAVY = ("alembic", "grpc", "numpy", "prometheus_client", "sqlalchemy", "starlette", "uvicorn")
SOURCES = [str(Path(folder).parent) for folder in saurodrome.__path__]
"""Not all of `sys.path`: the folders of bots that other tests loaded are there, too."""


def loaded(code: str) -> set[str]:
    """Give the heavy packages that a fresh interpreter has after some code."""
    ask = f"{code}\nimport sys; print(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES)},
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.wire
@pytest.mark.parametrize("arguments", [("--help",), ("games",), ("score", "--help"), ("chess",)])
def test_what_asks_no_server_loads_nothing_that_a_server_needs(arguments: tuple[str, ...]) -> None:
    assert loaded(f"from saurodrome.server.cli.root import main; main({arguments})") == set()


@pytest.mark.wire
def test_the_client_loads_grpc_with_what_connects() -> None:
    assert loaded("from saurodrome.client import InputError") == set()
    assert loaded("from saurodrome.client import run") == {"grpc"}


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    command = cli.root.get_command(click.Context(cli.root), name)
    assert command is not None
    assert cli.COMMANDS[name][1] == command.get_short_help_str(200)


def test_every_public_name_of_the_client_can_be_had() -> None:
    for name in saurodrome.client.__all__:
        assert getattr(saurodrome.client, name) is not None
    assert set(saurodrome.client.__all__) <= set(dir(saurodrome.client))
    assert not hasattr(saurodrome.client, "Nothing")
