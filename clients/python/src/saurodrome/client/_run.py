"""The two faces of a bot's program: `run` for scripts, `play` for asyncio."""

from collections.abc import Callable, Sequence
from typing import Any

from saurodrome.client._decision import Match
from saurodrome.client._events import Event, Status


def run(
    choose: Any,
    *,
    prepare: Callable[[Match], object] | None = None,
    server: str | None = None,
    token: str | None = None,
    name: str | None = None,
    matches: int | None = None,
    max_concurrent: int = 1,
    strict: bool = False,
    give_up_after: float | None = None,
    on_event: Callable[[Event, Status], object] | None = None,
    argv: Sequence[str] | None = None,
) -> None:
    """Plays matches at a server: the last line of a bot's file."""
    raise NotImplementedError


async def play(choose: Any, *, prepare: Callable[[Match], object] | None = None) -> Status:
    """Plays matches at a server, inside a program that has an event loop."""
    raise NotImplementedError
