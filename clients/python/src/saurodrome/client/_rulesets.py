"""Rulesets of a server: fetched when an author's code first asks, then kept."""

import threading
from collections.abc import Callable
from typing import Any

import grpc

from saurodrome.bot.v1 import games_pb2
from saurodrome.client._channel import metadata_of, open_blocking_channel
from saurodrome.client._status import from_blocking_error
from saurodrome.client._target import Target

Fetch = Callable[[str, str], str]
"""From a game and the hash of its ruleset to its document."""

PATIENCE = 10.0
"""Seconds that a ruleset may take to come."""
_METHOD = "/saurodrome.bot.v1.BotService/GetRuleset"


class Rulesets:
    """Asks a server, from the threads in which authors' code runs; every ruleset once."""

    def __init__(self, target: Target) -> None:
        """Asks nothing yet."""
        self._target = target
        self._lock = threading.Lock()
        self._kept: dict[str, str] = {}

    def __call__(self, game: str, content: str) -> str:
        """Gives a ruleset as JSON.

        Args:
            game: The game.
            content: The hash that the match names.

        Raises:
            ServerError: The server does not give it.
        """
        with self._lock:
            if content not in self._kept:
                self._kept[content] = self._fetch(game)
            return self._kept[content]

    def _fetch(self, game: str) -> str:
        with open_blocking_channel(self._target) as channel:
            call: Any = channel.unary_stream(
                _METHOD,
                request_serializer=games_pb2.GetRulesetRequest.SerializeToString,
                response_deserializer=games_pb2.GetRulesetResponse.FromString,
            )
            request = games_pb2.GetRulesetRequest(game=game)
            try:
                parts = call(request, metadata=metadata_of(self._target), timeout=PATIENCE)
                return b"".join(part.chunk for part in parts).decode()
            except grpc.RpcError as error:
                raise from_blocking_error(error, self._target) from None
