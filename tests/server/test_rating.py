"""Ratings: published cases, then what must hold for a fit to any results."""

import json
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.server.rating import Component, Fit, RatedMatch, RatingError, elo, fit
from saurodrome.server.rating.bradley_terry import BradleyTerry
from saurodrome.server.rating.pool import bounded, groups
from saurodrome.server.rating.spread import ELO
from saurodrome.server.schedule import Seating, round_robin

Case = dict[str, Any]

FILE = Path(__file__).resolve().parents[1] / "data" / "ratings.json"
CASES: dict[str, Case] = {case["id"]: case for case in json.loads(FILE.read_text())["cases"]}
DIGITS = 6e-5  # the cases give four digits


def multi(case: Case) -> None:
    before, places = case["input"]["ratings"], case["input"]["places"]
    after = elo(list(before.values()), [places[n] for n in before], k=case["input"]["K"])
    assert dict(zip(before, after, strict=True)) == pytest.approx(case["computed"], abs=1e-6)


def sequence_of_two(case: Case) -> None:
    ratings = (float(case["input"]["start"]),) * 2
    for winner in case["input"]["winner_sequence_1_2_or_0_tie"]:
        placements = {0: (1, 1), 1: (1, 2), 2: (2, 1)}[winner]
        ratings = elo(ratings, placements, k=case["input"]["K"])  # type: ignore[assignment]
    assert ratings == pytest.approx(case["computed"]["unrounded"], abs=DIGITS)


def four_with_another_width(case: Case) -> None:
    wanted = case["input"]
    k = wanted["K_per_pair"] * (len(wanted["ratings"]) - 1)
    after = elo(wanted["ratings"], wanted["places"], k=k, width=wanted["width"])
    assert after == pytest.approx(case["computed"]["simultaneous"], abs=DIGITS)


def pool_of_pairs(case: Case) -> None:
    if case["id"] == "disconnected_pool":
        return two_pools(case)
    counts = case["input"]["table_wins_losses_ties"]
    matches = [
        RatedMatch(f"{pair}/{kind}/{number}", tuple(zip(pair.split("-"), places, strict=True)))
        for pair, numbers in counts.items()
        for kind, places in enumerate([(1, 2), (2, 1), (1, 1)])
        for number in range(numbers[kind])
    ]
    component = only(fit(matches))
    computed = case["computed"]
    assert elos(component) == pytest.approx(computed["elo"], abs=DIGITS)
    assert model_errors(component) == pytest.approx(computed["err95_model"], abs=DIGITS)
    assert uncorrected(component) == pytest.approx(computed["err95_robust_per_game"], abs=DIGITS)
    anchored = only(fit(matches, anchor=("D", 1000.0)))
    assert anchored.reference == "D"
    assert elos(anchored) == pytest.approx(computed["anchored_D_1000"], abs=DIGITS)
    from_anchor = {
        name: anchored.difference(name, "D").err95 / anchored.spread.correction**0.5
        for name in "ABCD"
    }
    assert from_anchor == pytest.approx(computed["anchored_err95_robust"], abs=DIGITS)
    return None


def two_pools(case: Case) -> None:
    fitted = fit(beats("A", "B", 3) + beats("B", "A", 3) + beats("C", "D", 3) + beats("D", "C", 3))
    assert [[bot.name for bot in c.bots] for c in fitted.components] == (
        case["computed"]["components"]
    )
    with pytest.raises(RatingError, match="does not compare: C"):
        fitted.components[0].difference("A", "C")


def pool_of_many(case: Case) -> None:
    computed = case["computed"]
    for size, errors in [(1, "cluster=game"), (4, "cluster=block_of_4_games")]:
        component = only(fit(blocks_of(size, case["input"]["games"])))
        assert elos(component) == pytest.approx(computed["bt_elo"], abs=DIGITS)
        assert model_errors(component) == pytest.approx(computed["bt_err95_model"], abs=DIGITS)
        known = computed[f"bt_err95_robust_{errors}"]
        assert uncorrected(component) == pytest.approx(known, abs=DIGITS)
        count = 48 // size
        assert component.spread.correction == count / (count - 5)
    group = groups(blocks_of(1, case["input"]["games"]))[0]
    with_prior = BradleyTerry(group, (ELO / 600) ** 2).strengths()
    assert {n: ELO * s for n, s in zip(group.names, with_prior, strict=True)} == pytest.approx(
        computed["bt_elo_prior_sd_600"], abs=DIGITS
    )
    live = dict.fromkeys(group.names, 1500.0)
    for game in case["input"]["games"]:
        names, places = zip(*game, strict=True)
        live.update(zip(names, elo([live[n] for n in names], places, k=32), strict=True))
    assert live == pytest.approx(computed["online_elo_K32_in_listed_order_from_1500"], abs=DIGITS)
    assert sum(live.values()) == pytest.approx(9000)


def unbeaten_and_winless(case: Case) -> None:
    matches = beats("W", "X", 6) + beats("W", "L", 6) + beats("X", "L", 6)
    assert bounded(groups(matches)[0]) == frozenset()  # no finite maximum without a prior
    for sd, known in case["computed"]["gaussian_prior_sd_elo"].items():
        component = only(fit(matches, prior_sd=float(sd)))
        assert component.prior_sd == float(sd)
        assert f"prior sd {sd}" in component.method
        assert all(bot.unbounded for bot in component.bots)
        assert elos(component) == pytest.approx(known["elo"], abs=DIGITS)
        assert errors(component) == pytest.approx(known["err95_model"], abs=DIGITS)


