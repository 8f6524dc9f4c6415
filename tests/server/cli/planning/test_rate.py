"""How fast a plan would be played, and where that is known from."""

import pytest

from saurodrome.client.tournaments import Tournament, TournamentState
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning.rate import newest_rate, rate_of, turns_of
from saurodrome.server.settings import TournamentSettings

SETTINGS = TournamentSettings("plan", "draftosaurus", "summer", 4, ("a", "b", "c", "d"))


def played(players: int, matches: int, seconds: int, rate: float = 0.0) -> Tournament:
    now = Tournament(matches_done=matches, rate=rate)
    now.settings.name = f"of-{players}"
    now.settings.game, now.settings.variant = "draftosaurus", "summer"
    now.settings.players = players
    now.started.seconds, now.ended.seconds = 1_000, 1_000 + seconds
    return now


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("nothing"))
    monkeypatch.delenv("SAURODROME_SERVER", raising=False)


def test_the_newest_tournament_of_the_same_kind_tells_the_rate() -> None:
    known = [played(2, 100, 50), played(4, 90, 60), played(4, 10_000, 60)]
    rate = newest_rate(SETTINGS, known)
    assert rate is not None
    assert rate.value == pytest.approx(1.5)
    assert rate.source == "measured in of-4"
    assert not rate.slowest


def test_one_that_runs_tells_its_present_rate() -> None:
    now = played(4, 90, 60, rate=0.6)
    now.ClearField("ended")
    now.state = TournamentState.TOURNAMENT_STATE_RUNNING
    rate = newest_rate(SETTINGS, [now])
    assert rate is not None
    assert rate.value == pytest.approx(0.6)


def test_one_that_is_over_tells_the_rate_of_all_of_it() -> None:
    """The wire's rate is that of the last minute, in which it may have played no more."""
    over = played(4, 90, 60, rate=0.1)
    over.state = TournamentState.TOURNAMENT_STATE_FINISHED
    rate = newest_rate(SETTINGS, [over])
    assert rate is not None
    assert rate.value == pytest.approx(1.5)


def test_a_few_matches_tell_nothing() -> None:
    assert newest_rate(SETTINGS, [played(4, 19, 60)]) is None


def test_a_rate_that_is_told_counts_most() -> None:
    assert rate_of(SETTINGS, 4, 0.6, Connection()).value == 0.6


def test_without_a_server_the_limits_bound_it() -> None:
    rate = rate_of(SETTINGS, 4, None, Connection())
    assert rate.slowest
    assert rate.value == pytest.approx(4 / (12 * 1.05))


def test_a_match_of_four_has_twelve_turns() -> None:
    """Two rounds of six dinosaurs each, and everybody places at once."""
    assert turns_of(SETTINGS) == 12
