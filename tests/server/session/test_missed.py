"""Results that a bot missed are told once, when it is back."""

import pytest

from saurodrome.server.frames import Decision, Ended, Hello, MatchStarted, Welcome
from tests.server.session.stage import MATCH, Stage, end, question, turns
from tests.sim.loop import simulated
from tests.sim.transport import Way


@simulated
async def test_a_result_is_told_to_a_bot_that_is_here() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        seat.leave(end())
        await turns()
        assert peer.got(Ended) == [Ended(end())]
        peer.drop()
        await turns()
        again = await stage.come()
        assert again.got(Welcome)[0].missed == ()


@pytest.mark.case("RE-04")
@simulated
async def test_a_missed_result_stands_in_the_next_welcome_and_in_no_other() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        peer.drop()
        await turns()
        seat.leave(end())
        second = await stage.come()
        assert second.got(Welcome)[0].missed == (end(),)
        assert second.got(Ended) == []
        second.drop()
        await turns()
        third = await stage.come()
        assert third.got(Welcome)[0].missed == ()


@pytest.mark.case("RE-04")
@simulated
async def test_after_the_match_no_old_decision_is_sent() -> None:
    async with Stage() as stage:
        seat = await stage.sit()
        seat.ask(question())
        seat.leave(end())
        peer = await stage.come()
        assert peer.got(MatchStarted) == []
        assert peer.got(Decision) == []
        assert peer.got(Welcome)[0].open_matches == 0


@simulated
async def test_the_newest_32_missed_results_are_kept_oldest_first() -> None:
    async with Stage() as stage:
        for number in range(40):
            match_id = f"cup/1/{number}/1"
            (await stage.sit(match_id=match_id)).leave(end(match_id))
        peer = await stage.come()
        missed = [told.match_id for told in peer.got(Welcome)[0].missed]
    assert missed == [f"cup/1/{number}/1" for number in range(8, 40)]


@simulated
async def test_a_place_is_free_again_when_the_match_is_left_with_or_without_the_bot() -> None:
    async with Stage() as stage:
        await stage.come("ann")
        for bot in ("ann", "bob"):
            seat = await stage.sit(bot, MATCH)
            assert stage.lobby.playing(bot) == 1
            seat.leave(end())
            assert stage.lobby.playing(bot) == 0


@simulated
async def test_a_result_that_could_not_leave_a_stream_stands_in_the_next_welcome() -> None:
    async with Stage() as stage:
        deaf = await stage.come(way=Way(window=1), reads=False)
        for number in (1, 2):
            match_id = f"cup/1/{number}/1"
            (await stage.sit(match_id=match_id)).leave(end(match_id))
        await turns()
        deaf.drop()
        await turns()
        again = await stage.come()
        missed = [told.match_id for told in again.got(Welcome)[0].missed]
    assert missed == ["cup/1/1/1", "cup/1/2/1"]


@simulated
async def test_a_result_that_a_superseded_stream_did_not_take_stands_in_the_next_welcome() -> None:
    async with Stage() as stage:
        await stage.come(way=Way(window=1), reads=False)
        (await stage.sit()).leave(end())
        await turns()
        newer = await stage.come()
        assert newer.got(Welcome)[0].missed == (end(),)


@simulated
async def test_a_result_in_the_moment_of_a_refusal_stands_in_the_next_welcome() -> None:
    async with Stage() as stage:
        await stage.come()
        seat = await stage.sit()
        stage.lobby.session("ann").close(None)
        seat.leave(end())
        await turns()
        again = await stage.come()
        assert again.got(Welcome)[0].missed == (end(),)


@simulated
async def test_results_of_a_welcome_that_did_not_leave_stand_in_the_next_one() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        peer.drop()
        await turns()
        seat.leave(end())
        hasty = await stage.come(hello=None)
        hasty.send(Hello(), Hello())  # the second ends the stream before anything is written
        refusal = await hasty.ended
        assert refusal is not None
        assert (refusal.code, hasty.got(Welcome)) == ("HELLO_TWICE", [])
        again = await stage.come()
        assert again.got(Welcome)[0].missed == (end(),)
