"""What the server that runs has seen, and a plan had better know: late bots, disk, lost time."""

import shutil
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from saurodrome.client import SaurodromeError
from saurodrome.client.tournaments import Standing, Tournament, TournamentClient
from saurodrome.server.cli.home import HOME, running_server
from saurodrome.server.cli.options import Connection
from saurodrome.server.cli.planning.limits import short_limit
from saurodrome.server.cli.planning.rate import ENOUGH, like
from saurodrome.server.cli.text import count, plural
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
    short = short_limit(settings, connection)
    warnings = [short] if short else []
    if connection.address() is None:
        return Experience("", tuple(warnings))
    try:
        with connection.client() as client:
            known = client.list()
            warnings += _late(settings, known, client)
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


def slow(rows: Iterable[Standing], bots: Iterable[str], name: str) -> Iterator[str]:
    """Warn of bots that were late often in a tournament."""
    ours = set(bots)
    late = [
        (row.timeouts / row.matches, row)
        for row in rows
        if row.bot in ours and row.matches and row.timeouts / row.matches >= OFTEN
    ]
    for _, row in sorted(late, key=lambda item: -item[0])[:MOST_NAMED]:
        yield (
            f"warning[SLOW_BOT] {row.bot} was late {count(row.timeouts)} times in"
            f" {plural(row.matches, 'match')} of {name}: expect the same here, or give more time"
        )


def _late(
    settings: TournamentSettings, known: Iterable[Tournament], client: TournamentClient
) -> list[str]:
    seen = next((one for one in known if like(settings, one)), None)
    if seen is None:
        return []
    name = seen.settings.name
    return list(slow(client.standings(name).standings, settings.bots, name))


def _bytes(number: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f} B"
