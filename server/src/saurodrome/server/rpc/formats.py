"""What settings of formats, deals and entries may be; whatever a format does not use is refused."""

from collections.abc import Iterable, Sequence

from saurodrome.server.rpc.checks import invalid
from saurodrome.server.settings import (
    Deals,
    Entry,
    Format,
    Publish,
    PublishLive,
    PublishNotes,
    SameOwner,
    TournamentSettings,
)
from saurodrome.tournament.v1 import live_pb2
from saurodrome.tournament.v1 import messages_pb2 as messages

FORMATS = {
    messages.FORMAT_ROUND_ROBIN: Format.ROUND_ROBIN,
    messages.FORMAT_GAUNTLET: Format.GAUNTLET,
    messages.FORMAT_SWISS: Format.SWISS,
    messages.FORMAT_KNOCKOUT: Format.KNOCKOUT,
    messages.FORMAT_LADDER: Format.LADDER,
}
SAME_OWNERS = {
    messages.SAME_OWNER_MEET: SameOwner.MEET,
    messages.SAME_OWNER_APART: SameOwner.APART,
}
DEALS = {messages.DEALS_FRESH: Deals.FRESH, messages.DEALS_DUPLICATE: Deals.DUPLICATE}
ENTRIES = {
    messages.ENTRY_MODE_ORGANISER: Entry.ORGANISER,
    messages.ENTRY_MODE_OPEN: Entry.OPEN,
}
PUBLISHED = {
    live_pb2.PUBLISH_TABLE_NOW: Publish.NOW,
    live_pb2.PUBLISH_TABLE_END: Publish.END,
}
PUBLISHED_LIVE = {
    live_pb2.PUBLISH_LIVE_OPEN: PublishLive.OPEN,
    live_pb2.PUBLISH_LIVE_CLOSED: PublishLive.CLOSED,
}
PUBLISHED_NOTES = {
    live_pb2.PUBLISH_NOTES_AUTHOR: PublishNotes.AUTHOR,
    live_pb2.PUBLISH_NOTES_PUBLIC: PublishNotes.PUBLIC,
}

_LEAGUES = (Format.ROUND_ROBIN, Format.GAUNTLET)
_PAIRED = (Format.SWISS, Format.KNOCKOUT)
_USED_BY: dict[str, tuple[Format, ...]] = {
    "rounds": (*_LEAGUES, Format.SWISS),
    "matches": (*_LEAGUES, Format.LADDER),
    "games": _PAIRED,
    "seeds": _PAIRED,
    "candidates": (Format.GAUNTLET,),
    "window": (Format.LADDER,),
}


def check_used(message: messages.TournamentSettings, form: Format) -> None:
    """Checks that nothing is set that the format would ignore.

    Raises:
        Refused: NOT_USED.
    """
    for field, formats in _USED_BY.items():
        if getattr(message, field) and form not in formats:
            raise invalid(
                "NOT_USED",
                f"A {form} does not use {field}.",
                f"settings.{field}",
                f"leave it out, or use the format {' or '.join(formats)}",
            )


def check_format(settings: TournamentSettings) -> None:
    """Checks what a format, its deals and its entries ask of each other.

    Raises:
        Refused: BAD_PLAYER_COUNT, UNKNOWN_ENTRANT, ROLE_TWICE, NO_CANDIDATE, NOT_TRUSTED,
            NO_BLOCKS or ENTRY_AFTER_START.
    """
    if settings.format in _PAIRED and settings.players != 2:
        what = f"A {settings.format} is played at tables of 2, not {settings.players}."
        raise invalid("BAD_PLAYER_COUNT", what, "settings.players", "use 2")
    for field in ("seeds", "candidates", "fillers"):
        _check_entrants(getattr(settings, field), settings.bots, f"settings.{field}")
    _check_roles(settings)
    if settings.format is Format.GAUNTLET and not settings.candidates:
        do = "name one of settings.bots or more"
        raise invalid("NO_CANDIDATE", "A gauntlet needs a candidate.", "settings.candidates", do)
    _check_deals(settings)
    late = settings.start_at and settings.entry_until > settings.start_at
    if late and settings.format is Format.KNOCKOUT:
        raise invalid(
            "ENTRY_AFTER_START",
            "A knockout takes no bot once it has begun.",
            "settings.entry_until",
            "close the entry before start_at",
        )


def _check_entrants(names: Sequence[str], bots: Iterable[str], where: str) -> None:
    known = frozenset(bots)
    for number, name in enumerate(names):
        at = f"{where}[{number}]"
        if name not in known:
            what = f"{name[:40]!a} is not entered."
            raise invalid("UNKNOWN_ENTRANT", what, at, "name one of settings.bots")
        if name in names[:number]:
            raise invalid("BOT_TWICE", f"{name} is named twice.", at, "name each bot once")


def _check_roles(settings: TournamentSettings) -> None:
    anchors = [settings.anchor] if settings.anchor else []
    roles = [*settings.candidates, *settings.fillers, *anchors]
    for bot in settings.fillers:
        if roles.count(bot) > 1:
            raise invalid(
                "ROLE_TWICE",
                f"{bot} is a filler, which is left out of the rating, and something else.",
                "settings.fillers",
                "give it one role",
            )


def _check_deals(settings: TournamentSettings) -> None:
    if settings.deals is not Deals.DUPLICATE:
        return
    if not settings.trusted:
        raise invalid(
            "NOT_TRUSTED",
            "With duplicate deals a bot that remembers a match knows the hands of the next ones.",
            "settings.deals",
            "use fresh deals, or say settings.trusted if you vouch that the bots remember nothing",
        )
    if settings.players < 2 or settings.format in {Format.KNOCKOUT, Format.LADDER}:
        raise invalid(
            "NO_BLOCKS",
            f"A {settings.format} of {settings.players} has no blocks that could share a deal.",
            "settings.deals",
            "use fresh deals, or a round robin, gauntlet or Swiss",
        )
