"""A sequential test in a tournament's file."""

from pathlib import Path

import pytest

from saurodrome.client import InputError
from saurodrome.server.cli.planning.file import read
from saurodrome.server.settings import SprtRule

FILE = """name = "duel"
players = 2
sprt = { bot = "new", against = ["old"], elo0 = -5, elo1 = 15, model = "logistic" }
entry = { bots = ["new", "old"] }
"""


def test_a_file_names_what_is_tested(tmp_path: Path) -> None:
    path = tmp_path / "duel.toml"
    path.write_text(FILE)
    rule = SprtRule("new", ("old",), -5.0, 15.0, model="logistic")
    assert read(path).settings.sprt == rule


def test_a_test_against_nobody_is_told_by_key_and_line(tmp_path: Path) -> None:
    path = tmp_path / "duel.toml"
    path.write_text(FILE.replace('against = ["old"], ', ""))
    with pytest.raises(InputError) as error:
        read(path)
    assert error.value.where == f"{path} line 3, sprt.against"
    assert error.value.code == "BAD_TEST"
