"""Tokens: their form, their entropy, and that only their own digest fits."""

import hashlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server import tokens


def test_a_token_tells_what_it_is_for_and_its_id() -> None:
    made = tokens.new_token("bot")
    prefix, role, token_id, secret = made.token.split("_")
    assert (prefix, role) == ("srd", "bot")
    assert token_id == made.token_id == tokens.token_id(made.token)
    assert made.digest == hashlib.sha256(made.token.encode()).digest()
    assert len(secret) * math.log2(32) >= 128


def test_tokens_differ_in_id_and_secret_and_use_the_whole_alphabet() -> None:
    made = [tokens.new_token("admin") for _ in range(200)]
    assert len({token.token for token in made}) == 200
    assert len({token.token_id for token in made}) == 200
    secrets = "".join(token.token.split("_")[3] for token in made)
    assert set(secrets) == set("abcdefghijklmnopqrstuvwxyz234567")
    # 6,400 letters of 32: each 200 times, give or take 14 (one standard deviation)
    assert all(110 < secrets.count(letter) < 290 for letter in set(secrets))


def test_a_digest_fits_its_own_token_alone() -> None:
    made = tokens.new_token("bot")
    assert tokens.matches(made.token, made.digest)
    flipped = made.token[:-1] + ("a" if made.token[-1] != "a" else "b")
    assert not tokens.matches(flipped, made.digest)
    assert not tokens.matches("", made.digest)
    assert not tokens.matches(made.token.upper(), made.digest)


@given(st.text())
def test_what_is_no_token_has_no_id_and_fits_nothing(text: str) -> None:
    assert tokens.token_id(text) is None
    assert not tokens.matches(text, tokens.digest("srd"))


@pytest.mark.parametrize(
    "text",
    [
        "srd_bot_aaaaaaaa_" + "b" * 31,
        "srd_bot_aaaaaaaa_" + "b" * 33,
        "srd_bot_aaaaaaaa_" + "b" * 32 + "\n",
        "srd_bot_aaaaaaa1_" + "b" * 32,
        "lip_bot_aaaaaaaa_" + "b" * 32,
        " srd_bot_aaaaaaaa_" + "b" * 32,
    ],
)
def test_almost_tokens_are_none(text: str) -> None:
    assert tokens.token_id(text) is None


@pytest.mark.parametrize("prefix", ["", "Bot", "bot_1", "b" * 17])
def test_a_prefix_is_a_word(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        tokens.new_token(prefix)
