"""Bots in files: what may go wrong when one is loaded, and what its author reads."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from saurodrome.client import BotFileError, load
from saurodrome.client.testing import decision


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> BotFileError:
    with pytest.raises(BotFileError) as caught:
        load(path)
    return caught.value


def test_a_file_with_choose_is_a_bot(tmp_path: Path) -> None:
    path = written(
        tmp_path / "My Bot.py",
        "__version__ = '1.3'\ndef choose(d):\n    return d.legal_actions[0]\n"
        "def prepare(m):\n    pass\n",
    )

    strategy = load(path)

    assert (strategy.name, strategy.version, strategy.path) == ("my-bot", "1.3", path)
    assert strategy.prepare is not None
    assert strategy.answer(decision()) == 3


def test_a_file_may_offer_an_object(tmp_path: Path) -> None:
    text = "class B:\n  def choose(self, d):\n    return 7\nbot = B()\n"

    assert load(written(tmp_path / "b.py", text)).answer(decision()) == 7


def test_its_folder_is_where_it_imports_from(tmp_path: Path) -> None:
    written(tmp_path / "sibling_of_bot.py", "BEST = 7\n")
    path = written(tmp_path / "b.py", "from sibling_of_bot import BEST\nchoose = lambda d: BEST\n")

    assert load(path).answer(decision()) == 7


def test_it_is_imported_not_run(tmp_path: Path) -> None:
    text = (
        "from saurodrome.client import run\n"
        "def choose(d):\n    return 3\n"
        "if __name__ == '__main__':\n    run(choose)\n"
    )

    assert load(written(tmp_path / "b.py", text)).answer(decision()) == 3


def test_a_call_of_run_without_guard_is_named(tmp_path: Path) -> None:
    text = "from saurodrome.client import run\ndef choose(d):\n    return 3\nrun(choose)\n"

    error = refused(written(tmp_path / "b.py", text))

    assert error.code == "RUN_AT_IMPORT"
    assert "__main__" in error.do


def test_a_bot_named_like_a_module_replaces_none(tmp_path: Path) -> None:
    import random

    load(written(tmp_path / "random.py", "choose = lambda d: 3\n"))

    assert sys.modules["random"] is random


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path / "none.py")

    assert error.code == "BOT_FILE_MISSING"
    assert "none.py" in error.what
    assert str(tmp_path) in error.where


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    error = refused(tmp_path)

    assert error.code == "BOT_FILE_MISSING"
    assert error.what == f"{tmp_path} is a folder; a bot is one Python file."


def test_a_syntax_error_is_shown_with_its_line(tmp_path: Path) -> None:
    error = refused(written(tmp_path / "b.py", "x = 1\ndef choose(d)\n    return 1\n"))

    assert error.code == "BOT_SYNTAX"
    assert error.what.startswith("SyntaxError: ")
    assert error.where == "b.py line 2: def choose(d)"


def test_a_file_that_is_no_text_is_a_syntax_error(tmp_path: Path) -> None:
    path = tmp_path / "b.py"
    path.write_bytes(b"\xff\xfe\x00\x01")

    assert refused(path).code == "BOT_SYNTAX"


def test_a_missing_module_is_named_with_what_to_install(tmp_path: Path) -> None:
    error = refused(written(tmp_path / "b.py", "x = 1\nimport no_such_module.sub\n"))

    assert error.code == "BOT_IMPORT"
    assert error.where == "b.py line 2 in <module>: import no_such_module.sub"
    assert "pip install no_such_module" in error.do


@pytest.mark.parametrize("line", ["1 / 0", "import sys; sys.exit(1)", "raise KeyError('k')"])
def test_a_file_that_raises_is_shown_with_its_line(tmp_path: Path, line: str) -> None:
    error = refused(written(tmp_path / "b.py", f"x = 1\n{line}\n"))

    assert error.code == "BOT_IMPORT"
    assert error.where.startswith("b.py line 2")


def test_a_file_without_choose_names_the_nearest_word(tmp_path: Path) -> None:
    error = refused(written(tmp_path / "b.py", "def chose(d):\n    return 1\n"))

    assert error.code == "NO_CHOOSE"
    assert "chose " in error.do


def test_a_choose_that_cannot_be_asked_is_an_error_of_the_file(tmp_path: Path) -> None:
    error = refused(written(tmp_path / "b.py", "x = 1\ndef choose():\n    return 1\n"))

    assert (error.code, error.where) == ("BAD_CHOOSE", "b.py line 2")


def test_a_file_may_be_loaded_again_after_a_change(tmp_path: Path) -> None:
    path = written(tmp_path / "b.py", "choose = lambda d: 3\n")
    load(path)

    written(path, "def choose(d):\n    return  7\n")

    assert load(path).answer(decision()) == 7


def test_a_file_may_name_its_games(tmp_path: Path) -> None:
    text = "choose = lambda d: 3\nGAMES = ['draftosaurus/winter']\n"

    assert load(written(tmp_path / "b.py", text)).games == ("draftosaurus/winter",)
    assert load(written(tmp_path / "c.py", "choose = lambda d: 3\n")).games is None


def test_a_game_that_nobody_knows_is_an_error_of_the_file(tmp_path: Path) -> None:
    text = "choose = lambda d: 3\nGAMES = ['chess']\n"

    error = refused(written(tmp_path / "b.py", text))

    assert (error.code, error.where) == ("UNKNOWN_GAME", "GAMES in b.py")


PLAYER = "class {name}:\n  def choose(self, d):\n    return {id}\n"


@pytest.mark.parametrize(
    "below",
    [
        "x = Learner()\n",
        "",  # it is made of the class
        "from saurodrome.client import run\nif __name__ == '__main__':\n  run(Learner())\n",
        "class Better(Learner):\n  pass\n",  # the base is not meant
        pytest.param(  # both of which have a choose or choice, too
            "import random, numpy\nweights = numpy.zeros(3)\n",
            marks=pytest.mark.skipif(find_spec("numpy") is None, reason="needs numpy"),
        ),
        "x = Learner()\ny = x\n",
    ],
)
def test_a_file_may_offer_one_object_or_class_by_any_name(tmp_path: Path, below: str) -> None:
    path = written(tmp_path / "b.py", PLAYER.format(name="Learner", id=7) + below)

    assert load(path).answer(decision()) == 7


def test_an_object_goes_before_its_class_and_bot_before_all_others(tmp_path: Path) -> None:
    text = (
        "class B:\n  def __init__(self, n=3):\n    self.n = n\n"
        "  def choose(self, d):\n    return self.n\n"
    )

    assert load(written(tmp_path / "a.py", f"{text}mine = B(7)\n")).answer(decision()) == 7
    path = written(tmp_path / "b.py", f"{text}old = B(3)\nbot = B(7)\n")
    assert load(path).answer(decision()) == 7


def test_several_that_could_play_are_named(tmp_path: Path) -> None:
    text = PLAYER.format(name="A", id=3) + PLAYER.format(name="B", id=7)

    error = refused(written(tmp_path / "b.py", text))

    assert error.code == "SEVERAL_BOTS"
    assert "A, B" in error.what
    assert error.do == "name one of them: bot = A()"


def test_a_class_that_needs_arguments_says_what_to_write(tmp_path: Path) -> None:
    text = "class A:\n  def __init__(self, n):\n    pass\n  def choose(self, d):\n    return 3\n"

    error = refused(written(tmp_path / "b.py", text))

    assert error.code == "BOT_IMPORT"
    assert "n" in error.what
    assert error.do == "write below the class: bot = A(...)"
