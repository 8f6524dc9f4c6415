"""What must hold for a fit to any results: order, prior, intervals, rank ranges, correlation."""

from itertools import pairwise
from random import Random

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.rating.fit import fit, fit_pool
from saurodrome.server.rating.matches import RatedMatch, RatingError
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.spread import ELO, FEW_BLOCKS
from tests.server.rating.pools import beats, elos, errors, model_errors, only, played


def test_the_order_of_matches_and_seats_does_not_matter_to_the_last_bit() -> None:
    random = Random(1)
    matches = played(random, "abcdef", 3)
    shuffled = [
        RatedMatch(m.block, tuple(random.sample(m.placements, len(m.placements)))) for m in matches
    ]
    random.shuffle(shuffled)
    assert fit(shuffled) == fit(matches)


def test_other_names_change_nothing_but_the_names() -> None:
    matches = played(Random(2), "abcdef", 3)
    to = dict(zip("abcdef", "qwxtrp", strict=True))
    renamed = [RatedMatch(m.block, tuple((to[n], p) for n, p in m.placements)) for m in matches]
    before, after = only(fit(matches)), only(fit(renamed))
    assert elos(after) == pytest.approx({to[n]: e for n, e in elos(before).items()})
    assert errors(after) == pytest.approx({to[n]: e for n, e in errors(before).items()})


@settings(max_examples=30)
@given(st.lists(st.permutations("abcd"), min_size=1, max_size=20), st.floats(-3000, 3000))
def test_whatever_the_results_ratings_are_finite_and_have_the_mean_asked_for(
    results: list[list[str]], mean: float
) -> None:
    matches = [
        RatedMatch(str(number), tuple((name, place + 1) for place, name in enumerate(order)))
        for number, order in enumerate(results)
    ]
    component = only(fit(matches, mean=mean))
    assert sum(elos(component).values()) / 4 == pytest.approx(mean)
    assert all(0 < bot.err95 < 2000 for bot in component.bots)
    descending = sorted(elos(component).values(), reverse=True)
    assert [bot.elo for bot in component.bots] == pytest.approx(descending)
    for bot in component.bots:
        assert 1 <= bot.best_rank <= bot.worst_rank <= 4


def test_a_prior_is_used_only_where_results_set_no_bound() -> None:
    core = beats("A", "B", 3) + beats("B", "C", 3) + beats("C", "A", 3)
    assert only(fit(core)).prior_sd is None
    with_winless = only(fit(core + beats("A", "Z", 5)))
    assert with_winless.prior_sd == 600
    assert {bot.name: bot.unbounded for bot in with_winless.bots} == {
        "A": False,
        "B": False,
        "C": False,
        "Z": True,
    }
    level = RatedMatch("tie", (("A", 1), ("Z", 1)))
    assert only(fit([*core, *beats("A", "Z", 5), level])).prior_sd is None


def test_intervals_of_a_bot_that_never_lost_are_not_narrower_than_the_model_says() -> None:
    component = only(fit(beats("W", "A", 30) + beats("A", "B", 20) + beats("B", "A", 20)))
    assert component.spread.by_model_too.all()
    assert "or by the model, the wider" in component.method
    model = model_errors(component)
    assert all(bot.err95 >= model[bot.name] - 1e-9 for bot in component.bots)


def test_with_few_blocks_the_model_has_a_say() -> None:
    def both_ways(times: int) -> list[RatedMatch]:
        return beats("A", "B", times) + beats("B", "A", times)

    one_block = [RatedMatch("1", m.placements) for m in beats("A", "B", 3) + beats("B", "A", 2)]
    assert errors(only(fit(one_block))) == pytest.approx(model_errors(only(fit(one_block))))
    few, enough = only(fit(both_ways(2))), only(fit(both_ways(3)))
    assert list(few.spread.effective_blocks) == pytest.approx([4, 4])
    assert few.spread.by_model_too.all()
    assert enough.spread.effective_blocks.min() > FEW_BLOCKS
    assert not enough.spread.by_model_too.any()


