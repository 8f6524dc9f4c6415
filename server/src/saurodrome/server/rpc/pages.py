"""Long lists in pages: sizes, opaque page tokens, and a bound on bytes."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeVar

from google.protobuf.message import Message

from saurodrome.server.rpc.checks import invalid, whole

MAX_PAGE_SIZE = 500
"""Items in a page."""
MAX_PAGE_BYTES = 1_048_576
"""Bytes in a page, a quarter of what clients take by default; one item is always sent."""

T = TypeVar("T")
M = TypeVar("M", bound=Message)


def page_size(asked: int) -> int:
    """How many items a page may have.

    Raises:
        Refused: OUT_OF_RANGE.
    """
    return whole(asked, MAX_PAGE_SIZE, MAX_PAGE_SIZE, "page_size")


def cursor(token: str, kind: str) -> str:
    """What a page token of one kind of list holds; empty for the first page.

    Raises:
        Refused: BAD_PAGE_TOKEN.
    """
    if not token:
        return ""
    try:
        text = base64.b64decode(token, altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        text = ""
    found, _, value = text.partition("/")
    if found == kind and value:
        return value
    raise invalid(
        "BAD_PAGE_TOKEN",
        "This is no page token of this list.",
        "page_token",
        "use next_page_token of the previous page unchanged, or none",
    )


def number(token: str, kind: str) -> int | None:
    """The number that a page token holds; None for the first page.

    Raises:
        Refused: BAD_PAGE_TOKEN.
    """
    text = cursor(token, kind)
    if not text:
        return None
    return int(text) if text.isdecimal() and len(text) <= 18 else int(cursor("-", kind))


def page(
    items: Sequence[T], size: int, convert: Callable[[T], M], key: Callable[[T], object], kind: str
) -> tuple[list[M], str]:
    """The messages of one page and the token of the next.

    Args:
        items: The items from the cursor on, one more than `size` if there are more.
        size: How many items the page may have.
        convert: Makes a message of an item.
        key: What the cursor behind an item is.
        kind: What is listed.
    """
    messages: list[M] = []
    room = MAX_PAGE_BYTES
    for item in items[:size]:
        message = convert(item)
        room -= message.ByteSize()
        if messages and room < 0:
            break
        messages.append(message)
    if len(messages) == len(items):
        return messages, ""
    last = f"{kind}/{key(items[len(messages) - 1])}"
    return messages, base64.b64encode(last.encode("ascii"), b"-_").decode()
