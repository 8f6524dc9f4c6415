"""One bot against another, or against several: scores by block, and what they are worth in Elo."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from math import log, log10, sqrt
from typing import NamedTuple, Self

from saurodrome.server.rating.elo import WIDTH, score
from saurodrome.server.rating.matches import RatedMatch, RatingError
from saurodrome.server.rating.quantile import Z95, chance_above

NORMALISED = 2 * WIDTH / log(10)
"""Points of normalised Elo of one standard deviation of a match's score."""
_CONFIDENCE = 0.95
_ROUNDED = 12


class Sample(NamedTuple):
    """Scores of blocks of equally many matches, as a histogram."""

    scores: tuple[float, ...]
    """Mean scores of a block that came up, 0 to 1, ascending."""
    counts: tuple[int, ...]
    """How many blocks had each."""
    matches: int = 1
    """Matches in a block."""

    @classmethod
    def of(cls, scores: Iterable[float], matches: int = 1) -> Self:
        """Count the scores of blocks.

        Raises:
            RatingError: a score is not within 0 to 1.
        """
        found = sorted(Counter(round(score, _ROUNDED) for score in scores).items())
        if any(not 0 <= score <= 1 for score, _ in found):
            raise RatingError("a block's score lies within 0 and 1")
        return cls(tuple(s for s, _ in found), tuple(n for _, n in found), matches)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Mean score of a block; 0.5 before the first."""
        if not self.blocks:
            return 0.5
        return sum(s * n for s, n in zip(self.scores, self.counts, strict=True)) / self.blocks

    @property
    def variance(self) -> float:
        """Variance of a block's score in this sample."""
        squares = sum(
            n * (s - self.mean) ** 2 for s, n in zip(self.scores, self.counts, strict=True)
        )
        return squares / max(1, self.blocks)


class Report(NamedTuple):
    """What a sample says. Errors are half widths of 95 % intervals for a sample of fixed size."""

    score: float
    elo: float
    """Logistic Elo; infinite where every match was won or lost."""
    elo_err95: float
    """Infinite where all blocks scored alike: then it cannot be measured."""
    normalised: float
    """Normalised Elo: the lead in standard deviations of a match's score, see `NORMALISED`.

    Source: M. Van den Bergh, "Normalized Elo", cantate.be/Fishtest/normalized_elo.pdf.
    """
    normalised_err95: float
    superiority: float
    """How likely the first is the stronger."""


def report(sample: Sample) -> Report:
    """Return what a sample says of the first bot."""
    if not sample.blocks:
        return Report(0.5, 0.0, float("inf"), 0.0, float("inf"), 0.5)
    mean, deviation = sample.mean, sqrt(sample.variance)
    error = deviation / sqrt(sample.blocks)
    low, high = mean - Z95 * error, mean + Z95 * error
    per_match = deviation * sqrt(sample.matches)
    lead = mean - 0.5
    return Report(
        mean,
        elo_of(mean),
        (elo_of(high) - elo_of(low)) / 2 if deviation else float("inf"),
        NORMALISED * lead / per_match if per_match else lead and lead * float("inf"),
        NORMALISED * Z95 / sqrt(sample.matches * sample.blocks),
        chance_above(lead, error),
    )


def elo_of(mean: float) -> float:
    """Return the lead in Elo that expects a mean score; infinite at 0 and 1 and beyond."""
    if not 0 < mean < 1:
        return float("inf") if mean >= 1 else float("-inf")
    return WIDTH * log10(mean / (1 - mean))


def at_least(sample: Sample) -> float | None:
    """Return the lead in Elo that a sample of nothing but wins leaves open at least, 95 %.

    The chance that a block is won outright is at least the one with which as many in a row come
    up one time in forty; and the mean score is at least that chance. A sample of losses says the
    same of the others. None where there is something else in it, or nothing.

    Source: C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated
    in the case of the binomial", Biometrika 26 (1934).
    """
    if not sample.blocks or sample.variance or 0 < sample.mean < 1:
        return None
    return elo_of(((1 - _CONFIDENCE) / 2) ** (1 / sample.blocks))


class BlockScores:
    """The block scores of a bot: the mean share of given opponents that it beat, as a log grows.

    Works for tables of any size: a match counts by those of the opponents that sit in it, a tie
    as half. Blocks with fewer matches than a whole one are left out: they are still being
    played, and which seatings are missing may not be chance.
    """

    def __init__(self, bot: str, against: Collection[str]) -> None:
        """Begin without matches.

        Args:
            bot: whose scores they are.
            against: the opponents.
        """
        self._bot = bot
        self._against = frozenset(against) - {bot}
        self._blocks: dict[str, tuple[int, float]] = {}
        """Matches of each block and the sum of their scores."""
        self._scores: defaultdict[int, Counter[float]] = defaultdict(Counter)
        """How often blocks of so many matches have each mean score."""

    def add(self, match: RatedMatch) -> None:
        """Count a match; one without the bot or without any opponent is passed over."""
        places = dict(match.placements)
        others = self._against & places.keys()
        if self._bot not in places or not others:
            return
        beaten = sum(score(places[self._bot], places[other]) for other in others) / len(others)
        played, total = self._blocks.get(match.block, (0, 0.0))
        if played:
            self._scores[played][_mean(total, played)] -= 1
        self._blocks[match.block] = played + 1, total + beaten
        self._scores[played + 1][_mean(total + beaten, played + 1)] += 1

    def sample(self, size: int | None = None) -> Sample:
        """Return the scores of whole blocks.

        Args:
            size: matches of a whole block; the most that a block has, when left out.
        """
        whole = size or max(self._scores, default=1)
        counts = sorted((+self._scores.get(whole, Counter[float]())).items())
        return Sample(tuple(s for s, _ in counts), tuple(n for _, n in counts), whole)


def block_sample(
    matches: Iterable[RatedMatch], bot: str, against: Collection[str], *, size: int | None = None
) -> Sample:
    """Return the block scores of a bot in some matches, see `BlockScores`."""
    scores = BlockScores(bot, against)
    for match in matches:
        scores.add(match)
    return scores.sample(size)


def _mean(total: float, played: int) -> float:
    return round(total / played, _ROUNDED)
