"""The writing side: nobody waits for a bot that does not read, and such a bot is cut."""

import pytest

from saurodrome.server.errors import Kind
from saurodrome.server.frames import Decision, Draining, Hello, Reply, Welcome
from saurodrome.server.port import Verdict
from saurodrome.server.session.stream import OUTBOX_FRAMES, WRITE_LIMIT
from tests.server.session.stage import TIME, Stage, question, turns
from tests.sim.loop import simulated
from tests.sim.transport import Way

NARROW = Way(window=1)
"""Only the welcome fits; every further frame waits for the peer to read."""
NOTE = Draining(1.0, "a frame like any other")


@simulated
async def test_frames_arrive_in_the_order_in_which_they_were_sent() -> None:
    async with Stage() as stage:
        peer = await stage.come(way=Way(fastest=0.001, slowest=0.2))
        session = stage.lobby.session("ann")
        await stage.at(stage.loop.time() + 0.5)
        sent = [Draining(float(number), "") for number in range(50)]
        for frame in sent:
            session.send(frame)
        await stage.at(stage.loop.time() + 30.0)
        assert peer.got(Draining) == sent
        assert isinstance(peer.inbox[0], Welcome)


@simulated
async def test_a_silent_stream_stays_open() -> None:
    """An hour of thinking without a frame is no reason to cut anybody."""
    async with Stage() as stage:
        peer = await stage.come()
        await stage.at(stage.loop.time() + 3600.0)
        assert not peer.ended.done()


@pytest.mark.case("TO-06")
@simulated
async def test_a_bot_that_does_not_read_for_two_seconds_is_cut_when_more_is_to_be_told() -> None:
    async with Stage() as stage:
        peer = await stage.come(way=NARROW, reads=False)
        session = stage.lobby.session("ann")
        session.send(NOTE)
        await stage.at(stage.loop.time() + WRITE_LIMIT - 0.1)
        session.send(NOTE)
        await turns()
        assert stage.lobby.connected("ann")
        await stage.at(stage.loop.time() + 0.2)
        session.send(NOTE)
        await turns()
        assert not stage.lobby.connected("ann")
        peer.read_on()
        refusal = await peer.ended
    assert refusal is not None
    assert (refusal.kind, refusal.code) == (Kind.EXHAUSTED, "SLOW_READER")
    assert stage.heard.all("session_closed") == [("ann", "SLOW_READER")]


@simulated
async def test_a_bot_that_lets_too_many_frames_queue_is_cut_at_once() -> None:
    async with Stage() as stage:
        await stage.come(way=NARROW, reads=False)
        session = stage.lobby.session("ann")
        for _ in range(OUTBOX_FRAMES + 2):
            session.send(NOTE)
        await turns()
        assert not session.connected


@simulated
async def test_a_burst_that_fits_cuts_nobody() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        session = stage.lobby.session("ann")
        for _ in range(OUTBOX_FRAMES):
            session.send(NOTE)
        await turns(3 * OUTBOX_FRAMES)
        assert session.connected
        assert len(peer.got(Draining)) == OUTBOX_FRAMES


@pytest.mark.case("TO-06")
@simulated
async def test_a_bot_that_does_not_read_loses_by_the_clock_and_keeps_nobody_waiting() -> None:
    async with Stage() as stage:
        await stage.come("ann", way=NARROW, reads=False)
        seat = await stage.sit("ann")
        begun = stage.loop.time()
        for number in range(4):
            answer = await seat.ask(question(f"d{number}"))
            assert answer.verdict is Verdict.TIMED_OUT
        took = stage.loop.time() - begun
    assert took == pytest.approx(4 * (TIME.decision + TIME.margin))


@simulated
async def test_a_bot_that_was_cut_may_come_back_to_its_open_decision() -> None:
    async with Stage() as stage:
        await stage.come(way=NARROW, reads=False)
        seat = await stage.sit()
        asked = seat.ask(question())
        session = stage.lobby.session("ann")
        for _ in range(OUTBOX_FRAMES + 2):
            session.send(NOTE)
        await turns()
        again = await stage.come()
        assert len(again.got(Decision)) == 1
        again.send(Reply("d1", 8))
        assert (await asked).action == 8


@simulated
async def test_writing_to_a_stream_that_just_broke_harms_nobody() -> None:
    async with Stage() as stage:
        peer = await stage.come(hello=Hello(max_concurrent=2))
        session = stage.lobby.session("ann")
        peer.drop()
        session.send(NOTE)
        await turns()
        session.send(NOTE)
        assert not session.connected
