"""Kept results: made once, and bounded."""

from saurodrome.engine.memo import Memo


def test_a_result_is_made_when_it_is_first_asked_for_and_kept() -> None:
    asked: list[int] = []

    def square(number: int) -> int:
        asked.append(number)
        return number * number

    memo = Memo(square, 10)
    assert [memo[3], memo[4], memo[3]] == [9, 16, 9]
    assert asked == [3, 4]


def test_it_never_keeps_more_than_it_may_and_stays_right() -> None:
    memo = Memo(str, 3)
    for number in (*range(10), *range(10)):
        assert memo[number] == str(number)
        assert len(memo) <= 3
