"""A typed client of TournamentService, for scripts and the command line.

`AsyncTournamentClient` is the client; `TournamentClient` is the same without asyncio. Both
give the messages of `saurodrome.tournament.v1` and raise `SaurodromeError`.

    with TournamentClient() as client:
        client.create(TournamentSettings(name="first", game="draftosaurus", ...))
        for now in client.watch("first"):
            print(now.matches_done, "of", now.matches_total)
"""

from saurodrome.client._tournaments import AsyncTournamentClient, Live, Standings
from saurodrome.client._tournaments_blocking import TournamentClient
from saurodrome.tournament.v1.acts_pb2 import EventKind, TournamentEvent
from saurodrome.tournament.v1.live_pb2 import LiveMatch, PublishLive, PublishNotes, PublishTable
from saurodrome.tournament.v1.messages_pb2 import (
    Bot,
    Deals,
    EntrantStatus,
    EntryMode,
    Fault,
    Format,
    Match,
    SameOwner,
    Seating,
    Standing,
    Tournament,
    TournamentSettings,
    TournamentState,
)
from saurodrome.tournament.v1.placing_pb2 import KnockoutPlacing, SwissPlacing

__all__ = [
    "AsyncTournamentClient",
    "Bot",
    "Deals",
    "EntrantStatus",
    "EntryMode",
    "EventKind",
    "Fault",
    "Format",
    "KnockoutPlacing",
    "Live",
    "LiveMatch",
    "Match",
    "PublishLive",
    "PublishNotes",
    "PublishTable",
    "SameOwner",
    "Seating",
    "Standing",
    "Standings",
    "SwissPlacing",
    "Tournament",
    "TournamentClient",
    "TournamentEvent",
    "TournamentSettings",
    "TournamentState",
]
