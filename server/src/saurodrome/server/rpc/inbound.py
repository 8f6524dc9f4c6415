"""Frames from bots: bytes to values, with everything checked that a value promises."""

from collections.abc import Mapping
from typing import NoReturn

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import MAX_NOTE_CHARS, Goodbye, Hello, Inbound, Ready, Reply
from saurodrome.server.rpc.malformed import Malformed, refusal, tolerant
from saurodrome.server.settings import check_name

MAX_CONCURRENT = 64
"""Matches at once that a bot may declare."""
_HELLO_CHARS = 64
_REASON_CHARS = 200
_ID_CHARS = 128  # longer than any id of ours: what is cut here matches none


_message = tolerant(bot_pb2.PlayRequest.FromString)


def parse(data: bytes) -> Inbound:
    """The frame that bytes stand for, as `frame` gives it.

    Raises:
        Refused: MALFORMED, EMPTY_FRAME, BAD_HELLO or BAD_NAME.
    """
    return frame(_message(data))


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