CHECKS: dict[str, Callable[[Case], None]] = {
    "online_elo_multi": multi,
    "online_elo_2p": sequence_of_two,
    "online_elo_4p": four_with_another_width,
    "pool_bt": pool_of_pairs,
    "pool_multi": pool_of_many,
    "pool_bt_prior": unbeaten_and_winless,
}
LEFT_OUT = {
    "match_wdl": "one opponent, normalized Elo: no such report yet",
    "match_pairs": "one opponent by pairs of games: no such report yet",
    "sprt_llr": "no sequential test yet",
    "sprt_llr_cutechess": "no sequential test yet",
    "sprt_bounds": "no sequential test yet",
    "glicko2": "not the method here",
    "schedule_design": "in test_schedule.py",
}


@pytest.mark.parametrize(
    "case",
    [case for case in CASES.values() if case["kind"] in CHECKS],
    ids=[name for name, case in CASES.items() if case["kind"] in CHECKS],
)
def test_published_case(case: Case) -> None:
    CHECKS[case["kind"]](case)


def test_every_kind_of_case_is_checked_or_left_out_for_a_reason() -> None:
    assert {case["kind"] for case in CASES.values()} == CHECKS.keys() | LEFT_OUT.keys()


def only(fitted: Fit) -> Component:
    (component,) = fitted.components
    return component


def elos(component: Component) -> dict[str, float]:
    return {bot.name: bot.elo for bot in component.bots}


def errors(component: Component) -> dict[str, float]:
    return {bot.name: bot.err95 for bot in component.bots}


def model_errors(component: Component) -> dict[str, float]:
    spread = component.spread._replace(basis="model")
    return {bot.name: spread.err95(place) for place, bot in enumerate(component.bots)}


def uncorrected(component: Component) -> dict[str, float]:
    """Return half widths by blocks before the correction for their number."""
    spread = component.spread._replace(basis="blocks")
    factor = spread.correction**0.5
    return {bot.name: spread.err95(place) / factor for place, bot in enumerate(component.bots)}


def beats(winner: str, loser: str, times: int, block: str = "") -> list[RatedMatch]:
    return [
        RatedMatch(f"{block}{winner}{loser}{number}", ((winner, 1), (loser, 2)))
        for number in range(times)
    ]


def blocks_of(size: int, games: Iterable[list[list[Any]]]) -> list[RatedMatch]:
    return [
        RatedMatch(str(number // size), tuple((name, place) for name, place in game))
        for number, game in enumerate(games)
    ]


def played(
    random: Random, names: str, players: int, seating: Seating = "rotations", noise: float = 1.0
) -> list[RatedMatch]:
    """Play a round robin in which a bot is the stronger, the later its letter."""
    found = []
    for block in round_robin(names, players, seed=1, seating=seating).blocks():
        for match in block.matches:
            form = {n: names.index(n) / len(names) + random.gauss(0, noise) for n in match.seats}
            order = sorted(match.seats, key=lambda name: -form[name])
            found.append(RatedMatch(block.id, tuple((n, order.index(n) + 1) for n in match.seats)))
    return found


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
    assert component.spread.basis == "wider"
    model = model_errors(component)
    assert all(bot.err95 >= model[bot.name] for bot in component.bots)


def test_with_few_blocks_the_model_has_a_say() -> None:
    def both_ways(times: int) -> Component:
        return only(fit(beats("A", "B", times, "x") + beats("B", "A", times, "y")))

    one_block = [RatedMatch("1", m.placements) for m in beats("A", "B", 3) + beats("B", "A", 2)]
    assert only(fit(one_block)).spread.basis == "model"
    assert errors(only(fit(one_block))) == model_errors(only(fit(one_block)))
    assert both_ways(5).spread.basis == "wider"  # 10 blocks, 1 free rating
    assert both_ways(6).spread.basis == "blocks"


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


def test_matches_with_one_rated_seat_say_nothing() -> None:
    alone = RatedMatch("1", (("A", 1),))
    assert fit([alone, RatedMatch("2", ())]).components == ()
    assert fit([alone, *beats("B", "C", 2)]).bot("A") is None


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(RatingError, match="anchor Z"):
        fit(beats("A", "B", 2), anchor=("Z", 1000.0))
    with pytest.raises(RatingError, match="twice"):
        fit([RatedMatch("1", (("A", 1), ("A", 2)))])


@pytest.mark.slow
@pytest.mark.parametrize(("names", "players"), [("abcdefgh", 3), ("abcdefgh", 2), ("abcdef", 4)])
def test_95_of_100_intervals_hold_the_truth(names: str, players: int) -> None:
    """Strengths are those that the mean over all tournaments shows; 3,000 intervals or more."""
    random = Random(7)
    fits = [only(fit(played(random, names, players, "balanced"))) for _ in range(500)]
    free = [component for component in fits if component.prior_sd is None]
    assert len(free) > 450
    truth = {n: sum(elos(c)[n] for c in free) / len(free) for n in names}
    held = [abs(bot.elo - truth[bot.name]) <= bot.err95 for c in free for bot in c.bots]
    assert 0.93 <= sum(held) / len(held) <= 0.97
    pairs = [
        abs(component.difference(a, b).elo - truth[a] + truth[b])
        <= component.difference(a, b).err95
        for component in free
        for a, b in combinations(names, 2)
    ]
    assert 0.93 <= sum(pairs) / len(pairs) <= 0.97
