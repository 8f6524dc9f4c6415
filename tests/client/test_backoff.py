"""The wait before the next try to connect."""

from saurodrome.client._backoff import Backoff


def test_the_first_try_comes_within_100_ms() -> None:
    assert Backoff(lambda: 1.0).next() == 0.1


def test_it_doubles_from_200_ms_to_2_s() -> None:
    backoff = Backoff(lambda: 1.0)

    assert [round(backoff.next(), 3) for _ in range(7)] == [0.1, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]


def test_jitter_spreads_bots_down_to_200_ms() -> None:
    backoff = Backoff(lambda: 0.0)

    assert [round(backoff.next(), 3) for _ in range(4)] == [0.0, 0.2, 0.2, 0.2]


def test_a_thousand_tries_later_it_is_still_2_s() -> None:
    backoff = Backoff(lambda: 1.0)
    waits = [backoff.next() for _ in range(1000)]

    assert waits[-1] == 2.0


def test_after_a_stream_that_worked_it_begins_anew() -> None:
    backoff = Backoff(lambda: 1.0)
    backoff.next()
    backoff.next()

    backoff.reset()

    assert (backoff.tries, backoff.next()) == (0, 0.1)
