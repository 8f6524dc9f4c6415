"""What moved a rating: the moves add up, and a fall after a win is told."""

from random import Random

import pytest

from saurodrome.server.rating.explain import Explanation, explain
from saurodrome.server.rating.fit import fit
from saurodrome.server.rating.matches import RatedMatch, RatingError
from tests.server.rating.pools import beats, elos, only, played


def total(said: Explanation) -> float:
    return sum(move.elo for move in said.own) + sum(said.others.values()) + said.prior


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("anchor", [None, ("c", 1000.0)])
def test_moves_add_up_to_the_change_of_the_published_rating(
    players: int, anchor: tuple[str, float] | None
) -> None:
    matches = played(Random(players), "abcdef", players, "balanced")
    cut = len(matches) * 2 // 3
    before, after = (only(fit(m, mean=1500, anchor=anchor)) for m in (matches[:cut], matches))
    for bot in "abf":
        said = explain(matches[:cut], matches[cut:], bot, mean=1500, anchor=anchor)
        assert said.before == pytest.approx(elos(before)[bot], abs=1e-6)
        assert said.after == pytest.approx(elos(after)[bot], abs=1e-6)
        assert said.after - said.before == pytest.approx(total(said), abs=1e-9)


def test_winning_more_than_expected_moves_up_and_less_moves_down() -> None:
    matches = played(Random(1), "abcd", 2, "balanced") * 3
    said = explain(matches[:24], matches[24:], "b")
    assert said.own
    for move in said.own:
        assert (move.elo > 0) == (move.score > move.expected)


def test_a_bot_that_comes_new_starts_at_the_mean() -> None:
    known = played(Random(2), "abcd", 2, "balanced")
    news = beats("a", "new", 2) + beats("new", "b", 1) + beats("new", "c", 1, "x")
    said = explain(known, news, "new", mean=1500)
    assert said.before == 1500
    assert said.after == pytest.approx(elos(only(fit(known + news, mean=1500)))["new"], abs=1e-6)
    assert [move.match for move in said.own] == [0, 1, 2, 3]


def test_a_prior_that_goes_is_told_apart() -> None:
    unbeaten = beats("a", "b", 4) + beats("b", "c", 2) + beats("c", "b", 2)
    lost = [RatedMatch("lost", (("a", 2), ("b", 1)))]
    said = explain(unbeaten, lost, "a")
    assert said.prior > 0  # the prior had held it down
    assert said.own[0].elo < 0
    assert said.after - said.before == pytest.approx(total(said), abs=1e-9)
    assert said.after == pytest.approx(elos(only(fit(unbeaten + lost)))["a"], abs=1e-6)


def test_opponents_come_with_score_and_expectation() -> None:
    matches = beats("a", "b", 3) + beats("b", "a", 1, "x") + beats("b", "c", 2)
    matches += beats("c", "b", 2, "y")
    said = explain([], matches, "a")
    (b,) = said.opponents
    assert (b.bot, b.matches, b.score) == ("b", 4, 0.75)
    assert b.expected == pytest.approx(0.75)  # the only results that tell a's strength


def test_a_bot_without_a_match_has_no_rating_to_explain() -> None:
    with pytest.raises(RatingError, match="z has no rated match"):
        explain([], beats("a", "b", 1), "z")
