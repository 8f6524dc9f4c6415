"""`tournament watch --match`: one match while it is played, board by board."""

import time
from typing import Any

from saurodrome.client import SaurodromeError
from saurodrome.client.tournaments import Live, LiveMatch, TournamentClient
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.watching import board_lines, live_line

LOOK = 0.5
"""Seconds between two looks."""


def follow_match(terminal: Terminal, client: TournamentClient, name: str, match: str) -> None:
    """Shows a match until it is over: on a terminal the board of now, elsewhere each that is new.

    Raises:
        SaurodromeError: It is not being played, or not shown.
    """
    match_id = match if match.startswith(f"{name}/") else f"{name}/{match}"
    tournament = client.get(name)
    progress = Progress(terminal)
    seen: Live | None = None
    try:
        while (live := _now(client, name, match_id, begun=seen is not None)) is not None:
            if live != seen:
                _show(terminal, progress, board_lines(tournament, live), live.matches[0])
            seen = live
            time.sleep(LOOK)
    finally:
        progress.close(f"{match_id} is over" if seen else "")
    terminal.next(f"saurodrome replay show {match_id}")


def match_json(match: LiveMatch) -> dict[str, Any]:
    """Gives a match that is being played as JSON."""
    return {
        "match_id": match.match_id,
        "attempt": match.attempt,
        "bots": list(match.bots),
        "getting_ready": list(match.getting_ready),
        "turn": match.turn or None,
        "phase": match.phase,
        "board": list(match.board),
    }


def _now(client: TournamentClient, name: str, match_id: str, *, begun: bool) -> Live | None:
    try:
        return client.live(name, match_id)
    except SaurodromeError as error:
        if begun and error.code == "NOT_PLAYED":
            return None
        raise


def _show(terminal: Terminal, progress: Progress, lines: list[str], match: LiveMatch) -> None:
    if terminal.json:
        terminal.data(match_json(match))
    elif terminal.err.is_terminal:
        progress.show(live_line(match), lines)
    else:
        terminal.print(lines)
