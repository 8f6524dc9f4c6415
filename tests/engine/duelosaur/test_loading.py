"""Component sets: the shipped one, corrected ones, and broken ones, which are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from saurodrome.engine.errors import BadComponents
from saurodrome.engine.games.duelosaur.loading import FILES, SHIPPED, data, load, shipped
from saurodrome.engine.games.duelosaur.state import GAME, load_game
from saurodrome.engine.games.duelosaur.words import COLOURS, OPS
from tests.engine.duelosaur import sets
from tests.engine.duelosaur.sets import Edit, ability, changed, entry

PARK, SPECIALISTS, LEVELS = "park_cards.json", "specialists.json", "levels.json"


def drop(wanted: str, field: str) -> Edit:
    return lambda content: entry(content, wanted).pop(field)


def at(*path: Any, value: Any) -> Edit:
    """Return an edit that sets a value deep in a file."""

    def edit(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = value

    return edit


FAULTS: dict[str, tuple[str, Edit, str, str]] = {
    "count": (PARK, at("count", value=43), "count", "expected 44, found 43"),
    "schema": (PARK, at("schema", value="duelosaur/park_cards/2"), "schema", "park_cards/1"),
    "id twice": (PARK, changed("P02", id="P01"), "cards[1].id", "already used in park_cards.json"),
    "id of another file": (SPECIALISTS, changed("X01", id="P01"), "cards[0].id", "park_cards.json"),
    "no id": (PARK, changed("P02", id="Stego"), "cards[1].id", "an id like P01"),
    "negative cost": (PARK, at("cards", 0, "attr", "cost", value=-3), "P01.attr.cost", "-3"),
    "nothing to pay": (PARK, at("cards", 0, "dino", "cost", value={}), "P01.dino.cost", "{}"),
    "cost in coins": (PARK, at("cards", 0, "dino", "cost", value={"coins": 1}), "P01", "coins"),
    "truth as number": (PARK, at("cards", 0, "dino", "threat", value=True), "P01.dino", "true"),
    "fraction": (PARK, at("cards", 0, "dino", "threat", value=1.5), "P01.dino.threat", "1.5"),
    "no such type": (PARK, at("cards", 0, "attr", "type", value="shop"), "P01.attr.type", "merch"),
    "three icons": (PARK, at("cards", 0, "attr", "icons", value=3), "P01.attr.icons", "3"),
    "field missing": (PARK, drop("P01", "attr"), "P01", "'attr' is missing"),
    "field unknown": (PARK, changed("P01", colour="red"), "P01", "no such field: 'colour'"),
    "mark": (PARK, changed("P01", prov={"default": "guess"}), "P01.prov", "'default'"),
    "gain key": (SPECIALISTS, changed("X04", discard={"coin": 2}), "X04.discard", '"coin"'),
    "gain of nothing": (SPECIALISTS, changed("X04", discard={"coins": 0}), "X04.discard", "0"),
    "ability": (SPECIALISTS, ability("X04", op="steal", n=1), "X04.ability.op", "steal"),
    "ability's field": (SPECIALISTS, ability("X06", op="hand_limit", n=2), "X06.ability", "plus"),
    "free discount": (
        SPECIALISTS,
        ability("X11", op="discount", what="security", n=1, min=0),
        "X11.ability.min",
        "0",
    ),
    "solo": (SPECIALISTS, changed("X02", solo=True), "X02.solo", "pr_first"),
    "limits": (LEVELS, at("specialist_limit", value=4), "specialist_limit", "3"),
    "threshold": (LEVELS, at("visitor_thresholds", "short", value=5), "visitor_thresholds", "5"),
    "picks": (LEVELS, at("picks_per_player", value=2), "picks_per_player", "7 items"),
    "price": ("security_prices.json", at("price_to_reach", "2", value=0), "price_to_reach", "0"),
    "level": ("security_prices.json", at("price_to_reach", "two", value=1), "price", "'two'"),
    "income": ("excitement_track.json", at("income_spaces", value=[8, 4]), "income", "ascending"),
    "spaces": ("pr_track.json", at("spaces", 3, "index", value=4), "spaces[3].index", "3"),
    "start": ("pr_track.json", at("start_index", value=10), "start_index", "0 to 9"),
    "five faces": ("dna_dice.json", lambda c: c["dice"][0]["faces"].pop(), "D1", "found 5"),
    "tokens": ("plot_twists.json", at("in_play", value=5), "in_play", "one less than the 5 dice"),
    "effect": ("plot_twists.json", drop("T01", "mult"), "T01", "neither 'mult' nor 'gain'"),
    "one option": ("plot_twists.json", lambda c: entry(c, "T13")["options"].pop(), "T13", "two"),
    "company": ("starters.json", changed("S01", company="moss"), "", "3 starters of moriya"),
    "AI word": (
        "ai_cards.json",
        at("cards", 0, "pr", "priority", value=["threat"]),
        "A1.pr.priority",
        "threat",
    ),
    "AI word twice": (
        "ai_cards.json",
        at("cards", 0, "draft", "priority", value=["coins", "coins"]),
        "A1.draft.priority",
        "twice",
    ),
    "AI twist": ("ai_cards.json", changed("A1", twists_required=["choice"]), "A1", "choice"),
    "AI plan": ("ai_cards.json", changed("A1", build=[]), "A1.build", "at least one"),
    "AI name": ("ai_cards.json", changed("A1", name="dino mike"), "A1.name", "of its own"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_planted_fault_is_refused_with_file_entry_and_reason(
    fault: tuple[str, Edit, str, str], tmp_path: Path
) -> None:
    file, edit, where, reason = fault
    with pytest.raises(BadComponents) as caught:
        load(sets.write(tmp_path, {file: edit}))
    error = caught.value
    assert error.file == file
    assert where in error.entry
    assert reason in error.reason
    assert str(error).startswith(file)


def test_a_twist_that_no_token_can_be_is_refused(tmp_path: Path) -> None:
    def no_bonus(content: Any) -> None:
        for token in content["tokens"]:
            token["category"] = {"bonus": "dna"}.get(token["category"], token["category"])

    with pytest.raises(BadComponents, match=r"A5\.twists_required: no plot twist is a bonus"):
        load(sets.write(tmp_path, {"plot_twists.json": no_bonus}))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "is no JSON"),
        (b"[]", "expected an object"),
        (b"\xff", "is no UTF-8 text"),
        (b'{"schema": "duelosaur/levels/1", "schema": 1}', "stands twice"),
        (b"[" * 100_000, "is no JSON"),
    ],
)
def test_a_file_that_is_none_is_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    (sets.write(tmp_path) / "levels.json").write_bytes(content)
    with pytest.raises(BadComponents, match=rf"^levels.json: .*{reason}"):
        load(tmp_path)


@pytest.mark.parametrize("name", [*FILES, "ruleset.json"])
def test_a_missing_file_is_refused(name: str, tmp_path: Path) -> None:
    (sets.write(tmp_path) / name).unlink()
    with pytest.raises(BadComponents, match=f"^{name}: cannot be read: No such file"):
        load(tmp_path)


@pytest.mark.parametrize("ruleset", [SHIPPED, "Mine", "", "a" * 33])
def test_a_set_needs_an_id_of_its_own(ruleset: str, tmp_path: Path) -> None:
    with pytest.raises(BadComponents, match=r"^ruleset.json, id: "):
        load(sets.write(tmp_path, ruleset=ruleset))


def test_a_corrected_set_is_another_ruleset(tmp_path: Path) -> None:
    same = load(sets.write(tmp_path, ruleset="mine-1"))
    assert (same.ruleset, same.content_hash) == ("mine-1", shipped().content_hash)
    edit = changed("P01", prov={"default": "S:my box"})
    game = load_game(sets.write(tmp_path, {PARK: edit}, ruleset="mine-2"))
    assert game.ruleset == "mine-2"
    assert game.components.content_hash != shipped().content_hash
    assert game.setting("short") != GAME.setting("short")
    assert game.variants == GAME.variants


def test_line_ends_and_blanks_do_not_change_the_hash(tmp_path: Path) -> None:
    sets.write(tmp_path)
    for name in FILES:
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
    assert load(tmp_path).content_hash == shipped().content_hash


def test_the_order_of_gains_changes_the_hash(tmp_path: Path) -> None:
    turned = changed("T08", gain={"coins": 1, "card": 1})
    assert load(sets.write(tmp_path, {"plot_twists.json": turned})) != shipped()


def test_the_shipped_set_is_the_reconstructed_one() -> None:
    parts = shipped()
    assert parts.ruleset == SHIPPED == "duelosaur-recon-1"
    assert len(parts.content_hash) == 64
    assert [len(x) for x in (parts.cards, parts.specialists, parts.tokens)] == [50, 22, 15]
    assert [len(x) for x in (parts.dice, parts.faces, parts.ai_cards)] == [8, 48, 6]
    assert {OPS[one.ability.op] for one in parts.specialists} == set(OPS)
    assert parts.companies == ("Moriya Labs", "Moss Industries")


def test_numbers_of_the_files_come_out_where_they_belong() -> None:
    parts = shipped()
    stego = parts.cards[0]
    assert (stego.id, stego.dinosaur.name, stego.attraction.name) == (
        "P01",
        "Stegosaurus",
        "Ice Cream Cart",
    )
    wanted = [int(colour in ("purple", "blue", "yellow")) for colour in COLOURS]
    assert stego.dinosaur.cost == tuple(wanted)
    assert parts.levels.visitor_thresholds == (25, 35, 45)
    assert parts.tracks.security_prices[10] == 3
    assert parts.tracks.security_price_past == 4
    assert [one.id for one in parts.specialists if not one.solo] == ["X01", "X02", "X03"]


def test_words_of_the_shipped_files_are_plain_json() -> None:
    for name in FILES:
        assert json.loads((data() / name).read_text(encoding="utf-8"))["schema"]
