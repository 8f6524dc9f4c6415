"""READY has a budget of its own, apart from decision time."""

import pytest

from saurodrome.server.frames import Decision, MatchStarted, Ready
from tests.server.session.stage import MATCH, TIME, Stage, end, question, start, turns
from tests.sim.loop import simulated


@pytest.mark.case("P9")
@pytest.mark.parametrize(("share", "ready"), [(0.0, True), (0.9, True), (1.1, False)])
@simulated
async def test_a_bot_must_be_ready_within_its_budget(share: float, ready: bool) -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = stage.reserve()
        joined = seat.join(start())
        stage.loop.call_later(share * TIME.ready, peer.send, Ready(MATCH, 1))
        begun = stage.loop.time()
        assert await joined is ready
        took = stage.loop.time() - begun
        await stage.at(begun + 2 * TIME.ready)
    assert took == pytest.approx(min(share, 1.0) * TIME.ready, abs=1e-6)


@simulated
async def test_the_match_is_announced_once_and_not_yet_ready() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        stage.reserve().join(start())
        await turns()
        assert peer.got(MatchStarted) == [MatchStarted(start(), ready=False)]


@simulated
async def test_a_bot_that_returns_while_it_loads_is_told_that_it_is_not_ready_yet() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        joined = stage.reserve().join(start())
        await turns()
        peer.drop()
        await turns()
        again = await stage.come()
        assert again.got(MatchStarted) == [MatchStarted(start(), ready=False)]
        again.send(Ready(MATCH, 1))
        assert await joined is True


@simulated
async def test_a_bot_that_was_ready_need_not_say_so_again() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        joined = stage.reserve().join(start())
        peer.send(Ready(MATCH, 1))
        assert await joined is True
        peer.drop()
        await turns()
        again = await stage.come()
        assert again.got(MatchStarted) == [MatchStarted(start(), ready=True)]


@simulated
async def test_a_bot_whose_budget_ended_was_never_ready() -> None:
    async with Stage() as stage:
        joined = stage.reserve().join(start())
        assert await joined is False
        peer = await stage.come()
        assert peer.got(MatchStarted) == [MatchStarted(start(), ready=False)]


@pytest.mark.parametrize(
    "frame", [Ready("cup/1/1/2", 1), Ready(MATCH, 2)], ids=["match", "attempt"]
)
@simulated
async def test_ready_for_something_else_is_not_ready(frame: Ready) -> None:
    async with Stage() as stage:
        peer = await stage.come()
        joined = stage.reserve().join(start())
        peer.send(frame)
        await turns()
        assert not joined.done()
        assert stage.heard.all("surplus_frame") == [("ann", "unknown")]


@simulated
async def test_the_budget_runs_while_the_bot_is_away() -> None:
    async with Stage() as stage:
        begun = stage.loop.time()
        joined = stage.reserve().join(start())
        assert await joined is False
        assert stage.loop.time() - begun == pytest.approx(TIME.ready)


@simulated
async def test_loading_takes_nothing_from_the_first_decision() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = stage.reserve()
        joined = seat.join(start())
        stage.loop.call_later(0.9 * TIME.ready, peer.send, Ready(MATCH, 1))
        await joined
        seat.ask(question())
        await turns()
        (decision,) = peer.got(Decision)
    assert decision.remaining == TIME.decision


@simulated
async def test_leaving_while_a_bot_loads_ends_its_budget() -> None:
    async with Stage() as stage:
        seat = stage.reserve()
        joined = seat.join(start())
        seat.leave(end())
        assert await joined is False
        assert stage.loop.timers() == []
        assert stage.lobby.playing("ann") == 0
