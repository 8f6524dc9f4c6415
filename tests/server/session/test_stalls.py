"""No bot pays for the arbiter: what its stalls do to meters, decisions and READY budgets."""

import pytest

from saurodrome.server.frames import Reply
from saurodrome.server.port import Answer, TimeControl, Verdict
from saurodrome.server.session.decision import SECOND_LOOK
from saurodrome.server.session.stalls import STALL, TICK
from tests.server.session.stage import MS, TIME, Stage, question, start, turns
from tests.sim.loop import simulated
from tests.sim.transport import Way

LIMIT, MARGIN = TIME.decision, TIME.margin
SLACK = TICK + MS
"""A stall is noticed from the tick on that it delays, so it may be counted this much shorter."""


async def ask_under_stalls(
    stage: Stage, stalls: list[tuple[float, float]], reply_after: float | None = None
) -> tuple[Answer, float]:
    """Ask, stand still (when, how long) after the question, and let the bot reply or be silent.

    Returns:
        The answer, and how long it took.
    """
    peer = await stage.come(way=Way(fastest=MS, slowest=MS))
    await stage.at(stage.loop.time() + 0.1)
    seat = await stage.sit()
    await stage.at(stage.loop.time() + 0.1)
    begun = stage.loop.time()
    asked = seat.ask(question())
    for when, seconds in stalls:
        stage.loop.stall_at(begun + when, seconds)
    if reply_after is not None:
        stage.loop.call_at(begun + reply_after - MS, peer.send, Reply("d1", 5))
    answer = await asked
    return answer, stage.loop.time() - begun


# the meter


@simulated
async def test_a_loop_that_never_stalls_has_no_stalls() -> None:
    async with Stage(metered=True) as stage:
        begun = stage.loop.time()
        await stage.at(begun + 5.0)
        assert stage.meter.within(begun, stage.loop.time()) == 0.0
        assert stage.heard.all("loop_stalled") == []


@pytest.mark.parametrize("stall", [0.02, 0.1, 3.0])
@simulated
async def test_a_stall_is_measured_within_a_tick_and_told_once(stall: float) -> None:
    async with Stage(metered=True) as stage:
        begun = stage.loop.time()
        stage.loop.stall_at(begun + 1.0, stall)
        await stage.at(begun + 5.0)
        assert stage.meter.within(begun, stage.loop.time()) == pytest.approx(stall, abs=SLACK)
        (told,) = stage.heard.all("loop_stalled")
    assert told[0] == pytest.approx(stall, abs=SLACK)


@simulated
async def test_a_delay_of_a_few_milliseconds_is_no_stall() -> None:
    async with Stage(metered=True) as stage:
        begun = stage.loop.time()
        for tenth in range(10):
            stage.loop.stall_at(begun + tenth / 10, STALL * 0.9)
        await stage.at(begun + 2.0)
        assert stage.meter.within(begun, stage.loop.time()) == 0.0


@simulated
async def test_only_the_part_of_a_stall_inside_the_window_counts() -> None:
    async with Stage(metered=True) as stage:
        begun = stage.loop.time()
        stage.loop.stall_at(begun + 1.0, 1.0)
        await stage.at(begun + 3.0)
        meter = stage.meter
        assert meter.within(begun, begun + 0.9) == 0.0
        assert meter.within(begun + 2.1, begun + 3.0) == 0.0
        assert meter.within(begun, begun + 1.5) == pytest.approx(0.5, abs=SLACK)
        assert meter.within(begun + 1.5, begun + 3.0) == pytest.approx(0.5, abs=SLACK)
        assert meter.within(begun + 1.25, begun + 1.75) == pytest.approx(0.5, abs=SLACK)


@simulated
async def test_several_stalls_add_up() -> None:
    async with Stage(metered=True) as stage:
        begun = stage.loop.time()
        for second in (1, 2, 3):
            stage.loop.stall_at(begun + second, 0.2)
        await stage.at(begun + 5.0)
        total = stage.meter.within(begun, stage.loop.time())
    assert total == pytest.approx(0.6, abs=3 * SLACK)


