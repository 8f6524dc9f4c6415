"""The keys of a tournament's file: their fields, what they may be, and what they mean."""

from typing import NamedTuple

from saurodrome.server.cli.planning.kinds import (
    DURATION,
    FLAG,
    MOMENT,
    NAMES,
    NUMBER,
    SPANS,
    TEXT,
    Kind,
    one_of,
    whole,
)
from saurodrome.server.cli.values import UINT64
from saurodrome.server.rating.sprt import Model
from saurodrome.server.settings import (
    Deals,
    Format,
    Publish,
    PublishLive,
    PublishNotes,
    SameOwner,
    Seating,
)


class Key(NamedTuple):
    """One key."""

    path: str
    """Its table and name."""
    field: str
    """The field of `TournamentSettings` that it sets; of `time` and `faults`, `time.ready`."""
    kind: Kind
    usual: str
    """Its default, in words."""
    about: str
    """What it means, one sentence."""

    @property
    def name(self) -> str:
        """Its last part."""
        return self.path.rpartition(".")[2]


KEYS = (
    Key(
        "name",
        "name",
        TEXT,
        "",
        "What it is called; other characters than a-z 0-9 . _ - become - in commands.",
    ),
    Key("display_name", "display_name", TEXT, "the name", "What people read."),
    Key("game", "game", TEXT, "draftosaurus", "What is played."),
    Key("variant", "variant", TEXT, "the game's usual one", "Its variant."),
    Key("players", "players", whole(1, 5), "the fewest that play it", "Bots at a table."),
    Key("format", "format", one_of([*Format]), "round-robin", "How tables are put together."),
    Key(
        "rounds",
        "rounds",
        whole(),
        "1; swiss: enough to tell a winner",
        "round-robin, gauntlet: how often all of it is played; swiss: its rounds.",
    ),
    Key(
        "matches",
        "matches",
        whole(),
        "all",
        "round-robin, gauntlet: only a balanced part of one round; ladder: it ends after so many.",
    ),
    Key(
        "games",
        "games",
        whole(),
        "swiss 2, knockout 3",
        "swiss: games of a pairing; knockout: best of so many.",
    ),
    Key(
        "seating",
        "seating",
        one_of([*Seating]),
        "balanced; ladder: rotations",
        "All seats and neighbours equally often, or all seats.",
    ),
    Key("seeds", "seeds", NAMES, "drawn", "swiss, knockout: bots in order of strength."),
    Key("window", "window", NUMBER, "200", "ladder: Elo within which bots meet without waiting."),
    Key(
        "same_owner",
        "same_owner",
        one_of([*SameOwner]),
        "meet",
        "Whether bots of one owner sit at one table.",
    ),
    Key(
        "deals",
        "deals",
        one_of([*Deals]),
        "fresh",
        "A deal for every match, or one for all seatings of a table.",
    ),
    Key(
        "trusted",
        "trusted",
        FLAG,
        "false",
        "You vouch that bots remember no earlier match: duplicate deals ask for it.",
    ),
    Key("blind", "blind", FLAG, "false", "Bots see seats instead of the others' names."),
    Key("seed", "seed", whole(0, UINT64), "0", "Of pairings and seats; never of a deal."),
    Key("concurrency", "concurrency", whole(1), "16", "Matches at once."),
    Key("start_at", "start_at", MOMENT, "by hand", "When it starts by itself."),
    Key("time.ready", "time.ready", DURATION, "20s", "To get ready for a match."),
    Key("time.decision", "time.decision", DURATION, "1s", "For a decision."),
    Key("time.margin", "time.margin", DURATION, "50ms", "Grace after it, counted and shown."),
    Key(
        "time.sealed",
        "time.sealed",
        DURATION,
        "10 decisions'",
        "For all steps of a sealed phase together.",
    ),
    Key(
        "time.phases",
        "time.phases",
        SPANS,
        "none",
        "Limits of kinds of phases of their own, as the game names them.",
    ),
    Key("time.bank", "time.bank", DURATION, "none", "For all decisions of a match together."),
    Key(
        "time.increment",
        "time.increment",
        DURATION,
        "none; needed with a bank",
        "What a decision gives back to the bank when it is over.",
    ),
    Key("time.join", "join_timeout", DURATION, "30s", "How long a match waits for an absent bot."),
    Key(
        "faults.strikes",
        "faults.strikes_in_match",
        whole(1),
        "5",
        "Strikes in a match that forfeit it.",
    ),
    Key(
        "faults.strikes_in_a_row",
        "faults.strikes_in_a_row",
        whole(1),
        "3",
        "Strikes in a row that forfeit it.",
    ),
    Key(
        "faults.quarantine_after",
        "quarantine_after",
        whole(),
        "never",
        "Forfeits in a row after which a bot is withdrawn.",
    ),
    Key("sprt.bot", "sprt.bot", TEXT, "nobody", "Who loses a sequential test of it is withdrawn."),
    Key("sprt.against", "sprt.against", NAMES, "none", "The others of the test, one at least."),
    Key("sprt.elo0", "sprt.elo0", NUMBER, "0", "The lead in Elo that is not worth it."),
    Key("sprt.elo1", "sprt.elo1", NUMBER, "10", "The lead in Elo that is worth it."),
    Key("sprt.alpha", "sprt.alpha", NUMBER, "0.05", "How often elo0 may be taken for elo1."),
    Key("sprt.beta", "sprt.beta", NUMBER, "0.05", "How often elo1 may be taken for elo0."),
    Key(
        "sprt.model",
        "sprt.model",
        one_of([*Model]),
        "normalised",
        "What Elo means: in deviations of a match's score, or logistic, for two players.",
    ),
    Key("entry.bots", "bots", NAMES, "none", "Who plays."),
    Key("entry.house", "house", NAMES, "none", "House bots that play, too."),
    Key("entry.candidates", "candidates", NAMES, "none", "gauntlet: the bots that are tried."),
    Key(
        "entry.fillers",
        "fillers",
        NAMES,
        "none",
        "Bots that are left out of the rating; a ladder calls them where a seat stays empty.",
    ),
    Key("entry.anchor", "anchor", TEXT, "nobody", "The bot whose rating is set."),
    Key("entry.anchor_rating", "anchor_rating", NUMBER, "1000", "To this."),
    Key(
        "entry.open",
        "entry",
        FLAG,
        "true with open_until",
        "Registered bots enter by connecting for this game and variant.",
    ),
    Key(
        "entry.open_until",
        "entry_until",
        MOMENT,
        "as long as the format takes entries",
        "When the entry closes.",
    ),
    Key(
        "publish.table",
        "publish_table",
        one_of([*Publish]),
        "now",
        "When others than organisers see the table.",
    ),
    Key(
        "publish.live",
        "publish_live",
        one_of([*PublishLive]),
        "open",
        "Whether they see who plays and the boards, without hidden things, while they are played.",
    ),
    Key(
        "publish.notes",
        "publish_notes",
        one_of([*PublishNotes]),
        "author",
        "Who reads what bots noted with their replies, when a match is over.",
    ),
)
"""All keys, as `tournament plan --keys` lists them."""
