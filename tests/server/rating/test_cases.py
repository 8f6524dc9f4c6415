"""Every case of tests/data/ratings.json, with the digits that it gives."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from saurodrome.server.rating.bradley_terry import BradleyTerry
from saurodrome.server.rating.elo import elo
from saurodrome.server.rating.fit import fit
from saurodrome.server.rating.games import Games, bounded
from saurodrome.server.rating.matches import RatedMatch, RatingError
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.score import Sample, report
from saurodrome.server.rating.spread import ELO
from saurodrome.server.rating.sprt import Hypotheses, Model, llr
from saurodrome.server.schedule.seatings import balanced_seatings
from tests.server.rating import bayes_elo, glicko2
from tests.server.rating.pools import (
    beats,
    blocks_of,
    elos,
    errors,
    model_errors,
    only,
    uncorrected,
)

Case = dict[str, Any]

FILE = Path(__file__).resolve().parents[2] / "data" / "ratings.json"
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
    assert uncorrected(matches) == pytest.approx(computed["err95_robust_per_game"], abs=DIGITS)
    anchored = only(fit(matches, anchor=("D", 1000.0)))
    assert anchored.reference == "D"
    assert elos(anchored) == pytest.approx(computed["anchored_D_1000"], abs=DIGITS)
    from_anchor = computed["anchored_err95_robust"]
    assert uncorrected(matches, "D") == pytest.approx(from_anchor, abs=DIGITS)
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
    for size, kind in [(1, "cluster=game"), (4, "cluster=block_of_4_games")]:
        matches = blocks_of(size, case["input"]["games"])
        component = only(fit(matches))
        assert elos(component) == pytest.approx(computed["bt_elo"], abs=DIGITS)
        assert model_errors(component) == pytest.approx(computed["bt_err95_model"], abs=DIGITS)
        known = computed[f"bt_err95_robust_{kind}"]
        assert uncorrected(matches) == pytest.approx(known, abs=DIGITS)
    games = Games.of(Pool(blocks_of(1, case["input"]["games"])))
    with_prior = BradleyTerry(games.won(), (ELO / 600) ** 2).strengths()
    assert {n: ELO * s for n, s in zip(games.names, with_prior, strict=True)} == pytest.approx(
        computed["bt_elo_prior_sd_600"], abs=DIGITS
    )
    live = dict.fromkeys(games.names, 1500.0)
    for game in case["input"]["games"]:
        names, places = zip(*game, strict=True)
        live.update(zip(names, elo([live[n] for n in names], places, k=32), strict=True))
    assert live == pytest.approx(computed["online_elo_K32_in_listed_order_from_1500"], abs=DIGITS)
    assert sum(live.values()) == pytest.approx(9000)


def unbeaten_and_winless(case: Case) -> None:
    matches = beats("W", "X", 6) + beats("W", "L", 6) + beats("X", "L", 6)
    assert not bounded(Games.of(Pool(matches)).won()).any()  # no finite maximum without a prior
    for sd, known in case["computed"]["gaussian_prior_sd_elo"].items():
        component = only(fit(matches, prior_sd=float(sd)))
        assert component.prior_sd == float(sd)
        assert f"prior sd {sd}" in component.method
        assert all(bot.unbounded for bot in component.bots)
        assert elos(component) == pytest.approx(known["elo"], abs=DIGITS)
        assert errors(component) == pytest.approx(known["err95_model"], abs=DIGITS)


def wins_draws_losses(case: Case) -> None:
    counts = tuple(case["input"][kind] for kind in ("losses", "draws", "wins"))
    reported(case, Sample((0.0, 0.5, 1.0), counts))


def pairs_of_games(case: Case) -> None:
    """``fc_penta_*``: the same two games of a pair share their opening, so they are one block."""
    i = case["input"]
    counts = (i["LL"], i["LD"], i["WL"] + i["DD"], i["WD"], i["WW"])
    reported(case, Sample((0.0, 0.25, 0.5, 0.75, 1.0), counts, matches=2))
    # As single games, the error would be another: that is what blocks are for.
    alone = Sample((0.0, 0.5, 1.0), (0, 0, 1))._replace(counts=singles(i))
    known = case["computed"]["same_games_as_trinomial"]
    assert report(alone).elo_err95 == pytest.approx(known["elo_error"], abs=DIGITS)
    assert abs(known["elo_error"] - case["computed"]["elo_error"]) > 0.4


def singles(i: dict[str, int]) -> tuple[int, int, int]:
    """Split pairs of games into losses, draws and wins."""
    return (
        2 * i["LL"] + i["LD"] + i["WL"],
        i["LD"] + 2 * i["DD"] + i["WD"],
        i["WL"] + i["WD"] + 2 * i["WW"],
    )


def reported(case: Case, sample: Sample) -> None:
    said, known = report(sample), case["computed"]
    assert sample.blocks == known["n"]
    assert sample.variance == pytest.approx(known["variance"], abs=DIGITS)
    assert said == pytest.approx(
        tuple(known[k] for k in ("score", "elo", "elo_error", "nelo", "nelo_error", "los")),
        abs=DIGITS,
    )
    published = {
        "score": (said.score, 5e-4),
        "elo": (said.elo, 5e-3),
        "elo_error": (said.elo_err95, 5e-3),
        "nelo": (said.normalised, 5e-3),
        "nelo_error": (said.normalised_err95, 5e-3),
        "los": (said.superiority, 5e-5),
    }
    for name, value in case["published"].items():
        figure, digits = published[name]
        assert figure == pytest.approx(value, abs=digits * 1.01), name


def log_likelihood_ratio(case: Case) -> None:
    i = case["input"]
    counts = tuple(i["frequencies_low_to_high"])
    last = len(counts) - 1
    sample = Sample(tuple(k / last for k in range(last + 1)), counts, matches=last // 2)
    model = {"normalized": Model.NORMALISED, "logistic": Model.LOGISTIC}[i["model"]]
    ratio = llr(sample, Hypotheses(i["elo0"], i["elo1"], i["alpha"], i["beta"], model))
    assert ratio == pytest.approx(case["computed"]["llr"], abs=DIGITS)
    assert ratio == pytest.approx(case["published"]["llr"], abs=6e-3)


def cutechess(case: Case) -> None:
    i = case["input"]
    ratio = bayes_elo.llr(i["wins"], i["draws"], i["losses"], elo0=i["elo0"], elo1=i["elo1"])
    bounds = Hypotheses(i["elo0"], i["elo1"], i["alpha"], i["beta"]).bounds
    assert ratio == pytest.approx(case["computed"]["llr"], abs=DIGITS)
    assert ratio == pytest.approx(case["published"]["llr"], abs=6e-3)
    assert bounds == pytest.approx([case["computed"][b] for b in ("lower", "upper")], abs=DIGITS)


def bounds_of_wald(case: Case) -> None:
    bounds = Hypotheses(**case["input"]).bounds
    assert bounds == pytest.approx([case["computed"][b] for b in ("lower", "upper")], abs=DIGITS)


def other_method(case: Case) -> None:
    i = case["input"]
    opponents = [tuple(row) for row in i["opponents_rating_rd_score"]]
    rated = glicko2.rate(tuple(i["player"]), opponents, i["tau"])
    assert rated == pytest.approx(case["computed"], abs=6e-6)


def seatings(case: Case) -> None:
    """Ours need not be the listed ones; both must hold what must hold."""
    for size, listed in case["computed"].items():
        n = int(size)
        ours = [list(seats) for seats in balanced_seatings(n)]
        for block in (listed, ours):
            assert len(block) == n * (n - 1)
            at = Counter((player, seat) for seats in block for seat, player in enumerate(seats))
            assert at == dict.fromkeys(((p, s) for p in range(n) for s in range(n)), n - 1)
            behind = Counter((s[k], s[(k + 1) % n]) for s in block for k in range(n))
            assert behind == dict.fromkeys(permutations(range(n), 2), n)


CHECKS: dict[str, Callable[[Case], None]] = {
    "online_elo_multi": multi,
    "online_elo_2p": sequence_of_two,
    "online_elo_4p": four_with_another_width,
    "pool_bt": pool_of_pairs,
    "pool_multi": pool_of_many,
    "pool_bt_prior": unbeaten_and_winless,
    "match_wdl": wins_draws_losses,
    "match_pairs": pairs_of_games,
    "sprt_llr": log_likelihood_ratio,
    "sprt_llr_cutechess": cutechess,
    "sprt_bounds": bounds_of_wald,
    "glicko2": other_method,
    "schedule_design": seatings,
}


@pytest.mark.parametrize("name", CASES)
def test_published_case(name: str) -> None:
    CHECKS[CASES[name]["kind"]](CASES[name])