@simulated
async def test_a_stall_counts_before_the_tick_that_ends_it() -> None:
    async with Stage(metered=True) as stage:
        await stage.at(stage.loop.time() + 1.0)
        begun = stage.loop.time()
        stage.loop.stall(0.5)
        assert stage.meter.within(begun, stage.loop.time()) == pytest.approx(0.5, abs=SLACK)


@simulated
async def test_a_meter_that_is_stopped_leaves_no_timer() -> None:
    async with Stage(metered=True) as stage:
        stage.meter.stop()
        assert stage.loop.timers() == []
        stage.meter.stop()


# a decision under a short stall


@pytest.mark.parametrize("stall", [0.02, 0.06, 0.095])
@simulated
async def test_a_stall_under_a_tenth_of_a_second_is_not_charged(stall: float) -> None:
    async with Stage(metered=True) as stage:
        answer, _ = await ask_under_stalls(stage, [(0.45, stall)], reply_after=0.5)
    read = max(0.5, 0.45 + stall)
    assert answer.verdict is Verdict.ACCEPTED
    assert answer.charged == pytest.approx(read - stall, abs=SLACK)


@simulated
async def test_a_reply_that_came_during_a_stall_at_the_limit_is_read_and_counts() -> None:
    async with Stage(metered=True) as stage:
        answer, _ = await ask_under_stalls(stage, [(0.98, 0.09)], reply_after=0.99)
    assert answer.verdict is Verdict.ACCEPTED
    assert answer.action == 5


@pytest.mark.parametrize("stall", [0.03, 0.09])
@simulated
async def test_after_a_short_stall_the_session_looks_again_for_as_long_as_it_lasted(
    stall: float,
) -> None:
    async with Stage(metered=True) as stage:
        answer, took = await ask_under_stalls(stage, [(0.5, stall)])
    assert answer.verdict is Verdict.TIMED_OUT
    assert took == pytest.approx(LIMIT + MARGIN + stall, abs=SLACK)


@simulated
async def test_a_reply_at_the_second_look_counts_with_the_stall_taken_off() -> None:
    stall = 0.09
    async with Stage(metered=True) as stage:
        late = LIMIT + MARGIN + stall / 2
        answer, _ = await ask_under_stalls(stage, [(0.5, stall)], reply_after=late)
    assert answer.verdict is Verdict.IN_MARGIN
    assert answer.charged == pytest.approx(late - stall, abs=SLACK)


@simulated
async def test_without_a_stall_nobody_looks_again() -> None:
    async with Stage(metered=True) as stage:
        answer, took = await ask_under_stalls(stage, [(0.5, STALL / 2)])
    assert answer.verdict is Verdict.TIMED_OUT
    assert took == pytest.approx(LIMIT + MARGIN, abs=MS)


@simulated
async def test_a_stall_before_the_decision_gives_it_no_time() -> None:
    async with Stage(metered=True) as stage:
        await stage.come()
        seat = await stage.sit()
        stage.loop.stall_at(stage.loop.time() + 0.5, 0.09)
        await stage.at(stage.loop.time() + 1.0)
        begun = stage.loop.time()
        answer = await seat.ask(question())
        assert answer.verdict is Verdict.TIMED_OUT
        assert stage.loop.time() - begun == pytest.approx(LIMIT + MARGIN, abs=MS)


# a decision under a long stall


@pytest.mark.parametrize("stall", [0.15, 0.7, 4.0])
@simulated
async def test_a_reply_that_lay_unread_in_a_long_stall_counts(stall: float) -> None:
    async with Stage(metered=True) as stage:
        answer, _ = await ask_under_stalls(stage, [(0.45, stall)], reply_after=0.5)
    assert (answer.verdict, answer.action) == (Verdict.ACCEPTED, 5)
    assert answer.charged == pytest.approx(0.5, abs=0.05 + SLACK)


