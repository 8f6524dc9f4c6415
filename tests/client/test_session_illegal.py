"""The session and answers that are not legal: the server is to hear of each, once."""

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import BadReply, BotRaised, Decision, Faulted, IllegalAction
from saurodrome.client.testing import decision, match
from tests.client.session_bench import ILLEGAL, TIMED_OUT, Bench

DEFAULT = 7  # the id of `S river`


def asked_in(bench: Bench, limits: bot_pb2.Limits | None = None) -> Decision:
    """Comes as far as a decision that is thought about."""
    bench.playing(limits=limits)
    asked = decision(default="S river")
    bench.ask(asked)
    return asked


def illegal(asked: Decision) -> IllegalAction:
    return IllegalAction("ILLEGAL_ACTION", "rex answered 99", decision=asked)


def test_an_id_that_is_not_legal_is_sent_as_it_is_and_then_the_default() -> None:
    bench = Bench()
    asked = asked_in(bench)

    bench.answer(99, illegal(asked))
    assert bench.replies() == [99]
    bench.judge(ILLEGAL, asked, replies_left=2)

    assert bench.replies() == [DEFAULT]
    assert len(bench.thinking) == 1


@pytest.mark.parametrize("kind", [BadReply, BotRaised])
def test_what_gives_no_id_is_sent_as_a_reply_without_one(
    kind: type[BadReply] | type[BotRaised],
) -> None:
    bench = Bench()
    asked = asked_in(bench)

    bench.answer(None, kind("FAULT", "none", decision=asked))
    assert bench.sent[0].reply.decision_id == asked.message.decision_id
    assert bench.replies() == [None]
    bench.judge(ILLEGAL, asked, replies_left=2)

    assert bench.replies() == [DEFAULT]


def test_a_default_of_id_0_follows_a_reply_without_an_id() -> None:
    bench = Bench()
    bench.playing()
    message = bot_pb2.Decision()
    message.CopyFrom(decision().message)
    message.legal_actions[0].id = message.default_action_id = 0
    asked = Decision.received(match(), message)
    bench.ask(asked)

    bench.answer(None, BadReply("BAD_REPLY", "None", decision=asked))
    bench.judge(ILLEGAL, asked, replies_left=2)

    assert bench.replies() == [None, 0]


def test_when_the_verdict_closes_the_decision_nothing_more_is_sent() -> None:
    bench = Bench()
    asked = asked_in(bench)

    bench.answer(99, illegal(asked))
    bench.judge(ILLEGAL, asked, replies_left=0)

    assert bench.replies() == [99]


def test_the_verdict_on_a_fault_that_is_known_is_not_told_again() -> None:
    bench = Bench()
    asked = asked_in(bench)

    bench.answer(99, illegal(asked))
    bench.judge(ILLEGAL, asked, replies_left=2)
    bench.judge(ILLEGAL, asked, replies_left=1)

    assert bench.session.status.illegal == 1
    assert [type(e) for e in bench.events].count(Faulted) == 1
    assert bench.replies() == [99, DEFAULT]


def test_the_next_decisions_refusal_is_told() -> None:
    bench = Bench()
    bench.answer(99, illegal(asked_in(bench)))
    another = decision(decision_id="decision-2")
    bench.ask(another)
    bench.answer(3)

    bench.judge(ILLEGAL, another, replies_left=2)

    assert bench.session.status.illegal == 2


def test_an_illegal_answer_that_comes_too_late_is_not_sent() -> None:
    bench = Bench()
    asked = asked_in(bench)

    bench.judge(TIMED_OUT, asked)
    bench.answer(99, illegal(asked))

    assert bench.replies() == []


def again(bench: Bench, asked: Decision) -> None:
    """Lets the stream break and the decision come again."""
    bench.session.closed()
    bench.sent.clear()
    bench.open(open_matches=1)
    bench.start(match(ready=True))
    bench.sent.clear()
    bench.ask(asked)


def test_an_illegal_reply_whose_verdict_did_not_come_is_sent_again() -> None:
    bench = Bench()
    asked = asked_in(bench)
    bench.answer(99, illegal(asked))

    again(bench, asked)
    assert bench.replies() == [99]
    bench.judge(ILLEGAL, asked, replies_left=1)

    assert bench.replies() == [DEFAULT]
    assert bench.session.status.illegal == 1


def test_after_the_verdict_it_is_the_default_that_is_sent_again() -> None:
    bench = Bench()
    asked = asked_in(bench)
    bench.answer(99, illegal(asked))
    bench.judge(ILLEGAL, asked, replies_left=2)

    again(bench, asked)

    assert bench.replies() == [DEFAULT]


def test_an_illegal_answer_found_while_away_is_sent_when_asked_again_and_told_once() -> None:
    bench = Bench()
    asked = asked_in(bench)
    bench.session.closed()
    bench.answer(99, illegal(asked))

    again(bench, asked)
    bench.judge(ILLEGAL, asked, replies_left=2)

    assert bench.replies() == [99, DEFAULT]
    assert bench.session.status.illegal == 1


def test_a_note_goes_with_the_reply_cut_to_the_limit_of_the_server() -> None:
    bench = Bench()
    asked_in(bench, limits=bot_pb2.Limits(max_note_chars=5))

    bench.answer(3, note="grün\ud800 und mehr")

    assert bench.sent[0].reply.note == "grün?"


def test_a_note_has_2000_characters_where_the_server_names_no_limit() -> None:
    bench = Bench()
    asked_in(bench)

    bench.answer(3, note="n" * 3000)

    assert bench.sent[0].reply.note == "n" * 2000


def test_the_note_of_an_illegal_answer_does_not_go_with_the_default() -> None:
    bench = Bench()
    asked = asked_in(bench)

    bench.answer(99, illegal(asked), note="surely")
    bench.judge(ILLEGAL, asked, replies_left=2)

    assert [frame.reply.note for frame in bench.sent] == ["surely", ""]
