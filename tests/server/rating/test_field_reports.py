"""What users of rating systems met, each row by its number; P56 to P58, P60, P61 lie elsewhere.

P56 (two pages, two ratings) is in `tests/e2e/test_one_table.py`, P57 (looking at bars) and P58 (a
fall after a win) in `tests/server/cli/test_rating.py`, P60 and P61 (farmed and arranged results)
in `test_suspicion.py`.
"""

from itertools import permutations
from math import isfinite
from random import Random

import pytest

from saurodrome.server.rating.elo import elo
from saurodrome.server.rating.explain import explain
from saurodrome.server.rating.fit import fit
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.score import Sample, report
from tests.server.rating.pools import beats, elos, errors, only, played


@pytest.mark.case("P52")
def test_p52_errors_of_games_in_pairs_come_from_the_pairs() -> None:
    """Pairs of fishtest: their games cancel, so single games would give too wide a bar."""
    pairs = Sample((0.0, 0.25, 0.5, 0.75, 1.0), (34, 54, 63, 64, 75), matches=2)
    singles = Sample((0.0, 0.5, 1.0), (153, 182, 245))
    assert report(pairs).elo_err95 != pytest.approx(report(singles).elo_err95, rel=0.1)
    random, matches = Random(1), []
    for block in range(300):  # who moves first wins, nine times of ten: a pair splits mostly
        for first, second in (("a", "b"), ("b", "a")):
            lucky = random.random() < 0.9
            order = (first, second) if lucky else (second, first)
            matches += beats(*order, 1, f"{block}")
    by_pair = only(fit(matches))
    by_game = only(fit([RatedMatch(f"{n}", m.placements) for n, m in enumerate(matches)]))
    assert errors(by_pair)["a"] < 0.7 * errors(by_game)["a"]


@pytest.mark.case("P54")
def test_p54_a_winless_and_an_unbeaten_bot_leave_all_others_finite() -> None:
    core = played(Random(1), "abcd", 2, "balanced")
    matches = core + [m for bot in "abcd" for m in beats("best", bot, 3) + beats(bot, "worst", 3)]
    component = only(fit(matches))
    assert all(isfinite(bot.elo) and isfinite(bot.err95) for bot in component.bots)
    assert {bot.name for bot in component.bots if bot.unbounded} == {"best", "worst"}
    assert component.prior_sd == 600
    assert "prior sd 600" in component.method
    alone = elos(only(fit(core)))
    among = elos(component)
    middle = sum(among[bot] for bot in "abcd") / 4
    assert {bot: among[bot] - middle for bot in "abcd"} == pytest.approx(alone, abs=50)


@pytest.mark.case("P55")
def test_p55_a_thousand_straight_losses_raise_nothing() -> None:
    ratings: tuple[float, ...] = (1500.0, 1500.0)
    for _ in range(1000):
        ratings = elo(ratings, (2, 1), k=32)
    assert ratings[0] < 1000
    component = only(fit(beats("winner", "loser", 1000)))
    assert isfinite(elos(component)["loser"])
    assert [bot.name for bot in component.bots] == ["winner", "loser"]


@pytest.mark.case("P58")
def test_p58_a_rating_that_fell_after_a_win_is_told_match_by_match() -> None:
    """The win was expected; what it beat then lost to everybody, and so is worth less."""
    matches = [
        m for a, b in permutations("abcd", 2) if abs(ord(a) - ord(b)) == 1 for m in beats(a, b, 6)
    ]
    news = beats("a", "b", 1) + [m for other in "cd" for m in beats(other, "b", 8)]
    said = explain(matches, news, "a")
    assert said.after < said.before
    (own,) = said.own
    assert own.elo > 0
    assert sum(said.others.values()) == pytest.approx(said.after - said.before - own.elo)


@pytest.mark.case("P59")
def test_p59_a_win_is_worth_1_and_a_tie_a_half() -> None:
    won = elo((1500.0, 1500.0), (1, 2), k=32)
    tied = elo((1600.0, 1400.0), (1, 1), k=32)
    assert won == (1516.0, 1484.0)
    assert tied[0] < 1600  # who was expected to win loses by a tie
    three = only(fit(beats("a", "b", 3) + beats("b", "a", 1)))
    ties = [RatedMatch(f"t{n}", (("a", 1), ("b", 1))) for n in range(2)]
    half = only(fit(beats("a", "b", 2) + ties))
    assert elos(half) == pytest.approx(elos(three))  # 3 of 4 either way
