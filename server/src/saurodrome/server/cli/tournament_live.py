"""`tournament watch --match`: one match while it is played, board by board."""

import time
from collections.abc import Callable
from typing import Any

from saurodrome.client import Refused, SaurodromeError
from saurodrome.client.tournaments import Live, LiveMatch, Match, TournamentClient
from saurodrome.server.cli import export
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.watching import board_lines, live_line, over_lines

LOOK = 0.5
"""Seconds between two looks."""
LOOKS_FOR_RESULT = 6
"""Looks for the result of a match that has just ended: it is being stored."""


def follow_match(
    terminal: Terminal,
    client: TournamentClient,
    name: str,
    match: str,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Shows a match until it is over: on a terminal the board of now, elsewhere each that is new.

    The last board stays, with the result.

    Raises:
        SaurodromeError: It is not being played, or not shown.
    """
    match_id = match if match.startswith(f"{name}/") else f"{name}/{match}"
    tournament = client.get(name)
    progress = Progress(terminal)
    board: list[str] = []
    seen: Live | None = None
    try:
        while (live := _now(client, name, match_id, begun=seen is not None)) is not None:
            if live != seen:
                board = board_lines(tournament, live)
                _show(terminal, progress, board, live.matches[0])
            seen = live
            sleep(LOOK)
    finally:
        progress.close(block=board)
    result = _result(client, name, match_id, sleep)
    if terminal.json:
        terminal.data({"match_id": match_id, "result": match_result(result)})
    else:
        terminal.print(over_lines(match_id, result))
    if result is not None and result.has_record:
        terminal.next(f"saurodrome replay show {match_id}")


def match_result(result: Match | None) -> dict[str, Any] | None:
    """Gives how a match ended as JSON; None if that is not known."""
    return None if result is None else export.match_json(result)


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


def _result(
    client: TournamentClient, name: str, match_id: str, sleep: Callable[[float], None]
) -> Match | None:
    """Gives the result once it is stored; None to those who may not see it, or if none came."""
    for _ in range(LOOKS_FOR_RESULT):
        try:
            found = [one for one in client.matches(name) if one.match_id == match_id]
        except Refused:
            return None
        if found:
            return found[-1]
        sleep(LOOK)
    return None


def _show(terminal: Terminal, progress: Progress, lines: list[str], match: LiveMatch) -> None:
    if terminal.json:
        terminal.data(match_json(match))
    elif terminal.err.is_terminal:
        progress.show(live_line(match), lines)
    else:
        terminal.print(lines)