def test_a_newcomer_widens_no_interval_but_its_own() -> None:
    known = played(Random(5), "abcde", 2, "balanced") * 8
    blocks = [RatedMatch(f"{n // 20}/{m.block}", m.placements) for n, m in enumerate(known)]
    newcomer = beats("new", "a", 1) + beats("b", "new", 1)
    component = only(fit(blocks + newcomer))
    assert component.prior_sd is None
    told = zip(component.bots, component.spread.by_model_too, strict=True)
    assert {bot.name for bot, by_model in told if by_model} == {"new"}
    assert "with few blocks also by the model" in component.method


def test_rank_ranges_follow_the_intervals_of_the_differences() -> None:
    component = only(fit(played(Random(3), "abcdefgh", 3, "balanced")))
    order = [bot.name for bot in component.bots]
    assert any(bot.best_rank < bot.worst_rank for bot in component.bots)
    assert any(bot.best_rank > 1 for bot in component.bots)
    for place, bot in enumerate(component.bots):
        above = [component.difference(name, bot.name) for name in order[:place]]
        below = [component.difference(bot.name, name) for name in order[place + 1 :]]
        assert bot.best_rank == 1 + sum(difference.certain for difference in above)
        assert bot.worst_rank == 8 - sum(difference.certain for difference in below)


def test_a_difference_has_an_interval_of_its_own() -> None:
    component = only(fit(played(Random(4), "abcd", 2, "balanced")))
    there, back = component.difference("a", "b"), component.difference("b", "a")
    assert there.elo == -back.elo
    assert there.err95 == pytest.approx(back.err95)
    # Not that of the two ratings about the mean, as if these were independent of each other.
    about_mean = errors(component)
    assert there.err95 != pytest.approx((about_mean["a"] ** 2 + about_mean["b"] ** 2) ** 0.5)
    assert component.difference("a", "a") == (0, 0)


def test_games_of_a_block_are_not_counted_as_news_one_by_one() -> None:
    blocks = [RatedMatch(m.block, m.placements) for m in played(Random(6), "abcdef", 2)]
    repeated = only(fit(blocks * 4))
    once = only(fit(blocks))
    assert errors(repeated) == pytest.approx(errors(once))
    model = model_errors(repeated)
    assert all(
        model[name] == pytest.approx(error / 2) for name, error in model_errors(once).items()
    )


def test_repeated_matches_are_measured_as_no_news() -> None:
    once = [m for seed in range(12) for m in played(Random(seed), "abcdef", 2)]
    alone = [RatedMatch(f"{n}", m.placements) for n, m in enumerate(once)]
    assert only(fit(alone)).correlation == (0.0, 1.0, len(alone))
    repeated = only(fit([match for match in alone for _ in range(4)])).correlation
    assert repeated.within == pytest.approx(1, abs=0.05)
    assert repeated.design_effect == pytest.approx(4, abs=0.15)
    assert repeated.effective_matches == pytest.approx(len(alone), rel=0.05)


def test_blocks_that_balance_luck_tell_more_than_their_matches() -> None:
    """Whoever has the lucky seat wins, mostly: the two seatings of a deal cancel."""
    random, matches = Random(8), []
    for block in range(400):
        a, b = random.sample("abcd", 2)
        for first, second in ((a, b), (b, a)):
            upset = random.random() < 0.2
            winner, loser = (second, first) if upset else (first, second)
            matches += beats(winner, loser, 1, f"{block}")
    measured = only(fit(matches)).correlation
    # A block's score has the variance 2 * 0.8 * 0.2, two matches on their own 2 * 0.5 * 0.5.
    assert measured.design_effect == pytest.approx(0.64, abs=0.08)
    assert measured.within == pytest.approx(-0.36, abs=0.08)
    assert measured.effective_matches == pytest.approx(800 / 0.64, rel=0.12)


def test_a_difference_says_how_likely_the_first_is_the_stronger() -> None:
    component = only(fit(played(Random(4), "abcd", 2, "balanced")))
    there, back = component.difference("a", "b"), component.difference("b", "a")
    assert there.superiority == pytest.approx(1 - back.superiority)
    assert component.difference("a", "a").superiority == 0.5
    at_the_edge = there._replace(elo=there.err95)
    assert at_the_edge.superiority == pytest.approx(0.975)


