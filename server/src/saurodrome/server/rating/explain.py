"""What moved a bot's rating between two positions of the log, match by match, without a rest.

Between two fits the likelihood's slope at the old strengths is the sum of what each new match
pulls. It is undone by the new strengths along straight lines of the win probability of every two
bots, the secants. So the change is linear in the pulls, and each match has its own share of it,
to the last digit: own matches, and those of others, which move what own results were worth.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.bradley_terry import win_probability
from saurodrome.server.rating.elo import score
from saurodrome.server.rating.fit import Component, Fit, fit
from saurodrome.server.rating.games import Floats, Games
from saurodrome.server.rating.matches import RatedMatch, RatingError, canonical
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.spread import ELO

_EQUAL = 1e-6


class Move(NamedTuple):
    """What one match did to the rating."""

    match: int
    """Its place among the new matches."""
    score: float
    """Share of opponents that the bot beat, ties half."""
    expected: float
    """The share that its rating before expected."""
    elo: float


class Opponent(NamedTuple):
    """How a bot did against another one in all matches, and what is expected by the ratings."""

    bot: str
    matches: int
    score: float
    expected: float


class Explanation(NamedTuple):
    """A rating before and after, and what it was moved by.

    ``after - before`` is the sum of all moves. A bot without a match before starts at the mean.
    """

    before: float
    after: float
    own: tuple[Move, ...]
    others: Mapping[str, float]
    """By bot: what matches without the explained bot did, shared among those who played."""
    prior: float
    """What it did that a prior came in or went."""
    opponents: tuple[Opponent, ...]
    """Strongest first."""


def explain(
    before: Sequence[RatedMatch],
    news: Sequence[RatedMatch],
    bot: str,
    *,
    mean: float = 0.0,
    anchor: tuple[str, float] | None = None,
) -> Explanation:
    """Return what new matches did to a bot's rating.

    Args:
        before: matches before.
        news: those that came; their places are how the moves name them.
        bot: the bot.
        mean: mean rating.
        anchor: a bot and the rating that it is set to, if its results link it to the bot.

    Raises:
        RatingError: the bot has no rated match.
    """
    matches = [*before, *news]
    now = _component_of(fit(matches), bot)
    if now is None:
        raise RatingError(f"{bot} has no rated match")
    names = sorted(line.name for line in now.bots)
    old, old_prior = _strengths(fit(before), names)
    new = _by_name(now, names)
    games = Games.of(Pool(canonical(m for m in matches if m.placements[0][0] in set(names))))
    reference = names.index(anchor[0]) if anchor and anchor[0] in names else None
    places = [games.names.index(name) for name in names]
    won = games.won()[np.ix_(places, places)]
    levers = _levers(won, old, new, _precision(now.prior_sd), names.index(bot), reference)
    level = anchor[1] if anchor and reference is not None else mean
    zero = old[reference] if reference is not None else 0.0
    start = level + ELO * float(old[names.index(bot)] - zero)
    own, others = _moves(news, names, old, levers, bot)
    prior = (old_prior - _precision(now.prior_sd)) * float(levers @ old)
    return Explanation(
        start,
        start + sum(move.elo for move in own) + sum(others.values()) + prior,
        own,
        others,
        prior,
        _opponents(matches, bot, dict(zip(names, new, strict=True))),
    )


def _moves(
    news: Iterable[RatedMatch], names: list[str], old: Floats, levers: Floats, bot: str
) -> tuple[tuple[Move, ...], dict[str, float]]:
    """Return what own matches did, and those of others by bot."""
    at = {name: number for number, name in enumerate(names)}
    own, others = [], Counter[str]()
    for number, match in enumerate(news):
        places = {name: place for name, place in match.placements if name in at}
        if len(places) < 2:
            continue
        told = {name: _told(name, places, at, old) for name in places}
        moves = {name: float(levers[at[name]]) * (s - e) for name, (s, e) in told.items()}
        if bot in places:
            own.append(Move(number, *told[bot], sum(moves.values())))
        else:
            others.update(moves)
    return tuple(own), dict(others)


def _told(
    name: str, places: Mapping[str, int], at: Mapping[str, int], strengths: Floats
) -> tuple[float, float]:
    """Return the share of opponents that a bot beat in a match, and the share expected."""
    rivals = [other for other in places if other != name]
    leads = np.array([strengths[at[name]] - strengths[at[other]] for other in rivals])
    beaten = sum(score(places[name], places[other]) for other in rivals)
    return beaten / len(rivals), float(win_probability(leads).mean())


def _levers(
    won: Floats, old: Floats, new: Floats, precision: float, bot: int, reference: int | None
) -> Floats:
    """Return by bot how far its pull moves the rating of the explained one, in Elo."""
    leads, ahead = old[:, None] - old, new[:, None] - new
    change, middle = leads - ahead, win_probability((leads + ahead) / 2)
    flat = np.abs(change) < _EQUAL
    secants = (win_probability(leads) - win_probability(ahead)) / np.where(flat, 1, change)
    springs = (won + won.T) * np.where(flat, middle * (1 - middle), secants)
    size = len(won)
    stiffness = np.diag(springs.sum(axis=1) + precision) - springs
    if not precision:
        stiffness = stiffness + springs.sum() / size**2
    wanted = np.full(size, -1 / size)
    if reference is not None:
        wanted = np.zeros(size)
        wanted[reference] = -1
    wanted[bot] += 1
    return np.asarray(ELO * np.linalg.solve(stiffness, wanted))


def _strengths(fitted: Fit, names: list[str]) -> tuple[Floats, float]:
    """Return old strengths, 0 for who had none, and the precision of the prior behind them."""
    strengths = np.zeros(len(names))
    precision = 0.0
    for component in fitted.components:
        if {line.name for line in component.bots} <= set(names):
            precision = max(precision, _precision(component.prior_sd))
            for line in component.bots:
                strengths[names.index(line.name)] = line.elo / ELO
    return strengths, precision


def _by_name(component: Component, names: list[str]) -> Floats:
    elos = {line.name: line.elo for line in component.bots}
    return np.array([elos[name] / ELO for name in names])


def _component_of(fitted: Fit, bot: str) -> Component | None:
    return next((c for c in fitted.components if any(b.name == bot for b in c.bots)), None)


def _precision(prior_sd: float | None) -> float:
    return 0.0 if prior_sd is None else (ELO / prior_sd) ** 2


def _opponents(
    matches: Iterable[RatedMatch], bot: str, strengths: Mapping[str, float]
) -> tuple[Opponent, ...]:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for match in matches:
        places = dict(match.placements)
        for other in places.keys() - {bot} if bot in places else ():
            scores[other].append(score(places[bot], places[other]))
    strongest = sorted(scores, key=lambda other: (-strengths[other], other))
    return tuple(
        Opponent(
            other,
            len(scores[other]),
            sum(scores[other]) / len(scores[other]),
            float(win_probability(np.array(strengths[bot] - strengths[other]))),
        )
        for other in strongest
    )
