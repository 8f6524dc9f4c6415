"""What bots of a plan did before: the tournaments like it, and their rows in the tables."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from saurodrome.client import Refused, RequestError
from saurodrome.client.tournaments import Standing, Tournament, TournamentClient
from saurodrome.server.settings import TournamentSettings

MOST_TABLES = 8
"""Tables that are asked for: each is a fit of ratings for the server."""


class Past(NamedTuple):
    """A tournament of the same game and variant, and what some bots did in it."""

    tournament: Tournament
    rows: Mapping[str, Standing]
    """Of those bots that have played in it, one at least."""


def past(
    settings: TournamentSettings, known: Iterable[Tournament], client: TournamentClient
) -> Iterator[Past]:
    """Yield the tournaments of a game and variant that bots of a plan have played in.

    Args:
        settings: The plan; its bots are those of the house, too.
        known: Tournaments, newest first.
        client: Tells their tables; one that is not published is passed over.

    Raises:
        SaurodromeError: the server does not answer any more.
    """
    bots = frozenset(settings.bots)
    asked = 0
    for one in known:
        if asked == MOST_TABLES:
            return
        if not _may_have_played(settings, bots, one):
            continue
        asked += 1
        try:
            table = client.standings(one.settings.name).standings
        except (Refused, RequestError):
            continue
        rows = {row.bot: row for row in table if row.bot in bots and row.matches}
        if rows:
            yield Past(one, rows)


def decision_of(one: Tournament) -> float:
    """Return the seconds of a decision in a tournament."""
    return one.settings.decision_time.ToNanoseconds() / 1e9


def _may_have_played(settings: TournamentSettings, bots: frozenset[str], one: Tournament) -> bool:
    theirs = one.settings
    same = (theirs.game, theirs.variant) == (settings.game, settings.variant)
    entered_later = one.entrants > len(theirs.bots)
    return same and one.matches_done > 0 and (entered_later or not bots.isdisjoint(theirs.bots))
