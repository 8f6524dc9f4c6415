"""Games of two bots: all of so many, or the best of so many."""

import pytest

from saurodrome.server.schedule.format import Match, Result
from saurodrome.server.schedule.series import Series


def series(games: int, *, best_of: bool) -> Series:
    return Series((1, 1), ("a", "b"), 0, games, best_of)


def play(one: Series, winners: str) -> list[Match]:
    """Plays games by who wins: a, b, = level, - counts nowhere; returns all that were due."""
    due = list(one.grow())
    for number, winner in enumerate(winners):
        match = due[number]
        places = {"a": "12", "b": "21", "=": "11", "-": ""}[winner]
        if match.seats == ("b", "a"):
            places = places[::-1]
        one.played(match, Result(match.id, tuple(map(int, places))))
        due += one.grow()
    return due


@pytest.mark.parametrize(
    ("games", "winners", "winner"),
    [
        (1, "a", "a"),
        (1, "b", "b"),
        (3, "aa", "a"),
        (3, "bb", "b"),
        (3, "aba", "a"),
        (3, "abb", "b"),
        (3, "a=", None),
        (3, "a==", "a"),
        (5, "bbb", "b"),
        (2, "ab", None),
        (2, "abaa", "a"),
        (1, "=bb", "b"),
        (1, "=ab", None),
        (1, "=abab=b", "b"),
        (1, "=======", "a"),
        (3, "---------", "a"),
    ],
)
def test_the_best_of_so_many_games(games: int, winners: str, winner: str | None) -> None:
    one = series(games, best_of=True)
    due = play(one, winners)
    assert one.over is (winner is not None)
    assert len(due) >= len(winners)
    if winner is not None:
        assert one.winner() == winner
        assert len(due) == len(winners)


@pytest.mark.parametrize("games", range(1, 10))
def test_as_many_games_are_due_at_once_as_are_surely_played(games: int) -> None:
    assert len(list(series(games, best_of=True).grow())) == games // 2 + 1


@pytest.mark.parametrize(
    ("winners", "scores"),
    [
        ("aa", (2, 0)),
        ("ab", (1, 1)),
        ("b=", (0, 2)),
        ("==", (1, 1)),
        ("--", (0, 0)),
        ("-b", (0, 2)),
    ],
)
def test_all_of_so_many_games_are_worth_a_win_a_half_or_nothing(
    winners: str, scores: tuple[int, int]
) -> None:
    one = series(2, best_of=False)
    assert len(play(one, winners)) == 2
    assert one.over
    assert one.scores() == scores


@pytest.mark.parametrize("first", [0, 1])
def test_bots_change_seats_after_every_game(first: int) -> None:
    one = Series((1, 1), ("a", "b"), first, 4, best_of=False)
    seats = [match.seats for match in one.grow()]
    assert seats == [("a", "b"), ("b", "a")] * 2 if first == 0 else [("b", "a"), ("a", "b")] * 2


def test_who_leaves_loses_it() -> None:
    one = series(3, best_of=True)
    play(one, "a")
    one.absent.add("a")
    assert one.over
    assert one.winner() == "b"
    assert one.scores() == (0, 2)
    one.absent.add("b")
    assert one.winner() is None
    assert one.scores() == (0, 0)


def test_a_game_that_is_taken_back_opens_it_again() -> None:
    one = series(1, best_of=True)
    (match,) = play(one, "a")
    one.take_back(match)
    assert not one.over
    one.played(match, Result(match.id, (2, 1)))
    assert one.winner() == "b"
