"""Calls that go on, and their end with the token that they were made with."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from saurodrome.server.errors import Refused

LOOK = 1.0
"""Seconds between two looks for tokens that expired."""

End = Callable[[Refused], None]


class Live:
    """Every call that goes on, by its token."""

    def __init__(self, ended: Callable[[str], Refused | None]) -> None:
        """Takes who knows why a token works no more, by its id; None while it works."""
        self._ended = ended
        self._calls: dict[str, dict[object, End]] = {}

    @contextmanager
    def call(self, token_id: str, end: End) -> Iterator[None]:
        """Has `end` called with a refusal once the token works no more; it must not block."""
        key = object()
        self._calls.setdefault(token_id, {})[key] = end
        try:
            yield
        finally:
            calls = self._calls[token_id]
            del calls[key]
            if not calls:
                del self._calls[token_id]

    def look(self) -> None:
        """Ends the calls whose token works no more."""
        for token_id, calls in tuple(self._calls.items()):
            if refusal := self._ended(token_id):
                for end in tuple(calls.values()):
                    end(refusal)

    async def watch(self) -> None:
        """Looks for ever."""
        while True:
            await asyncio.sleep(LOOK)
            self.look()
