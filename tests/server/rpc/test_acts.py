"""What organisers do to a running tournament, as calls: what is passed on and what is refused."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from saurodrome.engine import registry
from saurodrome.server.contracts import Caller, Listed, TableRow, TournamentAct
from saurodrome.server.contracts import EntrantStatus as Status
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.port import TimeControl
from saurodrome.server.rpc import auth, convert, formats, settings
from saurodrome.server.rpc.tournaments import TournamentService
from saurodrome.server.settings import (
    Deals,
    Entry,
    Format,
    Publish,
    SameOwner,
    TournamentSettings,
)
from saurodrome.server.store.access import Role
from saurodrome.server.store.records import EventKind
from saurodrome.tournament.v1 import acts_pb2 as acts_pb
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb
from tests.server.rpc.arena import FakeTournaments
from tests.server.rpc.test_tournaments import plain, result

NO_CONTEXT: Any = None


@pytest.fixture
def fake() -> FakeTournaments:
    return FakeTournaments()


@pytest.fixture
def service(fake: FakeTournaments) -> TournamentService:
    return TournamentService(fake, registry.games())


@pytest.fixture(params=[Role.ADMIN, Role.ORGANISER, Role.AUTHOR, Role.SPECTATOR])
def role(request: pytest.FixtureRequest) -> Iterator[Role]:
    """Somebody of each role who may look at tournaments calls."""
    token = auth._CALLER.set(Caller(request.param, "olga", "id"))
    yield request.param
    auth._CALLER.reset(token)


ACTS: dict[str, tuple[EventKind, dict[str, Any]]] = {
    "EnterTournament": (EventKind.JOINED, {"bot": "ada"}),
    "WithdrawBot": (EventKind.WITHDRAWN, {"bot": "ada"}),
    "ReadmitBot": (EventKind.READMITTED, {"bot": "ada"}),
    "DisqualifyBot": (EventKind.DISQUALIFIED, {"bot": "ada"}),
    "VoidMatch": (EventKind.VOIDED, {"match_id": "weekend/1/1/1"}),
}


@pytest.mark.parametrize("method", ACTS)
async def test_an_act_reaches_its_tournament_with_who_and_why(
    service: TournamentService, fake: FakeTournaments, method: str
) -> None:
    kind, about = ACTS[method]
    request = getattr(acts_pb, f"{method}Request")
    call = getattr(service, method)
    answer = await call(request(name="weekend", request_id="r", reason="so", **about), NO_CONTEXT)
    expected = TournamentAct(kind, reason="so", who="organiser", request_id="r", **about)
    assert fake.calls == [("act", "weekend", expected)]
    assert answer.tournament.settings.name == "weekend"
    assert acts_pb.EventKind.Name(answer.event.kind) == f"EVENT_KIND_{kind.name}"
    assert (answer.event.number, answer.event.reason) == (1, "so")


async def test_who_calls_is_noted(
    service: TournamentService, fake: FakeTournaments, role: Role
) -> None:
    request = acts_pb.EnterTournamentRequest(name="weekend", bot="ada", candidate=True)
    await service.EnterTournament(request, NO_CONTEXT)
    (_, _, act) = fake.calls[0]
    assert (act.who, act.role) == ("olga", "candidate")


@pytest.mark.parametrize(
    ("code", "where", "method", "fields"),
    [
        ("BAD_NAME", "name", "WithdrawBot", {"name": "No"}),
        ("BAD_NAME", "bot", "WithdrawBot", {"bot": ""}),
        ("BAD_NAME", "bot", "EnterTournament", {"bot": "../x"}),
        ("NO_REASON", "reason", "DisqualifyBot", {"reason": ""}),
        ("NO_REASON", "reason", "VoidMatch", {"reason": ""}),
        ("BAD_TEXT", "reason", "VoidMatch", {"reason": "x" * 201}),
        ("BAD_TEXT", "reason", "ReadmitBot", {"reason": "\x1b[2J"}),
        ("BAD_TEXT", "match_id", "VoidMatch", {"match_id": "a\n"}),
        ("BAD_TEXT", "request_id", "ReadmitBot", {"request_id": "x" * 65}),
    ],
)
async def test_acts_refuse_by_field(
    service: TournamentService,
    fake: FakeTournaments,
    code: str,
    where: str,
    method: str,
    fields: dict[str, str],
) -> None:
    usual = {"name": "weekend", "reason": "so"} | ACTS[method][1]
    request = getattr(acts_pb, f"{method}Request")(**(usual | fields))
    with pytest.raises(Refused) as caught:
        await getattr(service, method)(request, NO_CONTEXT)
    assert (caught.value.kind, caught.value.code) == (Kind.INVALID, code)
    assert caught.value.where == where
    assert fake.calls == []


async def test_events_come_in_pages(service: TournamentService, fake: FakeTournaments) -> None:
    for _ in range(5):
        await fake.act("weekend", TournamentAct(EventKind.WITHDRAWN, "ada"))
    request = acts_pb.ListTournamentEventsRequest(name="weekend", page_size=2)
    got: list[int] = []
    while not got or request.page_token:
        answer = await service.ListTournamentEvents(request, NO_CONTEXT)
        got += [event.number for event in answer.events]
        request.page_token = answer.next_page_token
    assert got == [1, 2, 3, 4, 5]


def test_a_result_and_a_row_say_what_became_of_them() -> None:
    assert convert.match(Listed(result(1), "because")).void_reason == "because"
    assert convert.match(Listed(result(1))).void_reason == ""
    row = TableRow(1, "ada", "Ada", 1500.0, status=Status.WITHDRAWN, status_reason="tea")
    table = convert._standing(row)
    assert table.status == messages.ENTRANT_STATUS_WITHDRAWN
    assert table.status_reason == "tea"


@pytest.mark.parametrize("ended", [None, 9.0])
async def test_a_table_that_is_not_published_is_the_organisers_alone(
    service: TournamentService, fake: FakeTournaments, role: Role, ended: float | None
) -> None:
    record = fake.progress.tournament
    hidden = replace(record.settings, publish_table=Publish.END)
    fake.progress = fake.progress._replace(tournament=record._replace(settings=hidden, ended=ended))
    table, results = (
        service.GetStandings(pb.GetStandingsRequest(name="weekend"), NO_CONTEXT),
        service.ListMatches(pb.ListMatchesRequest(name="weekend"), NO_CONTEXT),
    )
    if ended is not None or role in (Role.ADMIN, Role.ORGANISER):
        await table
        await results
        return
    for call in (table, results):
        with pytest.raises(Refused) as caught:
            await call
        assert caught.value.code == "NOT_PUBLISHED"


# settings


def read(**fields: Any) -> TournamentSettings:
    """Return settings as they are read from a message of two bots."""
    return settings.from_message(plain(**fields), registry.games())


def test_settings_of_formats_survive_the_way_out_and_in() -> None:
    value = TournamentSettings(
        name="w2",
        display_name="w2",
        game="draftosaurus",
        variant="summer",
        players=2,
        bots=("a", "b", "c", "d"),
        rounds=5,
        format=Format.SWISS,
        games=4,
        seeds=("c", "a"),
        fillers=("d",),
        same_owner=SameOwner.APART,
        deals=Deals.DUPLICATE,
        trusted=True,
        blind=True,
        start_at=1_800_000_000.5,
        entry=Entry.OPEN,
        entry_until=1_800_000_100.25,
        publish_table=Publish.END,
        quarantine_after=20,
        time=TimeControl(phases=(("place", 2.5), ("discard", 0.25)), bank=60.0, increment=0.125),
    )
    assert settings.from_message(settings.to_message(value), registry.games()) == value


@pytest.mark.parametrize("form", Format)
def test_each_format_has_a_number_and_its_defaults(form: Format) -> None:
    number = next(n for n, known in formats.FORMATS.items() if known is form)
    candidates = ["ada"] if form is Format.GAUNTLET else []
    made = read(format=number, candidates=candidates)
    assert made.format is form
    assert made.rounds == (1 if form in (Format.ROUND_ROBIN, Format.GAUNTLET) else 0)
    assert settings.to_message(made).format == number


SWISS, KNOCKOUT, LADDER, GAUNTLET, LEAGUE = (
    {"format": number}
    for number in (
        messages.FORMAT_SWISS,
        messages.FORMAT_KNOCKOUT,
        messages.FORMAT_LADDER,
        messages.FORMAT_GAUNTLET,
        messages.FORMAT_ROUND_ROBIN,
    )
)
DUPLICATE = {"deals": messages.DEALS_DUPLICATE}
SECOND = {"seconds": 1}


@pytest.mark.parametrize(
    ("code", "where", "fields"),
    [
        ("NOT_USED", "settings.games", LEAGUE | {"games": 2}),
        ("NOT_USED", "settings.seeds", LEAGUE | {"seeds": ["ada"]}),
        ("NOT_USED", "settings.candidates", SWISS | {"candidates": ["ada"]}),
        ("NOT_USED", "settings.matches", SWISS | {"matches": 2}),
        ("NOT_USED", "settings.rounds", KNOCKOUT | {"rounds": 2}),
        ("NOT_USED", "settings.rounds", LADDER | {"rounds": 2}),
        ("NOT_USED", "settings.window", KNOCKOUT | {"window": 100.0}),
        ("BAD_PLAYER_COUNT", "settings.players", SWISS | {"players": 3, "bots": ["a", "b", "c"]}),
        ("NO_CANDIDATE", "settings.candidates", GAUNTLET),
        ("UNKNOWN_ENTRANT", "settings.candidates[0]", GAUNTLET | {"candidates": ["eve"]}),
        ("BOT_TWICE", "settings.seeds[1]", SWISS | {"seeds": ["ada", "ada"]}),
        ("ROLE_TWICE", "settings.fillers", {"fillers": ["ada"], "anchor": "ada"}),
        ("NOT_TRUSTED", "settings.deals", DUPLICATE),
        ("NO_BLOCKS", "settings.deals", DUPLICATE | KNOCKOUT | {"trusted": True}),
        ("UNKNOWN_DEALS", "settings.deals", {"deals": 9}),
        ("UNKNOWN_ENTRY", "settings.entry", {"entry": 9}),
        ("UNKNOWN_SAME_OWNER", "settings.same_owner", {"same_owner": 9}),
        ("UNKNOWN_PUBLISH_TABLE", "settings.publish_table", {"publish_table": 9}),
        (
            "UNKNOWN_PHASE",
            "settings.phase_times[0].phase",
            {"phase_times": [{"phase": "plce", "time": SECOND}]},
        ),
        (
            "BAD_PHASE_TIME",
            "settings.phase_times[1]",
            {"phase_times": [{"phase": "place", "time": SECOND}] * 2},
        ),
        ("BAD_PHASE_TIME", "settings.phase_times[0]", {"phase_times": [{"phase": "place"}]}),
        (
            "BAD_DURATION",
            "settings.phase_times[0].time",
            {"phase_times": [{"phase": "place", "time": {}}]},
        ),
        ("BANK_AND_INCREMENT", "settings.increment", {"bank": SECOND}),
        ("BANK_AND_INCREMENT", "settings.increment", {"increment": SECOND}),
        ("BAD_DURATION", "settings.bank", {"bank": {}, "increment": SECOND}),
        ("BAD_MOMENT", "settings.start_at", {"start_at": {"seconds": -1}}),
        ("BAD_MOMENT", "settings.entry_until", {"entry_until": {}}),
        ("OUT_OF_RANGE", "settings.games", SWISS | {"games": 100}),
        ("OUT_OF_RANGE", "settings.window", LADDER | {"window": float("inf")}),
        (
            "ENTRY_AFTER_START",
            "settings.entry_until",
            KNOCKOUT | {"start_at": {"seconds": 9}, "entry_until": {"seconds": 10}},
        ),
    ],
)
def test_what_a_format_does_not_use_or_cannot_be_is_refused(
    code: str, where: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as caught:
        read(**fields)
    assert (caught.value.kind, caught.value.code) == (Kind.INVALID, code)
    assert caught.value.where == where
    assert caught.value.do


def test_through_an_open_door_bots_may_come_later() -> None:
    assert read(bots=[], entry=messages.ENTRY_MODE_OPEN).bots == ()
    with pytest.raises(Refused) as caught:
        read(bots=[])
    assert caught.value.code == "TOO_FEW_BOTS"
