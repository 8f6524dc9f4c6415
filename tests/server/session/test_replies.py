"""What is made of replies: one counts, the others are told why not, and spend a budget."""

from collections.abc import Sequence

import pytest

from saurodrome.server.frames import Decision, Hello, Ready, Reply, VerdictFrame, VerdictKind
from saurodrome.server.port import Verdict
from saurodrome.server.session.seat import Seat
from saurodrome.server.session.session import MAX_SURPLUS
from tests.server.session.stage import MATCH, Stage, end, kinds, question, turns
from tests.sim.loop import simulated
from tests.sim.transport import Peer, Way

ILLEGAL, STALE, DUPLICATE = VerdictKind.ILLEGAL, VerdictKind.STALE, VerdictKind.DUPLICATE


async def playing(stage: Stage) -> tuple[Peer, Seat]:
    """Return a bot and its seat at a match that has begun."""
    return await stage.come(), await stage.sit()


@pytest.mark.case("PA-04")
@simulated
async def test_the_first_reply_counts_and_the_same_again_is_a_duplicate() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(*[Reply("d1", 5)] * 6)
        answer = await asked
        await turns()
    assert (answer.action, answer.verdict) == (5, Verdict.ACCEPTED)
    assert kinds(peer) == [DUPLICATE] * 5


@simulated
async def test_a_second_reply_with_another_action_changes_nothing() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(Reply("d1", 5), Reply("d1", 8))
        assert (await asked).action == 5
        await turns()
    assert kinds(peer) == [DUPLICATE]


@pytest.mark.case("PA-04")
@pytest.mark.parametrize("decision_id", ["", "d0", "d3", "never-asked", "x" * 10_000])
@simulated
async def test_a_reply_to_another_decision_is_stale_and_the_open_one_stays_open(
    decision_id: str,
) -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question("d1"))
        peer.send(Reply(decision_id, 5))
        await turns()
        (verdict,) = peer.got(VerdictFrame)
        assert not asked.done()
        peer.send(Reply("d1", 8))
        assert (await asked).action == 8
    assert verdict.kind is STALE
    assert len(verdict.decision_id) <= 64


@pytest.mark.case("PA-03")
@simulated
async def test_a_reply_when_nothing_was_ever_asked_is_stale() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        peer.send(Reply("d1", 5))
        await turns()
    assert kinds(peer) == [STALE]


@pytest.mark.case("PA-03")
@simulated
async def test_a_reply_after_the_match_changes_nothing() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(Reply("d1", 5))
        await asked
        seat.leave(end())
        peer.send(Reply("d1", 5), Reply("d2", 5))
        await turns()
    assert kinds(peer) == [DUPLICATE, STALE]


@simulated
async def test_a_bot_cannot_answer_for_another() -> None:
    async with Stage() as stage:
        await stage.come("ann")
        bob = await stage.come("bob")
        seat = await stage.sit("ann")
        asked = seat.ask(question())
        bob.send(Reply("d1", 5))
        await turns()
        assert not asked.done()
        assert kinds(bob) == [STALE]
        seat.release()


@pytest.mark.case("P50")
@simulated
async def test_frames_that_arrive_twice_are_harmless() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        twice = await stage.come("bob", hello=None, way=Way(twice=1.0))
        twice.link.carry(Reply("d1", 5))
        await turns()
        assert twice.ended.done()  # it had not said hello
        assert not peer.ended.done()


# illegal replies

IllegalAction = int | None


@pytest.mark.case("PA-06", "P47")
@pytest.mark.parametrize("action", [None, -1, 0, 4, 99, 2**31 - 1, 2**63])
@simulated
async def test_an_action_that_is_not_legal_may_be_answered_again(action: IllegalAction) -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(Reply("d1", action))
        await turns()
        (verdict,) = peer.got(VerdictFrame)
        peer.send(Reply("d1", 8))
        answer = await asked
    assert (verdict.kind, verdict.decision_id, verdict.match_id) == (ILLEGAL, "d1", MATCH)
    assert (verdict.replies_left, "3 5 8" in verdict.message) == (2, True)
    assert (answer.action, answer.verdict, answer.illegal) == (8, Verdict.ACCEPTED, 1)


@pytest.mark.case("PA-06")
@pytest.mark.parametrize(
    ("actions", "verdict", "action", "illegal"),
    [
        ([5], Verdict.ACCEPTED, 5, 0),
        ([9, 5], Verdict.ACCEPTED, 5, 1),
        ([9, 9, 5], Verdict.ACCEPTED, 5, 2),
        ([9, 9, 9], Verdict.ILLEGAL, 3, 3),
        ([9, 9, 9, 5], Verdict.ILLEGAL, 3, 3),
    ],
)
@simulated
async def test_a_decision_takes_three_replies(
    actions: Sequence[int], verdict: Verdict, action: int, illegal: int
) -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question(replies=3))
        peer.send(*(Reply("d1", a) for a in actions))
        answer = await asked
        await turns()
    assert (answer.verdict, answer.action, answer.illegal) == (verdict, action, illegal)


