"""What the server that runs has seen, and a plan had better know: late bots, disk, lost time."""

import shutil
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from saurodrome.client import SaurodromeError
from saurodrome.server.cli.home import HOME, running_server
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning.limits import cautions
from saurodrome.server.cli.planning.past import Past, decision_of, past
from saurodrome.server.cli.planning.rate import ENOUGH
from saurodrome.server.cli.text import plural, span, times
from saurodrome.server.settings import TournamentSettings

OFTEN = 0.05
"""Late decisions a match from which on a bot is named."""
MOST_NAMED = 4
_STORE = "arena.db*"


class Experience(NamedTuple):
    """What is said beside a plan."""

    disk: str = ""
    """How much of the disk it takes, in words; empty if nobody knows."""
    warnings: tuple[str, ...] = ()


NOTHING = Experience()
"""Nothing is known."""


def experience(
    settings: TournamentSettings, matches: int | None, connection: Connection
) -> Experience:
    """Look back; a plan needs no server, and without one there is nothing to tell."""
    warnings = cautions(settings, connection)
    if connection.address() is None:
        return Experience("", tuple(warnings))
    try:
        with connection.client() as client:
            known = client.list()
            warnings += slow(settings, past(settings, known, client))
    except SaurodromeError:
        return Experience("", tuple(warnings))
    done = sum(one.matches_done for one in known)
    return Experience(disk(matches, done) if connection.server is None else "", tuple(warnings))


def disk(matches: int | None, done: int) -> str:
    """Say how much of the disk matches take, by those that were played on the server here."""
    if running_server() is None or not matches or done < ENOUGH:
        return ""
    each = sum(path.stat().st_size for path in HOME.glob(_STORE)) / done
    free = shutil.disk_usage(HOME).free
    return f"{_bytes(matches * each)} of {_bytes(free)} free, at {_bytes(each)} a match so far"


def slow(settings: TournamentSettings, seen: Iterable[Past]) -> Iterator[str]:
    """Warn of bots that were often late, at tables of any size, the worst first.

    Of a bot the newest tournament counts that says something: it was often late there, with at
    least a tenth of the time that it has here, or it was not although it had no more.

    Args:
        settings: The plan, with its bots.
        seen: What they have played, newest first.
    """
    judged: dict[str, tuple[float, Past]] = {}
    ours = settings.time.decision
    for one in seen:
        theirs = decision_of(one.tournament)
        for bot, row in one.rows.items():
            share = row.timeouts / row.matches
            tells = 10 * theirs >= ours if share >= OFTEN else theirs <= ours
            if tells and bot not in judged:
                judged[bot] = (share, one)
        if judged.keys() >= set(settings.bots):
            break  # each table that is asked for may have to be made
    late = sorted(((share, bot) for bot, (share, _) in judged.items() if share >= OFTEN))
    for _, bot in late[::-1][:MOST_NAMED]:
        yield _warning(settings, judged[bot][1], bot)


def _warning(settings: TournamentSettings, one: Past, bot: str) -> str:
    row, theirs, ours = one.rows[bot], decision_of(one.tournament), settings.time.decision
    follows = (
        f"this plan gives {span(ours)}"
        if ours > theirs
        else "expect the same here, or give more time"
    )
    return (
        f"warning[SLOW_BOT] {bot} was late {times(row.timeouts)} in"
        f" {plural(row.matches, 'match')} of {one.tournament.settings.name},"
        f" at {span(theirs)} a decision: {follows}"
    )


def _bytes(number: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f} B"
