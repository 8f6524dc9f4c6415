"""Frames from bots: bytes to values, with everything checked that a value promises."""

from collections.abc import Mapping
from typing import NoReturn

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import MAX_NOTE_CHARS, Goodbye, Hello, Inbound, Ready, Reply
from saurodrome.server.rpc.encoding import LENGTH_DELIMITED, VARINT, short_varint
from saurodrome.server.rpc.malformed import Malformed, refusal, tolerant
from saurodrome.server.settings import check_name

MAX_CONCURRENT = 64
"""Matches at once that a bot may declare."""
_HELLO_CHARS = 64
_REASON_CHARS = 200
_ID_CHARS = 128  # longer than any id of ours: what is cut here matches none

_REPLY = bot_pb2.PlayRequest.REPLY_FIELD_NUMBER << 3 | LENGTH_DELIMITED
_DECISION_ID = bot_pb2.Reply.DECISION_ID_FIELD_NUMBER << 3 | LENGTH_DELIMITED
_ACTION = bot_pb2.Reply.ACTION_ID_FIELD_NUMBER << 3 | VARINT
_THOUGHT = bot_pb2.Reply.THOUGHT_US_FIELD_NUMBER << 3 | VARINT

_message = tolerant(bot_pb2.PlayRequest.FromString)


def parse(data: bytes) -> Inbound:
    """The frame that bytes stand for, as `frame` gives it.

    Raises:
        Refused: MALFORMED, EMPTY_FRAME, BAD_HELLO or BAD_NAME.
    """
    return usual_reply(data) or frame(_message(data))


def usual_reply(data: bytes) -> Reply | None:
    """The reply where the bytes are as libraries write the usual one, with short values.

    That is its id, its action, and what the bot says that it thought, in this order, or without
    the last. None for all others: what they are, only the parser tells.
    """
    size = len(data)
    if not 4 < size < 130 or data[0] != _REPLY or data[1] != size - 2 or data[2] != _DECISION_ID:
        return None
    end = 4 + data[3]
    decision_id = data[4:end]
    if end >= size or data[end] != _ACTION or not decision_id.isascii():
        return None
    try:
        action, end = short_varint(data, end + 1)
        thought = 0
        if end < size and data[end] == _THOUGHT:
            thought, end = short_varint(data, end + 1)
    except IndexError:
        return None
    return Reply(decision_id.decode(), action, "", thought / 1e6) if end == size else None


def frame(request: bot_pb2.PlayRequest | Malformed) -> Inbound:
    """The frame as a value. Notes and reasons beyond their limits are cut.

    Raises:
        Refused: MALFORMED, EMPTY_FRAME, BAD_HELLO or BAD_NAME.
    """
    if isinstance(request, Malformed):
        raise refusal(request, "BotService.Play")
    match request.WhichOneof("frame"):
        case "reply":
            return _reply(request.reply)
        case "ready":
            return Ready(request.ready.match_id[:_ID_CHARS], request.ready.attempt)
        case "hello":
            return _hello(request.hello)
        case "goodbye":
            return Goodbye(request.goodbye.reason[:_REASON_CHARS])
        case _:
            raise Refused(
                Kind.INVALID,
                "EMPTY_FRAME",
                "The frame is none of hello, ready, reply and goodbye.",
                "PlayRequest.frame",
                "set one of them; see the table at the top of bot.proto",
            )


def _reply(reply: bot_pb2.Reply) -> Reply:
    action = reply.action_id if reply.HasField("action_id") else None
    note, thought = reply.note[:MAX_NOTE_CHARS], reply.thought_us / 1e6
    return Reply(reply.decision_id[:_ID_CHARS], action, note, thought)


def _hello(hello: bot_pb2.Hello) -> Hello:
    concurrent = hello.max_concurrent_matches or 1
    if concurrent > MAX_CONCURRENT:
        _bad_hello(
            f"{concurrent} matches at once are too many.",
            "max_concurrent_matches",
            f"declare 1 to {MAX_CONCURRENT}",
        )
    return Hello(
        _readable(hello.bot_version, "bot_version"),
        _readable(hello.sdk, "sdk"),
        _games(hello),
        concurrent,
    )


def _readable(text: str, field: str) -> str:
    if len(text) > _HELLO_CHARS or not text.isprintable():
        _bad_hello(
            f"{field} is not readable or longer than {_HELLO_CHARS} characters.",
            field,
            f"use at most {_HELLO_CHARS} printable characters",
        )
    return text


def _games(hello: bot_pb2.Hello) -> Mapping[str, tuple[str, ...]]:
    games: dict[str, tuple[str, ...]] = {}
    for number, support in enumerate(hello.games):
        where = f"hello.games[{number}]"
        name = check_name(support.game, f"{where}.game")
        if name in games:
            _bad_hello(f"{name} is named twice.", f"games[{number}]", "name each game once")
        games[name] = tuple(check_name(v, f"{where}.variants") for v in support.variants)
    return games


def _bad_hello(what: str, field: str, do: str) -> NoReturn:
    raise Refused(Kind.INVALID, "BAD_HELLO", what, f"hello.{field}", do)
