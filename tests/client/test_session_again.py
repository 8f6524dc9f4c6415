"""The session over streams that break: what is sent again, what is forgotten."""

from saurodrome.client import (
    MatchEnded,
)
from saurodrome.client.testing import decision, match
from saurodrome.client.testing._arbiter import ended
from tests.client.session_bench import Bench


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


def test_results_missed_by_this_run_count_those_of_an_earlier_run_do_not() -> None:
    bench = Bench()
    wanted = bench.playing()
    bench.session.closed()

    bench.open(missed=(ended(wanted, (1, 2)), ended(match("older/1/1/0"), (1, 2))))

    assert bench.session.status.done == 1
    assert [e.missed for e in bench.events if isinstance(e, MatchEnded)] == [True, True]


def test_a_bot_that_leaves_says_so_again_on_its_next_stream() -> None:
    bench = Bench()
    bench.playing()
    bench.session.leave()
    bench.session.closed()
    bench.kinds()

    bench.open(open_matches=1)

    assert bench.kinds() == ["hello", "goodbye"]
