"""TournamentService: what goes to the rooms behind it, what comes back, what is refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from saurodrome.engine import registry
from saurodrome.server.contracts import Progress, Table, TableRow
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.rpc import convert, pages, settings
from saurodrome.server.rpc.tournaments import TournamentService
from saurodrome.server.settings import Seating, TournamentSettings
from saurodrome.server.store.records import (
    Fault,
    RatedSeat,
    Result,
    Termination,
    TournamentState,
)
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb
from tests.server.rpc.arena import FakeTournaments, bot_record

NO_CONTEXT: Any = None


@pytest.fixture
def fake() -> FakeTournaments:
    return FakeTournaments()


@pytest.fixture
def service(fake: FakeTournaments) -> TournamentService:
    return TournamentService(fake, registry.games())


def plain(**fields: Any) -> messages.TournamentSettings:
    """Settings of two bots, with some fields set otherwise."""
    usual: dict[str, Any] = {
        "name": "weekend",
        "game": "draftosaurus",
        "variant": "summer",
        "players": 2,
        "bots": ["ada", "bob"],
    }
    return messages.TournamentSettings(**(usual | fields))


async def test_register_bot_passes_checked_names_on(
    service: TournamentService, fake: FakeTournaments
) -> None:
    request = pb.RegisterBotRequest(request_id="r1", name="ada", owner="Eve")
    answer = await service.RegisterBot(request, NO_CONTEXT)
    assert fake.calls == [("register_bot", "ada", "ada", "Eve", "r1")]
    assert (answer.token, answer.bot.name) == ("srd_new", "ada")
    assert answer.bot.created.ToMilliseconds() == 1_700_000_000_500


@pytest.mark.parametrize(
    ("code", "where", "request_"),
    [
        ("BAD_NAME", "name", pb.RegisterBotRequest()),
        ("BAD_NAME", "name", pb.RegisterBotRequest(name="Ada")),
        ("BAD_NAME", "name", pb.RegisterBotRequest(name="a\n")),
        ("BAD_NAME", "name", pb.RegisterBotRequest(name="a" * 10_000)),
        (
            "BAD_DISPLAY_NAME",
            "display_name",
            pb.RegisterBotRequest(name="a", display_name="\u202ex"),
        ),
        ("BAD_TEXT", "owner", pb.RegisterBotRequest(name="a", owner="\x1b[2J")),
        ("BAD_TEXT", "request_id", pb.RegisterBotRequest(name="a", request_id="x" * 65)),
    ],
)
async def test_register_bot_refuses_by_field(
    service: TournamentService,
    fake: FakeTournaments,
    code: str,
    where: str,
    request_: pb.RegisterBotRequest,
) -> None:
    with pytest.raises(Refused) as caught:
        await service.RegisterBot(request_, NO_CONTEXT)
    assert (caught.value.kind, caught.value.code) == (Kind.INVALID, code)
    assert caught.value.where == where
    assert caught.value.what.isprintable()
    assert fake.calls == []


def test_settings_get_their_defaults() -> None:
    assert settings.from_message(plain(), registry.games()) == TournamentSettings(
        name="weekend",
        display_name="weekend",
        game="draftosaurus",
        variant="summer",
        players=2,
        bots=("ada", "bob"),
        seating=Seating.BALANCED,
        rounds=1,
        matches=0,
        time=TimeControl(20.0, 1.0, 0.05),
        faults=FaultRule(3, 5, 3),
        join_timeout=30.0,
        concurrency=16,
        seed=0,
        anchor="",
        anchor_rating=1000.0,
    )


def test_settings_survive_the_way_out_and_in() -> None:
    value = TournamentSettings(
        name="w2",
        display_name="Wörld",
        game="draftosaurus",
        variant="summer",
        players=3,
        bots=("a", "b", "c", "d"),
        seating=Seating.ROTATIONS,
        rounds=7,
        matches=11,
        time=TimeControl(12.5, 0.2, 0.0, 7.75),
        faults=FaultRule(2, 9, 3),
        join_timeout=3.25,
        concurrency=5,
        seed=2**64 - 1,
        anchor="c",
        anchor_rating=-12.5,
    )
    assert settings.from_message(settings.to_message(value), registry.games()) == value


def test_all_steps_of_a_sealed_phase_have_ten_decisions_time_unless_it_is_said() -> None:
    half = {"decision_time": seconds(0.5)}
    for fields, expected in (({}, 10.0), (half, 5.0), (half | {"sealed_time": seconds(3)}, 3.0)):
        assert settings.from_message(plain(**fields), registry.games()).time.sealed == expected


@pytest.mark.parametrize(("variant", "players"), [("medium", 2), ("solo-dino-mike", 1)])
def test_each_variant_has_its_own_number_of_players(variant: str, players: int) -> None:
    for count in range(4):
        message = plain(game="duelosaur", variant=variant, players=count)
        if count == players:
            assert settings.from_message(message, registry.games()).players == players
            continue
        with pytest.raises(Refused) as caught:
            settings.from_message(message, registry.games())
        assert caught.value.code == "BAD_PLAYER_COUNT"
        assert caught.value.do == f"use {players}"


def seconds(value: float) -> dict[str, int]:
    """A Duration as a dictionary."""
    return {"seconds": int(value), "nanos": round(value % 1 * 1e9)}


@pytest.mark.parametrize(
    ("code", "where", "fields"),
    [
        ("BAD_NAME", "settings.name", {"name": ""}),
        ("BAD_DISPLAY_NAME", "settings.display_name", {"display_name": "x" * 65}),
        ("UNKNOWN_GAME", "settings.game", {"game": "draftosauru"}),
        ("UNKNOWN_GAME", "settings.game", {"game": ""}),
        ("UNKNOWN_VARIANT", "settings.variant", {"variant": "sumer"}),
        ("BAD_PLAYER_COUNT", "settings.players", {"players": 1}),
        ("BAD_PLAYER_COUNT", "settings.players", {"players": 6}),
        ("UNKNOWN_FORMAT", "settings.format", {"format": 99}),
        ("UNKNOWN_SEATING", "settings.seating", {"seating": 99}),
        ("OUT_OF_RANGE", "settings.rounds", {"rounds": 10_001}),
        ("OUT_OF_RANGE", "settings.matches", {"matches": 500_001}),
        ("BAD_NAME", "settings.bots[1]", {"bots": ["ada", "Bob"]}),
        ("BOT_TWICE", "settings.bots[1]", {"bots": ["ada", "ada"]}),
        ("TOO_FEW_BOTS", "settings.bots", {"bots": ["ada"]}),
        ("TOO_MANY_BOTS", "settings.bots", {"bots": [f"b{i}" for i in range(1_001)]}),
        ("BAD_DURATION", "settings.ready_time", {"ready_time": seconds(0)}),
        ("BAD_DURATION", "settings.decision_time", {"decision_time": seconds(0)}),
        ("BAD_DURATION", "settings.decision_time", {"decision_time": seconds(-1)}),
        ("BAD_DURATION", "settings.decision_time", {"decision_time": seconds(3_601)}),
        ("BAD_DURATION", "settings.sealed_time", {"sealed_time": seconds(0)}),
        ("BAD_DURATION", "settings.margin", {"margin": {"nanos": -500_000_000}}),
        ("BAD_DURATION", "settings.join_timeout", {"join_timeout": seconds(0)}),
        ("OUT_OF_RANGE", "settings.strikes_in_a_row", {"strikes_in_a_row": 1_001}),
        ("OUT_OF_RANGE", "settings.strikes_in_match", {"strikes_in_match": 1_001}),
        ("OUT_OF_RANGE", "settings.concurrency", {"concurrency": 1_025}),
        ("UNKNOWN_ANCHOR", "settings.anchor", {"anchor": "eve"}),
        ("OUT_OF_RANGE", "settings.anchor_rating", {"anchor_rating": float("nan")}),
        ("OUT_OF_RANGE", "settings.anchor_rating", {"anchor_rating": 1e308}),
        ("PLAN_TOO_LONG", "settings", {"bots": [f"b{i}" for i in range(800)]}),
    ],
)
async def test_create_refuses_by_field(
    service: TournamentService, fake: FakeTournaments, code: str, where: str, fields: dict[str, Any]
) -> None:
    request = pb.CreateTournamentRequest(request_id="r", settings=plain(**fields))
    with pytest.raises(Refused) as caught:
        await service.CreateTournament(request, NO_CONTEXT)
    assert (caught.value.kind, caught.value.code) == (Kind.INVALID, code)
    assert caught.value.where == where
    assert caught.value.do
    assert fake.calls == []


async def test_a_similar_name_is_offered(service: TournamentService) -> None:
    request = pb.CreateTournamentRequest(settings=plain(variant="sumer"))
    with pytest.raises(Refused) as caught:
        await service.CreateTournament(request, NO_CONTEXT)
    assert "did you mean summer?" in caught.value.do


def test_a_long_plan_is_fine_where_a_part_of_it_is_chosen() -> None:
    bots = [f"b{i}" for i in range(800)]
    chosen = settings.from_message(plain(bots=bots, matches=40_000), registry.games())
    assert chosen.matches == 40_000


@pytest.mark.parametrize("what", ["Start", "Pause", "Resume", "Cancel", "Get"])
async def test_calls_by_name_reach_their_method(
    service: TournamentService, fake: FakeTournaments, what: str
) -> None:
    method: Callable[..., Any] = getattr(service, f"{what}Tournament")
    request = getattr(pb, f"{what}TournamentRequest")
    answer = await method(request(name="weekend"), NO_CONTEXT)
    assert fake.calls == [(what.lower(), "weekend")]
    assert answer.tournament.settings.name == "weekend"
    with pytest.raises(Refused) as caught:
        await method(request(name="no/name"), NO_CONTEXT)
    assert (caught.value.code, caught.value.where) == ("BAD_NAME", "name")
    with pytest.raises(Refused) as caught:
        await method(request(name="other"), NO_CONTEXT)
    assert caught.value.code == "UNKNOWN_TOURNAMENT"


async def test_rotate_watch_and_standings(
    service: TournamentService, fake: FakeTournaments
) -> None:
    rotated = await service.RotateBotToken(pb.RotateBotTokenRequest(name="ada"), NO_CONTEXT)
    assert rotated.token == "srd_new"
    request = pb.WatchTournamentRequest(name="weekend")
    seen = [r.tournament.matches_done async for r in service.WatchTournament(request, NO_CONTEXT)]
    assert seen == [0, 1]
    table = await service.GetStandings(pb.GetStandingsRequest(name="weekend"), NO_CONTEXT)
    assert table.tournament.settings.name == "weekend"


def test_a_tournament_tells_its_state_and_times() -> None:
    fake = FakeTournaments()
    for state in TournamentState:
        record = fake.progress.tournament._replace(state=state, started=5.5, ended=None)
        got = convert.tournament(Progress(record, 10, 4, 2, 1, 3, 0.5, "bots: bob", 4))
        assert messages.TournamentState.Name(got.state) == f"TOURNAMENT_STATE_{state.name}"
        assert (got.matches_total, got.matches_done, got.matches_running) == (10, 4, 2)
        assert (got.matches_abandoned, got.attempts_void) == (1, 3)
        assert (got.rate, got.waiting_for, got.log_position) == (0.5, "bots: bob", 4)
        assert got.started.ToMilliseconds() == 5_500
        assert not got.HasField("ended")


def test_a_row_without_a_rating_has_none() -> None:
    bare = TableRow(1, "ada", "Ada", 1500.0)
    rated = bare._replace(rating=0.0, rating_error=12.5, rank_low=1, rank_high=2)
    table = convert.table(
        Table(FakeTournaments().progress, (bare, rated), (0.5, 0.5), "how", "mean")
    )
    first, second = table.standings
    assert not first.HasField("rating")
    assert not first.HasField("rating_error")
    assert (second.HasField("rating"), second.rating, second.rating_error) == (True, 0.0, 12.5)
    assert (table.rating_method, table.rating_reference) == ("how", "mean")
    assert list(table.seat_wins) == [0.5, 0.5]


def result(position: int) -> Result:
    """A result in the log."""
    seats = tuple(
        RatedSeat(bot, place, 10, 1, 2, False, False, True, 1500.0, 1501.0)
        for place, bot in enumerate(("ada", "bob"), 1)
    )
    return Result(position, "w", f"w/1/1/{position}", 1, Termination.FINISHED, seats, 9.0, True)


async def test_pages_cover_every_result_once(
    service: TournamentService, fake: FakeTournaments
) -> None:
    fake.results = [result(n) for n in range(1, 8)]
    request = pb.ListMatchesRequest(name="weekend", page_size=3)
    got, rounds = [], 0
    while rounds == 0 or request.page_token:
        answer = await service.ListMatches(request, NO_CONTEXT)
        assert len(answer.matches) <= 3
        got += [m.log_position for m in answer.matches]
        request.page_token = answer.next_page_token
        rounds += 1
    assert got == [1, 2, 3, 4, 5, 6, 7]
    assert rounds == 3
    assert answer.matches[0].seats[1].bot == "bob"
    assert answer.matches[0].termination == "finished"


async def test_pages_of_bots_and_faults_go_on_behind_their_cursor(
    service: TournamentService, fake: FakeTournaments
) -> None:
    fake.bots = [bot_record(name) for name in ("a", "b", "c")]
    first = await service.ListBots(pb.ListBotsRequest(page_size=2), NO_CONTEXT)
    rest = await service.ListBots(
        pb.ListBotsRequest(page_size=2, page_token=first.next_page_token), NO_CONTEXT
    )
    assert [b.name for b in (*first.bots, *rest.bots)] == ["a", "b", "c"]
    assert rest.next_page_token == ""
    fault = Fault("w", "w/1/1/1", 1, 3, "ada", "TIMED_OUT", 1.0, 1.5, "bot", "strike 1", 7.0)
    fake.faults_ = [(9, fault), (4, fault), (2, fault)]
    request = pb.ListFaultsRequest(name="weekend", bot="ada", page_size=2)
    newest = await service.ListFaults(request, NO_CONTEXT)
    request.page_token = newest.next_page_token
    oldest = await service.ListFaults(request, NO_CONTEXT)
    assert (len(newest.faults), len(oldest.faults)) == (2, 1)
    assert fake.calls[-1] == ("faults", "weekend", "ada", 4, 3)
    assert newest.faults[0].took.ToMilliseconds() == 1500


def test_a_page_ends_where_it_gets_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_PAGE_BYTES", 150)
    names = [f"{n:050}" for n in range(5)]
    messages, token = pages.page(
        names, 5, lambda n: pb.GetTournamentRequest(name=n), lambda n: n, "bots"
    )
    assert len(messages) == 2
    assert pages.cursor(token, "bots") == names[1]


@pytest.mark.parametrize("token", ["x", "ä", "AAAA", "Ym90cy8=", "=", "bWF0Y2hlcy94"])
async def test_foreign_page_tokens_are_refused(service: TournamentService, token: str) -> None:
    with pytest.raises(Refused) as caught:
        await service.ListMatches(
            pb.ListMatchesRequest(name="weekend", page_token=token), NO_CONTEXT
        )
    assert (caught.value.code, caught.value.where) == ("BAD_PAGE_TOKEN", "page_token")


async def test_a_page_size_is_bounded(service: TournamentService, fake: FakeTournaments) -> None:
    with pytest.raises(Refused) as caught:
        await service.ListBots(pb.ListBotsRequest(page_size=501), NO_CONTEXT)
    assert caught.value.where == "page_size"
    await service.ListTournaments(pb.ListTournamentsRequest(), NO_CONTEXT)
    assert fake.calls == [("list_tournaments", None, 501)]


async def test_a_record_comes_in_chunks_that_make_the_whole(
    service: TournamentService, fake: FakeTournaments
) -> None:
    fake.text = bytes(range(256)) * 300
    request = pb.GetMatchRecordRequest(match_id="weekend/1/1/1", attempt=2)
    chunks = [m.chunk async for m in service.GetMatchRecord(request, NO_CONTEXT)]
    assert b"".join(chunks) == fake.text
    assert max(map(len, chunks)) == 32_768
    assert fake.calls == [("record", "weekend/1/1/1", 2, None, False)]


async def test_what_is_played_is_told_as_a_spectator_sees_it(
    service: TournamentService, fake: FakeTournaments
) -> None:
    request = pb.ListLiveMatchesRequest(name="weekend", match_id="weekend/1/2/1")
    answer = await service.ListLiveMatches(request, NO_CONTEXT)
    (match,) = answer.matches
    assert (match.match_id, match.attempt, match.turn) == ("weekend/1/2/1", 1, 3)
    assert [*match.bots, *match.getting_ready] == ["ada", "bob", "bob"]
    assert (match.phase, *match.board, answer.more) == ("place", "a board", 2)
    assert fake.calls == [("live", "weekend", "weekend/1/2/1", True)]


def test_a_replaced_setting_shows_in_the_message() -> None:
    base = settings.from_message(plain(), registry.games())
    assert settings.to_message(replace(base, rounds=9)).rounds == 9
