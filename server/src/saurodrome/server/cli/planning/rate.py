"""How fast a tournament would be played: as told, as measured, or no slower than its limits."""

from collections.abc import Iterable
from random import Random
from statistics import mean
from typing import NamedTuple

from saurodrome.client import SaurodromeError
from saurodrome.engine import registry
from saurodrome.engine.chance import SecureChance
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning.past import Past, past
from saurodrome.server.cli.states import elapsed, is_over
from saurodrome.server.cli.text import span
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
    """Look at the tournaments like this one on the server that runs, if one does."""
    if connection.address() is None:
        return None
    try:
        with connection.client() as client:
            return rate_among(settings, past(settings, client.list(), client))
    except SaurodromeError:  # a plan needs no server
        return None


def rate_among(settings: TournamentSettings, seen: Iterable[Past]) -> Rate | None:
    """Give the rate of the tournament that tells the most of these bots.

    It is one of the same game, variant and size in which more than half of the bots that are
    planned have played, since how fast matches go is up to the bots. Of several it is the one
    with the most of them, and of these the newest.

    Args:
        settings: The plan, with its bots.
        seen: What they have played, newest first.
    """
    bots = len(set(settings.bots))
    telling = [
        one
        for one in seen
        if 2 * len(one.rows) > bots
        and one.tournament.settings.players == settings.players
        and one.tournament.matches_done >= ENOUGH
        and elapsed(one.tournament) > 0
    ]
    best = max(telling, key=lambda one: len(one.rows), default=None)
    if best is None:
        return None
    now = best.tournament
    # The wire's rate is that of the last minute: of one that is over it fades.
    lately = 0.0 if is_over(now) else now.rate
    ours = "all" if len(best.rows) == bots else f"{len(best.rows)} of {bots}"
    source = f"measured in {now.settings.name} with {ours} of these bots"
    return Rate(lately or now.matches_done / elapsed(now), source)


def _limited(settings: TournamentSettings, tables: int) -> Rate:
    """Give the rate at which every decision, and getting ready, takes all of its time."""
    turns = turns_of(settings)
    time = settings.time
    longest = max(time.decision, *(seconds for _, seconds in time.phases), 0.0)
    seconds = time.ready + turns * (longest + time.margin)
    return Rate(
        tables / seconds,
        f"if getting ready took {span(time.ready)} and each of about {turns:.0f} turns all of its"
        " time; how fast these bots play is not known",
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
