"""The session: frames in, frames and jobs out, over streams that come and go."""

from pathlib import Path

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import (
    BadReply,
    BotFault,
    BotRaised,
    Connected,
    Decided,
    Decision,
    Draining,
    Event,
    Faulted,
    IllegalAction,
    Judged,
    LateReply,
    Leaving,
    Match,
    MatchEnded,
    MatchStarted,
    Refused,
    Termination,
    VerdictKind,
)
from saurodrome.client._session import Answer, Session
from saurodrome.client.testing import decision, match
from saurodrome.client.testing._arbiter import ended
from saurodrome.client.testing._draftosaurus import seconds

ILLEGAL, STALE, TIMED_OUT = (
    bot_pb2.Verdict.KIND_ILLEGAL,
    bot_pb2.Verdict.KIND_STALE,
    bot_pb2.Verdict.KIND_TIMED_OUT,
)
LAST = Path("last.decision")


class Job:
    """A job that only knows whether it was dropped."""

    def __init__(self, of: Match | Decision) -> None:
        self.of = of
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Bench:
    """A host that notes what the session asks for, and the session."""

    def __init__(self, *, matches: int | None = None, strict: bool = False) -> None:
        self.sent: list[bot_pb2.PlayRequest] = []
        self.preparing: list[Job] = []
        self.thinking: list[Job] = []
        self.kept: list[Decision] = []
        self.events: list[Event] = []
        self.failure: BotFault | None = None
        hello = bot_pb2.Hello(max_concurrent_matches=2)
        self.session = Session(
            self, hello, server="arena:7741", matches=matches, strict=strict, clock=lambda: 0.0
        )

    def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        self.sent.append(frame)

    def prepare(self, match: Match, /) -> Job:
        self.preparing.append(Job(match))
        return self.preparing[-1]

    def think(self, decision: Decision, /) -> Job:
        self.thinking.append(Job(decision))
        return self.thinking[-1]

    def keep(self, decision: Decision, /) -> Path:
        self.kept.append(decision)
        return LAST

    def tell(self, event: Event, /) -> None:
        self.events.append(event)

    def fail(self, error: BotFault, /) -> None:
        self.failure = error

    def kinds(self) -> list[str]:
        """Takes what was sent, by name."""
        kinds = [str(frame.WhichOneof("frame")) for frame in self.sent]
        self.sent.clear()
        return kinds

    def open(self, open_matches: int = 0, missed: tuple[bot_pb2.MatchEnded, ...] = ()) -> None:
        """Opens a stream and welcomes the bot."""
        self.session.opened()
        welcome = bot_pb2.Welcome(bot="rex", open_matches=open_matches, missed_results=missed)
        self.session.receive(bot_pb2.PlayResponse(welcome=welcome))

    def start(self, wanted: Match) -> None:
        self.session.receive(bot_pb2.PlayResponse(match_started=wanted.message))

    def prepared(self, fault: BotFault | None = None) -> None:
        """Lets the newest `prepare` come back."""
        of = self.preparing[-1].of
        assert isinstance(of, Match)
        self.session.prepared(of, fault)

    def ask(self, asked: Decision) -> None:
        self.session.receive(bot_pb2.PlayResponse(decision=asked.message))

    def answer(self, action_id: int, fault: BotFault | None = None, index: int = -1) -> None:
        """Lets a `choose` come back, the newest unless told otherwise."""
        of = self.thinking[index].of
        assert isinstance(of, Decision)
        self.session.answered(of, Answer(action_id, 0.04, fault))

    def judge(
        self, kind: bot_pb2.Verdict.Kind.ValueType, asked: Decision, replies_left: int = 0
    ) -> None:
        verdict = bot_pb2.Verdict(
            kind=kind,
            match_id=asked.match_id,
            decision_id=asked.message.decision_id,
            message="so it is",
            replies_left=replies_left,
            charged=seconds(1.05),
        )
        self.session.receive(bot_pb2.PlayResponse(verdict=verdict))

    def end(self, of: Match, placements: tuple[int, ...] = (1, 2)) -> None:
        self.session.receive(bot_pb2.PlayResponse(match_ended=ended(of, placements)))

    def playing(self, wanted: Match | None = None) -> Match:
        """Comes as far as a match that is played."""
        wanted = wanted or match()
        self.open()
        self.start(wanted)
        self.prepared()
        self.sent.clear()
        return wanted


def test_a_stream_begins_with_hello() -> None:
    bench = Bench()

    bench.session.opened()

    assert bench.sent[0].hello.max_concurrent_matches == 2
    assert bench.kinds() == ["hello"]


def test_a_welcome_is_told() -> None:
    bench = Bench()

    bench.open()

    assert bench.events == [Connected("rex", "arena:7741", "", 0, False)]
    assert bench.session.status.connected


def test_ready_is_sent_when_prepare_is_through() -> None:
    bench = Bench()
    bench.open()
    bench.kinds()

    bench.start(match(attempt=2))
    assert bench.kinds() == []
    bench.prepared()

    assert (bench.sent[0].ready.match_id, bench.sent[0].ready.attempt) == ("test/1/1/0", 2)


