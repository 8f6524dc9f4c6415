"""Exports: every file at one position of the log, complete or not at all."""

import csv
import json
import zipfile
from pathlib import Path
from typing import cast

import pytest

from saurodrome.client import InputError
from saurodrome.client.tournaments import (
    Bot,
    Match,
    Standings,
    Tournament,
    TournamentClient,
    TournamentEvent,
)
from saurodrome.server.cli.export import MARK, export_to, write
from saurodrome.server.cli.terminal import terminal
from tests.server.cli.fixtures import match, standing, tournament
from tests.server.cli.played import text


class FakeClient:
    """A server with three results, the last of them behind the table's position."""

    def __init__(self, broken: bool = False) -> None:
        self._broken = broken

    def standings(
        self, name: str, *, position: int | None = None, event: int | None = None
    ) -> Standings:
        rows = [standing(1, "greedy"), standing(2, "random")]
        return Standings(tournament=self.get(name), standings=rows)

    def get(self, name: str) -> Tournament:
        made = tournament(done=2, total=4)
        made.settings.players = 2
        made.settings.bots.extend(["greedy", "random"])
        return made

    def list_bots(self) -> list[Bot]:
        return [Bot(name=name, display_name=name.title()) for name in ("greedy", "random")]

    def events(self, name: str) -> list[TournamentEvent]:
        return []

    def matches(self, name: str) -> list[Match]:
        return [
            match(1, {"random": 2, "greedy": 1}),
            match(2, {"greedy": 1, "random": 1}),
            match(3, {"greedy": 2, "random": 1}),
        ]

    def record(self, match_id: str, *, attempt: int = 0, for_all: bool = False) -> bytes:
        if self._broken:
            raise InputError("NO_RECORD", "none.")
        return text().encode()


def client(broken: bool = False) -> TournamentClient:
    return cast("TournamentClient", FakeClient(broken))


def rows(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_all_files_stand_at_the_position_of_the_table(tmp_path: Path) -> None:
    done = write(client(), "winter-course-2026", tmp_path / "out")
    assert (done["log_position"], done["matches"], done["matches_total"]) == (2, 2, 4)
    lines = (tmp_path / "out" / "matches.jsonl").read_text().splitlines()
    assert [json.loads(line)["log_position"] for line in lines] == [1, 2]
    assert {p.name for p in (tmp_path / "out" / "records").iterdir()} == {
        "1-1-1.play",
        "1-1-2.play",
    }


def test_the_crosstable_counts_ties_half(tmp_path: Path) -> None:
    write(client(), "x", tmp_path / "out")
    assert rows(tmp_path / "out" / "crosstable.csv") == [
        ["bot", "greedy", "greedy tables", "random", "random tables"],
        ["greedy", "", "0", "0.7500", "2"],
        ["random", "0.2500", "2", "", "0"],
    ]


def test_the_table_is_as_the_server_gives_it(tmp_path: Path) -> None:
    write(client(), "x", tmp_path / "out")
    table = rows(tmp_path / "out" / "standings.csv")
    assert [row[table[0].index("bot")] for row in table[1:]] == ["greedy", "random"]


def test_records_may_go_into_an_archive(tmp_path: Path) -> None:
    write(client(), "x", tmp_path / "out", zipped=True)
    with zipfile.ZipFile(tmp_path / "out" / "records.zip") as archive:
        assert archive.namelist() == ["1-1-1.play", "1-1-2.play"]
        assert archive.read("1-1-1.play").decode() == text()
    assert not (tmp_path / "out" / "records").exists()


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write(client(broken=True), "x", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_export_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    write(client(), "x", tmp_path / "out")
    before = (tmp_path / "out" / "matches.jsonl").read_text()
    with pytest.raises(InputError):
        write(client(broken=True), "x", tmp_path / "out")
    assert (tmp_path / "out" / "matches.jsonl").read_text() == before
    write(client(), "x", tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="FOLDER_IN_USE"):
        write(client(), "x", out)
    assert [p.name for p in out.iterdir()] == ["thesis.tex"]
    assert not (out / MARK).exists()


def test_an_export_of_a_part_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export_to(client(), "winter-course-2026", tmp_path / "out", False, terminal())
    err = " ".join(capsys.readouterr().err.split())
    assert "warning[PARTIAL] 2 of 4 matches; the files carry position 2." in err


def test_a_void_result_is_in_the_files_and_not_among_the_matches_that_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Voided(FakeClient):
        def get(self, name: str) -> Tournament:
            made = super().get(name)
            made.matches_done = 1
            return made

        def matches(self, name: str) -> list[Match]:
            first, *others = super().matches(name)
            first.void_reason = "the arbiter's clock jumped"
            return [first, *others]

    cup = cast("TournamentClient", Voided())
    export_to(cup, "winter-course-2026", tmp_path / "out", False, terminal())
    out, err = (" ".join(text.split()) for text in capsys.readouterr())
    assert "warning[PARTIAL] 1 of 4 matches; the files carry position 2." in err
    assert "matches.jsonl (2)" in out
    assert len((tmp_path / "out" / "matches.jsonl").read_text().splitlines()) == 2
