"""Names that are safe everywhere, and display names that people can read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.errors import Refused
from saurodrome.server.settings import check_display_name, check_name


@pytest.mark.parametrize("name", ["a", "0", "greedy-2", "a.b_c-d", "x" * 32])
def test_names(name: str) -> None:
    assert check_name(name, "name") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "A",
        "-a",
        ".hidden",
        "_a",
        "a b",
        "a/b",
        "a\n",
        "a\x00",
        "é",
        "x" * 33,
        "x" * 10_000,
        "../etc",
        "a\x1b[31m",
        "\u202ea",
        "а",  # a Cyrillic letter that looks like a Latin one
    ],
)
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_name(name, "settings.bots")
    assert (refusal.value.code, refusal.value.where) == ("BAD_NAME", "settings.bots")
    assert refusal.value.what.isprintable()
    assert refusal.value.what.isascii()
    assert len(refusal.value.what) < 300


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ann",
        "T. rex “the king”",
        "Ξενοφών",
        "恐竜",
        "👩‍🚀",  # joined by a zero-width joiner
        "O'Brien & <b>sons</b> {}",
        "x" * 64,
    ],
)
def test_display_names_of_any_script(text: str) -> None:
    assert check_display_name(text, "display_name") == text


def test_a_display_name_is_composed() -> None:
    assert check_display_name("Zoe\u0308", "display_name") == "Zoë"


def test_length_counts_after_composition() -> None:
    assert len(check_display_name("e\u0301" * 64, "display_name")) == 64


@pytest.mark.parametrize(
    "text",
    [
        "x" * 65,
        "x" * 10_000,
        "a\nb",
        "a\tb",
        "a\x00b",
        "a\x1b[31mb",
        "a\u0085b",
        "a\u2028b",
        "\u202eevil",
        "\u2066a\u2069",
        "a\u200fb",
        "\ud800",
        "\uffff",
        " ",
        "\u3000",
        "\u200b\u2060",
    ],
)
def test_display_names_that_nobody_can_read_safely(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_display_name(text, "display_name")
    assert (refusal.value.code, refusal.value.where) == ("BAD_DISPLAY_NAME", "display_name")
    assert refusal.value.what.isascii()
    assert "''" not in refusal.value.what


@given(st.text(max_size=80))
def test_whatever_is_taken_is_printable_on_one_line_and_stays_the_same(text: str) -> None:
    try:
        taken = check_display_name(text, "display_name")
    except Refused:
        return
    assert len(taken) <= 64
    assert taken.splitlines() in ([taken], [])
    assert check_display_name(taken, "display_name") == taken