@simulated
async def test_with_one_reply_a_decision_the_first_illegal_one_closes_it() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question(replies=1))
        peer.send(Reply("d1", 9))
        assert (await asked).verdict is Verdict.ILLEGAL
        await turns()
        (verdict,) = peer.got(VerdictFrame)
    assert (verdict.kind, verdict.replies_left) == (ILLEGAL, 0)


@simulated
async def test_a_reply_to_a_decision_closed_by_illegal_ones_is_stale_and_no_duplicate() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question(replies=1))
        peer.send(Reply("d1", 9), Reply("d1", 5))
        await asked
        await turns()
    assert kinds(peer) == [ILLEGAL, STALE]


@simulated
async def test_the_next_decision_tells_of_illegal_replies() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(Reply("d1", 9), Reply("d1", 5))
        await asked
        seat.ask(question("d2"))
        await turns()
        previous = peer.got(Decision)[-1].previous
    assert previous is not None
    assert (previous.illegal, previous.timed_out) == (1, False)


@simulated
async def test_a_note_reaches_the_answer() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(Reply("d1", 5, "I like meadows"))
        assert (await asked).note == "I like meadows"


# the budget of surplus frames


@simulated
async def test_answering_each_decision_once_never_spends_the_budget() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        for number in range(5 * MAX_SURPLUS):
            asked = seat.ask(question(f"d{number}"))
            peer.send(Reply(f"d{number}", 5))
            assert (await asked).verdict is Verdict.ACCEPTED
        assert not peer.ended.done()
    assert stage.heard.all("surplus_frame") == []


SURPLUS = {
    "unknown reply": Reply("never asked", 5),
    "duplicate reply": Reply("d1", 5),
    "ready for an unknown match": Ready("cup/9/9/9", 1),
    "ready for another attempt": Ready(MATCH, 2),
    "ready again": Ready(MATCH, 1),
}


@pytest.mark.case("PA-03")
@pytest.mark.parametrize("frame", SURPLUS.values(), ids=SURPLUS)
@simulated
async def test_surplus_frames_end_the_stream_after_a_budget_and_the_match_goes_on(
    frame: Reply | Ready,
) -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        answered = seat.ask(question("d1"))
        peer.send(Reply("d1", 5))
        await answered
        asked = seat.ask(question("d2", replies=1_000))
        peer.send(*[frame] * MAX_SURPLUS)
        await turns(4 * MAX_SURPLUS)
        assert not peer.ended.done()
        peer.send(frame)
        refusal = await peer.ended
        again = await stage.come()
        again.send(Reply("d2", 8))
        assert (await asked).action == 8
    assert refusal is not None
    assert refusal.code == "SURPLUS_FRAMES"


@simulated
async def test_the_budget_is_a_bots_and_not_a_streams() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        peer.send(*[Reply("x", 1)] * (MAX_SURPLUS + 1))
        assert (await peer.ended) is not None
        again = await stage.come()
        again.send(Reply("x", 1))
        refusal = await again.ended
    assert refusal is not None
    assert refusal.code == "SURPLUS_FRAMES"


@simulated
async def test_the_budget_fills_up_in_a_minute() -> None:
    async with Stage() as stage:
        peer = await stage.come()
        peer.send(*[Reply("x", 1)] * MAX_SURPLUS)
        await turns(4 * MAX_SURPLUS)
        await stage.at(stage.loop.time() + 60.0)
        peer.send(*[Reply("x", 1)] * MAX_SURPLUS)
        await turns(4 * MAX_SURPLUS)
        assert not peer.ended.done()


@simulated
async def test_surplus_frames_of_one_bot_cost_no_other_bot() -> None:
    async with Stage() as stage:
        ann, bob = await stage.come("ann"), await stage.come("bob")
        ann.send(*[Reply("x", 1)] * (MAX_SURPLUS + 1))
        await ann.ended
        bob.send(Reply("x", 1))
        await turns()
        assert not bob.ended.done()


@simulated
async def test_surplus_frames_are_told_to_the_observer_by_kind() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        asked = seat.ask(question())
        peer.send(Reply("d1", 99), Reply("x", 1), Reply("d1", 5), Reply("d1", 5))
        await asked
        await turns()
    told = [kind for _, kind in stage.heard.all("surplus_frame")]
    assert told == ["unknown", "duplicate"]


@simulated
async def test_illegal_replies_are_bounded_by_their_decisions_and_end_no_stream() -> None:
    async with Stage() as stage:
        peer, seat = await playing(stage)
        for number in range(MAX_SURPLUS):
            asked = seat.ask(question(f"d{number}", replies=3))
            peer.send(*[Reply(f"d{number}", 99)] * 2, Reply(f"d{number}", 5))
            assert (await asked).illegal == 2
        assert not peer.ended.done()


@simulated
async def test_a_hello_may_declare_nothing_but_still_one_match() -> None:
    async with Stage() as stage:
        for declared, granted in [(0, 1), (1, 1), (4, 4), (64, 64), (65, 64), (10**9, 64)]:
            await stage.come("ann", Hello(max_concurrent=declared))
            assert stage.lobby.session("ann").capacity == granted
            await stage.at(stage.loop.time() + 60.0)