@pytest.mark.parametrize("stall", [0.15, 0.7, 4.0])
@simulated
async def test_a_long_stall_times_the_decision_once_more_from_its_start(stall: float) -> None:
    async with Stage(metered=True) as stage:
        answer, took = await ask_under_stalls(stage, [(0.5, stall)])
    first = max(LIMIT + MARGIN, 0.5 + stall) + SECOND_LOOK
    assert answer.verdict is Verdict.TIMED_OUT
    assert answer.charged >= LIMIT
    assert took == pytest.approx(first + LIMIT + MARGIN, abs=3 * SLACK)


@simulated
async def test_a_reply_in_the_second_timing_counts() -> None:
    async with Stage(metered=True) as stage:
        answer, _ = await ask_under_stalls(stage, [(0.5, 0.4)], reply_after=2.0)
    assert answer.verdict is Verdict.ACCEPTED
    assert answer.charged <= LIMIT


@simulated
async def test_a_second_long_stall_makes_the_attempt_void() -> None:
    async with Stage(metered=True) as stage:
        answer, took = await ask_under_stalls(stage, [(0.5, 0.4), (1.8, 0.4)])
    assert answer.verdict is Verdict.VOID
    assert answer.stalled == pytest.approx(0.4, abs=SLACK)
    assert took < 3 * (LIMIT + MARGIN)


@simulated
async def test_a_short_stall_in_the_second_timing_times_out() -> None:
    async with Stage(metered=True) as stage:
        answer, _ = await ask_under_stalls(stage, [(0.5, 0.4), (1.8, 0.05)])
    assert answer.verdict is Verdict.TIMED_OUT


@simulated
async def test_many_short_stalls_are_no_long_one() -> None:
    """A busy hour must not save a silent bot by voiding its match."""
    stalls = [(0.1 * step, 0.03) for step in range(1, 9)]
    async with Stage(metered=True) as stage:
        answer, took = await ask_under_stalls(stage, stalls)
    assert answer.verdict is Verdict.TIMED_OUT
    assert took == pytest.approx(LIMIT + MARGIN + 8 * 0.03, abs=9 * SLACK)


@simulated
async def test_a_stall_during_the_second_look_is_not_charged_either() -> None:
    async with Stage(metered=True) as stage:
        stalls = [(0.5, 0.08), (LIMIT + MARGIN + 0.04, 0.09)]
        late = LIMIT + MARGIN + 0.15
        answer, _ = await ask_under_stalls(stage, stalls, reply_after=late)
    assert answer.action == 5
    assert answer.charged == pytest.approx(late - 0.17, abs=2 * SLACK)


@simulated
async def test_many_short_stalls_are_not_charged() -> None:
    stalls = [(0.1 * step, 0.03) for step in range(1, 9)]
    async with Stage(metered=True) as stage:
        late = LIMIT + MARGIN + 4 * 0.03
        answer, _ = await ask_under_stalls(stage, stalls, reply_after=late)
    assert (answer.verdict, answer.action) == (Verdict.ACCEPTED, 5)


@pytest.mark.case("P1")
@simulated
async def test_instant_bots_never_time_out_on_a_loop_that_stutters() -> None:
    """Limit 50 ms, no margin: the arbiter's own overhead is nobody's loss."""
    time = TimeControl(decision=0.05, margin=0.0)
    async with Stage(metered=True) as stage:
        peer = await stage.come()
        seat = await stage.sit()
        for number in range(40):
            begun = stage.loop.time()
            asked = seat.ask(question(f"d{number}", time=time))
            stage.loop.stall_at(begun + 0.001, 0.06)
            stage.loop.call_at(begun + 0.002, peer.send, Reply(f"d{number}", 5))
            assert (await asked).verdict is Verdict.ACCEPTED


# READY


@simulated
async def test_a_ready_budget_gets_the_arbiters_stalls_back_once() -> None:
    async with Stage(metered=True) as stage:
        peer = await stage.come()
        seat = stage.reserve()
        begun = stage.loop.time()
        joined = seat.join(start(time=TIME))
        stage.loop.stall_at(begun + 5.0, 2.0)
        await stage.at(begun + TIME.ready + 1.9)
        assert not joined.done()
        await stage.at(begun + TIME.ready + 2.1)
        assert joined.result() is False
        assert peer.ended.done() is False
        await turns()
