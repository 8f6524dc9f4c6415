"""What an organiser relies on, tried as a whole: checks C5, C6, C8 and C12 of the screens."""

import csv
import json
import os
import re
import threading
import time
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.cli.home import HOME, running_server
from saurodrome.server.cli.tournament_watch import TABLE_EVERY
from tests.e2e.arena import Arena
from tests.e2e.shell import Result, here, in_terminal, plain_lines

pytestmark = pytest.mark.wire

Z95 = 1.959964
FILE = """\
name = "Weekend"
players = 2
rounds = 3
time = { decision = "100ms" }
[entry]
bots = ["late"]
house = ["greedy", "random"]
"""


class Organiser:
    """Types commands in the arena's folder; each is run in this process, which is quicker."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: str) -> str:
        """Run a command that must work, and give its results."""
        done = here(self._capsys, *arguments)
        assert done.code == 0, done.text
        return done.out

    def json(self, *arguments: str) -> Any:
        """Run a command, and give its results as they come as JSON."""
        return json.loads(self.run("tournament", *arguments, "--json"))

    def tried(self, *arguments: str) -> Result:
        """Run a command that may fail."""
        return here(self._capsys, "tournament", *arguments)

    def refused(self, code: str, *arguments: str) -> str:
        """Run a command that is to be refused for an organiser's mistake; give what it says."""
        done = self.tried(*arguments)
        assert (done.code, f"error[{code}]" in done.err) == (2, True), done.text
        assert "\n  where  " in done.err
        assert "\n  do     " in done.err
        return done.err

    def tournaments(self) -> dict[str, dict[str, Any]]:
        """Give all tournaments by name."""
        return {one["tournament"]: one for one in self.json("list")}


