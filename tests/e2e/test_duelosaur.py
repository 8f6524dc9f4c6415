"""Duelosaur Island as the front page shows it: tried, in a tournament, and alone on a ladder."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.e2e.arena import Workshop
from tests.e2e.shell import saurodrome

pytestmark = pytest.mark.wire

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "README.md").read_text().partition("## Duelosaur Island")[2]
LINES = re.findall(r"(?m)^saurodrome (.+)$", SECTION.partition("## ")[0])
TRY, SERVE, DUEL, LADDER, CORRECTED = LINES


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with the bot that the page begins with."""
    example = ROOT / "clients" / "examples" / "duelosaur_greedy_bot.py"
    shutil.copyfile(example, tmp_path / "my_duelist.py")
    return tmp_path


def test_a_dry_run_plays_against_the_house_and_keeps_records_that_verify(shop: Path) -> None:
    done = saurodrome(*TRY.split(), "--matches", "4", "--limit", "2s", cwd=shop)
    assert done.code == 0, done.text
    assert "vs duelist" in done.out
    assert "vs random" in done.out
    verified = saurodrome("replay", "verify", ".saurodrome/try", cwd=shop)
    assert verified.code == 0, verified.text
    assert "4 of 4 records verified, 4 deals proved" in verified.out
    shown = saurodrome("replay", "show", ".saurodrome/try/1.play", "--step", "20", cwd=shop)
    assert shown.code == 0, shown.text
    assert "duelosaur-recon-1: values reconstructed" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_a_tournament_is_rated_and_a_ladder_against_an_ai_card_is_not(shop: Path) -> None:
    with Workshop(shop) as here:
        words = SERVE.split()
        here.serve(words[words.index("--house") + 1])
        for line in (DUEL.removesuffix(" --start"), LADDER):
            here.run(*line.split(), "--rounds", "2", "--time", "2s", "--watch")
        duel, ladder = (
            json.loads(here.run("tournament", "standings", name, "--json"))
            for name in ("duel", "ladder")
        )
        assert here.run("tournament", "standings", "ladder")
    assert [row["bot"] for row in duel["standings"]] == ["duelist", "random"]
    assert duel["standings"][0]["rating"] > duel["standings"][1]["rating"]
    assert {row["bot"] for row in ladder["standings"]} == {"duelist", "random"}
    assert {row["matches"] for row in ladder["standings"]} == {2}
    assert all(row["rating"] is None for row in ladder["standings"])


def test_corrected_values_are_loaded_as_the_page_says(shop: Path) -> None:
    data = ROOT / "engine/src/saurodrome/engine/games/duelosaur/data"
    shutil.copytree(data, shop / "my-box")
    (said,) = re.findall(r"`(\{.*?\})`", SECTION)
    (shop / "my-box" / "ruleset.json").write_text(said)
    folder = CORRECTED.removesuffix(" serve").split()
    done = saurodrome(*folder, "games", "--json", cwd=shop)
    assert done.code == 0, done.text
    assert json.loads(done.out)[1]["ruleset"] == "my-box-1"
