"""Decisions in files: kept when a bot fails, and asked again."""

import json
from pathlib import Path

import pytest

from saurodrome.client import InputError, load_decision, save_decision
from saurodrome.client.testing import decision, match


def test_a_decision_comes_back_as_it_was(tmp_path: Path) -> None:
    asked = decision(
        ["S pyramid 0", "S river"],
        of=match("cup/1/1/0", variant="winter"),
        zoos=[{"pyramid": ".N"}],
        remaining=0.25,
    )

    path = save_decision(asked, tmp_path / "deep" / "last.decision")
    again = load_decision(path)

    assert again.message == asked.message
    assert again.match.message == asked.match.message
    assert 0.2 < again.remaining <= 0.25


def test_the_usual_file_lies_in_the_current_folder(tmp_path: Path) -> None:
    save_decision(decision())

    assert (tmp_path / ".saurodrome" / "last.decision").is_file()
    assert load_decision().match_id == "test/1/1/0"


def test_it_can_be_read_by_people_and_other_languages(tmp_path: Path) -> None:
    content = json.loads(save_decision(decision(), tmp_path / "d").read_text())

    assert content["decision"]["legalActions"][0]["draftosaurus"] == {
        "species": "SPECIES_STEGOSAURUS",
        "pen": "PEN_FOREST_OF_SAMENESS",
    }


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_decision(tmp_path / "none")

    assert caught.value.code == "DECISION_MISSING"


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "{}",
        '{"format": "saurodrome decision 2"}',
        '{"format": "saurodrome decision 1"}',
        '{"format": "saurodrome decision 1", "match": {"x": 1}, "decision": {}}',
    ],
)
def test_what_is_no_decision_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "d"
    path.write_text(text)

    with pytest.raises(InputError) as caught:
        load_decision(path)

    assert (caught.value.code, caught.value.where) == ("DECISION_BAD", str(path))
