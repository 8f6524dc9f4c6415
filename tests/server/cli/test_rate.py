"""Tables made again from a log: the same to the last digit, at any position, without a server."""

import csv
import json
from math import sqrt
from pathlib import Path

import pytest

from saurodrome.client import InputError
from saurodrome.server.cli.export import write
from saurodrome.server.cli.log import of_export, of_server
from saurodrome.server.cli.rate import differences
from saurodrome.server.cli.root import main
from saurodrome.server.cli.standings import as_json, csv_rows
from saurodrome.server.rating.quantile import Z95
from saurodrome.server.store.records import EventKind
from tests.server.cli.cup import Played


def cup(players: int = 2) -> Played:
    """Play a cup in which a match counts no more and a bot was withdrawn."""
    played = Played(players)
    played.play(12)
    played.act(EventKind.VOIDED, match_id=played.course.results[4].match_id)
    played.play(10)
    played.act(EventKind.WITHDRAWN, "bob")
    played.play(8)
    return played


def rows_of(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def dicts_of(path: Path) -> list[dict[str, str]]:
    heads, *lines = rows_of(path)
    return [dict(zip(heads, line, strict=True)) for line in lines]


def export(tmp_path: Path, played: Played | None = None) -> Path:
    write((played or cup()).client(), "cup", tmp_path / "out")
    return tmp_path / "out"


@pytest.mark.parametrize("players", [2, 3])
def test_any_table_comes_out_again_to_the_last_digit(tmp_path: Path, players: int) -> None:
    played = cup(players)
    from_files = of_export(export(tmp_path, played))
    from_server = of_server(played.client(), "cup")
    for position, event in [(30, 3), (30, None), (12, 1), (12, 2), (12, None), (1, None), (0, 0)]:
        published = as_json(played.standings("cup", position=position, event=event))
        for log in (from_files, from_server):
            again = as_json(log.table(log.counted(position, event)))
            assert {k: v for k, v in again.items() if k != "matches_total"} == {
                k: v for k, v in published.items() if k != "matches_total"
            }
    assert published["log_position"] == 0


def test_a_void_match_makes_two_tables_of_one_position(tmp_path: Path) -> None:
    log = of_export(export(tmp_path))
    before, after = (csv_rows(log.table(log.counted(12, e)).standings) for e in (1, 2))
    assert before != after


def test_c9_a_changed_digit_is_named_with_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = export(tmp_path)
    table = out / "standings.csv"
    assert main(["rate", str(out), "--compare", str(table)]) == 0
    assert "same: every figure" in capsys.readouterr().out
    rows = rows_of(table)
    column = rows[0].index("rating")
    digit = rows[2][column][-1]
    rows[2][column] = rows[2][column][:-1] + ("1" if digit != "1" else "2")
    with table.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    assert main(["rate", str(out / "matches.jsonl"), "--compare", str(table)]) == 1
    bot = rows[2][rows[0].index("bot")]
    assert f"  {bot}   rating: {rows[2][column]} in the file" in capsys.readouterr().out


def test_a_row_too_many_or_too_few_is_a_difference(tmp_path: Path) -> None:
    out = export(tmp_path)
    log = of_export(out)
    again = csv_rows(log.table(log.counted()).standings)
    lines = (out / "standings.csv").read_text().splitlines(keepends=True)
    (out / "standings.csv").write_text("".join([*lines[:-1], lines[-1].replace("ann", "zoe")]))
    found = list(differences(out / "standings.csv", again))
    assert [(one["bot"], one["file"], one["log"]) for one in found] == [
        ("ann", "", "ann"),
        ("zoe", "zoe", ""),
    ]


def test_c12_rank_ranges_and_half_widths_follow_from_the_exported_covariance(
    tmp_path: Path,
) -> None:
    out = export(tmp_path, cup(3))
    heads, *lines = rows_of(out / "covariance.csv")
    names = [line[0] for line in lines]
    assert heads == ["bot", *names]
    covariance = {
        (line[0], n): float(v) for line in lines for n, v in zip(names, line[1:], strict=True)
    }
    rows = {row["bot"]: row for row in dicts_of(out / "standings.csv")}
    elo = {name: float(rows[name]["rating"]) for name in names}

    def half_width(a: str, b: str) -> float:
        return Z95 * sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])

    for a in names:
        above = [b for b in names if b != a and elo[b] - elo[a] > half_width(a, b)]
        below = [b for b in names if b != a and elo[a] - elo[b] > half_width(a, b)]
        assert int(rows[a]["rank_low"]) == 1 + len(above)
        assert int(rows[a]["rank_high"]) == len(names) - len(below)
        error = Z95 * sqrt(covariance[a, a])
        assert float(rows[a]["rating_error"]) == pytest.approx(error, abs=1e-4)
    told = json.loads((out / "standings.json").read_text())
    assert "± about the pool's mean" in told["rating_method"]


@pytest.mark.case("P56")
def test_p56_table_crosstable_and_results_of_an_export_stand_at_one_position(
    tmp_path: Path,
) -> None:
    out = export(tmp_path)
    told = json.loads((out / "standings.json").read_text())
    settings = json.loads((out / "tournament.json").read_text())
    results = [json.loads(line) for line in (out / "matches.jsonl").read_text().splitlines()]
    assert told["log_position"] == settings["log_position"] == results[-1]["log_position"] == 30
    assert told["event"] == settings["event"] == 3
    assert sum(bool(result["void"]) for result in results) == 1
    heads, *lines = rows_of(out / "crosstable.csv")
    tables = sum(int(cell) for line in lines for cell in line[2::2])
    assert tables == 2 * 29  # both sides of each match that counts
    of_csv = dicts_of(out / "standings.csv")
    for row, line in zip(told["standings"], of_csv, strict=True):
        assert {k: "" if v is None else str(v) for k, v in row.items()} == line
    assert heads[0] == "bot"


def test_what_is_no_export_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="NO_EXPORT"):
        of_export(tmp_path)
    out = export(tmp_path)
    (out / "tournament.json").write_text('{"settings": {}}')
    with pytest.raises(InputError, match="NO_EXPORT"):
        of_export(out)


def test_a_position_behind_the_end_is_refused(tmp_path: Path) -> None:
    log = of_export(export(tmp_path))
    for position, event in [(31, None), (30, 4)]:
        with pytest.raises(InputError, match="UNKNOWN_POSITION"):
            log.counted(position, event)
