"""Events of tournaments: append-only, in their place in the log, once a request."""

import pytest

from saurodrome.server.errors import Refused
from saurodrome.server.store.interface import BadBatch, Store
from saurodrome.server.store.records import Event, EventKind
from tests.server.store.samples import (
    CUP,
    batch_of,
    furnish,
    match_id,
    new_event,
    new_result,
    placed,
)

WHAT = ("", "a reason: é", "olga", 250.5)


async def test_an_event_comes_back_as_it_was_appended(store: Store) -> None:
    await furnish(store)
    given = await store.add_event(new_event(request_id="r"))
    assert given == Event(1, CUP, 0, EventKind.WITHDRAWN, "ada", "", *WHAT, "r")
    assert await store.events(CUP) == (given,)


async def test_an_event_knows_the_result_that_it_follows(store: Store) -> None:
    await furnish(store)
    await store.add_event(new_event())
    await store.commit(batch_of(placed(new_result(1), 1), placed(new_result(2), 2)))
    voided = await store.add_event(new_event(EventKind.VOIDED, "", match=match_id(1), position=2))
    await store.commit(batch_of(placed(new_result(3), 3)))
    await store.add_event(new_event(EventKind.READMITTED, position=3))
    assert [(e.number, e.position) for e in await store.events(CUP)] == [(1, 0), (2, 2), (3, 3)]
    assert (voided.bot, voided.match_id) == ("", match_id(1))
    assert len(await store.results(CUP)) == 3  # the log of results stays as it is


@pytest.mark.parametrize("position", [0, 3])
async def test_an_event_comes_behind_the_others_and_not_before_its_result(
    store: Store, position: int
) -> None:
    await furnish(store)
    await store.commit(batch_of(placed(new_result(1), 1), placed(new_result(2), 2)))
    await store.add_event(new_event(position=1))
    with pytest.raises(BadBatch):
        await store.add_event(new_event(position=position))
    assert len(await store.events(CUP)) == 1


async def test_a_request_that_comes_again_gives_the_same_event(store: Store) -> None:
    await furnish(store)
    first = await store.add_event(new_event(request_id="r"))
    await store.commit(batch_of(placed(new_result(1), 1)))
    again = new_event(EventKind.READMITTED, position=1, request_id="r")
    assert await store.add_event(again) == first
    assert await store.events(CUP) == (first,)


async def test_requests_without_an_id_have_nothing_in_common(store: Store) -> None:
    await furnish(store)
    assert [(await store.add_event(new_event())).number for _ in range(3)] == [1, 2, 3]


async def test_each_tournament_has_its_own_events_and_requests(store: Store) -> None:
    await furnish(store, (CUP, "other"))
    for name in (CUP, "other"):
        assert (await store.add_event(new_event(tournament=name, request_id="r"))).number == 1
    assert [event.tournament for event in await store.events("other")] == ["other"]
    assert await store.events("nothing") == ()


@pytest.mark.parametrize(
    ("tournament", "bot", "code"),
    [("nothing", "ada", "UNKNOWN_TOURNAMENT"), (CUP, "eve", "UNKNOWN_BOT")],
)
async def test_events_of_what_is_not_there_are_refused(
    store: Store, tournament: str, bot: str, code: str
) -> None:
    await furnish(store)
    with pytest.raises(Refused) as refused:
        await store.add_event(new_event(bot=bot, tournament=tournament))
    assert refused.value.code == code
    assert await store.events(tournament) == ()
