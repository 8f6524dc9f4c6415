"""Which role may call what, what of it is noted, and what an author may ask for."""

from collections.abc import Callable, Mapping
from typing import Any

from grpc_health.v1 import health  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from saurodrome.server.contracts import Caller, Directory
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc import access, play, tournaments
from saurodrome.server.rpc.auth import PUBLIC, Roles
from saurodrome.server.store.access import Role
from saurodrome.tournament.v1 import access_pb2, tournament_pb2

_ADMINS: Roles = frozenset({Role.ADMIN})
_ORGANISERS = _ADMINS | {Role.ORGANISER}
_AUTHORS = _ORGANISERS | {Role.AUTHOR}
_READERS = _AUTHORS | {Role.SPECTATOR}

_FOR_AUTHORS = ("RegisterBot", "RotateBotToken", "ListFaults", "GetMatchRecord")
_FOR_READERS = (
    "GetTournament",
    "ListTournaments",
    "WatchTournament",
    "GetStandings",
    "ListMatches",
    "ListTournamentEvents",
    "ListLiveMatches",
    "ListBots",  # a table marks bots of the house, and ratings hang on owners
)
ALLOWED: Mapping[str, Roles] = {
    health.SERVICE_NAME: PUBLIC,
    reflection.SERVICE_NAME: PUBLIC,
    play.SERVICE: frozenset({Role.BOT}),
    access.SERVICE: _ADMINS,
    tournaments.SERVICE: _ORGANISERS,
    **{f"{tournaments.SERVICE}/{method}": _AUTHORS for method in _FOR_AUTHORS},
    **{f"{tournaments.SERVICE}/{method}": _READERS for method in _FOR_READERS},
}
"""Who may call what; a new method is its service's, so that nobody new may call it at first."""

_READING = ("Get", "List", "Watch")
"""How the names of methods begin that change nothing."""


def _acts() -> frozenset[str]:
    services = (
        tournament_pb2.DESCRIPTOR.services_by_name["TournamentService"],
        access_pb2.DESCRIPTOR.services_by_name["AccessService"],
    )
    return frozenset(
        f"{service.full_name}/{method.name}"
        for service in services
        for method in service.methods
        if not method.name.startswith(_READING)
    )


ACTS = _acts()
"""The methods that change something: each call is noted in the audit log."""

_SUBJECTS = ("name", "bot", "match_id", "holder", "token_id")


def subject(request: Any) -> str:
    """What a request is about: the names in it, and those in its settings; of a token, its role.

    The id of a match has its tournament in it, which is not said twice.
    """
    settings = getattr(request, "settings", None)
    named = [getattr(request, field, "") for field in ("tournament", *_SUBJECTS)]
    if match_id := getattr(request, "match_id", ""):
        named = [name for name in named if not str(match_id).startswith(f"{name}/")]
    named.append(getattr(settings, "name", ""))
    if isinstance(request, access_pb2.IssueTokenRequest) and request.role in access.ROLES:
        named.append(f"as {access.ROLES[request.role]}")
    return " ".join(str(name) for name in named if name)


def only_own(method: str, caller: Caller, request: Any, directory: Directory) -> None:
    """Lets an author ask for its own bots only; everybody else passes.

    Raises:
        Refused: NOT_YOURS.
    """
    rule = _OWN.get(method)
    if caller.role is Role.AUTHOR and rule is not None:
        rule(caller, request, directory)


def _registers(caller: Caller, request: Any, directory: Directory) -> None:
    """An author's bots are its own, whatever the request says."""
    if request.owner not in ("", caller.name):
        raise _not_yours(f"{request.owner[:40]!a} is not you", "owner", "leave the owner out")
    request.owner = caller.name


def _rotates(caller: Caller, request: Any, directory: Directory) -> None:
    _owns(caller, request.name, "name", directory)


def _sees_faults(caller: Caller, request: Any, directory: Directory) -> None:
    if not request.bot:
        raise _not_yours("an author sees the faults of its own bots only", "bot", "name one bot")
    _owns(caller, request.bot, "bot", directory)


def _owns(caller: Caller, bot: str, where: str, directory: Directory) -> None:
    if directory.owner(bot) != caller.name:
        raise _not_yours(f"{bot[:40]!a} is no bot of yours", where, "ask its owner or an organiser")


def _not_yours(what: str, where: str, do: str) -> Refused:
    return Refused(Kind.FORBIDDEN, "NOT_YOURS", f"Not allowed: {what}.", where, do)


_OWN: dict[str, Callable[[Caller, Any, Directory], None]] = {
    f"{tournaments.SERVICE}/RegisterBot": _registers,
    f"{tournaments.SERVICE}/RotateBotToken": _rotates,
    f"{tournaments.SERVICE}/ListFaults": _sees_faults,
}
