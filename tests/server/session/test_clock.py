"""A decision's clock: from the write to the read, whoever tries to bend it."""

import asyncio

import pytest

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Decision, Reply, VerdictFrame, VerdictKind
from saurodrome.server.port import Answer, TimeControl, Verdict
from tests.server.session.stage import MS, TIME, Stage, kinds, question, turns
from tests.sim.loop import simulated
from tests.sim.transport import Way

LIMIT, MARGIN = TIME.decision, TIME.margin


async def answered_at(stage: Stage, delay: float, action: int = 5) -> Answer:
    """Ask a bot that is here, and let it reply some seconds after it was asked."""
    peer = await stage.come()
    seat = await stage.sit()
    asked = seat.ask(question())
    stage.loop.call_later(delay, peer.send, Reply("d1", action))
    answer = await asked
    await turns()
    return answer


@pytest.mark.case("TO-02", "P5")
@pytest.mark.parametrize(
    ("delay", "verdict", "action"),
    [
        (0.0, Verdict.ACCEPTED, 5),
        (LIMIT - MS, Verdict.ACCEPTED, 5),
        (LIMIT + MS, Verdict.IN_MARGIN, 5),
        (LIMIT + MARGIN / 2, Verdict.IN_MARGIN, 5),
        (LIMIT + MARGIN - MS, Verdict.IN_MARGIN, 5),
        (LIMIT + MARGIN + MS, Verdict.TIMED_OUT, 3),
        (2 * LIMIT, Verdict.TIMED_OUT, 3),
    ],
)
@simulated
async def test_a_reply_counts_until_limit_and_margin_and_not_a_millisecond_longer(
    delay: float, verdict: Verdict, action: int
) -> None:
    async with Stage() as stage:
        answer = await answered_at(stage, delay)
    assert (answer.verdict, answer.action) == (verdict, action)


@pytest.mark.parametrize("delay", [0.0, 0.2, LIMIT, LIMIT + MARGIN / 2])
@simulated
async def test_what_is_charged_is_the_time_from_write_to_read(delay: float) -> None:
    async with Stage() as stage:
        assert (await answered_at(stage, delay)).charged == pytest.approx(delay, abs=1e-9)


@pytest.mark.case("P7")
@simulated
async def test_a_decision_that_timed_out_is_charged_at_least_its_limit() -> None:
    async with Stage() as stage:
        begun = stage.loop.time()
        answer = await answered_at(stage, 10.0)
        took = stage.loop.time() - begun
    assert answer.charged >= LIMIT
    assert took == pytest.approx(LIMIT + MARGIN)


@simulated
async def test_a_bot_is_told_that_it_timed_out_and_what_it_was_charged() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        await seat.ask(question())
        await turns()
        (verdict,) = peer.got(VerdictFrame)
        await seat_asks_again(stage, seat)
        previous = peer.got(Decision)[-1].previous
    assert (verdict.kind, verdict.decision_id) == (VerdictKind.TIMED_OUT, "d1")
    assert verdict.charged >= LIMIT
    assert previous is not None
    assert previous.timed_out
    assert previous.charged == verdict.charged


async def seat_asks_again(stage: Stage, seat: object) -> None:
    """Put a second question, and forget it."""
    seat.ask(question("d2"))  # type: ignore[attr-defined]
    await turns()


@pytest.mark.case("P6")
@pytest.mark.parametrize(
    ("delay", "in_margin"), [(0.5, False), (LIMIT + MARGIN / 2, True)], ids=["inside", "margin"]
)
@simulated
async def test_the_next_decision_tells_how_the_last_one_was_counted(
    delay: float, in_margin: bool
) -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        stage.loop.call_later(delay, peer.send, Reply("d1", 5))
        await asked
        seat.ask(question("d2"))
        await turns()
        first, second = peer.got(Decision)
    assert first.previous is None
    assert second.previous is not None
    assert second.previous.charged == pytest.approx(delay)
    assert second.previous.in_margin is in_margin
    assert not second.previous.timed_out


@simulated
async def test_an_accepted_reply_gets_no_frame_of_its_own() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await turns()
        before = len(peer.inbox)
        peer.send(Reply("d1", 5))
        await asked
        await turns()
        assert len(peer.inbox) == before


@pytest.mark.case("TO-02")
@simulated
async def test_a_late_reply_is_stale_and_leaves_the_following_decision_alone() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        stage.loop.call_later(LIMIT + MARGIN + MS, peer.send, Reply("d1", 5))
        await seat.ask(question())
        following = seat.ask(question("d2"))
        await asyncio.sleep(0.5)
        assert not following.done()
        assert kinds(peer) == [VerdictKind.TIMED_OUT, VerdictKind.STALE]
        peer.send(Reply("d2", 8))
        assert (await following).verdict is Verdict.ACCEPTED


# the clock starts when the decision opens


@simulated
async def test_the_clock_of_a_bot_that_is_away_starts_when_the_decision_opens() -> None:
    async with Stage() as stage:
        seat = await stage.sit()
        begun = stage.loop.time()
        answer = await seat.ask(question())
        assert answer.verdict is Verdict.TIMED_OUT
        assert stage.loop.time() - begun == pytest.approx(LIMIT + MARGIN)


@pytest.mark.case("P14")
@simulated
async def test_a_bot_that_was_away_gets_the_time_that_is_left_and_no_more() -> None:
    async with Stage() as stage:
        seat = await stage.sit()
        begun = stage.loop.time()
        asked = seat.ask(question())
        await stage.at(begun + 0.6)
        peer = await stage.come()
        (decision,) = peer.got(Decision)
        assert decision.remaining == pytest.approx(LIMIT - 0.6)
        await stage.at(begun + LIMIT + MARGIN + MS)
        assert asked.done()
        assert asked.result().verdict is Verdict.TIMED_OUT


