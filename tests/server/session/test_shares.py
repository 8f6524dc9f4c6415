"""Where the time of a decision goes: what is charged, and what the arbiter takes for itself."""

import pytest

from saurodrome.server.frames import Reply
from saurodrome.server.port import Verdict
from tests.server.session.stage import Stage, question, turns
from tests.sim.loop import simulated
from tests.sim.transport import Way

SLOW = Way(fastest=0.1, slowest=0.1)


@simulated
async def test_what_a_bot_says_that_it_thought_is_told_apart_from_the_way() -> None:
    async with Stage() as stage:
        ann = await stage.come(way=SLOW)
        await stage.at(stage.loop.time() + 0.3)
        seat = await stage.sit()
        asked = seat.ask(question())
        await stage.at(stage.loop.time() + 0.4)  # it was there after 0.1 s, and thought for 0.3 s
        ann.send(Reply("d1", 8, thought=0.3))
        answer = await asked
    assert answer.charged == pytest.approx(0.5)
    assert answer.thought == pytest.approx(0.3)


@simulated
async def test_nobody_has_thought_for_longer_than_is_charged() -> None:
    async with Stage() as stage:
        ann = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await stage.at(stage.loop.time() + 0.2)
        ann.send(Reply("d1", 8, thought=50.0))
        answer = await asked
    assert answer.charged == answer.thought == pytest.approx(0.2)


@simulated
async def test_a_claim_changes_no_verdict() -> None:
    async with Stage() as stage:
        ann = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await stage.at(stage.loop.time() + 1.04)
        ann.send(Reply("d1", 8, thought=0.001))
        answer = await asked
    assert answer.verdict is Verdict.IN_MARGIN
    assert answer.charged == pytest.approx(1.04)


@simulated
async def test_waiting_for_a_turn_to_be_written_is_queue_and_not_charged() -> None:
    async with Stage() as stage:
        ann = await stage.come(way=Way(window=1), reads=False)
        seat = await stage.sit()  # its announcement waits for the reader
        asked = seat.ask(question())
        await stage.at(stage.loop.time() + 0.25)
        ann.read_on()
        await turns()
        await stage.at(stage.loop.time() + 0.1)
        ann.send(Reply("d1", 8))
        answer = await asked
    assert answer.queue == pytest.approx(0.25)
    assert answer.charged == pytest.approx(0.1)


@simulated
async def test_a_bot_that_is_away_has_no_queue_and_its_clock_runs() -> None:
    async with Stage() as stage:
        ann = await stage.come()
        seat = await stage.sit()
        ann.drop()
        await turns()
        asked = seat.ask(question())
        answer = await asked
    assert (answer.verdict, answer.queue, answer.thought) == (Verdict.TIMED_OUT, 0.0, 0.0)


@simulated
async def test_what_stood_still_is_told_and_not_charged() -> None:
    async with Stage(metered=True) as stage:
        ann = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        stage.loop.stall_at(stage.loop.time() + 0.1, 0.08)
        await stage.at(stage.loop.time() + 0.3)
        ann.send(Reply("d1", 8))
        answer = await asked
    assert answer.stalled == pytest.approx(0.08, abs=0.006)
    assert answer.charged == pytest.approx(0.22, abs=0.006)
