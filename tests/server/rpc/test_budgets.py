"""How often an address may fail to log in, and how many calls a token may make."""

from contextlib import ExitStack

import pytest

from saurodrome.server.contracts import Caller
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc.budgets import (
    LONGEST_WAIT,
    MAX_BOT_CALLS,
    MAX_CALLS_AT_ONCE,
    MAX_FAILED_LOGINS,
    Budgets,
)
from saurodrome.server.store.access import Role

PEER = "ipv4:10.0.0.7:51234"
BOT = Caller(Role.BOT, "ada", "aaaaaaaa")
AUTHOR = Caller(Role.AUTHOR, "carl", "cccccccc")
PLAY = "/saurodrome.bot.v1.BotService/Play"


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budgets(clock: Clock) -> Budgets:
    return Budgets(clock)


def refused(budgets: Budgets, peer: str = PEER) -> Refused | None:
    """What a failed login is told beyond that it failed."""
    try:
        budgets.failed(peer)
    except Refused as refusal:
        return refusal
    return None


@pytest.mark.case("P66")
def test_thirty_failed_logins_a_minute_are_told_plainly_and_the_next_is_to_wait(
    budgets: Budgets,
) -> None:
    assert [refused(budgets) for _ in range(MAX_FAILED_LOGINS)] == [None] * 30
    refusal = refused(budgets)
    assert refusal is not None
    assert (refusal.kind, refusal.code) == (Kind.EXHAUSTED, "LOGIN_ATTEMPTS")
    assert "in 1 s" in refusal.do


def test_each_try_that_does_not_wait_doubles_the_wait_up_to_a_minute(budgets: Budgets) -> None:
    for _ in range(MAX_FAILED_LOGINS):
        refused(budgets)
    waits = []
    for _ in range(9):
        refusal = refused(budgets)
        assert refusal is not None
        waits.append(refusal.do.split("again in ")[1].split(";")[0])
    assert waits == ["1 s", "2 s", "4 s", "8 s", "16 s", "32 s", "60 s", "60 s", "60 s"]
    assert LONGEST_WAIT == 60


def test_who_waits_is_told_plainly_again(budgets: Budgets, clock: Clock) -> None:
    for _ in range(MAX_FAILED_LOGINS + 1):
        refused(budgets)
    clock.now += 2.0  # a fiftieth of a minute fills the budget by one
    assert refused(budgets) is None


def test_addresses_do_not_pay_for_each_other_and_ports_are_no_addresses(budgets: Budgets) -> None:
    for port in range(MAX_FAILED_LOGINS + 5):
        refused(budgets, f"ipv4:10.0.0.7:{port}")
    assert refused(budgets, "ipv4:10.0.0.7:1") is not None
    assert refused(budgets, "ipv4:10.0.0.8:1") is None
    assert refused(budgets, "ipv6:%5B::1%5D:1") is None


def test_many_addresses_are_not_kept_for_ever(
    budgets: Budgets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("saurodrome.server.rpc.budgets._MAX_KEPT", 10)
    for number in range(100):
        refused(budgets, f"ipv4:10.0.0.{number}:1")
    assert len(budgets._failures) == 10


def test_a_bot_makes_so_many_calls_a_minute_and_others_as_many_as_they_like(
    budgets: Budgets, clock: Clock
) -> None:
    def call(caller: Caller) -> None:
        with budgets.call(caller, PLAY):
            pass

    for _ in range(MAX_BOT_CALLS):
        call(BOT)
    with pytest.raises(Refused, match="TOO_MANY_CALLS") as caught:
        call(BOT)
    assert caught.value.kind is Kind.EXHAUSTED
    call(BOT._replace(name="bob"))
    for _ in range(3 * MAX_BOT_CALLS):
        call(AUTHOR)
    clock.now += 60.0
    call(BOT)


def test_a_token_has_so_many_calls_open_and_gets_them_back(budgets: Budgets) -> None:
    with ExitStack() as calls:
        for _ in range(MAX_CALLS_AT_ONCE):
            calls.enter_context(budgets.call(AUTHOR, "watch"))
        with pytest.raises(Refused, match="open already"), budgets.call(AUTHOR, "watch"):
            pass
        with budgets.call(AUTHOR._replace(token_id="dddddddd"), "watch"):
            pass
    with budgets.call(AUTHOR, "watch"):
        pass
    assert not budgets._open