@pytest.mark.parametrize(
    ("when", "verdict"),
    [
        (0.9, Verdict.ACCEPTED),
        (LIMIT + MARGIN / 2, Verdict.IN_MARGIN),
        (LIMIT + MARGIN + MS, Verdict.TIMED_OUT),
    ],
)
@simulated
async def test_coming_late_to_an_open_decision_gains_no_time(when: float, verdict: Verdict) -> None:
    async with Stage() as stage:
        seat = await stage.sit()
        begun = stage.loop.time()
        asked = seat.ask(question())
        await stage.at(begun + 0.8)
        peer = await stage.come()
        stage.loop.call_at(begun + when, peer.send, Reply("d1", 5))
        answer = await asked
    assert answer.verdict is verdict


@pytest.mark.case("TO-07", "P19")
@pytest.mark.parametrize(
    ("when", "verdict"),
    [
        (0.7, Verdict.ACCEPTED),
        (LIMIT + MARGIN / 2, Verdict.IN_MARGIN),
        (LIMIT + MARGIN + MS, Verdict.TIMED_OUT),
    ],
)
@simulated
async def test_coming_back_to_an_open_decision_gains_and_costs_no_time(
    when: float, verdict: Verdict
) -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        begun = stage.loop.time()
        asked = seat.ask(question())
        await stage.at(begun + 0.3)
        peer.drop()
        await stage.at(begun + 0.6)
        again = await stage.come()
        stage.loop.call_at(begun + when, again.send, Reply("d1", 5))
        answer = await asked
        (first,), (second,) = peer.got(Decision), again.got(Decision)
    assert second == first._replace(remaining=second.remaining)
    assert second.remaining == pytest.approx(LIMIT - 0.6)
    assert answer.verdict is verdict
    if verdict is not Verdict.TIMED_OUT:
        assert answer.charged == pytest.approx(when)


@simulated
async def test_losing_a_stream_costs_nothing_when_the_reply_comes_on_the_next_one() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await turns()
        peer.drop(notice=0.4)
        await asyncio.sleep(0.5)
        again = await stage.come()
        again.send(Reply("d1", 8))
        answer = await asked
    assert (answer.action, answer.verdict) == (8, Verdict.ACCEPTED)


@simulated
async def test_the_way_to_the_bot_and_back_is_the_bots_time() -> None:
    async with Stage() as stage:
        peer = await stage.come(way=Way(fastest=0.1, slowest=0.1))
        await asyncio.sleep(0.3)
        seat = await stage.sit()
        asked = seat.ask(question())
        await asyncio.sleep(0.15)
        assert len(peer.got(Decision)) == 1
        peer.send(Reply("d1", 5))
        assert (await asked).charged == pytest.approx(0.25)


@simulated
async def test_a_reader_that_holds_up_a_write_gains_no_time_by_it() -> None:
    async with Stage() as stage:
        peer = await stage.come(way=Way(window=2), reads=False)
        seat = await stage.sit()
        peer.read_on()
        peer.unread = 2  # two frames of another match are on the way
        asked = seat.ask(question())
        await asyncio.sleep(0.4)
        peer.unread = 0
        peer.make_room()
        await turns()
        stage.loop.call_later(0.5, peer.send, Reply("d1", 5))
        answer = await asked
    assert answer.verdict is Verdict.ACCEPTED
    assert answer.charged == pytest.approx(0.9)


# attempts to bend the clock


@pytest.mark.case("TO-07", "PA-06")
@simulated
async def test_illegal_replies_do_not_reset_the_clock() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        begun = stage.loop.time()
        asked = seat.ask(question(replies=100))
        for step in range(1, 10):
            await stage.at(begun + step * 0.1)
            peer.send(Reply("d1", 99))
            await turns()
            left = peer.got(VerdictFrame)[-1].remaining
            assert left == pytest.approx(LIMIT - step * 0.1)
        answer = await asked
        assert stage.loop.time() - begun == pytest.approx(LIMIT + MARGIN)
    assert (answer.verdict, answer.action, answer.illegal) == (Verdict.TIMED_OUT, 3, 9)


@simulated
async def test_each_decision_keeps_the_limit_of_its_own_match() -> None:
    async with Stage() as stage:
        await stage.come()
        short, long = TimeControl(decision=0.2, margin=0.0), TimeControl(decision=3.0, margin=0.0)
        quick = await stage.sit(match_id="cup/1/1/1")
        slow = await stage.sit(match_id="cup/1/2/1")
        begun = stage.loop.time()
        first = quick.ask(question("d1", time=short))
        second = slow.ask(question("d2", time=long))
        await first
        assert stage.loop.time() - begun == pytest.approx(0.2)
        await second
        assert stage.loop.time() - begun == pytest.approx(3.0)


@simulated
async def test_a_decision_whose_match_is_gone_forgets_its_clock() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await turns()
        seat.release()
        assert asked.cancelled()
        assert stage.loop.timers() == []
        peer.send(Reply("d1", 5))
        await turns()
        assert kinds(peer) == [VerdictKind.STALE]


@simulated
async def test_bytes_that_are_no_frame_end_the_stream_and_not_the_decision() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        seat = await stage.sit()
        asked = seat.ask(question())
        await turns()
        peer.send(Refused(Kind.INVALID, "MALFORMED", "These bytes are no frame."))
        refusal = await peer.ended
        again = await stage.come()
        again.send(Reply("d1", 5))
        assert (await asked).verdict is Verdict.ACCEPTED
    assert refusal is not None
    assert refusal.code == "MALFORMED"
