"""`saurodrome score` counts every worked case, and refuses what cannot come up, with the reason."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from saurodrome.server.cli.root import main

CASES = Path(__file__).parents[2] / "data" / "draftosaurus.json"
WORKED: list[dict[str, Any]] = json.loads(CASES.read_text())["score_and_quarantine_cases"]
Captured = pytest.CaptureFixture[str]


def worked(case_id: str) -> dict[str, Any]:
    (case,) = [case for case in WORKED if case["id"].startswith(case_id)]
    copy: dict[str, Any] = json.loads(json.dumps(case))
    return copy


def judged(case: object, tmp_path: Path, capsys: Captured) -> tuple[int, Any, str]:
    """Runs the command with --json on what a file says; gives exit code, list and errors."""
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case))
    code = main(["score", str(path), "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err


def test_the_whole_file_comes_out_as_expected(capsys: Captured) -> None:
    assert main(["score", str(CASES), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in found] == [case["id"] for case in WORKED]
    for one, case in zip(found, WORKED, strict=True):
        if case["kind"] == "quarantine":
            assert one["legal_destinations"] == case["expected_legal_destinations"]
        else:
            assert one["points"] == case["expected"]
            assert one["winners"] == case["expected_winners"]


def test_one_case_can_come_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    case = worked("W01")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(case).encode())))
    assert main(["score", "-", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found == {"id": case["id"], "points": case["expected"], "winners": [1]}


def test_a_case_needs_no_more_than_board_and_zoos(tmp_path: Path, capsys: Captured) -> None:
    case = {"board": "summer", "zoos": [{"woody_trio": ["trex"] * 3}, {}]}
    code, found, _ = judged([case, case], tmp_path, capsys)
    assert code == 0
    assert [one["id"] for one in found] == ["1", "2"]
    assert found[0]["points"][0]["total"] == 8


def test_the_screen_shows_every_pen_and_the_winner_within_80_cells(capsys: Captured) -> None:
    assert main(["score", str(CASES)]) == 0
    shown = capsys.readouterr().out
    assert max(map(cell_len, shown.splitlines())) <= 80
    rulebook = shown.partition("\n\n")[0].splitlines()
    assert [line.split()[0:2] for line in rulebook[2:5]] == [
        ["forest_of_sameness", "8"],
        ["woody_trio", "7"],
        ["king_of_the_jungle", "0"],
    ]
    assert "T-Rex bonus" in shown
    assert "Seat 0 wins with 31 points." in rulebook[-1]


@pytest.mark.parametrize(
    ("rivers", "words"),
    [
        (["RS", "SC"], "Seats 0 and 1 have 2 points each; seat 1 wins, since fewer T-Rexes decide"),
        (["RS", "SC", "RR"], "Seats 0, 1 and 2 have 2 points each; seat 1 wins, since fewer"),
        (["RS", "RC"], "Seats 0 and 1 have 2 points each; with 1 T-Rex each they share the win."),
        (["S", "C", "R"], "seats 0 and 1 share the win, since fewer T-Rexes decide: 0 against 1."),
        (["S", "CC"], "Seat 1 wins with 2 points."),
        (["S", ""], "Seat 0 wins with 1 point."),
    ],
)
def test_what_decided_is_said(
    rivers: list[str], words: str, tmp_path: Path, capsys: Captured
) -> None:
    names = {"R": "trex", "S": "stegosaurus", "C": "triceratops"}
    zoos = [{"river": [names[letter] for letter in river]} for river in rivers]
    (tmp_path / "a.json").write_text(json.dumps({"board": "summer", "zoos": zoos}))
    assert main(["score", str(tmp_path / "a.json")]) == 0
    shown = capsys.readouterr().out
    assert words in " ".join(shown.split())
    assert max(map(cell_len, shown.splitlines())) <= 80


def test_destinations_are_listed_and_the_best_are_marked(capsys: Captured) -> None:
    assert main(["score", str(CASES)]) == 0
    shown = capsys.readouterr().out.partition("W03")[2].partition("\n\n")[0]
    rows = [line.split() for line in shown.splitlines()[3:]]
    assert rows == [
        ["lovers_bridge_left", "18"],
        ["lovers_bridge_right", "24", "best"],
        ["pyramid", "3", "22"],
        ["pyramid", "4", "22"],
        ["lookout", "24", "best"],
        ["river", "19"],
    ]


def test_a_dinosaur_still_in_quarantine_is_pointed_out(tmp_path: Path, capsys: Captured) -> None:
    case = worked("W03")
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"board": "winter", "zoos": case["zoos_before"]}))
    assert main(["score", str(path)]) == 0
    assert "Seat 0's brachiosaurus is still in quarantine" in capsys.readouterr().out


def add(pen: str, *species: str) -> Callable[[dict[str, Any]], None]:
    return lambda case: case["zoos"][0][pen].extend(species)


def put(pen: str, *species: str | None) -> Callable[[dict[str, Any]], None]:
    return lambda case: case["zoos"][0].update({pen: list(species)})


S, C, B = "stegosaurus", "triceratops", "brachiosaurus"
IMPOSSIBLE: list[tuple[str, Callable[[dict[str, Any]], None], str, str]] = [
    ("S01", put("river", *["trex"] * 8), "", "9 trex, but 2 players have 8 of each"),
    ("S08", put("river", *["trex"] * 8), "", "but 3 players have 6 of each"),
    ("S01", add("woody_trio", S), "seat 0, woody_trio", "trio is full with 3"),
    ("S01", put("king_of_the_jungle", S, S), "seat 0, king_of_the_jungle", "full with 1"),
    ("S01", add("forest_of_sameness", C), "seat 0, forest_of_sameness", "takes one species"),
    ("S01", add("meadow_of_differences", S), "seat 0, meadow_of_differences", "S (stegosaurus)"),
    ("W01", add("well_ordered_wood", S), "seat 0, well_ordered_wood", "next must be C"),
    ("W01", put("pyramid", S, None, C, B), "seat 0, pyramid", "hole below slot 3"),
    ("W01", put("pyramid", S, C, B, None, None, C), "seat 0, pyramid", "hole below slot 5"),
    ("W01", put("pyramid", S, S, None), "seat 0, pyramid", "touches an equal dinosaur"),
    ("W01", put("pyramid", *[None] * 7), "seat 0, pyramid", "number 7 is empty"),
    ("S01", put("river", "dodo"), "seat 0, river", "'dodo' is no species"),
    ("S01", put("swamp"), "seat 0, swamp", "no such pen"),
    ("S01", add("river", C), "seat 0", "13 dinosaurs, but must hold exactly 12"),
    ("S01", put("prairie_of_love"), "seat 0", "10 dinosaurs, but must hold exactly 12"),
]


@pytest.mark.parametrize(("case_id", "change", "where", "what"), IMPOSSIBLE)
def test_a_position_that_cannot_come_up_is_refused(
    case_id: str,
    change: Callable[[dict[str, Any]], None],
    where: str,
    what: str,
    tmp_path: Path,
    capsys: Captured,
) -> None:
    case = worked(case_id)
    change(case)
    code, found, err = judged(case, tmp_path, capsys)
    assert code == 2
    (one,) = found
    assert one["id"] == case["id"]
    assert one["error"] == json.loads(err)["error"]
    assert one["error"]["code"] == "IMPOSSIBLE_POSITION"
    assert one["error"]["where"] == ", ".join(filter(None, [f"case {case['id']}", where]))
    assert what.casefold() in one["error"]["what"].casefold()
    assert one["error"]["do"]


MISSHAPEN: list[tuple[object, str]] = [
    ({"board": "summer"}, "zoos must be a list"),
    ({"board": 7, "zoos": []}, "board must be a name"),
    ({"board": "summer", "zoos": [5, {}]}, "zoo 0 must be an object"),
    ({"board": "summer", "zoos": [{"river": "trex"}, {}]}, "zoo 0, river: must be a list"),
    ({"board": "summer", "zoos": [{"river": [["trex"]]}, {}]}, "zoo 0, river: must be a list"),
    ({"board": "summer", "zoos": [{}, {}], "players": 3}, "players is 3, but there are 2 zoos"),
    ({"board": "summer", "zoos": [{}, {}], "kind": "sore"}, "neither score nor quarantine"),
    ({"board": "winter", "zoos_before": [{}, {}]}, "seat must say whose dinosaur moves"),
    ({"board": "winter", "zoos_before": [{}, {}], "seat": 1}, "seat 1 has no dinosaur"),
    ({"board": "winter", "zoos_before": [{}, {}], "seat": True}, "seat must say"),
]


@pytest.mark.parametrize(("case", "what"), MISSHAPEN)
def test_what_is_no_case_says_what_is_missing(
    case: object, what: str, tmp_path: Path, capsys: Captured
) -> None:
    code, found, _ = judged(case, tmp_path, capsys)
    assert code == 2
    assert found[0]["error"]["code"] == "BAD_CASE"
    assert what in found[0]["error"]["what"].casefold()
    assert found[0]["error"]["where"] == "case 1"


def test_another_species_than_the_one_in_quarantine_is_refused(
    tmp_path: Path, capsys: Captured
) -> None:
    code, found, _ = judged(worked("W03") | {"species": "trex"}, tmp_path, capsys)
    assert code == 2
    assert "has brachiosaurus in quarantine, not 'trex'" in found[0]["error"]["what"]


@pytest.mark.parametrize(
    ("board", "zoos", "error"),
    [("autumn", [{}, {}], "UNKNOWN_VARIANT"), ("summer", [{}], "BAD_PLAYERS")],
)
def test_boards_and_numbers_of_players_are_those_of_the_game(
    board: str, zoos: list[Any], error: str, tmp_path: Path, capsys: Captured
) -> None:
    code, found, _ = judged({"id": "x", "board": board, "zoos": zoos}, tmp_path, capsys)
    assert code == 2
    assert found[0]["error"]["code"] == error
    assert found[0]["error"]["where"] == "case x"


def test_of_several_cases_each_is_judged_and_errors_name_theirs(
    tmp_path: Path, capsys: Captured
) -> None:
    broken = worked("W02")
    broken["zoos"][0]["lookout"] = ["trex", "trex"]
    path = tmp_path / "several.json"
    path.write_text(json.dumps([worked("S01"), broken, worked("W01")]))
    assert main(["score", str(path)]) == 2
    out, err = capsys.readouterr()
    assert "S01-rulebook-31" in out
    assert "W01-bridge" in out
    assert "W02" not in out
    assert err.startswith("error[IMPOSSIBLE_POSITION]")
    assert "where  case W02-full-pyramid-full-wood, seat 0, lookout" in err
    assert err.count("error[") == 1


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("{", "BAD_JSON", "line 1, column 2"),
        ('{"board": "summer", "board": "winter"}', "BAD_JSON", "'board' stands twice"),
        ("[" * 100_000, "BAD_JSON", ""),
        ("[]", "NO_POSITION", "There is none in it."),
        ('{"name": 1}', "NO_POSITION", "There is none in it."),
        ("7", "NO_POSITION", "There is none in it."),
    ],
)
def test_a_file_of_something_else_is_refused(
    text: str, code: str, words: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "a.json").write_text(text)
    assert main(["score", str(tmp_path / "a.json")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error[{code}]")
    assert words in err


def test_a_file_that_is_no_text_or_not_there_is_refused(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    assert main(["score", str(tmp_path / "a.json")]) == 2
    assert capsys.readouterr().err.startswith("error[BAD_JSON]")
    assert main(["score", str(tmp_path / "b.json")]) == 2
    assert capsys.readouterr().err.startswith("error[BAD_FILE]")


def test_a_hostile_id_is_shown_with_its_marks_written_out(tmp_path: Path, capsys: Captured) -> None:
    case = {"id": "\x1b[31m\u202e" + "w" * 90, "board": "summer", "zoos": [{}, {}]}
    (tmp_path / "a.json").write_text(json.dumps(case))
    assert main(["score", str(tmp_path / "a.json")]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("\\u001b[31m\\u202ew")
    assert max(map(cell_len, shown.splitlines())) <= 80
