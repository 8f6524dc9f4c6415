"""The sequential test of whether a new version is better: may be looked at after every block.

Two hypotheses about the lead of a bot, in Elo, and the log-likelihood ratio (LLR) of what was
played. Above one bound the higher lead is accepted, below the other it is rejected, in between
play goes on; either verdict is wrong as rarely as was asked for, however often one looks.

Sources: A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics
16 (1945); the generalised test, with the likelihood of block scores under a mean or under a mean
in standard deviations: M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments
on normalized Elo", cantate.be/Fishtest.
"""

from enum import StrEnum
from math import ceil, exp, log, sqrt
from typing import NamedTuple

from saurodrome.server.rating.elo import expected
from saurodrome.server.rating.matches import RatingError
from saurodrome.server.rating.score import NORMALISED, Sample

_UNSEEN = 1e-3
"""Blocks that a score counts which did not come up, so that no likelihood is 0."""
_ANCHORS = (0.0, 0.5, 1.0)
_STEPS = 100
_CLOSE = 1e-12
_FLAT = 1e-9


class Model(StrEnum):
    """What Elo means in the hypotheses."""

    NORMALISED = "normalised"
    """In standard deviations of a match's score: for tables of any size."""
    LOGISTIC = "logistic"
    """By the mean score: for two players."""


class Verdict(StrEnum):
    """What the test says."""

    ACCEPTED = "accepted"
    """The lead is `elo1` rather than `elo0`."""
    REJECTED = "rejected"
    """The lead is `elo0` rather than `elo1`."""
    OPEN = "open"
    """It takes more matches."""


