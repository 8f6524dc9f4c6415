"""Which tournaments tell something of the bots of a plan."""

from typing import cast

import pytest

from saurodrome.client import Refused
from saurodrome.client.tournaments import Standings, Tournament, TournamentClient
from saurodrome.server.cli.planning.past import MOST_TABLES, past
from saurodrome.server.settings import TournamentSettings
from tests.server.cli.fixtures import standing, tournament

PLAN = TournamentSettings("plan", "draftosaurus", "summer", 4, ("slow", "slow2"))


class Server:
    """A server whose every table has a bot of the plan, one that never played, and another."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def standings(self, name: str) -> Standings:
        self.asked.append(name)
        if name == "hidden":
            raise Refused("NOT_PUBLISHED", "later")
        rows = [standing(1, "other"), standing(2, "slow"), standing(3, "slow2", matches=0)]
        return Standings(standings=rows)


def of(name: str, *bots: str, entrants: int = 0, variant: str = "summer") -> Tournament:
    now = tournament(entrants=entrants or len(bots))
    now.settings.name, now.settings.variant = name, variant
    now.settings.bots.extend(bots)
    return now


def found(server: Server, *known: Tournament) -> dict[str, list[str]]:
    seen = past(PLAN, known, cast(TournamentClient, server))
    return {one.tournament.settings.name: list(one.rows) for one in seen}


def test_only_bots_of_the_plan_that_played_are_told() -> None:
    assert found(Server(), of("cup", "slow", "other", "slow2")) == {"cup": ["slow"]}


def test_who_entered_later_played_too() -> None:
    assert found(Server(), of("open", entrants=2)) == {"open": ["slow"]}


@pytest.mark.parametrize(
    "other", [of("quick", "other", "greedy"), of("winter", "slow", "other", variant="winter")]
)
def test_of_others_no_table_is_asked_for(other: Tournament) -> None:
    server = Server()
    assert found(server, other) == {}
    assert server.asked == []


def test_a_table_that_is_held_back_is_passed_over() -> None:
    server = Server()
    assert list(found(server, of("hidden", "slow"), of("cup", "slow"))) == ["cup"]


def test_the_tables_that_are_asked_for_are_bounded() -> None:
    server = Server()
    found(server, *(of(f"cup-{number}", "slow") for number in range(MOST_TABLES + 5)))
    assert len(server.asked) == MOST_TABLES
