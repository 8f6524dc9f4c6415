"""Frames from bots as values, and what is refused of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Goodbye, Hello, Ready, Reply
from saurodrome.server.rpc import inbound
from saurodrome.server.rpc.malformed import Malformed, tolerant

parse = tolerant(bot_pb2.PlayRequest.FromString)


def value(**frame: Any) -> object:
    """The value of a frame that went over the wire."""
    return inbound.frame(parse(bot_pb2.PlayRequest(**frame).SerializeToString()))


def refused(**frame: Any) -> Refused:
    """The refusal of a frame."""
    with pytest.raises(Refused) as caught:
        value(**frame)
    assert caught.value.kind is Kind.INVALID
    return caught.value


def test_a_reply_without_a_choice_chooses_nothing_and_0_is_a_choice() -> None:
    assert value(reply=bot_pb2.Reply(decision_id="d")) == Reply("d", None)
    assert value(reply=bot_pb2.Reply(decision_id="d", action_id=0)) == Reply("d", 0)
    assert value(reply=bot_pb2.Reply(decision_id="d", action_id=2**32 - 1)) == Reply("d", 2**32 - 1)


def test_a_note_is_cut_at_its_limit_in_characters() -> None:
    note = "ä" * 2_001
    assert value(reply=bot_pb2.Reply(decision_id="d", note=note)) == Reply("d", None, note[:2_000])


def test_an_id_that_is_too_long_matches_none_after_it_is_cut() -> None:
    got = value(reply=bot_pb2.Reply(decision_id="d" * 60_000, action_id=1))
    assert isinstance(got, Reply)
    assert 64 < len(got.decision_id) < 200


def test_ready_and_goodbye() -> None:
    assert value(ready=bot_pb2.Ready(match_id="w/1/2/3", attempt=2)) == Ready("w/1/2/3", 2)
    assert value(goodbye=bot_pb2.Goodbye(reason="x" * 300)) == Goodbye("x" * 200)


def test_hello_defaults_to_one_match_of_any_game() -> None:
    assert value(hello=bot_pb2.Hello()) == Hello("", "", {}, 1)


def test_hello_tells_what_the_bot_plays() -> None:
    games = [
        bot_pb2.GameSupport(game="draftosaurus", variants=["summer", "winter"]),
        bot_pb2.GameSupport(game="chess"),
    ]
    hello = bot_pb2.Hello(bot_version="1.0 α", sdk="sdk", games=games, max_concurrent_matches=64)
    plays = {"draftosaurus": ("summer", "winter"), "chess": ()}
    assert value(hello=hello) == Hello("1.0 α", "sdk", plays, 64)


@pytest.mark.parametrize(
    ("field", "hello"),
    [
        ("hello.bot_version", bot_pb2.Hello(bot_version="v" * 65)),
        ("hello.bot_version", bot_pb2.Hello(bot_version='1\n{"event": "fake"}')),
        ("hello.sdk", bot_pb2.Hello(sdk="\x1b[31mred")),
        ("hello.sdk", bot_pb2.Hello(sdk="\u202eevil")),
        ("hello.max_concurrent_matches", bot_pb2.Hello(max_concurrent_matches=65)),
        (
            "hello.games[1]",
            bot_pb2.Hello(games=[bot_pb2.GameSupport(game="go"), bot_pb2.GameSupport(game="go")]),
        ),
    ],
)
def test_hello_is_refused_by_field(field: str, hello: bot_pb2.Hello) -> None:
    refusal = refused(hello=hello)
    assert (refusal.code, refusal.where) == ("BAD_HELLO", field)
    assert refusal.what.isprintable()


def test_names_of_games_are_names() -> None:
    refusal = refused(hello=bot_pb2.Hello(games=[bot_pb2.GameSupport(game="Go\n")]))
    assert (refusal.code, refusal.where) == ("BAD_NAME", "hello.games[0].game")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_refused(data: bytes) -> None:
    try:
        inbound.frame(parse(data))
    except Refused as refusal:
        assert refusal.kind is Kind.INVALID  # noqa: PT017  # most inputs are refused, some not


def test_what_is_no_message_stands_for_itself() -> None:
    assert parse(b"\xff" * 5) == Malformed(5)
    assert parse(b"\x1a\x04\x0a\x02\xff\xfe") == Malformed(6)
