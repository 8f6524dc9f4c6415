"""The reasons of ranks on the screen, as JSON and in files."""

import csv
from pathlib import Path

import pytest
from rich.cells import cell_len

from saurodrome.client.tournaments import Standing, Standings
from saurodrome.server.cli.export import write
from saurodrome.server.cli.root import main
from saurodrome.server.cli.standings import as_json, csv_rows, table_lines
from saurodrome.server.cli.text import ASCII, UNICODE, Symbols
from saurodrome.server.cli.watching import live_table
from saurodrome.server.settings import Format
from saurodrome.server.store.records import EventKind
from tests.server.cli.cup import Played
from tests.server.cli.fixtures import standing, tournament
from tests.server.tournament.worked import knockout, swiss

REASONS = ("swiss_points", "buchholz", "byes", "rounds_passed", "left_in", "rounds")


def test_a_swiss_shows_points_buchholz_and_byes_beside_each_bot() -> None:
    lines = table_lines(swiss().standings())
    assert lines[0].split()[:5] == ["rank", "bot", "Swiss", "Buchholz", "byes"]
    assert [line.split()[:5] for line in lines[1:6]] == [
        ["1", "cyd", "2.5", "4.0", "1"],
        ["2", "ann", "2.0", "5.0", "0"],
        ["3", "eve", "2.0", "4.0", "1"],
        ["4", "dan", "1.5", "5.0", "0"],
        ["5", "bob", "1.0", "3.5", "1"],
    ]
    assert " ".join(" ".join(lines[6:]).split()).startswith(
        "ranks: by Swiss points (1 a pairing won or a bye, 0.5 a level one), then by Buchholz"
        " (the sum of the opponents' points); equal in both share a rank"
    )


def test_a_disqualified_bot_comes_last_and_the_words_say_what_stays() -> None:
    worked = swiss()
    stays = "what others have from pairings with it stays"
    assert stays not in " ".join(table_lines(worked.standings()))
    worked.act(EventKind.DISQUALIFIED, "ann")
    lines = table_lines(worked.standings())
    assert lines[5].split()[:6] == ["5", "d", "ann", "2.0", "5.0", "0"]
    assert stays in " ".join(lines)


def test_a_knockout_shows_in_which_round_a_bot_left() -> None:
    lines = table_lines(knockout().standings())
    assert "passed  out in" in lines[0]
    assert [line.split()[1:4] for line in lines[1:3]] == [
        ["bob", "2", "won"],
        ["ann", "1", "final"],
    ]
    assert lines[3].split()[1:5] == ["cyd", "0", "round", "1"]
    assert "ranks: by rounds passed" in lines[4]


def test_a_table_that_ranks_by_itself_gives_no_reasons() -> None:
    made = Standings(tournament=tournament(), standings=[standing(1, "ann")])
    text = "\n".join(table_lines(made))
    assert "Swiss" not in text
    assert "ranks:" not in text
    (row,) = as_json(made)["standings"]
    assert [row[key] for key in REASONS] == [None] * 6


@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
def test_reasons_stay_in_80_cells_where_other_columns_go(symbols: Symbols) -> None:
    widest = standing(
        1, "x" * 32, rating=-1712.0, rating_error=123.0, timeouts=2041, illegal=7041, forfeits=2020
    )
    widest.swiss.points, widest.swiss.buchholz, widest.swiss.byes = 10.5, 112.5, 1
    made = Standings(tournament=tournament(), standings=[widest, standing(2, "never-took-part")])
    lines = table_lines(made, {"x" * 32}, symbols)
    assert max(map(cell_len, lines)) <= 80
    assert {"112.5", "10.5"} <= set(lines[1].split())
    assert lines[2].split()[2:5] == ["-", "-", "-"]


def test_json_and_csv_carry_all_reasons() -> None:
    cyd = as_json(swiss().standings())["standings"][0]
    assert [cyd[key] for key in REASONS] == [2.5, 4.0, 1, None, None, None]
    heads, *rows = csv_rows(knockout().standings().standings)
    assert [[row[heads.index(key)] for key in REASONS] for row in rows] == [
        ["", "", "", 2, 0, 2],
        ["", "", "", 1, 2, 2],
        ["", "", "", 0, 1, 2],
    ]
    assert set(REASONS) <= set(csv_rows([Standing()])[0])


def test_an_export_of_a_swiss_has_the_reasons_and_they_follow_from_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(format=Format.SWISS)
    played.play(12)  # three rounds of two pairings, two games each
    out = tmp_path / "out"
    write(played.client(), "cup", out)
    with (out / "standings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(float(row["swiss_points"]) for row in rows) == 9.0  # three a round, the bye's too
    assert sum(int(row["byes"]) for row in rows) == 3
    order = [(float(row["swiss_points"]), float(row["buchholz"])) for row in rows]
    assert order == sorted(order, reverse=True)
    assert main(["rate", str(out), "--compare", str(out / "standings.csv")]) == 0
    assert "same: every figure" in capsys.readouterr().out


@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
def test_what_ranks_stands_on_the_screen_of_a_running_swiss_too(symbols: Symbols) -> None:
    now = swiss().standings()
    lines = live_table(now, (), symbols)
    assert lines[0].split()[:5] == ["rank", "bot", "Swiss", "Buchholz", "byes"]
    for row, line in zip(now.standings, lines[1:], strict=True):
        assert line.split()[1:3] == [row.bot, f"{row.swiss.points:.1f}"]
    widest = standing(1, "x" * 32, timeouts=10_000, illegal=10_000, forfeits=10_000)
    widest.swiss.points, widest.swiss.buchholz, widest.swiss.byes = 10.5, 112.5, 1
    now.standings.insert(0, widest)
    assert max(map(cell_len, live_table(now, ["x" * 32], symbols))) <= 79
