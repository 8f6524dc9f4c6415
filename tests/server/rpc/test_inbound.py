"""Frames from bots as values, and what is refused of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Goodbye, Hello, Ready, Reply
from saurodrome.server.rpc import inbound
from saurodrome.server.rpc.encoding import LENGTH_DELIMITED, VARINT, short_varint, varint
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


ids = st.text("0123456789abcdef", min_size=16, max_size=16)
overlong = st.integers(1, 9).map(lambda more: b"\x80" * more + b"\x00")
small = st.integers(0, 300).map(varint)
varints = small | small | st.integers(0, 2**64 - 1).map(varint) | overlong
values = st.one_of(
    st.tuples(st.just(VARINT), varints),
    st.tuples(
        st.just(LENGTH_DELIMITED),
        st.one_of(
            st.binary(max_size=4), ids.map(str.encode), st.text(max_size=4).map(str.encode)
        ).map(lambda value: varint(len(value)) + value),
    ),
    st.tuples(st.just(5), st.binary(min_size=4, max_size=4)),
)


def field(number: int, value: tuple[int, bytes]) -> bytes:
    """A field of a message, whatever its message says of it."""
    return varint(number << 3 | value[0]) + value[1]


usual_fields = st.tuples(
    ids.map(lambda text: field(1, (LENGTH_DELIMITED, varint(16) + text.encode()))),
    varints.map(lambda number: field(2, (VARINT, number))),
    st.just(b"") | varints.map(lambda number: field(4, (VARINT, number))),
    st.just(b"") | st.builds(field, st.integers(1, 20), values),
).map(b"".join)
any_fields = st.lists(st.builds(field, st.integers(1, 6), values), max_size=4).map(b"".join)
frames = st.builds(
    lambda number, body, rest: field(number, (LENGTH_DELIMITED, varint(len(body)) + body)) + rest,
    st.sampled_from([3, 3, 3, 3, 3, 3, 1, 2, 4, 5]),
    usual_fields | any_fields,
    st.just(b"") | any_fields,
)


def cut(data: bytes, at: int) -> bytes:
    """The first bytes of some."""
    return data[: at % (len(data) + 1)]


def changed(data: bytes, at: int, byte: int) -> bytes:
    """Bytes, one of which is another."""
    at %= len(data)
    return data[:at] + bytes((byte,)) + data[at + 1 :]


hostile = st.one_of(
    frames,
    st.builds(cut, frames, st.integers(0, 200)),
    st.builds(changed, frames, st.integers(0, 200), st.integers(0, 255)),
    st.binary(max_size=40),
)


@given(hostile)
def test_what_is_read_without_the_parser_is_what_the_parser_reads(data: bytes) -> None:
    found = inbound.usual_reply(data)
    assert found is None or found == inbound.frame(parse(data))


def test_a_usual_reply_is_read_alike_with_any_byte_changed_and_cut_anywhere() -> None:
    reply = bot_pb2.Reply(decision_id="0123456789abcdef", action_id=300, thought_us=70_000)
    data = bot_pb2.PlayRequest(reply=reply).SerializeToString()
    near = [changed(data, at, byte) for at in range(len(data)) for byte in range(256)]
    near += [data[:end] for end in range(len(data))]
    for one in near:
        found = inbound.usual_reply(one)
        assert found is None or found == inbound.frame(parse(one))


@given(ids, st.integers(0, 2**21 - 1), st.integers(0, 2**21 - 1))
def test_usual_replies_need_no_parser(decision_id: str, action: int, thought: int) -> None:
    reply = bot_pb2.Reply(decision_id=decision_id, action_id=action, thought_us=thought)
    data = bot_pb2.PlayRequest(reply=reply).SerializeToString()
    expected = Reply(decision_id, action, "", thought / 1e6)
    assert inbound.usual_reply(data) == inbound.parse(data) == expected


@given(st.integers(0, 2**64 - 1) | st.integers(0, 2**22), st.binary(max_size=3))
def test_a_short_varint_is_read_and_no_longer_one(number: int, rest: bytes) -> None:
    data = varint(number)
    if len(data) <= 3:
        assert short_varint(b"x" + data + rest, 1) == (number, 1 + len(data))
    else:
        with pytest.raises(IndexError):
            short_varint(b"x" + data + rest, 1)


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff\xff"])
def test_a_varint_that_is_cut_off_is_none(data: bytes) -> None:
    with pytest.raises(IndexError):
        short_varint(data, 0)
