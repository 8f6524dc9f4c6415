"""A tournament's sequential test on the wire: defaults, both ways, refusals."""

import pytest

from saurodrome.engine import registry
from saurodrome.server.errors import Refused
from saurodrome.server.rpc.settings import from_message, to_message
from saurodrome.server.settings import NO_TEST, SprtRule
from saurodrome.tournament.v1 import messages_pb2 as messages


def message(**test: object) -> messages.TournamentSettings:
    """Make settings with a test of ann."""
    return messages.TournamentSettings(
        name="cup",
        game="draftosaurus",
        variant="summer",
        players=2,
        bots=["ann", "bob", "cyd"],
        sprt=messages.SequentialTest(**test) if test else None,  # type: ignore[arg-type]
    )


def test_there_is_none_unless_asked_for() -> None:
    settings = from_message(message(), registry.games())
    assert settings.sprt == NO_TEST
    assert not to_message(settings).HasField("sprt")


def test_what_is_left_out_has_its_usual_value() -> None:
    settings = from_message(message(bot="ann", against=["bob"]), registry.games())
    assert settings.sprt == SprtRule("ann", ("bob",), 0.0, 10.0, 0.05, 0.05, "normalised")


def test_it_comes_back_as_it_was() -> None:
    told = message(
        bot="ann",
        against=["bob", "cyd"],
        elo0=-5.0,
        elo1=0.0,
        alpha=0.01,
        beta=0.1,
        model=messages.ELO_MODEL_LOGISTIC,
    )
    settings = from_message(told, registry.games())
    assert settings.sprt == SprtRule("ann", ("bob", "cyd"), -5.0, 0.0, 0.01, 0.1, "logistic")
    assert from_message(to_message(settings), registry.games()) == settings


@pytest.mark.parametrize(
    ("test", "code"),
    [
        ({"bot": "ann"}, "BAD_TEST"),
        ({"bot": "ann", "against": ["ann"]}, "BAD_TEST"),
        ({"bot": "ann", "against": ["zoe"]}, "UNKNOWN_BOT"),
        ({"bot": "ann", "against": ["bob"], "elo0": 5.0, "elo1": 5.0}, "BAD_TEST"),
        ({"bot": "ann", "against": ["bob"], "alpha": 0.7}, "BAD_TEST"),
        ({"bot": "ann", "against": ["bob"], "elo1": float("nan")}, "OUT_OF_RANGE"),
        ({"bot": "ann", "against": ["bob"], "model": 9}, "UNKNOWN_MODEL"),
    ],
)
def test_a_test_that_cannot_be_is_refused(test: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        from_message(message(**test), registry.games())
    assert refusal.value.code == code
