"""The secrets of an attempt: what its deal is drawn from, and ids that tell nothing."""

import hashlib
import secrets
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple, Protocol


class Deal(NamedTuple):
    """The hidden chance of one attempt.

    Attributes:
        secret: 32 bytes from which the engine's chance is drawn.
        key: 32 bytes that key the decision ids.
    """

    secret: bytes
    key: bytes

    @property
    def commitment(self) -> bytes:
        """SHA-256 of the secret, published before the match."""
        return hashlib.sha256(self.secret).digest()

    def decision_ids(self, seat: int) -> Iterator[str]:
        """The ids of a seat's decisions, one after the other: 16 hex digits, keyed by this attempt.

        A counter shared by the seats would tell a rival's steps, so each seat has its own.
        """
        for page in count():  # one hash for eight ids costs as much as for one
            message = b"%d/%d" % (seat, page)
            ids = hashlib.blake2b(message, digest_size=64, key=self.key).hexdigest()
            for place in range(0, 128, 16):
                yield ids[place : place + 16]


class Dealer(Protocol):
    """Where deals come from."""

    def deal(self, match_id: str, attempt: int) -> Deal:
        """A deal for one attempt."""
        ...


class SecretDealer:
    """Deals from the system's source: never derived from a tournament's seed, never repeated."""

    def deal(self, match_id: str, attempt: int) -> Deal:
        """A fresh deal."""
        return Deal(secrets.token_bytes(32), secrets.token_bytes(32))


class SeededDealer:
    """Reproducible deals for simulations and tests; anybody who knows the seed knows all hands."""

    def __init__(self, seed: int) -> None:
        """Keeps the seed."""
        self._seed = seed

    def deal(self, match_id: str, attempt: int) -> Deal:
        """The deal that belongs to this attempt under the seed."""
        base = f"{self._seed}/{match_id}#{attempt}".encode()
        return Deal(
            hashlib.sha256(b"deal " + base).digest(), hashlib.sha256(b"key " + base).digest()
        )
