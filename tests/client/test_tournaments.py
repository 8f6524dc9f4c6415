"""The client of TournamentService against a real gRPC server with canned answers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from saurodrome.client import InputError, Refused, RequestError, Unreachable
from saurodrome.client.tournaments import (
    AsyncTournamentClient,
    TournamentSettings,
    TournamentState,
)
from tests.client.tournaments_bench import Service, serve


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncTournamentClient]:
    server, address = await serve(service)
    async with AsyncTournamentClient(server=address, token="srd_admin_a_b") as client:
        yield client
    await server.stop(None)


@pytest.mark.wire
async def test_a_bot_is_registered_with_a_request_id(
    client: AsyncTournamentClient, service: Service
) -> None:
    answer = await client.register_bot("rex", display_name="Rex", owner="ada")

    assert (answer.bot.name, answer.token) == ("rex", "srd_bot_x")
    request = service.requests[0]
    assert (request.name, request.display_name, request.owner) == ("rex", "Rex", "ada")
    assert len(request.request_id) == 32
    assert service.authorization == ["Bearer srd_admin_a_b"]


@pytest.mark.wire
async def test_a_call_with_a_request_id_is_repeated_with_the_same_one(
    client: AsyncTournamentClient, service: Service
) -> None:
    service.fail_first = 2

    await client.register_bot("rex")

    assert len(service.requests) == 3
    assert len({request.request_id for request in service.requests}) == 1


@pytest.mark.wire
async def test_a_call_without_one_is_not_repeated(
    client: AsyncTournamentClient, service: Service
) -> None:
    service.fail_first = 1

    with pytest.raises(Unreachable):
        await client.rotate_token("rex")

    assert len(service.requests) == 1


@pytest.mark.wire
async def test_two_calls_have_two_request_ids(
    client: AsyncTournamentClient, service: Service
) -> None:
    await client.register_bot("a")
    await client.create(TournamentSettings(name="cup"))

    assert service.requests[0].request_id != service.requests[1].request_id


@pytest.mark.wire
async def test_what_the_server_finds_wrong_is_an_error_with_its_words(
    client: AsyncTournamentClient, service: Service
) -> None:
    with pytest.raises(RequestError) as caught:
        await client.register_bot("taken")

    error = caught.value
    assert (error.code, error.what, error.do) == ("NAME_TAKEN", "taken.", "choose another")
    assert (error.exit_code, error.retry) == (2, False)
    assert len(service.requests) == 1


@pytest.mark.wire
async def test_lists_go_over_all_pages(client: AsyncTournamentClient) -> None:
    assert [bot.name for bot in await client.list_bots()] == [f"bot-{n}" for n in range(5)]
    assert [t.log_position for t in await client.list()] == [0, 1, 2]
    assert [m.log_position async for m in client.matches("cup")] == [0, 1, 2, 3, 4, 5]
    assert [(f.turn, f.bot) async for f in client.faults("cup", bot="rex")] == [
        (0, "rex"),
        (1, "rex"),
        (2, "rex"),
    ]


@pytest.mark.wire
async def test_a_tournament_is_led_by_name(client: AsyncTournamentClient) -> None:
    created = await client.create(TournamentSettings(name="cup", players=4))

    assert created.settings.players == 4
    assert created.state == TournamentState.TOURNAMENT_STATE_PLANNED
    for step in (client.start, client.pause, client.resume, client.cancel, client.get):
        assert (await step("cup")).settings.name == "cup"
    assert (await client.standings("cup")).standings[0].bot == "rex"


@pytest.mark.wire
async def test_watching_ends_with_the_tournament(client: AsyncTournamentClient) -> None:
    assert [now.matches_done async for now in client.watch("cup")] == [0, 1, 2]


@pytest.mark.wire
async def test_watching_tells_what_went_wrong(client: AsyncTournamentClient) -> None:
    with pytest.raises(RequestError) as caught:
        _ = [now async for now in client.watch("lost")]

    assert caught.value.status == "NOT_FOUND"


@pytest.mark.wire
async def test_watching_may_be_left(client: AsyncTournamentClient) -> None:
    watching = client.watch("endless")

    async for _ in watching:
        break
    await watching.aclose()


@pytest.mark.wire
async def test_a_record_is_joined_from_its_chunks(
    client: AsyncTournamentClient, service: Service
) -> None:
    record = await client.record("cup/1/1/0", attempt=2)

    assert record.decode() == "zwei große Stücke"
    assert (service.requests[0].match_id, service.requests[0].attempt) == ("cup/1/1/0", 2)


@pytest.mark.wire
async def test_what_is_played_is_asked_for_and_records_as_they_may_be_published(
    client: AsyncTournamentClient, service: Service
) -> None:
    assert (await client.live("cup", "cup/1/1/1")).more == 7
    await client.record("cup/1/1/0", for_all=True)

    live, record = service.requests
    assert (live.name, live.match_id, record.for_all) == ("cup", "cup/1/1/1", True)


@pytest.mark.wire
async def test_a_server_that_is_away_is_named() -> None:
    async with AsyncTournamentClient(server="127.0.0.1:1", token="t") as client:
        with pytest.raises(Unreachable) as caught:
            await client.get("cup")

    assert caught.value.what == "nothing answers at 127.0.0.1:1: connection refused."
    assert not isinstance(caught.value, Refused)


def test_the_admin_token_is_found_in_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "admin.token").write_text("secret\n")

    assert AsyncTournamentClient(data_dir="arena").target.token == "secret"


def test_an_admin_token_of_the_environment_goes_before_a_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAURODROME_TOKEN", "bots")
    assert AsyncTournamentClient().target.token == "bots"

    monkeypatch.setenv("SAURODROME_ADMIN_TOKEN", "admins")
    assert AsyncTournamentClient().target.token == "admins"


def test_without_an_admin_token_it_says_where_one_lies() -> None:
    with pytest.raises(InputError) as caught:
        AsyncTournamentClient(data_dir="arena")

    assert caught.value.code == "TOKEN_MISSING"
    assert "arena/admin.token" in caught.value.where
    assert "saurodrome serve" in caught.value.do
