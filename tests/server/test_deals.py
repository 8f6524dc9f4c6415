"""Deals: fresh for every attempt, committed to, with ids that tell nothing."""

import hashlib
import re
from itertools import islice

import pytest

from saurodrome.server.deals import Deal, Dealer, SecretDealer, SeededDealer

DEAL = Deal(bytes(range(32)), bytes(range(32, 64)))


def first_ids(deal: Deal, seat: int, count: int) -> list[str]:
    """The ids of a seat's first decisions."""
    return list(islice(deal.decision_ids(seat), count))


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert DEAL.commitment == hashlib.sha256(DEAL.secret).digest()


def test_decision_ids_are_16_hex_digits_and_never_repeat() -> None:
    ids = [one for seat in range(5) for one in first_ids(DEAL, seat, 200)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[0-9a-f]{16}", decision_id) for decision_id in ids)


@pytest.mark.case("SE-08")
def test_decision_ids_of_two_attempts_have_nothing_in_common() -> None:
    """So replies recorded in one match are refused in every other."""
    dealer = SeededDealer(1)
    first, second = dealer.deal("cup/1/1/1", 1), dealer.deal("cup/1/1/1", 2)
    ids = [{one for s in range(5) for one in first_ids(d, s, 50)} for d in (first, second)]
    assert ids[0].isdisjoint(ids[1])


def test_a_seats_ids_do_not_depend_on_the_steps_of_the_others() -> None:
    """They are a function of the seat and its own count, nothing else is asked for."""
    mine, theirs = DEAL.decision_ids(1), DEAL.decision_ids(7)
    taken = []
    for number in range(20):
        taken.append(next(mine))
        if number % 3:
            next(theirs)
    assert taken == first_ids(DEAL, 1, 20)
    assert set(taken).isdisjoint(first_ids(DEAL, 7, 20))
    assert set(taken).isdisjoint(first_ids(DEAL, 11, 20))


def test_the_id_does_not_betray_the_secret_of_the_deal() -> None:
    other = Deal(bytes(32), DEAL.key)
    assert first_ids(other, 0, 9) == first_ids(DEAL, 0, 9)


@pytest.mark.case("HI-06")
def test_secret_deals_differ_even_for_the_same_attempt() -> None:
    dealer: Dealer = SecretDealer()
    deals = [dealer.deal("cup/1/1/1", 1) for _ in range(50)]
    assert len({deal.secret for deal in deals} | {deal.key for deal in deals}) == 100
    assert {len(deal.secret) for deal in deals} == {len(deal.key) for deal in deals} == {32}


def test_seeded_deals_repeat_by_seed_match_and_attempt_only() -> None:
    asked = [(s, m, a) for s in (1, 2) for m in ("x/1/1/1", "x/1/1/2") for a in (1, 2)]
    deals = {key: SeededDealer(key[0]).deal(key[1], key[2]) for key in asked}
    again = {key: SeededDealer(key[0]).deal(key[1], key[2]) for key in reversed(asked)}
    assert deals == again
    assert len({deal.secret for deal in deals.values()}) == len(asked)
