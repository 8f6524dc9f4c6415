"""A presence: streams that break and are opened again, without a network and without waiting."""

import asyncio
from pathlib import Path

import pytest

from saurodrome.client import (
    BotRaised,
    Decision,
    Disconnected,
    Faulted,
    Refused,
    ServerError,
    Unreachable,
)
from saurodrome.client._presence import LINGER_SECONDS, STEADY_SECONDS
from saurodrome.client.testing import decision
from tests.client.presence_bench import World

LOST = Unreachable("UNREACHABLE", "lost.", status="UNAVAILABLE", retry=True)
WRONG_PORT = Refused("WRONG_PORT", "speaks HTTP.", status="UNAVAILABLE")
SUPERSEDED = Refused("SUPERSEDED", "replaced.", status="ABORTED")
TAKEOVERS = Refused("TAKEOVERS", "too often.", status="RESOURCE_EXHAUSTED")


async def test_a_match_is_played_from_hello_to_the_end_of_the_stream() -> None:
    world = World(matches=1)
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()

    assert (await pipe.sent()).WhichOneof("frame") == "hello"
    pipe.welcome()
    pipe.start()
    assert (await pipe.sent()).WhichOneof("frame") == "goodbye"
    assert (await pipe.sent()).ready.match_id == "test/1/1/0"
    pipe.ask(decision())
    assert (await pipe.sent()).reply.action_id == 3
    pipe.end_match()
    pipe.end()

    assert (await run).done == 1
    assert pipe.closed


async def test_a_broken_stream_is_opened_again_soon_and_the_reply_sent_again() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()
    pipe.start()
    pipe.ask(decision())
    while (await pipe.sent()).WhichOneof("frame") != "reply":
        pass

    pipe.end(LOST)
    again = await world.pipes.get()
    again.welcome(open_matches=1)
    again.start()
    again.ask(decision())

    assert (await again.sent()).WhichOneof("frame") == "hello"
    assert (await again.sent()).WhichOneof("frame") == "ready"
    assert (await again.sent()).reply.action_id == 3
    assert world.waits[0] <= 0.1
    world.presence.stop()
    await run


async def test_a_server_that_is_away_is_tried_for_ever() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())

    for _ in range(50):
        (await world.pipes.get()).end(LOST)
    await world.pipes.get()

    assert len(world.waits) == 50
    assert all(0.2 <= wait <= 2.0 for wait in world.waits[1:])
    tries = [e.tries for e in world.events if isinstance(e, Disconnected)]
    assert tries == list(range(1, 51))
    world.presence.stop()
    await run


async def test_after_a_stream_that_lasted_the_wait_begins_anew() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    for _ in range(5):
        (await world.pipes.get()).end(LOST)
    steady = await world.pipes.get()
    steady.welcome()
    await asyncio.sleep(0)

    world.now += STEADY_SECONDS + 1.0
    steady.end(LOST)
    await world.pipes.get()

    assert world.waits[-1] <= 0.1
    world.presence.stop()
    await run


async def test_a_server_that_welcomes_and_hangs_up_is_not_hammered() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())

    for _ in range(6):
        pipe = await world.pipes.get()
        pipe.welcome()
        pipe.end(LOST)
    await world.pipes.get()

    assert all(wait >= 0.2 for wait in world.waits[1:])
    world.presence.stop()
    await run


async def test_it_gives_up_after_so_long_without_a_stream() -> None:
    world = World(give_up_after=5.0)
    run = asyncio.create_task(world.presence.play())

    async def refuse() -> None:
        while True:
            (await world.pipes.get()).end(LOST)

    refusing = asyncio.create_task(refuse())
    with pytest.raises(Unreachable):
        await run
    refusing.cancel()

    assert 3.0 <= world.now <= 5.0


@pytest.mark.parametrize("error", [SUPERSEDED, WRONG_PORT, TAKEOVERS])
async def test_a_refusal_at_the_first_try_ends_the_run(error: ServerError) -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())

    (await world.pipes.get()).end(error)

    with pytest.raises(Refused) as caught:
        await run
    assert caught.value is error
    assert world.waits == []


