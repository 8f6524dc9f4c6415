"""The name that was meant: by its whole, by its last part, or none."""

import pytest

from saurodrome.server.nearest import did_you_mean, nearest, nearest_path

PATHS = ("serve.web_port", "limits.matches", "other.matches")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("serve.web_prot", "serve.web_port"),
        ("web_prot", "serve.web_port"),
        ("ratings.web_port", "serve.web_port"),
        ("match", "limits.matches"),
        ("colour", ""),
        ("", ""),
    ],
)
def test_a_path_is_found_by_its_whole_or_its_last_part(given: str, meant: str) -> None:
    assert nearest_path(given, PATHS) == meant


def test_what_is_like_nothing_is_not_guessed() -> None:
    assert nearest("greedy", ["standings", "start"]) == ""
    assert did_you_mean("") == ""


def test_a_question_goes_before_what_else_is_to_be_done() -> None:
    assert (
        did_you_mean(nearest("standigns", ["standings", "start"])) == "did you mean `standings`? "
    )


def test_of_a_name_without_end_the_beginning_is_looked_at() -> None:
    assert nearest("a" * 1_000_000, ["a" * 64, "b"]) == "a" * 64