@pytest.fixture
def organiser(
    arena: Arena, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Organiser:
    """An organiser in the arena's folder."""
    monkeypatch.chdir(arena.folder)
    return Organiser(capsys)


def test_c5_a_plan_is_what_is_played_and_changes_nothing(organiser: Organiser) -> None:
    file = Path("weekend.toml")
    file.write_text(FILE)
    before = sorted(os.listdir()), set(organiser.tournaments())
    plan = organiser.json("plan", "weekend.toml", "--rate", "0.5")
    assert plan["matches"] == 3 * 3 * 2  # three pairs, three rounds, from two seats
    assert plan["seconds"] == plan["matches"] / 0.5
    file.write_text(FILE.replace("rounds", "ronds"))
    said = organiser.refused("UNKNOWN_KEY", "plan", "weekend.toml")
    assert "weekend.toml line 3" in said
    assert "did you mean `rounds`?" in said
    file.write_text(FILE)
    slow = ("plan", "weekend.toml", "--rate", "0.00005")
    said = organiser.refused("PLAN_TOO_LONG", *slow)
    assert "18 matches take about 4 d" in said  # 360,000 s
    assert "--accept" in said
    organiser.run("tournament", *slow, "--accept")
    assert (sorted(os.listdir()), set(organiser.tournaments())) == before


def test_c5_what_is_created_is_the_plan_and_cannot_change_while_it_runs(
    organiser: Organiser,
) -> None:
    organiser.run("bot", "register", "ghost")
    file = Path("weekend.toml")
    file.write_text(FILE.replace("late", "ghost"))  # which never comes, so that it does not end
    plan = organiser.json("plan", "weekend.toml", "--rate", "0.5")
    organiser.run("tournament", "create", "weekend.toml", "--start")
    assert organiser.tournaments()["weekend"]["matches_total"] == plan["matches"]
    file.write_text(file.read_text().replace("100ms", "200ms"))
    said = organiser.refused("RUNNING", "create", "weekend.toml")
    assert "`time.decision` cannot change" in said
    assert "weekend.toml line 4, time.decision" in said
    organiser.run("tournament", "cancel", "weekend")


class Watching(threading.Thread):
    """`tournament watch` in a terminal of its own."""

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__()
        self._command = ("tournament", "watch", name)
        self._folder = folder
        self.done: Result | None = None

    def run(self) -> None:
        """Watch to the end."""
        self.done = in_terminal(*self._command, cwd=self._folder)


def test_c6_withdrawn_late_and_void_are_seen_with_charge_and_the_way_to_the_story(
    arena: Arena, organiser: Organiser
) -> None:
    create = ("tournament", "create", "watched", "--bots", "late,greedy,random", "--start")
    organiser.run(*create, "--rounds", "40", "--time", "100ms", "--concurrency", "2")
    watching = Watching(arena.folder, "watched")
    watching.start()
    while not any(fault["kind"] == "TIMED_OUT" for fault in organiser.json("faults", "watched")):
        time.sleep(0.1)
    board = followed(organiser)
    organiser.run("tournament", "withdraw", "watched", "random", "--reason", "its host burns")
    seen = a_result_without("watched", "random")
    organiser.run("tournament", "void", seen, "--reason", "the arbiter's clock jumped")
    time.sleep(2 * TABLE_EVERY)
    organiser.run("tournament", "pause", "watched")
    table = organiser.json("standings", "watched")
    against = {row["bot"]: row["matches"] for row in table["standings"]}["random"]
    assert table["matches_total"] == 80 + against  # 40 rounds of the pair that is left
    organiser.run("tournament", "cancel", "watched")
    watching.join(30)
    assert watching.done is not None
    assert watching.done.code == 1  # cancelled
    lines = plain_lines(watching.done.text)
    shown = [" ".join(line.split()) for line in lines]
    assert "trouble the whole story: saurodrome tournament faults watched" in shown
    assert any(line.startswith("late reply late") and "charged to bot" in line for line in shown)
    assert "w random: its host burns" in shown
    assert any(line.endswith("results that count no more 1") for line in shown)
    assert any(re.match(r"\d+/\d+/\d+ (turn +\d+|getting ready)", line) for line in shown)
    assert {"match_id", "turn", "board"} <= board.keys()
    assert any("hidden" in line for line in board["board"])  # the hands
    assert max(map(cell_len, lines)) <= 80


def followed(organiser: Organiser) -> dict[str, Any]:
    """Follow matches until one has a board to be seen; give its first one."""
    while True:
        with TournamentClient(server=address(), token_file=HOME / "admin.token") as client:
            playing = [match.match_id for match in client.live("watched").matches if match.turn]
        for match_id in playing:
            done = organiser.tried("watch", "watched", "--match", match_id, "--json")
            told: list[dict[str, Any]] = [json.loads(line) for line in done.out.splitlines()]
            if boards := [one for one in told if one.get("board")]:
                return boards[0]
        time.sleep(0.05)


def address() -> str:
    """Give where the server of this folder is."""
    server = running_server()
    assert server is not None
    return server.address


def a_result_without(name: str, bot: str) -> str:
    """Wait for a result of a match in which a bot did not sit; give its id."""
    with TournamentClient(server=address(), token_file=HOME / "admin.token") as client:
        while True:
            for match in client.matches(name):
                if bot not in {seat.bot for seat in match.seats}:
                    return match.match_id
            time.sleep(0.1)


def test_c8_each_fault_has_one_row_whose_split_adds_up(organiser: Organiser) -> None:
    table = organiser.json("standings", "troubles")
    found = organiser.json("faults", "troubles")
    for row in table["standings"]:
        late = [f for f in found if (f["bot"], f["kind"]) == (row["bot"], "TIMED_OUT")]
        assert len(late) == row["timeouts"]
        assert len({(f["match_id"], f["turn"]) for f in late}) == len(late)
    assert found
    for fault in found:
        if fault["kind"] == "TIMED_OUT":
            assert fault["took_s"] > fault["limit_s"] == 0.1
        if split := re.search(r"split: bot (\S+), wire (\S+) ms", fault["counted_as"]):
            assert float(split[1]) + float(split[2]) == pytest.approx(
                1e3 * fault["took_s"], abs=0.2
            )
    screen = organiser.run("tournament", "faults", "troubles")
    assert screen.count("reply late") == sum(row["timeouts"] for row in table["standings"])


def test_c12_rank_ranges_follow_from_the_exported_covariance_and_the_bar_names_its_reference(
    arena: Arena, organiser: Organiser
) -> None:
    out = arena.folder / "out"
    with (out / "covariance.csv").open(newline="") as file:
        heads, *lines = list(csv.reader(file))
    names = heads[1:]
    of = {(line[0], b): float(v) for line in lines for b, v in zip(names, line[1:], strict=True)}
    with (out / "standings.csv").open(newline="") as file:
        rows = {row["bot"]: row for row in csv.DictReader(file)}
    elo = {bot: float(rows[bot]["rating"]) for bot in names}
    for a in names:
        bars = {b: Z95 * sqrt(of[a, a] + of[b, b] - 2 * of[a, b]) for b in names if b != a}
        above = [b for b in bars if elo[b] - elo[a] > bars[b]]
        below = [b for b in bars if elo[a] - elo[b] > bars[b]]
        assert int(rows[a]["rank_low"]) == 1 + len(above)
        assert int(rows[a]["rank_high"]) == len(names) - len(below)
    screen = " ".join(organiser.run("tournament", "standings", "troubles").split())
    assert "± about the pool's mean" in screen
    assert "random is set to 1000" in screen