@pytest.mark.parametrize("players", [2, 3])
def test_choix_finds_the_same_maximum(players: int) -> None:
    matches = played(Random(9), "abcdef", players, "balanced")
    order = np.array([(ord(w) - 97, ord(b) - 97) for w, b in wins(matches)])
    found = choix.opt_pairwise(6, order.tolist(), alpha=0.0, tol=1e-10)
    assert elos(only(fit(matches))) == pytest.approx(
        {name: ELO * (s - found.mean()) for name, s in zip("abcdef", found, strict=True)}, abs=1e-3
    )


def test_choix_agrees_where_there_are_ties_too() -> None:
    """A tie is half a win: every game is entered twice, a tie as a win of each."""
    pairs = {("a", "b"): (14, 4, 2), ("a", "c"): (11, 7, 2), ("b", "c"): (9, 9, 2)}
    matches, entered = [], []
    for (a, b), (won, lost, level) in pairs.items():
        matches += beats(a, b, won) + beats(b, a, lost)
        matches += [RatedMatch(f"{a}{b}t{n}", ((a, 1), (b, 1))) for n in range(level)]
        ab = (ord(a) - 97, ord(b) - 97)
        entered += [ab] * (2 * won + level) + [ab[::-1]] * (2 * lost + level)
    found = choix.ilsr_pairwise(3, entered)
    assert elos(only(fit(matches))) == pytest.approx(
        {name: ELO * (s - found.mean()) for name, s in zip("abc", found, strict=True)}, abs=1e-3
    )


def wins(matches: list[RatedMatch]) -> list[tuple[str, str]]:
    """List who beat whom; no ties in these."""
    return [
        (winner, loser)
        for match in matches
        for winner, placed in match.placements
        for loser, behind in match.placements
        if placed < behind
    ]


def test_a_pool_that_grew_match_by_match_fits_as_one_that_came_at_once() -> None:
    matches = played(Random(10), "abcdef", 3)
    grown = Pool()
    for match in matches:
        grown.add(match)
    at_once, step_by_step = only(fit(matches)), only(fit_pool(grown))
    assert elos(step_by_step) == pytest.approx(elos(at_once), abs=1e-8)
    assert errors(step_by_step) == pytest.approx(errors(at_once), abs=1e-8)


def test_matches_with_one_rated_seat_say_nothing() -> None:
    alone = RatedMatch("1", (("A", 1),))
    assert fit([alone, RatedMatch("2", ())]).components == ()
    assert fit([alone, *beats("B", "C", 2)]).bot("A") is None


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(RatingError, match="anchor Z"):
        fit(beats("A", "B", 2), anchor=("Z", 1000.0))
    with pytest.raises(RatingError, match="twice"):
        fit([RatedMatch("1", (("A", 1), ("A", 2)))])


def test_exactly_five_equal_blocks_are_enough_whatever_is_rounded() -> None:
    for won in range(1, 10):
        matches = [
            RatedMatch(f"{n // 2}", (("a", 1 + (n >= won)), ("b", 2 - (n >= won))))
            for n in range(10)
        ]
        component = only(fit(matches))
        assert component.prior_sd is None
        assert not component.spread.by_model_too.any()


def test_one_block_does_not_say_what_its_matches_have_in_common() -> None:
    matches = [RatedMatch("1", m.placements) for m in beats("a", "b", 3) + beats("b", "a", 1)]
    assert only(fit(matches)).correlation == (0.0, 1.0, 4.0)


def test_a_long_chain_of_bots_is_fitted_as_their_pairs_alone_say() -> None:
    """Each of 100 bots beat the one before it two times of three, and met no other."""
    names = [f"bot-{number:03}" for number in range(100)]
    matches = [
        match
        for lower, higher in pairwise(names)
        for match in beats(higher, lower, 2) + beats(lower, higher, 1)
    ]
    rated = elos(only(fit(matches)))
    steps = [rated[higher] - rated[lower] for lower, higher in pairwise(names)]
    assert steps == pytest.approx([ELO * float(np.log(2))] * 99, abs=1e-6)
