"""The client of TournamentService for scripts without asyncio."""

import asyncio
import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from saurodrome.client import InputError, RequestError
from saurodrome.client.tournaments import TournamentClient, TournamentSettings
from tests.client.tournaments_bench import Service, serve

pytestmark = pytest.mark.wire


@pytest.fixture
def blocking() -> Iterator[TournamentClient]:
    """A blocking client of a server in another thread."""
    address: list[str] = []
    up, down = threading.Event(), threading.Event()

    async def run() -> None:
        server, found = await serve(Service())
        address.append(found)
        up.set()
        await asyncio.to_thread(down.wait, 30)
        await server.stop(None)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(10)
    with TournamentClient(server=address[0], token="srd_admin_a_b") as client:
        yield client
    down.set()
    thread.join(10)


def test_without_asyncio_it_is_the_same(blocking: TournamentClient) -> None:
    assert blocking.register_bot("rex").token == "srd_bot_x"
    assert blocking.rotate_token("rex") == "srd_bot_y"
    assert len(blocking.list_bots()) == 5
    assert blocking.create(TournamentSettings(name="cup")).settings.name == "cup"
    steps = (blocking.start, blocking.pause, blocking.resume, blocking.cancel, blocking.get)
    assert [step("cup").settings.name for step in steps] == ["cup"] * 5
    assert [t.log_position for t in blocking.list()] == [0, 1, 2]
    assert [now.matches_done for now in blocking.watch("cup")] == [0, 1, 2]
    assert blocking.standings("cup").standings[0].rank == 1
    assert len(list(blocking.faults("cup"))) == 3
    assert [m.log_position for m in blocking.matches("cup")] == [0, 1, 2, 3, 4, 5]
    assert blocking.live("cup").more == 7
    assert blocking.record("cup/1/1/0").decode() == "zwei große Stücke"


def test_without_asyncio_watching_may_be_left(blocking: TournamentClient) -> None:
    watching = blocking.watch("endless")

    assert next(watching).matches_done == 0
    watching.close()  # type: ignore[attr-defined]  # it is a generator

    assert blocking.get("cup").settings.name == "cup"


def test_a_half_read_listing_may_outlive_its_client(blocking: TournamentClient) -> None:
    listings = [blocking.matches("cup"), blocking.watch("endless"), blocking.faults("cup")]
    for listing in listings[:2]:
        next(listing)
    blocking.close()

    with pytest.raises(InputError) as caught:
        next(listings[0])
    assert caught.value.code == "CLIENT_CLOSED"
    del listings, listing
    gc.collect()  # what goes wrong in here is a warning, and so an error


def test_a_client_may_be_closed_twice(blocking: TournamentClient) -> None:
    blocking.close()
    blocking.close()

    with pytest.raises(InputError):
        blocking.get("cup")


def test_without_asyncio_errors_are_the_same(blocking: TournamentClient) -> None:
    with pytest.raises(RequestError):
        blocking.register_bot("taken")


async def test_it_may_be_used_where_an_event_loop_runs(
    blocking: TournamentClient, caplog: pytest.LogCaptureFixture
) -> None:
    """Two event loops in one process are more than gRPC bears: it must not bring another."""
    seen = await asyncio.to_thread(lambda: [blocking.get("cup") for _ in range(50)])
    assert blocking.get("cup").settings.name == "cup"
    assert len(seen) == 50
    assert caplog.records == []


def test_several_threads_may_share_it(
    blocking: TournamentClient, caplog: pytest.LogCaptureFixture
) -> None:
    with ThreadPoolExecutor(4) as pool:
        listed = list(pool.map(lambda _: len(blocking.list_bots()), range(20)))
    assert listed == [5] * 20
    assert caplog.records == []
