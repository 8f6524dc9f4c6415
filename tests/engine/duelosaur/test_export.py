"""The set as one document: its lists are numbered as masks are, and say what the files say."""

import json
from typing import Any

from saurodrome.engine.games.duelosaur.loading import data
from saurodrome.engine.games.duelosaur.state import GAME
from tests.engine.duelosaur.samples import CARDS, PARTS, SPECIALISTS, TOKENS, VARIANTS

SAID: dict[str, Any] = json.loads(GAME.ruleset_json())


def file(name: str) -> Any:
    return json.loads((data() / name).read_text())


def test_an_entrys_place_in_its_list_is_its_number() -> None:
    assert {one["id"]: n for n, one in enumerate(SAID["cards"])} == CARDS
    assert {one["id"]: n for n, one in enumerate(SAID["specialists"])} == SPECIALISTS
    assert {one["id"]: n for n, one in enumerate(SAID["twists"])} == TOKENS
    assert len(SAID["faces"]) == len(PARTS.faces)
    assert sorted(face for die in SAID["dice"] for face in die) == list(range(len(PARTS.faces)))


def test_cards_say_what_their_file_says() -> None:
    card = next(one for one in file("park_cards.json")["cards"] if one["id"] == "P19")
    said = SAID["cards"][CARDS["P19"]]
    cost = dict(zip(SAID["colours"], said["dinosaur"]["cost"], strict=True))
    assert {colour: n for colour, n in cost.items() if n} == card["dino"]["cost"]
    for field in ("type", "excitement", "threat", "visitors"):
        assert said["dinosaur"][field] == card["dino"][field]
    for field in ("type", "icons", "cost", "visitors"):
        assert said["attraction"][field] == card["attr"][field]
    assert said["company"] is None


def test_gains_abilities_and_tracks_are_named_by_words() -> None:
    files = {one["id"]: one for one in file("specialists.json")["cards"]}
    for said in SAID["specialists"]:
        assert said["discard"] == files[said["id"]]["discard"]
        assert said["ability"]["op"] == files[said["id"]]["ability"]["op"]
        assert said["solo"] == files[said["id"]]["solo"]
    spaces = [space["gain"] for space in file("pr_track.json")["spaces"]]
    assert SAID["tracks"]["pr_spaces"] == spaces
    thresholds = file("levels.json")["visitor_thresholds"]
    assert {name: SAID["levels"]["visitor_thresholds"][name] for name in VARIANTS} == thresholds
    assert SAID["levels"]["dna_max"] is None


def test_the_document_names_its_set_and_says_where_its_values_come_from() -> None:
    assert (SAID["ruleset"], SAID["hash"]) == (GAME.ruleset, GAME.ruleset_hash)
    assert SAID["note"] == GAME.ruleset_note != ""
