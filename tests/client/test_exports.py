"""The client's public names: a name that comes or goes is a change for every author."""

import importlib
import pkgutil

import pytest

import saurodrome.client
from saurodrome.client import admin, testing, tournaments


def test_names_of_the_client_are_these() -> None:
    assert sorted(saurodrome.client.__all__) == [
        "BadReply",
        "Bot",
        "BotFault",
        "BotFileError",
        "BotRaised",
        "Connected",
        "Decided",
        "Decision",
        "Disconnected",
        "Draining",
        "Event",
        "FaultRule",
        "Faulted",
        "IllegalAction",
        "InputError",
        "Judged",
        "LateReply",
        "Leaving",
        "LegalAction",
        "Match",
        "MatchEnded",
        "MatchStarted",
        "Move",
        "NotReady",
        "Player",
        "Previous",
        "Refused",
        "RequestError",
        "SaurodromeError",
        "SeatResult",
        "ServerError",
        "ServerTrouble",
        "Status",
        "Strategy",
        "Termination",
        "TimeControl",
        "Unreachable",
        "VerdictKind",
        "load",
        "load_decision",
        "play",
        "run",
        "save_decision",
        "strategy_of",
    ]


def test_names_for_organisers_are_these() -> None:
    assert sorted(tournaments.__all__) == [
        "AsyncTournamentClient",
        "Bot",
        "Deals",
        "EntrantStatus",
        "EntryMode",
        "EventKind",
        "Fault",
        "Format",
        "KnockoutPlacing",
        "Live",
        "LiveMatch",
        "Match",
        "PublishLive",
        "PublishNotes",
        "PublishTable",
        "SameOwner",
        "Seating",
        "Standing",
        "Standings",
        "SwissPlacing",
        "Tournament",
        "TournamentClient",
        "TournamentEvent",
        "TournamentSettings",
        "TournamentState",
    ]


def test_names_for_administrators_are_these() -> None:
    assert sorted(admin.__all__) == ["AdminClient", "AuditEntry", "Role", "Token"]


def test_names_for_tests_of_bots_are_these() -> None:
    assert sorted(testing.__all__) == [
        "ScriptedArbiter",
        "ScriptedStream",
        "decision",
        "match",
        "play",
    ]


@pytest.mark.parametrize("module", [saurodrome.client, admin, testing, tournaments])
def test_every_public_name_exists(module: object) -> None:
    names = module.__all__  # type: ignore[attr-defined]  # modules have it

    assert [name for name in names if not hasattr(module, name)] == []


def test_all_other_modules_are_private() -> None:
    found = pkgutil.iter_modules(saurodrome.client.__path__)

    assert {m.name for m in found if not m.name.startswith("_")} == {
        "admin",
        "games",
        "testing",
        "tournaments",
    }


def test_namespace_root_belongs_to_nobody() -> None:
    assert importlib.import_module("saurodrome").__file__ is None
