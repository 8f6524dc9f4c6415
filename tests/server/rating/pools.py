"""Matches to rate: planted results, blocks of them, and round robins of bots of known strength."""

from collections.abc import Iterable
from random import Random
from typing import Any

from saurodrome.server.rating.blocks import meat
from saurodrome.server.rating.bradley_terry import BradleyTerry
from saurodrome.server.rating.fit import Component, Fit
from saurodrome.server.rating.games import Games
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.spread import ELO, half_width
from saurodrome.server.schedule import Seating, round_robin


def only(fitted: Fit) -> Component:
    """Give the one component of a fit."""
    (component,) = fitted.components
    return component


def elos(component: Component) -> dict[str, float]:
    """Give the ratings by name."""
    return {bot.name: bot.elo for bot in component.bots}


def errors(component: Component) -> dict[str, float]:
    """Give the half widths by name."""
    return {bot.name: bot.err95 for bot in component.bots}


def model_errors(component: Component) -> dict[str, float]:
    """Give half widths by the model."""
    model = component.spread.model
    return {bot.name: half_width(model, place) for place, bot in enumerate(component.bots)}


def uncorrected(matches: Iterable[RatedMatch], reference: str | None = None) -> dict[str, float]:
    """Give half widths by blocks before any correction for their number.

    With a reference they are those of differences from that bot.
    """
    games = Games.of(Pool(matches))
    model = BradleyTerry(games.won())
    strengths = model.strengths()
    bread = model.covariance(strengths)
    plain = ELO**2 * bread @ meat(games, strengths, None).by_block @ bread
    at = None if reference is None else games.names.index(reference)
    return {name: half_width(plain, bot, at) for bot, name in enumerate(games.names)}


def beats(winner: str, loser: str, times: int, block: str = "") -> list[RatedMatch]:
    """Give matches that one bot won, each a block of its own unless a block is named."""
    return [
        RatedMatch(block or f"{winner}{loser}{number}", ((winner, 1), (loser, 2)))
        for number in range(times)
    ]


def blocks_of(size: int, games: Iterable[list[list[Any]]]) -> list[RatedMatch]:
    """Give listed matches in blocks of so many."""
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
