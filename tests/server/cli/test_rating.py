"""The commands that explain ratings, compare bots, look for arranged results and test versions."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from rich.cells import cell_len

from saurodrome.client import InputError
from saurodrome.server.cli.export import write
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.rating import newest_of
from saurodrome.server.cli.root import main
from tests.server.cli.cup import Played


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an export of a cup of five."""
    played = Played(rounds=6)
    played.play(100)
    folder = tmp_path_factory.mktemp("cup") / "out"
    write(played.client(), "cup", folder)
    return folder


class Said:
    """Runs commands and gives what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def text(self, *arguments: str, code: int = 0) -> str:
        assert main(arguments) == code
        printed = self._capsys.readouterr()
        assert all(cell_len(line) <= 80 for line in printed.out.splitlines())
        return printed.out + printed.err

    def json(self, *arguments: str, code: int = 0) -> Any:
        assert main([*arguments, "--json"]) == code
        printed = self._capsys.readouterr()
        return json.loads(printed.out or printed.err)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)


@pytest.mark.case("P58")
def test_p58_every_match_says_how_far_it_moved_the_rating(out: Path, said: Said) -> None:
    told = said.json("rating", "explain", "cyd", "--in", str(out))
    moves = [one["elo"] for one in told["own"]]
    assert len(moves) == 10
    change = told["rating"] - told["rating_before"]
    assert change == pytest.approx(sum(moves) + sum(told["others"].values()) + told["prior"])
    text = said.text("rating", "explain", "cyd", "--in", str(out))
    assert f"{change:+.1f}" in text.splitlines()[0]
    for one in told["own"]:
        assert one["match"].removeprefix("cup/") in text
    assert "matches of others" in text
    assert "opponents in all rated matches" in text


def test_an_explanation_ends_at_the_published_rating(out: Path, said: Said) -> None:
    table = said.json("rate", str(out), "--log", "60")
    published = {row["bot"]: row["rating"] for row in table["standings"]}
    for since in ("0", "59", "60"):
        told = said.json(
            "rating", "explain", "eve", "--in", str(out), "--log", "60", "--since", since
        )
        assert told["rating"] == pytest.approx(published["eve"], abs=1e-4)
    assert told["own"] == []
    assert told["rating_before"] == pytest.approx(published["eve"], abs=1e-4)


def test_two_bots_are_compared_by_an_interval_of_their_own(out: Path, said: Said) -> None:
    there = said.json("rating", "compare", "eve", "ann", "--in", str(out))
    back = said.json("rating", "compare", "ann", "eve", "--in", str(out))
    assert there["elo"] == pytest.approx(-back["elo"])
    assert there["err95"] == pytest.approx(back["err95"])
    assert there["superiority"] > 0.95
    assert there["tournament"] == "cup"
    first = said.text("rating", "compare", "eve", "ann", "--in", str(out)).splitlines()[0]
    assert first.startswith(f"cup: eve is {there['elo']:.0f} ±")
    assert first.endswith("Elo above ann: told apart")
    first = said.text("rating", "compare", "ann", "eve", "--in", str(out)).splitlines()[0]
    assert first.startswith(f"cup: ann is {there['elo']:.0f} ±")
    assert first.endswith("Elo below eve: told apart")


def test_an_honest_cup_shows_nothing_to_look_at(out: Path, said: Said) -> None:
    assert said.json("rating", "check", str(out)) == {
        "log_position": 100,
        "concentrations": [],
        "oddities": [],
    }
    assert "nothing that strengths do not explain" in said.text("rating", "check", str(out))


@pytest.mark.case("P57")
def test_p57_bars_are_of_a_fixed_sample_and_the_verdict_is_the_sequential_test_s(
    out: Path, said: Said
) -> None:
    hypotheses = ("--elo0", "0", "--elo1", "150")
    text = said.text("sprt", "eve", "ann", str(out), *hypotheses)
    assert "fixed sample, 95 %" in text
    told = said.json("sprt", "eve", "ann", str(out), *hypotheses)
    assert told["log_position"] == 100
    assert told["blocks"] in (4, 5)  # the last pairings may be still to come
    assert told["matches"] == 2 * told["blocks"]
    assert told["verdict"] in ("open", "accepted")
    assert f"{told['llr']:+.2f}" in text
    field = said.json("sprt", "eve", "ann,bob,cyd", str(out), *hypotheses)
    assert field["blocks"] > 2 * told["blocks"]


def test_a_version_that_is_no_better_is_the_answer_no(out: Path, said: Said) -> None:
    text = said.text("sprt", "ann", "cyd,dan,eve", str(out), "--elo0", "0", "--elo1", "300", code=1)
    assert "REJECTED" in text


def test_of_a_bot_that_does_not_exist_the_nearest_is_named() -> None:
    with pytest.raises(InputError) as refused:
        newest_of("anne", cast(Connection, Played()))
    error = refused.value
    assert (error.code, error.what) == ("UNKNOWN_BOT", "There is no bot `anne`.")
    assert error.do == "did you mean `ann`? all: saurodrome bot list"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("sprt", "eve", "zoe"), "UNKNOWN_BOT"),
        (("sprt", "eve", "eve"), "SAME_BOT"),
        (("sprt", "eve", "ann,eve"), "SAME_BOT"),
        (("rating", "compare", "eve", "eve"), "SAME_BOT"),
        (("sprt", "eve", "ann", "--elo0", "5", "--elo1", "5"), "BAD_HYPOTHESES"),
        (("rating", "compare", "eve", "zoe"), "NOT_RATED"),
        (("rating", "explain", "zoe"), "NOT_RATED"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    out: Path, said: Said, arguments: tuple[str, ...], error: str
) -> None:
    where = ["--in"] if arguments[0] == "rating" else []
    names, options = arguments[:3], arguments[3:]
    told = said.json(*names, *where, str(out), *options, code=2)
    assert told["error"]["code"] == error
    assert told["error"]["what"]
    assert told["error"]["do"]