def test_a_prepare_that_raises_is_told_and_the_match_played() -> None:
    bench = Bench()
    bench.open()
    bench.start(match())
    bench.kinds()

    bench.prepared(BotRaised("BOT_RAISED", "no model", match=match()))

    assert bench.kinds() == ["ready"]
    assert isinstance(bench.events[-1], Faulted)
    assert bench.session.status.illegal == 0


def test_a_decision_is_thought_about_and_answered() -> None:
    bench = Bench()
    bench.playing()
    asked = decision(decision_id="abc")

    bench.ask(asked)
    bench.answer(7)

    assert (bench.sent[0].reply.decision_id, bench.sent[0].reply.action_id) == ("abc", 7)
    assert bench.session.status.decisions == 1
    assert bench.session.status.slowest == pytest.approx(0.04)


def test_a_decision_waits_for_prepare() -> None:
    bench = Bench()
    bench.open()
    bench.start(match())

    bench.ask(decision())
    assert bench.thinking == []
    bench.prepared()

    assert len(bench.thinking) == 1
    assert not bench.preparing[0].cancelled


def test_a_new_process_prepares_before_it_answers_an_open_decision() -> None:
    bench = Bench()
    bench.open(open_matches=1)
    bench.kinds()

    bench.start(match(ready=True))
    bench.ask(decision())
    bench.prepared()

    assert len(bench.thinking) == 1
    assert bench.kinds() == []  # the server knows that it is ready


def test_the_last_reply_is_sent_again_if_its_decision_comes_again() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.answer(7)
    bench.session.closed()
    bench.kinds()

    bench.open(open_matches=1)
    bench.start(match(ready=True))
    bench.ask(decision())

    assert bench.kinds() == ["hello", "reply"]
    assert len(bench.thinking) == 1
    assert len(bench.preparing) == 1


def test_ready_is_sent_again_if_it_was_lost() -> None:
    bench = Bench()
    bench.playing()
    bench.session.closed()

    bench.open(open_matches=1)
    bench.start(match(ready=False))

    assert bench.kinds() == ["hello", "ready"]


def test_an_answer_found_while_away_is_sent_when_asked_again_and_once_only() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.session.closed()

    bench.answer(7)
    assert bench.kinds() == []
    bench.open(open_matches=1)
    bench.start(match(ready=True))
    bench.ask(decision())

    assert bench.kinds() == ["hello", "reply"]


def test_an_answer_found_between_welcome_and_decision_is_sent_once_only() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.session.closed()
    bench.open(open_matches=1)
    bench.kinds()

    bench.answer(7)
    bench.start(match(ready=True))
    bench.ask(decision())

    assert bench.kinds() == ["reply"]


def test_thinking_goes_on_over_a_broken_stream() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.session.closed()

    bench.open(open_matches=1)
    bench.start(match(ready=True))
    bench.ask(decision())
    assert len(bench.thinking) == 1
    bench.answer(7)

    assert bench.kinds() == ["hello", "reply"]


def test_matches_that_the_server_has_forgotten_are_dropped() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.session.closed()

    bench.open(open_matches=0)
    bench.kinds()
    bench.answer(7)

    assert bench.thinking[0].cancelled
    assert bench.session.status.playing == 0
    assert bench.kinds() == []


def test_of_two_matches_the_one_that_goes_on_is_kept() -> None:
    bench = Bench()
    first, second = match("a/1/1/0"), match("b/1/1/0")
    bench.playing(first)
    bench.start(second)
    bench.prepared()
    for wanted in (first, second):
        bench.ask(decision(of=wanted))
    bench.session.closed()

    bench.open(open_matches=1)
    bench.start(match("b/1/1/0", ready=True))

    assert [job.cancelled for job in bench.thinking] == [True, False]
    assert len(bench.preparing) == 2
    assert bench.session.status.playing == 1


def test_a_stream_that_breaks_before_all_is_announced_forgets_nothing() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision())
    bench.answer(7)
    bench.session.closed()
    bench.open(open_matches=1)
    bench.session.closed()
    bench.kinds()

    bench.open(open_matches=1)
    bench.start(match(ready=True))
    bench.ask(decision())

    assert bench.kinds() == ["hello", "reply"]
    assert len(bench.preparing) == 1


def test_the_next_attempt_of_a_match_is_a_new_match() -> None:
    bench = Bench()
    bench.playing(match(attempt=1))
    bench.ask(decision())

    bench.start(match(attempt=2))

    assert bench.thinking[0].cancelled
    assert len(bench.preparing) == 2


def test_a_new_decision_takes_the_place_of_an_open_one() -> None:
    bench = Bench()
    bench.playing()
    bench.ask(decision(decision_id="one"))

    bench.ask(decision(decision_id="two"))
    bench.answer(3, index=0)
    bench.answer(7, index=1)

    assert bench.thinking[0].cancelled
    assert [frame.reply.decision_id for frame in bench.sent] == ["two"]


def test_a_decision_of_no_open_match_is_not_answered() -> None:
    bench = Bench()
    bench.open()

    bench.ask(decision())

    assert bench.thinking == []


