"""The session and the bot's faults: its own, and those that the server finds."""

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import (
    BadReply,
    BotRaised,
    Decided,
    Faulted,
    IllegalAction,
    Judged,
    LateReply,
    NotReady,
    VerdictKind,
)
from saurodrome.client.testing import decision, match
from tests.client.session_bench import ILLEGAL, LAST, STALE, TIMED_OUT, Bench


def test_a_prepare_that_raises_is_told_and_the_match_played() -> None:
    bench = Bench()
    bench.open()
    bench.start(match())
    bench.kinds()

    bench.prepared(BotRaised("BOT_RAISED", "no model", match=match()))

    assert bench.kinds() == ["ready"]
    assert isinstance(bench.events[-1], Faulted)
    assert bench.session.status.illegal == 0


def test_a_fault_is_kept_and_told() -> None:
    bench = Bench()
    bench.playing()
    asked = decision(default="S river")
    bench.ask(asked)
    fault = BadReply("BAD_REPLY", "None", do="return an id", decision=asked)

    bench.answer(None, fault)

    assert bench.kept == [asked]
    assert bench.events[-2] == Faulted(fault, LAST)
    assert isinstance(bench.events[-1], Decided)
    assert bench.events[-1].faulted
    assert fault.do == "return an id; the default action S river was played"
    assert bench.session.status.illegal == 1
    assert bench.failure is None


def test_in_strict_mode_a_fault_ends_the_run_and_nothing_is_sent() -> None:
    bench = Bench(strict=True)
    bench.playing()
    asked = decision()
    bench.ask(asked)
    fault = BadReply("BAD_REPLY", "None", decision=asked)

    bench.answer(None, fault)

    assert bench.failure is fault
    assert bench.sent == []
    assert fault.do == ""


def test_a_late_answer_is_told_with_limit_and_time_and_not_sent() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision(turn=4))

    bench.judge(TIMED_OUT, decision())
    bench.answer(7)

    faulted = next(e for e in bench.events if isinstance(e, Faulted))
    assert isinstance(faulted.error, LateReply)
    assert faulted.error.what == "1050 ms of 1000."
    assert faulted.error.where == "match test/1/1/0, turn 4; choose still thinks"
    assert "the default action S river was played" in faulted.error.do
    assert bench.sent == []
    assert bench.thinking[0].cancelled
    assert (bench.session.status.late, bench.session.status.illegal) == (1, 0)


def test_an_answer_that_the_wire_delayed_says_what_choose_took() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.answer(7)

    bench.judge(TIMED_OUT, decision())

    faulted = next(e for e in bench.events if isinstance(e, Faulted))
    assert faulted.error.where.endswith("choose took 40 ms")


def test_in_strict_mode_a_late_answer_ends_the_run() -> None:
    bench = Bench(strict=True)
    bench.playing()
    bench.ask(decision())

    bench.judge(TIMED_OUT, decision())

    assert isinstance(bench.failure, LateReply)


def test_a_refused_reply_is_followed_by_the_default_action() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision(default="S river"))
    bench.answer(3)
    bench.sent.clear()

    bench.judge(ILLEGAL, decision(), replies_left=2)

    assert [frame.reply.action_id for frame in bench.sent] == [7]
    assert bench.session.status.illegal == 1


def test_a_refused_default_action_is_not_sent_for_ever() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision(default="S river"))
    bench.answer(7)
    bench.sent.clear()

    bench.judge(ILLEGAL, decision(), replies_left=2)

    assert bench.sent == []


def test_a_refused_reply_is_not_followed_when_none_is_left() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.answer(3)
    bench.sent.clear()

    bench.judge(ILLEGAL, decision(), replies_left=0)

    assert bench.sent == []


def test_in_strict_mode_a_refused_reply_ends_the_run() -> None:
    bench = Bench(strict=True)
    bench.playing()
    bench.ask(decision())
    bench.answer(3)

    bench.judge(ILLEGAL, decision(), replies_left=2)

    assert isinstance(bench.failure, IllegalAction)


def test_a_stale_verdict_is_told_and_costs_nothing() -> None:
    bench = Bench()
    bench.playing()

    bench.judge(STALE, decision(decision_id="older"))

    assert bench.events[-1] == Judged(VerdictKind.STALE, "test/1/1/0", "so it is")
    assert (bench.session.status.late, bench.session.status.illegal) == (0, 0)


def test_a_verdict_that_is_not_known_is_told_as_such() -> None:
    bench = Bench()
    bench.playing()
    frame = bot_pb2.PlayResponse.FromString(b"\x22\x02\x08\x63")  # verdict { kind: 99 }

    bench.session.receive(frame)

    assert bench.events[-1] == Judged(VerdictKind.OTHER, "", "")


def test_a_prepare_that_is_too_slow_is_told_with_limit_and_time() -> None:
    bench = Bench()
    bench.open()
    bench.start(match())
    bench.now += 25.0

    bench.forfeit(match())

    faulted = next(e for e in bench.events if isinstance(e, Faulted))
    assert isinstance(faulted.error, NotReady)
    assert faulted.error.code == "NOT_READY"
    assert faulted.error.what == "prepare still works after 25.0 s; 20.0 s are given."
    assert faulted.error.where == "getting ready for match test/1/1/0, which is lost"
    assert bench.session.status.done == 1


def test_a_prepare_that_came_back_too_late_says_what_it_took() -> None:
    bench = Bench(strict=True)
    bench.open()
    bench.start(match())
    bench.now += 21.5
    bench.prepared()
    bench.now += 1.0

    bench.forfeit(match())

    assert isinstance(bench.failure, NotReady)
    assert bench.failure.what == "prepare took 21.5 s; 20.0 s are given."


def test_a_match_that_another_seat_did_not_come_to_is_no_fault_of_the_bot() -> None:
    bench = Bench()
    bench.open()
    bench.start(match())
    over = match()
    bench.end(over)

    assert not any(isinstance(e, Faulted) for e in bench.events)