class Hypotheses(NamedTuple):
    """What is tested; `check` says whether it can be."""

    elo0: float = 0.0
    """The lead that is not worth it."""
    elo1: float = 10.0
    """The lead that is."""
    alpha: float = 0.05
    """How often `elo0` may be taken for `elo1`."""
    beta: float = 0.05
    """How often `elo1` may be taken for `elo0`."""
    model: Model = Model.NORMALISED

    def check(self) -> None:
        """Refuse what cannot be tested.

        Raises:
            RatingError: `elo0` is not below `elo1`, or an error rate not within 0 and 0.5.
        """
        if not self.elo0 < self.elo1:
            raise RatingError(f"elo0 {self.elo0:g} is not below elo1 {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise RatingError("alpha and beta lie within 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR below which `elo1` is rejected, and above which it is accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class Sprt(NamedTuple):
    """Where a test stands."""

    llr: float
    lower: float
    upper: float
    verdict: Verdict
    blocks: int
    matches: int
    expected_matches: int
    """Matches that it will take yet, if the bots play on as they did; 0 after a verdict."""


def sprt(sample: Sample, hypotheses: Hypotheses) -> Sprt:
    """Return where a test stands.

    Args:
        sample: the scores of all whole blocks so far.
        hypotheses: what is tested.

    Raises:
        RatingError: the hypotheses cannot be tested.
    """
    hypotheses.check()
    ratio = llr(sample, hypotheses)
    lower, upper = hypotheses.bounds
    verdict = Verdict.OPEN
    if ratio >= upper:
        verdict = Verdict.ACCEPTED
    elif ratio <= lower:
        verdict = Verdict.REJECTED
    blocks = _blocks_left(sample, hypotheses, ratio) if verdict is Verdict.OPEN else 0.0
    return Sprt(
        ratio,
        lower,
        upper,
        verdict,
        sample.blocks,
        sample.blocks * sample.matches,
        ceil(blocks) * sample.matches,
    )


def llr(sample: Sample, hypotheses: Hypotheses) -> float:
    """Return the log of how much better `elo1` explains a sample than `elo0`."""
    if not sample.blocks:
        return 0.0
    points = _regular(sample)
    total = sum(share for _, share in points)
    shares = [(score, share / total) for score, share in points]
    if hypotheses.model is Model.LOGISTIC:
        low, high = (_with_mean(shares, expected(e)) for e in hypotheses[:2])
    else:
        low, high = (_with_lead(shares, _lead(e, sample.matches)) for e in hypotheses[:2])
    gain = sum(
        share * log(better / worse)
        for (_, share), better, worse in zip(shares, high, low, strict=True)
    )
    return total * gain


def _regular(sample: Sample) -> list[tuple[float, float]]:
    """Return scores with their counts, and with a trace of those that did not come up."""
    counts = dict.fromkeys(_ANCHORS, _UNSEEN)
    seen = zip(sample.scores, sample.counts, strict=True)
    counts.update((score, float(count)) for score, count in seen if count)
    return sorted(counts.items())


def _lead(elo: float, matches: int) -> float:
    """Return normalised Elo in standard deviations of a block's score."""
    return elo / NORMALISED * sqrt(matches)


def _with_mean(shares: list[tuple[float, float]], mean: float) -> list[float]:
    """Return the most likely chances of the scores, given shares and what their mean is.

    These are share / (1 + x (score - mean)) with the x that gives the mean, found by halving.
    """
    low = -1 / (max(score for score, _ in shares) - mean)
    high = -1 / (min(score for score, _ in shares) - mean)
    for _ in range(_STEPS):
        x = (low + high) / 2
        slope = sum(share * (s - mean) / (1 + x * (s - mean)) for s, share in shares)
        low, high = (x, high) if slope > 0 else (low, x)
    return [share / (1 + x * (score - mean)) for score, share in shares]


def _with_lead(shares: list[tuple[float, float]], lead: float) -> list[float]:
    """Return the most likely chances of the scores, if their mean is 0.5 + lead * deviation.

    The condition is not linear in the chances; it is made so about a mean and a deviation that
    fulfil it, and again about those that are found, until they stay. The first are those of wins
    and losses alone; the way goes back to them where it left what scores of 0 to 1 can be.
    """
    ahead = lead / sqrt(1 + lead**2)
    first = (1 + ahead) / 2, sqrt(1 - ahead**2) / 2
    at, chances = first, [share for _, share in shares]
    for _ in range(_STEPS):
        mean, deviation = at
        bent = [
            (s - 0.5 - lead * deviation * (1 + ((mean - s) / deviation) ** 2) / 2, share)
            for s, share in shares
        ]
        if not min(bent)[0] < 0 < max(bent)[0]:
            at = (mean + first[0]) / 2, (deviation + first[1]) / 2
            continue
        before, chances = chances, _with_mean(bent, 0.0)
        mean = sum(s * p for (s, _), p in zip(shares, chances, strict=True))
        spread = sum(p * (s - mean) ** 2 for (s, _), p in zip(shares, chances, strict=True))
        at = mean, sqrt(spread)
        if max(abs(a - b) for a, b in zip(before, chances, strict=True)) < _CLOSE:
            break
    return chances


def _blocks_left(sample: Sample, hypotheses: Hypotheses, ratio: float) -> float:
    """Return how many more blocks the test takes on average, at the drift that it had.

    The LLR taken for a Brownian motion between the bounds.

    Source: D. Siegmund, "Sequential Analysis" (1985), III.
    """
    lower, upper = hypotheses.bounds
    step = _step(sample, hypotheses)
    drift = ratio / sample.blocks if sample.blocks else 0.0
    if abs(drift) < _FLAT:
        return (upper - ratio) * (ratio - lower) / step**2
    rate = -2 * drift / step**2
    ends_above = (1 - exp(max(-700, min(700, rate * (ratio - lower))))) / (
        1 - exp(max(-700, min(700, rate * (upper - lower))))
    )
    return (ends_above * (upper - ratio) + (1 - ends_above) * (lower - ratio)) / drift


def _step(sample: Sample, hypotheses: Hypotheses) -> float:
    """Return the standard deviation of what one block adds to the LLR."""
    if hypotheses.model is Model.NORMALISED:
        return _lead(hypotheses.elo1 - hypotheses.elo0, sample.matches)
    deviation = sqrt(sample.variance) or 0.5 / sqrt(sample.matches)
    return (expected(hypotheses.elo1) - expected(hypotheses.elo0)) / deviation
