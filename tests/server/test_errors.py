"""Refusals: what they say, and raising one that was kept."""

import pytest

from saurodrome.server.errors import Kind, Refused


def test_a_refusal_that_was_kept_is_raised_as_another_one_that_says_the_same() -> None:
    kept = Refused(Kind.EXHAUSTED, "TAKEOVERS", "Too many came.", "Play", "stop one")
    for _ in range(3):
        with pytest.raises(Refused) as caught:
            raise kept.again()
        assert vars(caught.value) == vars(kept)
        assert str(caught.value) == str(kept)
    assert kept.__traceback__ is None
