"""Plans that take days, limits that are too short, files whose tournament runs already."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from saurodrome.client import InputError, RequestError
from saurodrome.client.tournaments import Tournament, TournamentClient, TournamentState
from saurodrome.server.cli import vitals
from saurodrome.server.cli.home import RunningServer
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning import limits
from saurodrome.server.cli.planning.changed import taken
from saurodrome.server.cli.planning.file import TournamentFile, read
from saurodrome.server.cli.planning.limits import (
    begins_at_once,
    check_created,
    check_length,
    longest,
    matches_of,
    short_limit,
)
from saurodrome.server.cli.planning.rate import Rate
from saurodrome.server.cli.planning.shape import shape_of
from saurodrome.server.cli.root import main
from saurodrome.server.port import TimeControl
from saurodrome.server.rpc.settings import to_message
from saurodrome.server.settings import Format, Seating, TournamentSettings

BOTS = tuple(f"b{number:02}" for number in range(24))
FIVES = TournamentSettings(
    "winter", "draftosaurus", "summer", 5, BOTS, seating=Seating.ROTATIONS, rounds=1
)
MEASURED = Rate(0.6, "measured in autumn")


@pytest.mark.parametrize(
    ("form", "more"),
    [
        (Format.ROUND_ROBIN, {"players": 3, "rounds": 2}),
        (Format.ROUND_ROBIN, {"players": 2, "matches": 40}),
        (Format.GAUNTLET, {"players": 3, "candidates": BOTS[:2]}),
        (Format.LADDER, {"players": 2, "matches": 50, "rounds": 0}),
    ],
)
def test_a_plan_is_counted_without_making_it(form: Format, more: dict[str, Any]) -> None:
    settings = replace(FIVES, bots=BOTS[:7], format=form, **more)
    assert matches_of(settings, 7) == shape_of(settings, list(BOTS[:7])).matches


def test_days_at_a_known_rate_are_refused_with_what_would_fit_into_one() -> None:
    with pytest.raises(InputError) as refused:
        check_length(FIVES, 24, 212_520, MEASURED, "winter.toml line 5, players")
    error = refused.value
    assert (error.code, error.exit_code) == ("PLAN_TOO_LONG", 2)
    assert "212,520 matches" in error.what
    assert "4 d" in error.what  # 212,520 / 0.6 s are 4 days 2 h
    assert "0.6/s, measured in autumn" in error.what
    assert "set matches = 51000 (a balanced part)" in error.do  # 86,400 s at 0.6/s are 51,840
    assert "players = 4 (42,504 matches)" in error.do  # 10,626 groups of four, 4 seatings
    assert error.do.endswith("say --accept")


def test_many_rounds_are_blamed_and_so_many_proposed_as_fit_into_a_day() -> None:
    """A round of two bots are two matches; at 0.01/s a day has 864."""
    pair = replace(FIVES, bots=BOTS[:2], players=2, rounds=10_000)
    assert longest(pair) == "rounds"
    with pytest.raises(InputError) as refused:
        check_length(pair, 2, 20_000, Rate(0.01, "measured"), "--rounds")
    assert refused.value.do == "set rounds = 432, or say --accept"
    assert longest(FIVES) == "matches"
    assert longest(replace(pair, matches=9_000)) == "matches"


def test_the_option_or_the_key_that_makes_a_plan_long_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(limits, "measured", lambda *_: Rate(0.01, "measured"))
    assert main(["tournament", "create", "cup", "--bots", "a,b", "--rounds", "10000"]) == 2
    assert "where  --rounds\n" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(TEXT.replace("rounds = 2", "rounds = 10000"))
    assert main(["tournament", "create", "cup.toml"]) == 2
    assert "cup.toml line 2, rounds" in capsys.readouterr().err


def test_smaller_tables_are_proposed_for_all_rounds_only() -> None:
    """24 bots make 276 pairs: 552 matches a round, 110,400 in 200 rounds, 51,840 fit in a day."""
    many = replace(FIVES, players=3, rounds=200)
    with pytest.raises(InputError) as refused:
        check_length(many, 24, 200 * 2024 * 3, MEASURED, "--rounds")
    assert "players" not in refused.value.do
    assert "set rounds = 8" in refused.value.do  # 51,840 of 6,072 matches a round


def test_what_is_not_known_to_take_days_is_not_refused() -> None:
    check_length(FIVES, 24, 155_000, MEASURED, "")  # less than three days
    check_length(FIVES, 24, 212_520, Rate(0.6, "at the limits", slowest=True), "")


def test_nothing_that_is_short_asks_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> Rate:
        raise AssertionError

    monkeypatch.setattr(limits, "measured", asked)
    check_created(replace(FIVES, bots=BOTS[:6], players=2), Connection(), "")


def test_what_is_created_is_held_to_the_rate_that_was_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "measured", lambda settings, connection: MEASURED)
    with pytest.raises(InputError, match="PLAN_TOO_LONG"):
        check_created(FIVES, Connection(), "winter.toml line 5, players")


def page(wire: str, overhead: str) -> str:
    """Return metrics in which all of 100 decisions took up to so many seconds."""
    part = "saurodrome_decision_part_seconds_bucket"
    return "\n".join(
        (
            f'{part}{{part="wire",le="{wire}"}} 100',
            f'{part}{{part="wire",le="+Inf"}} 100',
            f'{part}{{part="bot",le="2.5"}} 100',
            f'saurodrome_arbiter_overhead_seconds_bucket{{le="{overhead}"}} 100',
            'saurodrome_arbiter_overhead_seconds_bucket{le="+Inf"} 100',
        )
    )


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server here whose way and arbiter take 7 ms of 99 in 100 decisions."""
    monkeypatch.setattr(limits, "running_server", lambda: RunningServer(1, "", 2, 3, 0.0))
    monkeypatch.setattr(vitals, "page", lambda address: page("0.005", "0.002"))


