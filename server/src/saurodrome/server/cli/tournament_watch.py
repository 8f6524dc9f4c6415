"""Following a tournament: until it is over, on a terminal or line by line."""

import time
from itertools import islice
from typing import Any

from saurodrome.client import Refused, Unreachable
from saurodrome.client.tournaments import Fault, Live, Standings, Tournament, TournamentClient
from saurodrome.server.cli import standings as table
from saurodrome.server.cli.export import command_for
from saurodrome.server.cli.failures import AnswerIsNo
from saurodrome.server.cli.house import OWNER
from saurodrome.server.cli.states import is_over, progress_line, state
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.watching import screen

TABLE_EVERY = 2.0
"""Seconds between two tables: a rating is fitted for each."""
PATIENCE = 60.0
"""Seconds to wait for a server that went away."""
RETRY = 1.0
MOST_FAULTS = 500


class Watcher:
    """Shows a tournament until it is over."""

    def __init__(self, terminal: Terminal, client: TournamentClient, name: str) -> None:
        """Shows nothing yet."""
        self._terminal = terminal
        self._client = client
        self._name = name
        self._progress = Progress(terminal)
        self._house: frozenset[str] = frozenset()
        self._standings: Standings | None = None
        self._live: Live | None = None
        self._faults: list[Fault] = []
        self._asked = float("-inf")

    def run(self) -> Tournament:
        """Watches to the end; waits for a server that went away.

        Raises:
            Unreachable: It did not come back in time.
        """
        last: Tournament | None = None
        away_since: float | None = None
        self._house = house(self._client)
        try:
            while last is None or not is_over(last):
                try:
                    for last in self._client.watch(self._name):
                        away_since = None
                        self._show(last)
                except Unreachable:
                    away_since = away_since or time.monotonic()
                    if time.monotonic() - away_since > PATIENCE:
                        raise
                    self._progress.show("the server is away; waiting for it")
                    time.sleep(RETRY)
        finally:
            self._progress.close(progress_line(last) if last is not None else "")
        return last

    def _show(self, now: Tournament) -> None:
        if self._terminal.json:
            self._terminal.data(tournament_json(now))
            return
        block: list[str] = []
        if self._terminal.err.is_terminal:
            self._refresh()
            block = screen(
                now, self._standings, self._faults, self._house, self._terminal.symbols, self._live
            )
        self._progress.show(progress_line(now), block)

    def _refresh(self) -> None:
        if time.monotonic() - self._asked < TABLE_EVERY:
            return
        self._asked = time.monotonic()
        self._standings = self._client.standings(self._name)
        self._faults = trouble(self._client, self._name)
        self._live = playing(self._client, self._name)


def playing(client: TournamentClient, name: str) -> Live | None:
    """Gives what is played now; None to those whom the organiser does not show it."""
    try:
        return client.live(name)
    except Refused:
        return None


def trouble(client: TournamentClient, name: str) -> list[Fault]:
    """Gives the newest faults; none to those who may not see those of all bots."""
    try:
        return list(islice(client.faults(name), MOST_FAULTS))
    except Refused:  # authors and spectators watch the table alone
        return []


def house(client: TournamentClient) -> frozenset[str]:
    """Gives the names of the bots of the house."""
    return frozenset(bot.name for bot in client.list_bots() if bot.owner == OWNER)


def follow(terminal: Terminal, client: TournamentClient, name: str) -> None:
    """Watches a tournament to its end, then prints its table.

    Raises:
        AnswerIsNo: It was cancelled.
    """
    try:
        last = Watcher(terminal, client, name).run()
    except KeyboardInterrupt:
        terminal.note("The tournament goes on.")
        terminal.next(f"saurodrome tournament watch {name}")
        raise
    final = client.standings(name)
    if terminal.json:
        terminal.data(table.as_json(final))
    else:
        terminal.print(table.table_lines(final, house(client), terminal.symbols))
        terminal.next(command_for(name))
    if state(last) == "CANCELLED":
        raise AnswerIsNo


def tournament_json(tournament: Tournament) -> dict[str, Any]:
    """Gives how far a tournament is as JSON."""
    return {
        "tournament": tournament.settings.name,
        "state": state(tournament).lower(),
        "log_position": tournament.log_position,
        "matches_total": tournament.matches_total,
        "matches_done": tournament.matches_done,
        "matches_running": tournament.matches_running,
        "matches_abandoned": tournament.matches_abandoned,
        "attempts_void": tournament.attempts_void,
        "rate": tournament.rate,
        "waiting_for": tournament.waiting_for,
    }
