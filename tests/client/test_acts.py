"""What organisers do to a running tournament, from the client's side."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from saurodrome.client.tournaments import AsyncTournamentClient, TournamentClient
from saurodrome.tournament.v1 import acts_pb2 as acts
from tests.client.tournaments_bench import Service, serve

pytestmark = pytest.mark.wire

Act = Callable[[AsyncTournamentClient], Awaitable[acts.TournamentEvent]]

ACTS: list[tuple[Act, acts.EventKind.ValueType, dict[str, Any]]] = [
    (
        lambda client: client.enter("cup", "rex", candidate=True),
        acts.EVENT_KIND_JOINED,
        {"name": "cup", "bot": "rex", "candidate": True, "reason": ""},
    ),
    (
        lambda client: client.withdraw("cup", "rex", reason="ill"),
        acts.EVENT_KIND_WITHDRAWN,
        {"name": "cup", "bot": "rex", "reason": "ill"},
    ),
    (
        lambda client: client.readmit("cup", "rex"),
        acts.EVENT_KIND_READMITTED,
        {"name": "cup", "bot": "rex", "reason": ""},
    ),
    (
        lambda client: client.disqualify("cup", "rex", reason="copied"),
        acts.EVENT_KIND_DISQUALIFIED,
        {"name": "cup", "bot": "rex", "reason": "copied"},
    ),
    (
        lambda client: client.void("cup/3/1", reason="power cut"),
        acts.EVENT_KIND_VOIDED,
        {"name": "cup", "match_id": "cup/3/1", "reason": "power cut"},
    ),
]


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncTournamentClient]:
    server, address = await serve(service)
    async with AsyncTournamentClient(server=address, token="srd_admin_a_b") as client:
        yield client
    await server.stop(None)


@pytest.mark.parametrize(("act", "kind", "asked"), ACTS)
async def test_an_act_that_does_not_come_through_is_the_same_act_again(
    act: Act,
    kind: acts.EventKind.ValueType,
    asked: dict[str, Any],
    client: AsyncTournamentClient,
    service: Service,
) -> None:
    service.fail_first = 1
    event = await act(client)
    assert (event.kind, event.reason) == (kind, asked["reason"])
    first, again = service.requests
    assert {field: getattr(first, field) for field in asked} == asked
    assert len(first.request_id) == 32
    assert again == first


async def test_what_was_done_comes_page_by_page(client: AsyncTournamentClient) -> None:
    assert [event.number async for event in client.events("cup")] == [0, 1, 2, 3, 4, 5]


def test_without_asyncio_there_are_the_same_acts() -> None:
    both = ("enter", "withdraw", "readmit", "disqualify", "void", "events")
    assert all(hasattr(TournamentClient, act) for act in both)
