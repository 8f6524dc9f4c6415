"""What is said beside a plan: bots that were late, how much of the disk it takes."""

from pathlib import Path
from typing import Any, cast

import pytest

from saurodrome.client import Unreachable
from saurodrome.client.tournaments import Standings, Tournament
from saurodrome.server.cli.home import HOME, RunningServer
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning import experience as module
from saurodrome.server.cli.planning.experience import NOTHING, disk, experience, slow
from saurodrome.server.settings import TournamentSettings
from tests.server.cli.fixtures import standing, tournament

PLAN = TournamentSettings("winter", "draftosaurus", "summer", 4, ("turtle", "rexy", "greedy"))


def test_bots_that_were_late_often_are_named_the_worst_first() -> None:
    rows = [
        standing(1, "greedy", matches=100, timeouts=4),
        standing(2, "turtle", matches=3032, timeouts=312),
        standing(3, "rexy", matches=10, timeouts=20),
        standing(4, "stranger", matches=10, timeouts=20),
        standing(5, "newcomer", matches=0, timeouts=0),
    ]
    said = list(slow(rows, (*PLAN.bots, "newcomer"), "autumn"))
    assert said == [
        "warning[SLOW_BOT] rexy was late 20 times in 10 matches of autumn:"
        " expect the same here, or give more time",
        "warning[SLOW_BOT] turtle was late 312 times in 3,032 matches of autumn:"
        " expect the same here, or give more time",
    ]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server whose store has 200,000 bytes."""
    monkeypatch.chdir(tmp_path)
    HOME.mkdir()
    (HOME / "arena.db").write_bytes(bytes(150_000))
    (HOME / "arena.db-wal").write_bytes(bytes(50_000))
    monkeypatch.setattr(module, "running_server", lambda: RunningServer(1, "", 2, 3, 0.0))


@pytest.mark.usefixtures("here")
def test_the_disk_that_a_plan_takes_follows_from_what_was_played() -> None:
    assert disk(40_000, done=100).startswith("80.0 MB of ")  # 2 kB a match
    assert disk(40_000, done=100).endswith(" free, at 2.0 kB a match so far")
    assert disk(40_000, done=19) == disk(None, done=100) == ""


class Client:
    """A client of a server with one tournament."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def list(self) -> tuple[Tournament, ...]:
        if self._error:
            raise self._error
        return (tournament(),)

    def standings(self, name: str) -> Standings:
        assert name == "winter-course-2026"
        return Standings(standings=[standing(1, "turtle", matches=10, timeouts=5)])


def looked(monkeypatch: pytest.MonkeyPatch, client: Client) -> Any:
    """Look back by way of a client."""
    monkeypatch.setattr(Connection, "client", lambda self: cast(Any, client))
    monkeypatch.setattr(Connection, "address", lambda self: "localhost:1")
    return experience(PLAN, 40_000, Connection())


@pytest.mark.usefixtures("here")
def test_what_the_newest_tournament_of_the_kind_saw_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = looked(monkeypatch, Client())
    assert [text.partition("]")[0] for text in seen.warnings] == ["warning[SLOW_BOT"]
    assert seen.disk


def test_a_plan_needs_no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SAURODROME_SERVER", raising=False)
    assert experience(PLAN, 40_000, Connection()) == NOTHING
    assert looked(monkeypatch, Client(Unreachable("UNREACHABLE", "gone"))) == NOTHING
