"""How fast a plan would be played, and where that is known from."""

from dataclasses import replace

import pytest

from saurodrome.client.tournaments import Tournament, TournamentState
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning.past import Past
from saurodrome.server.cli.planning.rate import rate_among, rate_of, turns_of
from saurodrome.server.port import TimeControl
from saurodrome.server.settings import TournamentSettings
from tests.server.cli.fixtures import standing

SETTINGS = TournamentSettings("plan", "draftosaurus", "summer", 4, ("a", "b", "c", "d"))


def played(players: int, matches: int, seconds: int, rate: float = 0.0) -> Tournament:
    now = Tournament(matches_done=matches, rate=rate)
    now.settings.name = f"of-{players}"
    now.settings.game, now.settings.variant = "draftosaurus", "summer"
    now.settings.players = players
    now.started.seconds, now.ended.seconds = 1_000, 1_000 + seconds
    return now


def seen(now: Tournament, bots: str = "abcd") -> Past:
    return Past(now, {bot: standing(1, bot) for bot in bots})


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("nothing"))
    monkeypatch.delenv("SAURODROME_SERVER", raising=False)


def test_the_newest_tournament_of_the_same_size_tells_the_rate() -> None:
    known = [played(2, 100, 50), played(4, 90, 60), played(4, 10_000, 60)]
    rate = rate_among(SETTINGS, map(seen, known))
    assert rate is not None
    assert rate.value == pytest.approx(1.5)
    assert rate.source == "measured in of-4 with all of these bots"
    assert not rate.slowest


@pytest.mark.parametrize("bots", ["", "a", "ab"])
def test_a_tournament_of_other_bots_tells_no_rate(bots: str) -> None:
    """Half of them are not most: the others may be the slow ones."""
    assert rate_among(SETTINGS, [seen(played(4, 90, 60), bots)]) is None


def test_the_tournament_with_the_most_of_the_bots_tells_the_rate() -> None:
    quick, whole, older = played(4, 9_000, 60), played(4, 90, 60), played(4, 30, 60)
    rate = rate_among(SETTINGS, [seen(quick, "abc"), seen(whole), seen(older)])
    assert rate is not None
    assert rate.value == pytest.approx(1.5)
    most = rate_among(SETTINGS, [seen(quick, "abc")])
    assert most is not None
    assert most.source == "measured in of-4 with 3 of 4 of these bots"


def test_one_that_runs_tells_its_present_rate() -> None:
    now = played(4, 90, 60, rate=0.6)
    now.ClearField("ended")
    now.state = TournamentState.TOURNAMENT_STATE_RUNNING
    rate = rate_among(SETTINGS, [seen(now)])
    assert rate is not None
    assert rate.value == pytest.approx(0.6)


def test_one_that_is_over_tells_the_rate_of_all_of_it() -> None:
    """The wire's rate is that of the last minute, in which it may have played no more."""
    over = played(4, 90, 60, rate=0.1)
    over.state = TournamentState.TOURNAMENT_STATE_FINISHED
    rate = rate_among(SETTINGS, [seen(over)])
    assert rate is not None
    assert rate.value == pytest.approx(1.5)


def test_a_few_matches_tell_nothing() -> None:
    assert rate_among(SETTINGS, [seen(played(4, 19, 60))]) is None


def test_a_rate_that_is_told_counts_most() -> None:
    assert rate_of(SETTINGS, 4, 0.6, Connection()).value == 0.6


def test_without_a_server_the_limits_bound_it() -> None:
    rate = rate_of(SETTINGS, 4, None, Connection())
    assert rate.slowest
    assert rate.value == pytest.approx(4 / (20 + 12 * 1.05))  # 20 s to get ready
    assert "how fast these bots play is not known" in rate.source


def test_a_phase_with_more_time_of_its_own_counts_in_the_bound() -> None:
    slower = replace(SETTINGS, time=TimeControl(phases=(("place", 3.0), ("discard", 0.5))))
    assert rate_of(slower, 4, None, Connection()).value == pytest.approx(4 / (20 + 12 * 3.05))


def test_a_match_of_four_has_twelve_turns() -> None:
    """Two rounds of six dinosaurs each, and everybody places at once."""
    assert turns_of(SETTINGS) == 12
