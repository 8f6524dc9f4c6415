"""Where the randomness of a match comes from: keyed streams of uniform draws."""

import hashlib
import random
from collections.abc import Iterable
from math import floor
from typing import Final, NamedTuple, Protocol

from saurodrome.engine.errors import EngineError

_SECRET_BYTES = 32
_WORD = 1 << 256


class Chance(Protocol):
    """A source of uniform integers, asked only when an outcome is really needed.

    A stream is named after what is drawn ("die", "bag", "reshuffle-2"). Names match
    `[a-z0-9][a-z0-9._-]*`. Rules use one stream per kind of event, so that in a source with
    independent streams one player's choices never shift the luck of another event.
    """

    def draw(self, stream: str, n: int) -> int:
        """Return an integer of 0..n-1, all equally likely.

        Args:
            stream: Name of the event's stream.
            n: Number of equally likely outcomes, at least 1.

        Returns:
            The outcome.
        """
        ...


class Draw(NamedTuple):
    """One chance outcome: of `n` equally likely ones in `stream`, `value` came up."""

    stream: str
    n: int
    value: int


class ChanceMismatch(EngineError):
    """The rules asked for another draw than the recorded one.

    Attributes:
        expected: The recorded draw, or None if the record has no more.
        stream: The stream that the rules asked for.
        n: The number of outcomes that the rules asked for.
    """

    def __init__(self, expected: Draw | None, stream: str, n: int) -> None:
        """Keep the recorded draw and the one asked for."""
        self.expected = expected
        self.stream = stream
        self.n = n
        recorded = "no more draws" if expected is None else f"{expected.stream} of {expected.n}"
        super().__init__(f"the rules draw {stream} of {n}, the record has {recorded}")


class SecureChance:
    """Draws that nobody can foresee without the secret, and everybody can check with it.

    Draw number `k` (from 0) of a stream is the SHA-256 of `secret + stream + NUL + k` (stream
    in UTF-8, k as 8 bytes, big-endian), read as a big-endian number and reduced modulo n. A
    number in the incomplete last group of n is skipped, k moves on, and so there is no bias.
    Each stream has its own counter, hence streams are independent of each other and of the
    order in which they are asked.
    """

    def __init__(self, secret: bytes) -> None:
        """Start all streams.

        Args:
            secret: 32 bytes from the system's random source, fresh for every attempt.

        Raises:
            ValueError: The secret has another length.
        """
        if len(secret) != _SECRET_BYTES:
            raise ValueError(f"a secret has {_SECRET_BYTES} bytes, this one has {len(secret)}")
        self._secret = secret
        self._streams: dict[str, _Stream] = {}

    def draw(self, stream: str, n: int) -> int:
        """Return an integer of 0..n-1, all equally likely."""
        if n < 1:
            raise ValueError(f"cannot draw one of {n} outcomes")
        known = self._streams.get(stream)
        if known is None:
            known = self._streams[stream] = _Stream(self._secret + stream.encode() + b"\0")
        limit = _WORD - _WORD % n
        while True:
            number = known.next()
            if number < limit:
                return number % n


class _Stream:
    """The numbers of one stream."""

    __slots__ = ("_next", "_prefix")

    def __init__(self, prefix: bytes) -> None:
        self._prefix = prefix
        self._next = 0

    def next(self) -> int:
        """Return the next one."""
        digest = hashlib.sha256(self._prefix + self._next.to_bytes(8, "big")).digest()
        self._next += 1
        return int.from_bytes(digest, "big")


class FastChance:
    """Cheap draws for play-outs and benches, never for a rated match.

    One generator serves all streams, so the order of asking matters. The bias is below
    n / 2**53.
    """

    def __init__(self, seed: int) -> None:
        """Start the generator.

        Args:
            seed: Equal seeds give equal draws.
        """
        self._random = random.Random(seed).random

    def draw(self, stream: str, n: int) -> int:
        """Return an integer of 0..n-1, all equally likely."""
        return floor(self._random() * n)


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long


class RecordingChance:
    """Passes draws on from another source and remembers them."""

    def __init__(self, inner: Chance) -> None:
        """Wrap a source.

        Args:
            inner: Where the draws come from.
        """
        self._inner = inner
        self._draws: list[Draw] = []

    def draw(self, stream: str, n: int) -> int:
        """Return what the inner source draws."""
        value = self._inner.draw(stream, n)
        self._draws.append(_new(Draw, (stream, n, value)))
        return value

    def take(self) -> tuple[Draw, ...]:
        """Return the draws since the last call, in order, and forget them."""
        draws = tuple(self._draws)
        self._draws.clear()
        return draws


class ReplayChance:
    """Gives recorded draws again and refuses any other."""

    def __init__(self, draws: Iterable[Draw]) -> None:
        """Load a record.

        Args:
            draws: The draws, in the order in which they were made.
        """
        self._draws = list(draws)
        self._next = 0

    def draw(self, stream: str, n: int) -> int:
        """Return the next recorded value.

        Raises:
            ChanceMismatch: The record has another draw at this place, or none.
        """
        if self._next == len(self._draws):
            raise ChanceMismatch(None, stream, n)
        recorded = self._draws[self._next]
        if (recorded.stream, recorded.n) != (stream, n) or not 0 <= recorded.value < n:
            raise ChanceMismatch(recorded, stream, n)
        self._next += 1
        return recorded.value

    @property
    def rest(self) -> tuple[Draw, ...]:
        """The draws that nobody asked for yet."""
        return tuple(self._draws[self._next :])