@pytest.mark.usefixtures("server")
def test_a_limit_that_the_way_alone_uses_up_is_warned_of() -> None:
    short = replace(FIVES, time=TimeControl(decision=0.005))
    warning = short_limit(short, Connection())
    assert warning.startswith("warning[LIMIT_TOO_SHORT] 5 ms a decision")
    assert "took 7 ms" in warning
    assert "take 25 ms or more" in warning  # three times 7 ms, by steps of 5 ms
    assert short_limit(replace(FIVES, time=TimeControl(decision=0.014)), Connection()) == ""


@pytest.mark.usefixtures("server")
def test_of_a_server_elsewhere_nothing_is_known() -> None:
    short = replace(FIVES, time=TimeControl(decision=0.005))
    assert short_limit(short, Connection(server="far:7741")) == ""


def test_without_a_server_or_without_decisions_nothing_is_warned_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = replace(FIVES, time=TimeControl(decision=0.005))
    monkeypatch.setattr(limits, "running_server", lambda: None)
    assert short_limit(short, Connection()) == ""
    monkeypatch.setattr(limits, "running_server", lambda: RunningServer(1, "", 2, 3, 0.0))
    monkeypatch.setattr(vitals, "page", lambda address: "")
    assert short_limit(short, Connection()) == ""


OTHER_NAME = "set another `name` in the file: this one stays taken, also after a cancel"
TEXT = 'name = "cup"\nrounds = 2\ntime = { decision = "500ms" }\nentry.bots = ["a", "b"]\n'


class Server:
    """A client of a server with one tournament, or none."""

    def __init__(self, settings: TournamentSettings | None, state: str = "RUNNING") -> None:
        self._settings = settings
        self._state = state

    def get(self, name: str) -> Tournament:
        if self._settings is None:
            raise RequestError("UNKNOWN_TOURNAMENT", "There is none.")
        now = TournamentState.Value(f"TOURNAMENT_STATE_{self._state}")
        return Tournament(settings=to_message(self._settings), state=now)


def client(settings: TournamentSettings | None, state: str = "RUNNING") -> TournamentClient:
    return cast(TournamentClient, Server(settings, state))


@pytest.fixture
def file(tmp_path: Path) -> TournamentFile:
    path = tmp_path / "cup.toml"
    path.write_text(TEXT)
    return read(path)


def test_what_a_file_would_change_of_a_running_tournament_is_named(file: TournamentFile) -> None:
    slower = file.settings.time._replace(decision=1.0, sealed=10.0)  # ten decisions, as usual
    begun = replace(file.settings, time=slower, rounds=3)
    error = taken(file, client(begun))
    assert error is not None
    assert (error.code, error.exit_code) == ("RUNNING", 2)
    assert error.what == "`rounds` (and 1 more) cannot change after the start."
    assert "cup.toml line 2, rounds" in error.where
    assert "cup.toml line 3, time.decision" in error.where
    assert error.do.endswith(OTHER_NAME)


def test_a_file_without_a_change_is_told_to_watch(file: TournamentFile) -> None:
    error = taken(file, client(file.settings, "PAUSED"))
    assert error is not None
    assert error.what == "cup is paused already, with these settings."
    assert error.do == "saurodrome tournament watch cup"


def test_a_planned_one_without_a_change_is_to_be_started(file: TournamentFile) -> None:
    error = taken(file, client(file.settings, "PLANNED"))
    assert error is not None
    assert (error.code, error.exit_code) == ("NAME_TAKEN", 2)
    assert error.what == "cup exists already and is planned, with these settings."
    assert error.do == "saurodrome tournament start cup"


def test_a_planned_one_that_differs_needs_another_name(file: TournamentFile) -> None:
    """A cancelled tournament keeps its name: to cancel it and create it anew is a circle."""
    error = taken(file, client(replace(file.settings, rounds=3), "PLANNED"))
    assert error is not None
    assert error.what == "cup is planned already, with another `rounds`."
    assert "cup.toml line 2, rounds" in error.where
    assert error.do == (
        f"{OTHER_NAME}; if that one is not to be played: saurodrome tournament cancel cup"
    )


@pytest.mark.parametrize("state", ["FINISHED", "CANCELLED"])
def test_one_that_is_over_keeps_its_name(file: TournamentFile, state: str) -> None:
    error = taken(file, client(file.settings, state))
    assert error is not None
    assert (error.code, error.do) == ("NAME_TAKEN", OTHER_NAME)
    assert state.lower() in error.what


def test_a_server_that_does_not_tell_leaves_its_own_refusal(file: TournamentFile) -> None:
    assert taken(file, client(None)) is None


def test_a_start_in_the_past_is_warned_of() -> None:
    past = replace(FIVES, start_at=1_796_400_000.0)  # 2026-12-04 16:00 UTC
    warning = begins_at_once(past, now=1_796_400_060.0)
    assert warning.startswith("warning[START_IN_PAST] start_at is Fri 2026-12-04 16:00 UTC")
    assert begins_at_once(past, now=1_796_399_940.0) == ""
    assert begins_at_once(FIVES, now=1_796_400_060.0) == ""
