"""A newer stream of the same bot takes over, unless streams fight."""

import gc
from weakref import ref

import pytest

from saurodrome.server.errors import Kind
from saurodrome.server.frames import Decision, Goodbye, Reply
from saurodrome.server.port import Verdict
from saurodrome.server.session.session import MAX_TAKEOVERS
from tests.server.session.stage import Stage, question, turns
from tests.sim.loop import simulated
from tests.sim.transport import Link, Way


@simulated
async def test_the_older_stream_is_superseded() -> None:
    async with Stage() as stage:
        old = await stage.come()
        new = await stage.come()
        refusal = await old.ended
        assert not new.ended.done()
        assert stage.lobby.connected("ann")
    assert refusal is not None
    assert (refusal.kind, refusal.code) == (Kind.SUPERSEDED, "SUPERSEDED")
    assert stage.heard.all("session_closed")[0] == ("ann", "SUPERSEDED")


@simulated
async def test_the_newer_stream_gets_the_open_decision_with_the_time_that_is_left() -> None:
    async with Stage() as stage:
        old = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await stage.at(stage.loop.time() + 0.4)
        new = await stage.come()
        (first,), (second,) = old.got(Decision), new.got(Decision)
        new.send(Reply("d1", 8))
        answer = await asked
    assert second.remaining == pytest.approx(0.6)
    assert second == first._replace(remaining=second.remaining)
    assert (answer.action, answer.verdict) == (8, Verdict.ACCEPTED)
    assert answer.charged == pytest.approx(0.4)


@pytest.mark.case("SE-08")
@simulated
async def test_a_fourth_takeover_in_a_minute_is_refused_and_the_incumbent_stays() -> None:
    async with Stage() as stage:
        peers = [await stage.come() for _ in range(1 + MAX_TAKEOVERS)]
        newcomer = await stage.come()
        refusal = await newcomer.ended
        assert [peer.ended.done() for peer in peers] == [True, True, True, False]
        assert stage.lobby.connected("ann")
    assert MAX_TAKEOVERS == 3
    assert refusal is not None
    assert (refusal.kind, refusal.code) == (Kind.EXHAUSTED, "TAKEOVERS")


@simulated
async def test_nothing_is_left_of_streams_that_fought() -> None:
    """A refusal that was kept would keep every stream that ever got it."""

    async def fight() -> list[ref[Link]]:
        async with Stage() as stage:
            for _ in range(10 + MAX_TAKEOVERS):
                await stage.come()
        assert stage.heard.all("session_closed")
        return [ref(link) for link, _ in stage._streams]

    links = await fight()
    gc.collect()
    assert len(links) == 10 + MAX_TAKEOVERS
    assert [link for link in links if link() is not None] == []


@simulated
async def test_the_incumbent_of_a_fight_plays_on() -> None:
    async with Stage() as stage:
        peers = [await stage.come() for _ in range(2 + MAX_TAKEOVERS)]
        incumbent = peers[MAX_TAKEOVERS]
        seat = await stage.sit()
        asked = seat.ask(question())
        incumbent.send(Reply("d1", 8))
        assert (await asked).action == 8


@simulated
async def test_a_minute_later_takeovers_are_granted_again() -> None:
    async with Stage() as stage:
        for _ in range(1 + MAX_TAKEOVERS):
            await stage.come()
        await stage.at(stage.loop.time() + 60.0)
        newest = [await stage.come() for _ in range(MAX_TAKEOVERS)][-1]
        assert not newest.ended.done()


@simulated
async def test_coming_back_after_a_loss_is_no_takeover() -> None:
    async with Stage() as stage:
        for _ in range(5 * MAX_TAKEOVERS):
            peer = await stage.come()
            assert not peer.ended.done()
            peer.drop()
            await turns()
        assert not (await stage.come()).ended.done()


@simulated
async def test_the_end_of_the_older_stream_does_not_touch_the_newer_one() -> None:
    async with Stage() as stage:
        old = await stage.come()
        new = await stage.come()
        old.drop()
        await turns()
        assert stage.lobby.connected("ann")
        assert not new.ended.done()
        assert stage.heard.all("session_closed") == [("ann", "SUPERSEDED")]


@simulated
async def test_frames_of_the_older_stream_no_longer_count() -> None:
    async with Stage() as stage:
        old = await stage.come(way=Way(fastest=0.1, slowest=0.1))
        await stage.at(stage.loop.time() + 0.3)
        seat = await stage.sit()
        asked = seat.ask(question())
        old.send(Reply("d1", 5), Goodbye())  # on their way when the newer stream comes
        new = await stage.come()
        await stage.at(stage.loop.time() + 0.2)
        assert not asked.done()
        assert stage.lobby.connected("ann")
        new.send(Reply("d1", 8))
        assert (await asked).action == 8


@simulated
async def test_frames_that_were_read_ahead_on_the_older_stream_no_longer_count() -> None:
    """A reader may hand over one more frame that it had at hand when the stream was closed."""
    async with Stage() as stage:
        old = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await turns()
        stage.lobby.session("ann")._stream.close(None)  # type: ignore[union-attr]
        old.link._closed = False  # this transport would go on to hand frames over
        old.link.carry(Reply("d1", 5))
        await turns()
        assert not asked.done()
        seat.release()


@simulated
async def test_a_takeover_takes_no_place_and_frees_none() -> None:
    async with Stage() as stage:
        await stage.come()
        await stage.sit()
        await stage.come()
        assert stage.lobby.playing("ann") == 1
        assert not stage.lobby.free("ann", "draftosaurus", "summer")
