"""Goodbye: no new matches, the open ones to their end, then OK."""

from saurodrome.server.frames import Decision, Ended, Goodbye, Hello, Reply
from tests.server.session.stage import GAME, MATCH, Stage, end, question, turns
from tests.sim.loop import simulated


@simulated
async def test_goodbye_without_matches_ends_the_stream_with_ok() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        peer.send(Goodbye())
        assert await peer.ended is None
    assert stage.heard.all("session_closed") == [("ann", "goodbye")]


@simulated
async def test_a_bot_that_said_goodbye_gets_no_new_match() -> None:
    async with Stage() as stage:
        peer = await stage.come(hello=Hello(max_concurrent=2))
        await stage.sit()
        peer.send(Goodbye())
        await turns()
        assert not stage.lobby.connected("ann")
        assert not stage.lobby.free("ann", *GAME)
        assert not peer.ended.done()


@simulated
async def test_open_matches_go_on_after_goodbye_and_the_stream_ends_behind_the_last_one() -> None:
    async with Stage() as stage:
        peer = await stage.come(hello=Hello(max_concurrent=2))
        first = await stage.sit(match_id="cup/1/1/1")
        second = await stage.sit(match_id="cup/1/2/1")
        peer.send(Goodbye())
        asked = first.ask(question())
        await turns()
        assert len(peer.got(Decision)) == 1
        peer.send(Reply("d1", 8))
        assert (await asked).action == 8
        first.leave(end("cup/1/1/1"))
        await turns()
        assert not peer.ended.done()
        second.leave(end("cup/1/2/1"))
        assert await peer.ended is None
        assert peer.got(Ended) == [Ended(end("cup/1/1/1")), Ended(end("cup/1/2/1"))]


@simulated
async def test_a_bot_that_left_may_come_back_and_plays_again() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        peer.send(Goodbye())
        await peer.ended
        again = await stage.come()
        assert stage.lobby.free("ann", *GAME)
        assert not again.ended.done()


@simulated
async def test_a_bot_that_said_goodbye_and_returns_before_its_match_ended_stays() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        peer.send(Goodbye())
        await turns()
        again = await stage.come()
        seat.leave(end(MATCH))
        await turns()
        assert not again.ended.done()
        assert stage.lobby.free("ann", *GAME)


@simulated
async def test_its_absence_begins_with_the_goodbye_and_not_with_another_one() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        await stage.sit()
        peer.send(Goodbye())
        await stage.at(stage.loop.time() + 10.0)
        peer.send(Goodbye())
        await turns()
        assert stage.lobby.away_for("ann", *GAME) == 10.0
        assert stage.heard.all("surplus_frame") == [("ann", "duplicate")]
