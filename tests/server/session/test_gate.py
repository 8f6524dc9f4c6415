"""The gate: hello first, in ten seconds, and once; what is no frame ends the stream."""

import pytest

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Goodbye, Hello, Inbound, MatchStarted, Ready, Reply, Welcome
from saurodrome.server.session.gate import HELLO_TIME
from tests.server.session.stage import MATCH, MS, Stage, start, turns
from tests.sim.loop import simulated
from tests.sim.transport import Peer


async def refusal_of(peer: Peer) -> Refused:
    """Wait for the end of a stream and return what was refused."""
    refusal = await peer.ended
    assert refusal is not None
    return refusal


@simulated
async def test_the_welcome_is_the_first_frame_and_tells_name_and_capacity() -> None:
    async with Stage() as stage:
        peer = await stage.come("ann", Hello("1.0", "sdk", {}, 4))
        assert peer.inbox == [Welcome("ann", 4, (), 0)]
    assert stage.heard.all("session_opened") == [("ann", "sdk", "1.0")]


@pytest.mark.case("PA-03")
@pytest.mark.parametrize(
    "frame", [Ready(MATCH, 1), Reply("d1", 5), Goodbye()], ids=lambda f: type(f).__name__
)
@simulated
async def test_another_first_frame_than_hello_is_refused(frame: Inbound) -> None:
    async with Stage() as stage:
        peer = await stage.come(hello=None)
        peer.send(frame)
        refusal = await refusal_of(peer)
        assert not stage.lobby.connected("ann")
    assert (refusal.kind, refusal.code) == (Kind.WRONG_STATE, "HELLO_FIRST")


@simulated
async def test_hello_may_take_ten_seconds() -> None:
    async with Stage() as stage:
        peer = await stage.come(hello=None)
        stage.loop.call_later(HELLO_TIME - MS, peer.send, Hello())
        await stage.at(stage.loop.time() + 2 * HELLO_TIME)
        assert stage.lobby.connected("ann")
        assert not peer.ended.done()


@simulated
async def test_a_stream_without_a_hello_for_ten_seconds_is_refused() -> None:
    async with Stage() as stage:
        begun = stage.loop.time()
        peer = await stage.come(hello=None)
        refusal = await refusal_of(peer)
        assert stage.loop.time() - begun == pytest.approx(10.0)
    assert (refusal.kind, refusal.code) == (Kind.TIMEOUT, "HELLO_TIMEOUT")


@pytest.mark.case("PA-03")
@simulated
async def test_a_second_hello_ends_the_stream_and_makes_no_second_session() -> None:
    async with Stage() as stage:
        peer = await stage.come("ann", Hello(max_concurrent=2))
        session = stage.lobby.session("ann")
        peer.send(Hello(max_concurrent=64))
        refusal = await refusal_of(peer)
        await turns()
        assert stage.lobby.session("ann") is session
        assert session.capacity == 2
        assert not session.connected
    assert (refusal.kind, refusal.code) == (Kind.WRONG_STATE, "HELLO_TWICE")


@simulated
async def test_bytes_that_are_no_frame_are_refused_with_their_reason() -> None:
    malformed = Refused(Kind.INVALID, "MALFORMED", "These bytes are no frame.")
    async with Stage() as stage:
        first = await stage.come("ann", hello=None)
        first.send(malformed)
        assert await refusal_of(first) is malformed
        later = await stage.come("ann")
        later.send(malformed)
        assert await refusal_of(later) is malformed
        await turns()
        assert not stage.lobby.connected("ann")


@simulated
async def test_a_peer_that_goes_before_its_hello_leaves_no_trace() -> None:
    async with Stage() as stage:
        peer = await stage.come(hello=None)
        peer.drop()
        await turns()
        assert stage.loop.timers() == []
        assert stage.heard.events == []


@simulated
async def test_a_shut_gate_refuses_newcomers_and_keeps_those_inside() -> None:
    full = Refused(Kind.UNAVAILABLE, "DRAINING", "The server is about to stop.")
    async with Stage() as stage:
        inside = await stage.come("ann")
        stage.gate.shut(full)
        newcomer = await stage.come("bob")
        assert vars(await refusal_of(newcomer)) == vars(full)
        assert not inside.ended.done()
        assert stage.lobby.connected("ann")


@simulated
async def test_a_gate_that_is_shut_before_the_hello_comes_refuses_it() -> None:
    full = Refused(Kind.UNAVAILABLE, "DRAINING", "The server is about to stop.")
    async with Stage() as stage:
        peer = await stage.come(hello=None)
        stage.gate.shut(full)
        peer.send(Hello())
        assert vars(await refusal_of(peer)) == vars(full)
        assert not stage.lobby.connected("ann")


@simulated
async def test_the_lobby_hears_when_a_bot_comes_and_goes() -> None:
    async with Stage() as stage:
        seen: list[bool] = []
        stage.lobby.listen(lambda: seen.append(stage.lobby.connected("ann")))
        peer = await stage.come("ann")
        peer.finish()
        await turns()
    assert seen == [True, False]


@pytest.mark.parametrize("how", ["finish", "drop"])
@simulated
async def test_however_a_stream_ends_its_bot_is_away(how: str) -> None:
    async with Stage() as stage:
        peer = await stage.come("ann")
        getattr(peer, how)()
        await turns()
        assert not stage.lobby.connected("ann")
    assert stage.heard.all("session_closed") == [("ann", "disconnected")]


@simulated
async def test_a_new_stream_is_told_of_the_open_matches() -> None:
    async with Stage() as stage:
        await stage.sit("ann", "cup/1/1/1")
        await stage.sit("ann", "cup/1/2/1")
        peer = await stage.come("ann")
        (welcome,) = peer.got(Welcome)
        started = [frame.start for frame in peer.got(MatchStarted)]
    assert welcome.open_matches == 2
    assert started == [start("cup/1/1/1"), start("cup/1/2/1")]
