"""How well many simulated tournaments tell two ranks apart, after each part of them."""

from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from saurodrome.server.cli.planning.simulation import Simulated, simulate
from saurodrome.server.rating.fit import fit
from saurodrome.server.rating.matches import RatingError
from saurodrome.server.settings import TournamentSettings

PARTS = (0.125, 0.25, 0.5, 1.0)
"""Of each tournament, after which its table is looked at."""
POWER = 1 + 0.8416 / 1.96
"""Half widths of a 95 % interval by which two bots differ that are told apart 4 times of 5."""

FEW = 20
"""Matches of a bot below which its interval says little about longer tournaments."""


class Look(NamedTuple):
    """The table after a part of one tournament."""

    matches: int
    seconds: float
    """Virtual, since the start."""
    mine: float
    """Matches of the two bots, on average."""
    difference: float | None
    """Fitted, of the stronger bot to the weaker one; None where they do not compare yet."""
    err95: float | None
    best_first: bool
    """The strongest bot of all leads the table."""


class Summary(NamedTuple):
    """What the looks at one part of all tournaments have in common."""

    part: float
    matches: float
    matches_a_bot: float
    seconds: float
    err95: float | None
    """Half width of the difference's 95 % interval in Elo, on average."""
    right_order: float
    """Share of tournaments whose table has the two in their true order."""
    told_apart: float
    """Share in which the interval of the difference says so."""
    misled: float
    """Share in which it says the opposite."""
    best_first: float


def separation(
    settings: TournamentSettings,
    strengths: Mapping[str, float],
    pair: tuple[str, str],
    times: int,
    seconds: float,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Summary]:
    """Play tournaments and look at their tables; see `simulate`.

    Args:
        settings: The tournament.
        strengths: Elo of every entrant.
        pair: The stronger and the weaker bot whose order is asked for.
        times: How many tournaments.
        seconds: The mean length of a match.
        progress: Is told how many are done.
    """
    looks: list[list[Look]] = []
    for number in range(times):
        done = simulate(settings, strengths, seconds, settings.seed + number)
        looks.append([_look(done, strengths, pair, part) for part in PARTS])
        progress(number + 1)
    return [_summary(part, at) for part, at in zip(PARTS, zip(*looks, strict=True), strict=True)]


def needed(summary: Summary, gap: float) -> float | None:
    """Return about how many matches a bot tell the two apart in 4 of 5 tournaments.

    An interval shrinks with the square root of the matches; None where these are too few to
    go by that, or nothing is to be told apart.
    """
    if summary.err95 is None or gap <= 0 or summary.matches_a_bot < FEW:
        return None
    return summary.matches_a_bot * float((POWER * summary.err95 / gap) ** 2)


def _look(
    done: Simulated, strengths: Mapping[str, float], pair: tuple[str, str], part: float
) -> Look:
    played = done.played[: max(1, round(part * len(done.played)))]
    fitted = fit([match.rated() for match in played if len(match.placements) > 1])
    best = max(strengths, key=lambda bot: strengths[bot])
    first = [component.bots[0].name for component in fitted.components[:1]]
    if part == 1.0 and done.ranking:
        first = list(done.ranking[0])
    mine = sum(bot in match.match.seats for match in played for bot in pair) / 2
    difference = None
    for component in fitted.components:
        try:
            difference = component.difference(*pair)
        except RatingError:
            continue
    return Look(
        len(played),
        played[-1].ended,
        mine,
        difference.elo if difference else None,
        difference.err95 if difference else None,
        first == [best],
    )


def _summary(part: float, looks: Sequence[Look]) -> Summary:
    compared = [(at.difference, at.err95) for at in looks if at.difference is not None]
    errors = [error for _, error in compared if error is not None]
    count = len(looks)
    return Summary(
        part,
        mean(at.matches for at in looks),
        mean(at.mine for at in looks),
        mean(at.seconds for at in looks),
        mean(errors) if errors else None,
        sum(difference > 0 for difference, _ in compared) / count,
        sum(difference > (error or 0) for difference, error in compared) / count,
        sum(-difference > (error or 0) for difference, error in compared) / count,
        sum(at.best_first for at in looks) / count,
    )
