"""How fast a tournament would be played: as told, as measured, or no slower than its limits."""

from collections.abc import Iterable
from random import Random
from statistics import mean
from typing import NamedTuple

from saurodrome.client import SaurodromeError
from saurodrome.client.tournaments import Tournament
from saurodrome.engine import registry
from saurodrome.engine.chance import SecureChance
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.states import elapsed, is_over
from saurodrome.server.settings import TournamentSettings

ENOUGH = 20
"""Matches from which on a rate is believed."""
_SAMPLES = 4


class Rate(NamedTuple):
    """Matches a second, and how that is known."""

    value: float
    source: str
    """In words, behind the figure."""
    slowest: bool = False
    """It is the least that the limits allow: bots that use up their time."""


def rate_of(
    settings: TournamentSettings, tables: int, told: float | None, connection: Connection
) -> Rate:
    """Find the best known rate."""
    if told:
        return Rate(told, "as told by --rate")
    return measured(settings, connection) or _limited(settings, tables)


def measured(settings: TournamentSettings, connection: Connection) -> Rate | None:
    """Look at the newest tournament like this one on the server that runs, if one does."""
    if connection.address() is None:
        return None
    try:
        with connection.client() as client:
            return newest_rate(settings, client.list())
    except SaurodromeError:  # a plan needs no server
        return None


def newest_rate(settings: TournamentSettings, known: Iterable[Tournament]) -> Rate | None:
    """Give the rate of the first tournament of the same game, variant and size that has one."""
    for one in known:
        if like(settings, one) and (seconds := elapsed(one)) > 0:
            # The wire's rate is that of the last minute: of one that is over it fades.
            lately = 0.0 if is_over(one) else one.rate
            rate = lately or one.matches_done / seconds
            return Rate(rate, f"measured in {one.settings.name}")
    return None


def like(settings: TournamentSettings, one: Tournament) -> bool:
    """Whether a tournament is of the same game, variant and size, and has played enough."""
    same = (settings.game, settings.variant, settings.players)
    theirs = (one.settings.game, one.settings.variant, one.settings.players)
    return theirs == same and one.matches_done >= ENOUGH


def _limited(settings: TournamentSettings, tables: int) -> Rate:
    """Give the rate at which every decision takes all of its time."""
    turns = turns_of(settings)
    seconds = turns * (settings.time.decision + settings.time.margin)
    return Rate(
        tables / seconds,
        f"if each of about {turns:.0f} turns took all of its time",
        slowest=True,
    )


def turns_of(settings: TournamentSettings) -> float:
    """Count in random matches how many decisions follow each other, all bots at once being one."""
    game = registry.get(settings.game)
    counts = []
    for sample in range(_SAMPLES):
        random, chance = Random(sample), SecureChance(bytes([sample]) * 32)
        state = game.initial_state(settings.variant, settings.players, chance)
        turns = 0
        while deciders := state.deciders():
            choices = {seat: random.choice(state.legal_actions(seat)) for seat in deciders}
            state = state.apply(choices, chance)
            turns += 1
        counts.append(turns)
    return mean(counts)
