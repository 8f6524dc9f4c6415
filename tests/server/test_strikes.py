"""Three strikes in a row or five in a match forfeit; the two kinds are counted apart."""

import pytest

from saurodrome.server.port import Answer, FaultRule, Verdict
from saurodrome.server.strikes import Strikes

VERDICTS = {
    "a": Verdict.ACCEPTED,
    "m": Verdict.IN_MARGIN,
    "t": Verdict.TIMED_OUT,
    "i": Verdict.ILLEGAL,
}


def forfeits_at(letters: str, rule: FaultRule = FaultRule()) -> int | None:
    """Return the number of the answer, from 1, that forfeits; None if none does."""
    strikes = Strikes(rule)
    for number, letter in enumerate(letters, start=1):
        if strikes.count(Answer(0, VERDICTS[letter], 1.0)):
            return number
    return None


@pytest.mark.parametrize(
    ("letters", "forfeit"),
    [
        ("", None),
        ("aaaaaaaaaaaa", None),
        ("mmmmmmmmmmmm", None),
        ("tt", None),
        ("ttt", 3),
        ("iii", 3),
        ("aatttaaa", 5),
        ("ttatta", None),
        ("ttatt", None),
        ("ttattat", 7),
        ("tatatatat", 9),
        ("iaiaiaiai", 9),
        ("tmtmtmtmt", 9),
        ("ttmttmt", 7),
        ("titi", None),
        ("ttii", None),
        ("tatatataiaiaiaia", None),
        ("tatatataiaiaiaiat", 17),
    ],
)
def test_when_a_seat_forfeits(letters: str, forfeit: int | None) -> None:
    assert forfeits_at(letters) == forfeit


@pytest.mark.parametrize(
    ("rule", "letters", "forfeit"),
    [
        (FaultRule(strikes_in_a_row=1), "aat", 3),
        (FaultRule(strikes_in_a_row=4), "tttt", 4),
        (FaultRule(strikes_in_a_row=9, strikes_in_match=2), "taat", 4),
        (FaultRule(strikes_in_a_row=100, strikes_in_match=100), "t" * 99, None),
    ],
)
def test_the_numbers_are_settings(rule: FaultRule, letters: str, forfeit: int | None) -> None:
    assert forfeits_at(letters, rule) == forfeit


def test_illegal_replies_before_a_legal_one_are_counted_and_are_no_strike() -> None:
    strikes = Strikes(FaultRule(strikes_in_a_row=1))
    assert not strikes.count(Answer(0, Verdict.ACCEPTED, 0.1, illegal=2))
    assert (strikes.illegal_replies, strikes.total(Verdict.ILLEGAL), strikes.timeouts) == (2, 0, 0)


def test_timeouts_and_illegal_decisions_are_counted_apart() -> None:
    strikes = Strikes(FaultRule())
    for verdict in (Verdict.TIMED_OUT, Verdict.ILLEGAL, Verdict.TIMED_OUT):
        strikes.count(Answer(0, verdict, 1.0, illegal=3 if verdict is Verdict.ILLEGAL else 0))
    assert strikes.timeouts == strikes.total(Verdict.TIMED_OUT) == 2
    assert strikes.total(Verdict.ILLEGAL) == 1
    assert strikes.illegal_replies == 3