async def test_a_bot_that_was_replaced_does_not_come_back() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()

    pipe.end(SUPERSEDED)

    with pytest.raises(Refused):
        await run
    assert world.pipes.empty()


@pytest.mark.parametrize("error", [WRONG_PORT, TAKEOVERS])
async def test_what_may_pass_is_waited_for_by_a_bot_that_was_welcome(error: ServerError) -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()
    pipe.end(LOST)

    (await world.pipes.get()).end(error)
    await world.pipes.get()

    assert len(world.waits) == 2
    world.presence.stop()
    await run


async def test_a_first_failure_is_looked_into() -> None:
    needed = Refused("TLS_NEEDED", "wants TLS.", status="UNAVAILABLE")
    world = World(explained=needed)
    run = asyncio.create_task(world.presence.play())

    (await world.pipes.get()).end(LOST)

    with pytest.raises(Refused) as caught:
        await run
    assert caught.value is needed


async def test_a_stream_that_the_server_ends_in_order_is_opened_again() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()

    pipe.end()
    await world.pipes.get()

    told = [e.error.code for e in world.events if isinstance(e, Disconnected)]
    assert told == ["STREAM_ENDED"]
    assert world.connected == [True, False]
    world.presence.stop()
    await run


async def test_to_leave_before_any_welcome_ends_at_once() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    await world.pipes.get()

    world.presence.leave()

    async with asyncio.timeout(LINGER_SECONDS / 2):
        await run


async def test_to_leave_before_the_start_connects_nowhere() -> None:
    world = World()
    world.presence.leave()

    await world.presence.play()

    assert world.pipes.empty()


async def test_to_leave_finishes_the_open_match() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()
    pipe.start()
    while (await pipe.sent()).WhichOneof("frame") != "ready":
        pass

    world.presence.leave()
    assert (await pipe.sent()).WhichOneof("frame") == "goodbye"
    pipe.ask(decision())
    assert (await pipe.sent()).WhichOneof("frame") == "reply"
    assert not run.done()
    pipe.end_match()
    pipe.end()

    assert (await run).done == 1


async def test_a_fault_is_told_and_its_decision_kept(tmp_path: Path) -> None:
    world = World(lambda d: None)
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()
    pipe.start()
    pipe.ask(decision(default="S river"))

    while (frame := await pipe.sent()).WhichOneof("frame") != "reply":
        pass

    assert not frame.reply.HasField("choice")
    faulted = next(e for e in world.events if isinstance(e, Faulted))
    assert (faulted.error.code, faulted.saved) == ("BAD_REPLY", Path("last.decision"))
    assert (tmp_path / "last.decision").is_file()
    world.presence.stop()
    await run


async def test_a_folder_that_cannot_be_written_stops_no_bot(tmp_path: Path) -> None:
    (tmp_path / "last.decision").mkdir()
    world = World(lambda d: None)
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()
    pipe.start()
    pipe.ask(decision())

    while (await pipe.sent()).WhichOneof("frame") != "reply":
        pass

    assert next(e for e in world.events if isinstance(e, Faulted)).saved is None
    world.presence.stop()
    await run


def raises(d: Decision) -> int:
    raise ValueError("no idea")


async def test_in_strict_mode_the_first_fault_is_raised() -> None:
    world = World(raises, strict=True)
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()
    pipe.welcome()
    pipe.start()
    pipe.ask(decision())

    with pytest.raises(BotRaised) as caught:
        await run

    assert caught.value.what == "ValueError: no idea"
    assert caught.value.decision is not None
    assert pipe.closed


async def test_an_error_of_a_listener_is_not_swallowed() -> None:
    world = World()
    world.presence._on_event = lambda event, status: 1 / 0
    run = asyncio.create_task(world.presence.play())
    (await world.pipes.get()).welcome()

    with pytest.raises(ZeroDivisionError):
        await run


async def test_a_run_that_is_cancelled_closes_its_stream() -> None:
    world = World()
    run = asyncio.create_task(world.presence.play())
    pipe = await world.pipes.get()

    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run

    assert pipe.closed
