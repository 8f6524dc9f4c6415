"""The allowance of illegal replies: half of what the server allows a minute, across streams."""

from saurodrome.client._surplus import UNTOLD, Allowance


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def spent(allowance: Allowance) -> int:
    """Spends all there is; gives how much that was."""
    count = 0
    while allowance.spend():
        count += 1
    return count


def test_half_is_there_at_once_and_as_much_comes_back_in_a_minute() -> None:
    clock = Clock()
    allowance = Allowance(clock)
    allowance.grant(60)

    assert spent(allowance) == 30
    clock.now = 10.0
    assert spent(allowance) == 5
    clock.now = 1000.0
    assert spent(allowance) == 30


def test_a_new_stream_gives_nothing_back() -> None:
    allowance = Allowance(Clock())
    allowance.grant(60)
    spent(allowance)

    allowance.grant(60)

    assert not allowance.spend()


def test_a_server_that_does_not_tell_is_taken_to_allow_little() -> None:
    allowance = Allowance(Clock())
    allowance.grant(0)

    assert spent(allowance) == UNTOLD / 2
