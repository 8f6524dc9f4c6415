"""Every error has code, what, where, what to do, and the right exit code."""

import click
import pytest

from saurodrome.client import InputError, SaurodromeError
from saurodrome.client import Refused as RefusedByServer
from saurodrome.engine.errors import Edited, ReplayMismatch, UnknownGame, UnknownVariant
from saurodrome.server.cli.failures import nearest_of, readable
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store.interface import StoreTrouble


@pytest.mark.parametrize(
    ("error", "code", "exit_code"),
    [
        (InputError("X", "x"), "X", 2),
        (Refused(Kind.INVALID, "PLAINTEXT_REFUSED", "x"), "PLAINTEXT_REFUSED", 2),
        (Refused(Kind.EXISTS, "STORE_EXISTS", "x"), "STORE_EXISTS", 2),
        (Refused(Kind.NOT_FOUND, "NO_STORE", "x"), "NO_STORE", 2),
        (Refused(Kind.UNAVAILABLE, "PORT_IN_USE", "x"), "PORT_IN_USE", 4),
        (StoreTrouble("STORE_FULL", "x"), "STORE_FULL", 4),
        (UnknownGame("chess", ["draftosaurus"]), "UNKNOWN_GAME", 2),
        (UnknownVariant("draftosaurus", "sumer", ["summer"]), "UNKNOWN_VARIANT", 2),
        (Edited(9, "the text does not fit its checksum", "fetch it again"), "RECORD_EDITED", 2),
        (ReplayMismatch(7, 1, "B meadow was not legal"), "DIFFERS", 1),
        (click.UsageError("what"), "USAGE", 2),
        (FileNotFoundError(2, "No such file or directory", "a.play"), "BAD_FILE", 2),
        (ZeroDivisionError("by zero"), "INTERNAL", 4),
    ],
)
def test_any_exception_becomes_an_error_with_a_code_and_an_exit_code(
    error: Exception, code: str, exit_code: int
) -> None:
    shown = readable(error)
    assert (shown.code, shown.exit_code) == (code, exit_code)
    assert shown.what


@pytest.mark.parametrize("key", ["live", "table", "notes"])
def test_what_is_not_published_names_the_key_of_the_file(key: str) -> None:
    told = RefusedByServer("NOT_PUBLISHED", "Not shown.", where=f"settings.publish_{key}")
    assert readable(told).where == f"publish.{key}"


def test_what_the_server_said_is_kept_word_for_word() -> None:
    shown = readable(Refused(Kind.UNAVAILABLE, "PORT_IN_USE", "taken.", "bots port", "stop it"))
    assert (shown.what, shown.where, shown.do) == ("taken.", "bots port", "stop it")


def test_a_fault_of_our_own_hides_its_traceback_in_a_file_and_names_it() -> None:
    try:
        raise ValueError("boom")
    except ValueError as error:
        shown = readable(error)
    kept = shown.where.rpartition(" ")[2]
    with open(kept) as file:
        text = file.read()
    assert "ValueError: boom" in text
    assert "Traceback" in text
    assert "Traceback" not in shown.format()
    assert "test_failures.py line" in shown.where


def test_the_nearest_right_word_is_named() -> None:
    assert nearest_of("standigns", ["standings", "start"], "h").startswith(
        "did you mean `standings`?"
    )
    assert (
        nearest_of("zzz", ["standings", "start"], "saurodrome --help") == "all: saurodrome --help"
    )


def test_a_disagreement_with_the_rules_is_located() -> None:
    shown = readable(ReplayMismatch(7, 1, "B meadow was not legal"))
    assert isinstance(shown, SaurodromeError)
    assert shown.where == "step 7, seat 1"


def test_a_field_of_the_configuration_is_named_as_its_option() -> None:
    shown = readable(Refused(Kind.UNAVAILABLE, "PORT_IN_USE", "taken.", "bots_port", "stop it"))
    assert shown.where == "--bots-port"
    elsewhere = readable(Refused(Kind.UNAVAILABLE, "STORE_EMPTY", "x", "/data/arena.db", "y"))
    assert elsewhere.where == "/data/arena.db"


@pytest.mark.parametrize("code", ["STORE_FULL", "STORE_READONLY", "STORE_LOCKED", "STORE_FAILING"])
def test_trouble_of_the_store_says_what_helps(code: str) -> None:
    shown = readable(StoreTrouble(code, f"/data/arena.db: {code}"))
    assert shown.code == code
    assert shown.what.startswith("/data/arena.db")
    assert shown.do
