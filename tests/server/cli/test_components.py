"""Component values on the command line: where they come from, and corrected ones in their place."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import UnknownGame
from saurodrome.engine.games.duelosaur.state import load_game
from saurodrome.engine.playthrough import Recorder, dumps
from saurodrome.server.cli.root import COMPONENTS, main
from tests.engine.duelosaur.sets import changed, write
from tests.engine.toy import GAME as CAIRNS


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves registry and environment as they were."""
    monkeypatch.setattr(registry, "_instead", {})
    monkeypatch.setenv(COMPONENTS, "")
    monkeypatch.delenv(COMPONENTS)


def listed(capsys: pytest.CaptureFixture[str], *before: str) -> dict[str, Any]:
    assert main([*before, "games", "--json"]) == 0
    return {one["game"]: one for one in json.loads(capsys.readouterr().out)}


def test_games_says_that_values_are_reconstructed_and_under_which_id(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["games"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "duelosaur: ruleset duelosaur-recon-1. Component values are reconstructed" in shown
    assert "draftosaurus: ruleset" not in shown
    told = listed(capsys)
    assert told["duelosaur"]["ruleset"] == "duelosaur-recon-1"
    assert len(told["duelosaur"]["ruleset_hash"]) == 64
    assert "reconstructed" in told["duelosaur"]["note"]
    assert told["draftosaurus"]["ruleset"] == told["draftosaurus"]["note"] == ""


def test_a_corrected_set_takes_the_place_of_the_shipped_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shipped = listed(capsys)["duelosaur"]["ruleset_hash"]
    write(tmp_path, {"specialists.json": changed("X05", threat=3)}, "my-box-1")
    told = listed(capsys, "--components", str(tmp_path))["duelosaur"]
    assert told["ruleset"] == "my-box-1"
    assert told["ruleset_hash"] != shipped
    assert told["note"] == ""  # whoever corrects a set says what its values are
    assert os.environ[COMPONENTS] == str(tmp_path.resolve())
    assert registry.get("duelosaur").ruleset == "my-box-1"
    assert [game.name for game in registry.games()] == ["draftosaurus", "duelosaur"]


def test_a_bad_set_is_refused_with_file_entry_and_reason(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write(tmp_path, {"specialists.json": changed("X05", threat=-3)})
    assert main(["--components", str(tmp_path), "games"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error[BAD_COMPONENTS]")
    assert "where  specialists.json, X05" in said
    assert "\n  do " in said
    assert registry.get("duelosaur").ruleset == "duelosaur-recon-1"


def test_a_record_of_another_set_is_told_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = load_game(write(tmp_path, {"specialists.json": changed("X05", threat=3)}, "mine-1"))
    tags = {"ruleset": game.ruleset, "ruleset-hash": game.ruleset_hash}
    record = Recorder(game, "short", 2, FastChance(1), 0, tags).playthrough()
    file = tmp_path / "1.play"
    file.write_text(dumps(record))
    assert main(["replay", "verify", str(file)]) == 2
    said = " ".join("".join(capsys.readouterr()).split())
    assert "error[RULESET_DIFFERS] It was recorded with ruleset mine-1, this is" in said
    assert "--components" in said
    assert main(["--components", str(tmp_path), "replay", "verify", str(file)]) == 0


def test_only_a_game_that_exists_can_be_played_in_another_way() -> None:
    with pytest.raises(UnknownGame):
        registry.use(CAIRNS)
