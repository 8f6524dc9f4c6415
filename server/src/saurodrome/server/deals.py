"""The secrets of an attempt: what its deal is drawn from, and ids that tell nothing."""

import hashlib
import secrets
from functools import lru_cache
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

    def decision_id(self, seat: int, count: int) -> str:
        """The id of a seat's `count`-th decision: 16 hex digits, keyed by this attempt.

        A counter shared by the seats would tell a rival's steps, so each seat has its own.
        """
        page, place = divmod(count, _IDS_A_PAGE)
        return _page(self.key, seat, page)[16 * place : 16 * place + 16]


_IDS_A_PAGE = 8


@lru_cache(4096)
def _page(key: bytes, seat: int, page: int) -> str:
    """Eight ids that follow each other: one hash costs as much as one for each."""
    message = b"%d/%d" % (seat, page)
    return hashlib.blake2b(message, digest_size=8 * _IDS_A_PAGE, key=key).hexdigest()


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
