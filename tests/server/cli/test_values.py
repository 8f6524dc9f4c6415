"""Durations, lists of names, and how many rounds a tournament has by itself."""

import click
import pytest

from saurodrome.client import InputError
from saurodrome.client.tournaments import TournamentSettings
from saurodrome.server.cli.house import OWNER, kind_of, parse, pause_after
from saurodrome.server.cli.tournament_create import (
    anchor_for,
    in_options,
    next_step,
    one_round,
    rounds_for,
)
from saurodrome.server.cli.values import Duration, Names


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("500ms", 0.5), ("1s", 1.0), ("2min", 120.0), ("0.25s", 0.25), ("20 s", 20.0)],
)
def test_durations(text: str, seconds: float) -> None:
    assert Duration().convert(text, None, None) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "-1s", "1h", "1e9", "nan", "5", "0"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is no duration"):
        Duration().convert(text, None, None)


@pytest.mark.parametrize("text", ["1441min", "9" * 400 + "s"])
def test_a_duration_ends_with_the_longest_that_a_server_takes(text: str) -> None:
    with pytest.raises(click.BadParameter, match="1440min at most"):
        Duration().convert(text, None, None)


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("settings.rounds; server a:1", "--rounds; server a:1"),
        ("settings.decision_time", "--time"),
        ("settings.join_timeout", "--join-timeout"),
        ("settings.strikes_in_match", "--strikes"),
        ("settings.name", "settings.name"),
        ("fresh deals, or say settings.trusted if so", "fresh deals, or say --trusted if so"),
        ("name one of settings.bots", "name one of --bots"),
        ("request_id", "request_id"),
    ],
)
def test_what_the_server_finds_wrong_is_named_as_it_was_typed(field: str, option: str) -> None:
    assert in_options(field) == option


def test_names_may_have_blanks_around_them() -> None:
    assert Names().convert("a, b,c ,", None, None) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("bots", "players", "seating", "matches"),
    [(3, 2, "balanced", 6), (24, 4, "rotations", 42_504), (4, 4, "balanced", 12), (2, 3, "x", 0)],
)
def test_matches_of_one_round(bots: int, players: int, seating: str, matches: int) -> None:
    assert one_round(bots, players, seating) == matches


def test_small_tournaments_get_rounds_until_bots_can_be_told_apart() -> None:
    assert rounds_for(3, 2, "balanced") == 20  # 120 matches
    assert rounds_for(24, 4, "balanced") == 1
    assert rounds_for(1, 2, "balanced") >= 1  # refused by the server, not by a division


def test_random_is_the_anchor_where_it_plays() -> None:
    assert anchor_for(["my_bot", "random"]) == "random"
    assert anchor_for(["my_bot", "greedy"]) == ""


def test_the_house_brings_bots_of_known_kinds_each_once() -> None:
    assert parse("greedy,random,greedy-2") == ("greedy", "random", "greedy-2")
    assert parse("none") == ()
    assert kind_of("greedy-2") == "greedy"
    for wrong in ("greedy,greedy", "mcts", "greedy-"):
        with pytest.raises(InputError, match="BAD_VALUE"):
            parse(wrong)


def test_a_wrong_kind_is_blamed_on_the_option_that_named_it() -> None:
    with pytest.raises(InputError) as wrong:
        parse("serch", "--against")
    assert wrong.value.where == "--against"
    assert wrong.value.do.startswith("did you mean `search`?")
    with pytest.raises(InputError) as wrong:
        parse("greedy,greedy")
    assert wrong.value.where == "--house"
    assert "twice" in wrong.value.what


def test_a_bot_that_keeps_failing_is_restarted_ever_more_slowly() -> None:
    assert [pause_after(n) for n in range(4)] == [0.5, 1.0, 2.0, 4.0]
    assert pause_after(1000) == 30.0


def test_the_owner_of_house_bots_is_house() -> None:
    assert OWNER == "house"


def test_a_tournament_that_starts_by_itself_is_only_watched() -> None:
    cup = TournamentSettings(name="cup")
    assert next_step(cup, started=False) == "saurodrome tournament start cup"
    assert next_step(cup, started=True) == "saurodrome tournament watch cup"
    cup.start_at.seconds = 1_800_000_000
    assert next_step(cup, started=False) == "saurodrome tournament watch cup"
