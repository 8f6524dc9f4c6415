"""What `tournament faults --bot` says around the faults: what became of the bot, who else pays."""

from collections.abc import Sequence

from saurodrome.client import InputError, Refused
from saurodrome.client.tournaments import (
    EntrantStatus,
    EventKind,
    Standing,
    TournamentClient,
    TournamentEvent,
)
from saurodrome.server.cli.failures import nearest_of
from saurodrome.server.cli.standings import rating
from saurodrome.server.cli.text import count, plural, visible, wrapped

_STATUS = {
    EntrantStatus.ENTRANT_STATUS_WITHDRAWN: "WITHDRAWN",
    EntrantStatus.ENTRANT_STATUS_DISQUALIFIED: "DISQUALIFIED",
}


def check_entered(client: TournamentClient, name: str, bot: str) -> None:
    """Refuses a bot that never entered a tournament: that it has no fault there says nothing.

    Raises:
        InputError: UNKNOWN_BOT.
    """
    entrants = [*client.get(name).settings.bots]
    if bot not in entrants:
        entrants += [event.bot for event in client.events(name) if event.bot]
    if bot not in entrants:
        what = f"{name} has no bot `{bot}`."
        do = nearest_of(bot, entrants, f"saurodrome tournament standings {name} --all")
        raise InputError("UNKNOWN_BOT", what, where="--bot", do=do)


def row_of(client: TournamentClient, name: str, bot: str) -> Standing | None:
    """Gives a bot's row of the table; None if it has none, or the table is not shown."""
    try:
        return next((row for row in client.standings(name).standings if row.bot == bot), None)
    except Refused:
        return None


def events_of(client: TournamentClient, name: str, bot: str) -> list[TournamentEvent]:
    """Gives what was done to a bot, oldest first."""
    return [event for event in client.events(name) if event.bot == bot]


def head(bot: str, row: Standing | None) -> list[str]:
    """Says what became of the bot, and what of it counts."""
    if row is None:
        return []
    status = _STATUS.get(row.status, "PLAYING")
    stays = f"{plural(row.matches, 'match')} count" + ("s" if row.matches == 1 else "")
    rated = f", Elo {rating(row)}" if row.HasField("rating") else ""
    return wrapped(f"{visible(bot)}   {status}   {stays}{rated}", "  ", hard=True)


def end(row: Standing | None, events: Sequence[TournamentEvent]) -> list[str]:
    """Says by whom and why the bot left, and who pays for that."""
    lines: list[str] = []
    for event in events:
        kind = EventKind.Name(event.kind).removeprefix("EVENT_KIND_").lower()
        if kind in ("withdrawn", "readmitted", "disqualified"):
            why = f": {event.reason}" if event.reason else ""
            said = f"{kind} by {event.who} at log position {count(event.log_position)}{why}"
            lines += wrapped(said, "  ", hard=True)
    if row is not None and row.status == EntrantStatus.ENTRANT_STATUS_WITHDRAWN:
        lines += wrapped(
            "Nobody else pays: what it finished counts; what it did not come to is void for the"
            " others and is replaced where the format can."
        )
    if row is not None and row.status == EntrantStatus.ENTRANT_STATUS_DISQUALIFIED:
        lines += wrapped("No match of it counts for anybody.")
    return lines


def next_step(name: str, bot: str, row: Standing | None) -> str | None:
    """Gives the command that takes the bot back, where one does."""
    left = row is not None and row.status == EntrantStatus.ENTRANT_STATUS_WITHDRAWN
    return f"saurodrome tournament readmit {name} {bot}" if left else None
