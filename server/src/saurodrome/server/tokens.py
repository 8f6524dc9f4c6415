"""Bearer tokens: how they are made, told apart and compared, without keeping them."""

import hashlib
import hmac
import re
import secrets
from typing import NamedTuple

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_ID_CHARS = 8
_SECRET_CHARS = 32  # 5 bits each: 160
_FORM = re.compile(r"srd_[a-z]{1,16}_([a-z2-7]{8})_[a-z2-7]{32}\Z")


class NewToken(NamedTuple):
    """A token that was just made. Only `token_id` and `digest` may be kept.

    Attributes:
        token: What its owner sends: `srd_<prefix>_<id>_<secret>`, 160 secret bits.
        token_id: Its public part, to find and to name it.
        digest: SHA-256 of the token.
    """

    token: str
    token_id: str
    digest: bytes


def new_token(prefix: str) -> NewToken:
    """Makes a token whose prefix says what it is for, such as `bot` or `admin`.

    Every token begins with `srd_`, so that scanners can find leaked ones.
    """
    token_id = _random(_ID_CHARS)
    token = f"srd_{prefix}_{token_id}_{_random(_SECRET_CHARS)}"
    if not _FORM.match(token):
        raise ValueError(f"{prefix!r} is no prefix: 1 to 16 letters a to z")
    return NewToken(token, token_id, digest(token))


def digest(token: str) -> bytes:
    """SHA-256 of a token; its secret is random and long, so a slow hash would add nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def token_id(token: str) -> str | None:
    """The public part of a token; None if it has not the form of one."""
    match = _FORM.match(token)
    return match[1] if match else None


def matches(token: str, kept: bytes) -> bool:
    """Whether a token is the one whose digest was kept, in time that does not depend on it."""
    return hmac.compare_digest(digest(token), kept)


def _random(chars: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(chars))
