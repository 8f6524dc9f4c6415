"""The session: a match from hello to its end, frames in, frames and jobs out."""

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import (
    Connected,
    Decided,
    Draining,
    Leaving,
    MatchEnded,
    MatchStarted,
    Refused,
    Termination,
)
from saurodrome.client.testing import decision, match
from saurodrome.client.testing._draftosaurus import seconds
from tests.client.session_bench import Bench


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
