"""What is said beside a plan: bots that were late, how much of the disk it takes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from saurodrome.client import Unreachable
from saurodrome.client.tournaments import Standing, Standings, Tournament
from saurodrome.server.cli.home import HOME, RunningServer
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning import experience as module
from saurodrome.server.cli.planning.experience import NOTHING, disk, experience, slow
from saurodrome.server.cli.planning.past import Past
from saurodrome.server.settings import TournamentSettings
from tests.server.cli.fixtures import standing, tournament

PLAN = TournamentSettings("winter", "draftosaurus", "summer", 4, ("turtle", "rexy", "greedy"))


def seen(name: str, decision: float, *rows: Standing) -> Past:
    now = tournament()
    now.settings.name = name
    now.settings.decision_time.FromMilliseconds(int(decision * 1000))
    return Past(now, {row.bot: row for row in rows})


def test_bots_that_were_late_often_are_named_the_worst_first() -> None:
    autumn = seen(
        "autumn",
        1.0,
        standing(1, "greedy", matches=100, timeouts=4),
        standing(2, "turtle", matches=3032, timeouts=312),
        standing(3, "rexy", matches=1, timeouts=1),
    )
    assert list(slow(PLAN, [autumn])) == [
        "warning[SLOW_BOT] rexy was late once in 1 match of autumn, at 1.0 s a decision:"
        " expect the same here, or give more time",
        "warning[SLOW_BOT] turtle was late 312 times in 3,032 matches of autumn, at 1.0 s a"
        " decision: expect the same here, or give more time",
    ]


LATE = standing(1, "turtle", matches=10, timeouts=5)
IN_TIME = standing(1, "turtle", matches=10, timeouts=0)


def test_a_tournament_that_says_nothing_of_a_bot_hides_no_earlier_one() -> None:
    newest = seen("winter-2", 1.0, standing(1, "greedy", matches=50))
    patient = seen("winter-1", 2.0, IN_TIME)  # twice the time of the plan
    late = seen("autumn", 1.0, LATE)
    assert [w.count("turtle") for w in slow(PLAN, [newest, patient, late])] == [1]


def test_a_bot_that_kept_up_since_in_the_same_time_is_not_named() -> None:
    assert not list(slow(PLAN, [seen("winter", 1.0, IN_TIME), seen("autumn", 1.0, LATE)]))


def test_who_was_late_in_less_time_is_told_what_the_plan_gives() -> None:
    (warning,) = slow(PLAN, [seen("autumn", 0.2, LATE)])
    assert warning.endswith("of autumn, at 200 ms a decision: this plan gives 1.0 s")


def test_who_was_late_in_no_time_at_all_is_not_named_and_hides_no_earlier_one() -> None:
    hasty = seen("hasty", 0.05, LATE)
    assert not list(slow(PLAN, [hasty]))
    assert len(list(slow(PLAN, [hasty, seen("autumn", 1.0, LATE)]))) == 1


def test_no_further_table_is_asked_for_once_all_bots_are_judged() -> None:
    def past() -> Iterator[Past]:
        yield seen("winter", 1.0, *(standing(1, bot, matches=10) for bot in PLAN.bots))
        pytest.fail("asked for another one")

    assert not list(slow(PLAN, past()))


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
        one = tournament(entrants=3)
        one.settings.decision_time.FromSeconds(1)
        return (one,)

    def standings(self, name: str) -> Standings:
        assert name == "winter-course-2026"
        return Standings(standings=[standing(1, "turtle", matches=10, timeouts=5)])


def looked(monkeypatch: pytest.MonkeyPatch, client: Client) -> Any:
    """Look back by way of a client."""
    monkeypatch.setattr(Connection, "client", lambda self: cast(Any, client))
    monkeypatch.setattr(Connection, "address", lambda self: "localhost:1")
    return experience(PLAN, 40_000, Connection())


@pytest.mark.usefixtures("here")
def test_what_a_tournament_of_the_kind_saw_is_said(
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
