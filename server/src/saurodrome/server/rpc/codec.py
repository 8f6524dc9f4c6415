"""The game's part of a decision frame, put together from bytes that are made once.

Concatenated protobuf merges, so the public part of an observation is encoded once a turn and
shared by the seats, the private part follows, and every action is one blob, made once where its
id always means the same.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine.game import Observation
from saurodrome.engine.games.draftosaurus import wire as draftosaurus
from saurodrome.engine.games.duelosaur import wire as duelosaur
from saurodrome.server.rpc.encoding import tag, varint


class Wire(Protocol):
    """A variant of a game on the wire: what its `wire.py` offers, for its own observations."""

    def public(self, observation: Any) -> bytes:
        """The public part, serialized as a partial Observation message of the game."""
        ...

    def private(self, observation: Any) -> bytes:
        """The rest, serialized alike: public + private is the whole message."""
        ...

    @property
    def fixed_ids(self) -> bool:
        """Whether an action id means the same in all decisions of the variant."""
        ...

    def actions(self, observation: Any, legal: Sequence[int]) -> Sequence[bytes]:
        """Legal actions of the observer as serialized Action messages of the game."""
        ...


_WIRES: dict[str, Callable[[str], Wire]] = {
    "draftosaurus": draftosaurus.DraftosaurusWire,
    "duelosaur": duelosaur.DuelosaurWire,
}
"""By game, named as its field in the oneofs of bot.proto. A new game needs a line here."""

_LEGAL_ACTIONS = tag(bot_pb2.Decision.LEGAL_ACTIONS_FIELD_NUMBER)


class Codec:
    """Makes the payload of decision frames of one variant: a partial Decision message."""

    def __init__(self, game: str, variant: str) -> None:
        """Takes the game's wire module.

        Raises:
            KeyError: The game is not on the wire.
        """
        self._wire = _WIRES[game](variant)
        self._observation = tag(bot_pb2.Decision.DESCRIPTOR.fields_by_name[game].number)
        self._action = tag(bot_pb2.LegalAction.DESCRIPTOR.fields_by_name[game].number)
        self._blobs: dict[int, bytes] = {}

    def public(self, observation: Observation) -> bytes:
        """The part of an observation that all observers of the state share."""
        return self._wire.public(observation)

    def payload(self, public: bytes, observation: Observation, legal: tuple[int, ...]) -> bytes:
        """The observation, whose public part is given, and the legal actions."""
        private = self._wire.private(observation)
        head = self._observation + varint(len(public) + len(private))
        blobs = self._blobs
        try:
            actions = b"".join([blobs[action] for action in legal])
        except KeyError:
            made = self._made(observation, legal)
            if self._wire.fixed_ids:
                blobs.update(zip(legal, made, strict=True))
            actions = b"".join(made)
        return b"".join((head, public, private, actions))

    def _made(self, observation: Observation, legal: tuple[int, ...]) -> list[bytes]:
        """The entries of some actions."""
        bodies = self._wire.actions(observation, legal)
        return [self._entry(*one) for one in zip(legal, bodies, strict=True)]

    def _entry(self, action: int, body: bytes) -> bytes:
        entry = bot_pb2.LegalAction(id=action).SerializeToString()
        entry += self._action + varint(len(body)) + body
        return _LEGAL_ACTIONS + varint(len(entry)) + entry