def test_a_decision_of_an_unknown_game_ends_the_stream() -> None:
    bench = Bench()
    wanted = bench.playing()
    unknown = bot_pb2.Decision(match_id=wanted.id, decision_id="d")

    with pytest.raises(Refused) as caught:
        bench.session.receive(bot_pb2.PlayResponse(decision=unknown))

    assert caught.value.code == "CLIENT_TOO_OLD"


def test_a_frame_of_a_newer_server_is_passed_over() -> None:
    bench = Bench()
    bench.playing()

    bench.session.receive(bot_pb2.PlayResponse())

    assert bench.sent == []


def test_a_fault_is_kept_told_and_the_default_action_sent() -> None:
    bench = Bench()
    bench.playing()
    asked = decision(default="S river")
    bench.ask(asked)
    fault = BadReply("BAD_REPLY", "None", do="return an id", decision=asked)

    bench.answer(7, fault)

    assert bench.sent[0].reply.action_id == 7
    assert bench.kept == [asked]
    assert bench.events[-2:] == [
        Faulted(fault, LAST),
        Decided(bench.kept[0].match, 0.04, True),
    ] or [type(event) for event in bench.events[-2:]] == [Faulted, Decided]
    assert fault.do == "return an id; the default action S river was played"
    assert bench.session.status.illegal == 1
    assert bench.failure is None


def test_in_strict_mode_a_fault_ends_the_run_and_nothing_is_sent() -> None:
    bench = Bench(strict=True)
    bench.playing()
    asked = decision()
    bench.ask(asked)
    fault = BadReply("BAD_REPLY", "None", decision=asked)

    bench.answer(7, fault)

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


@pytest.mark.parametrize(
    ("placements", "done", "won"), [((1, 2), 1, 1), ((2, 1), 1, 0), ((1, 1), 1, 0), ((), 0, 0)]
)
def test_a_match_that_ended_is_counted_a_shared_first_place_is_not_won(
    placements: tuple[int, ...], done: int, won: int
) -> None:
    bench = Bench()
    wanted = bench.playing()

    bench.end(wanted, placements)

    status = bench.session.status
    assert (status.done, status.won, status.playing) == (done, won, 0)
    event = bench.events[-1]
    assert isinstance(event, MatchEnded)
    assert event.termination is (Termination.FINISHED if placements else Termination.VOID)


def test_results_missed_by_this_run_count_those_of_an_earlier_run_do_not() -> None:
    bench = Bench()
    wanted = bench.playing()
    bench.session.closed()

    bench.open(missed=(ended(wanted, (1, 2)), ended(match("older/1/1/0"), (1, 2))))

    assert bench.session.status.done == 1
    assert [e.missed for e in bench.events if isinstance(e, MatchEnded)] == [True, True]


def test_the_end_of_an_older_attempt_leaves_the_newer_open() -> None:
    bench = Bench()
    bench.playing(match(attempt=2))

    bench.end(match(attempt=1), ())

    assert bench.session.status.playing == 1


def test_draining_is_told() -> None:
    bench = Bench()
    bench.open()
    draining = bot_pb2.Draining(remaining=seconds(2.5), reason="update")

    bench.session.receive(bot_pb2.PlayResponse(draining=draining))

    assert bench.events[-1] == Draining(2.5, "update")


def test_to_leave_says_goodbye_once_and_waits_for_the_open_matches() -> None:
    bench = Bench()
    wanted = bench.playing()

    bench.session.leave()
    bench.session.leave()

    assert bench.kinds() == ["goodbye"]
    assert bench.events[-1] == Leaving(1)
    assert not bench.session.finished
    bench.end(wanted)
    assert bench.session.finished


def test_a_bot_that_leaves_says_so_again_on_its_next_stream() -> None:
    bench = Bench()
    bench.playing()
    bench.session.leave()
    bench.session.closed()
    bench.kinds()

    bench.open(open_matches=1)

    assert bench.kinds() == ["hello", "goodbye"]


def test_with_so_many_matches_it_says_goodbye_when_the_last_begins() -> None:
    bench = Bench(matches=2)
    bench.open()
    bench.kinds()

    bench.start(match("a/1/1/0"))
    assert bench.kinds() == []
    bench.start(match("b/1/1/0"))
    assert bench.kinds() == ["goodbye"]

    bench.end(match("a/1/1/0"))
    assert not bench.session.finished
    bench.end(match("b/1/1/0"))
    assert bench.session.finished


def test_a_void_match_is_not_one_of_so_many() -> None:
    bench = Bench(matches=1)
    wanted = bench.playing()

    bench.end(wanted, ())

    assert not bench.session.finished
    bench.session.closed()
    bench.kinds()
    bench.open()
    assert bench.kinds() == ["hello"]


def test_events_come_in_order() -> None:
    bench = Bench()
    wanted = bench.playing()
    bench.ask(decision())
    bench.answer(7)
    bench.end(wanted)

    assert [type(event) for event in bench.events] == [
        Connected,
        MatchStarted,
        Decided,
        MatchEnded,
    ]
