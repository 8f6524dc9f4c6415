"""What all formats have in common: events go in, matches to be played come out.

A format is a fold. A `Planner` is made of a `Form` and a seed; then it is given, one by one and
in the order of the log, all that happened: who entered, the start, results, who withdrew. Each
event gives a `Change`: matches that are due now, ids that nobody plays any more, ids whose
results do not count any more. Nothing else goes in, so the same form, seed and events give the
same matches with the same ids on every machine and after every restart; a server that comes back
folds the log again and plays what is due and has no result.

    planner = planner_of(form, seed)            # a format that cannot be: ScheduleError
    for event in events: change = planner.add(event)

Rules for callers:

- `add` either raises `ScheduleError` and changes nothing, or takes the event. Ask it before an
  event is stored, and store the event before its matches begin.
- Events before `Start` build the roster and give no match. `Start` comes once. Planning at the
  start may take seconds for a large round robin: keep it off an event loop.
- `Change.due` is in the order of play, behind everything that was due before. An id may come
  back there, after `Readmit` or `Void`; its match is what it was.
- `Change.gone`: not to be begun. One that is in flight is stopped, its attempt is void.
- `Change.void`: these had results which count no more, but as absences of who did not come.
- A planner that is `lazy` draws no round by itself: after each event, and before the next one,
  what `draw` gives is called, off an event loop, and told to `drawn`. That comes to the same.
- A result is told once a match, void attempts never. In round robin, gauntlet, Swiss and
  knockout the order of results between two other events makes no difference; the ladder reads
  ratings and pairs as results come, so it is folded in the order of the log.
- Of a ladder, a bot that is away too long is best withdrawn, and readmitted when it is back.

Late entries, withdrawals and returns:

- Round robin, gauntlet: a late entry gets the tables that it would have had, behind the rest; of
  a part of a round, as many as others have on average. Who leaves takes along its matches, and
  those that it did not come to are void and replaced: another bot on its seat, of the field in a
  gauntlet; nobody replaces a candidate. Who returns plays what it left.
- Swiss: a late entry and who returns play from the next round, and rounds missed give nothing.
  The opponent of one that leaves wins the pairing.
- Knockout: no late entries. The opponent of one that leaves goes on; who returns plays on, unless
  its place is taken.
- Ladder: who comes plays at once; the matches of who leaves go.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from saurodrome.server.schedule.placing import Placing

Kind = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder"]
"""How tables are put together."""

Seating = Literal["balanced", "rotations"]
"""All seatings that make seats and neighbours even, or only the turns of one order."""

Role = Literal["entrant", "candidate", "anchor", "filler"]
"""What a bot is here for: to compete; to be tried against a field; to be a fixed measure; to sit
where nobody else does. Anchors and fillers are scheduled like others, but that on a ladder they
ask for no table of their own, and a filler is called only where a table would stay empty."""

SameOwner = Literal["meet", "apart"]
"""Whether bots of one owner sit at one table."""


class Form(NamedTuple):
    """A format with its settings; what a kind does not use keeps its default."""

    kind: Kind
    players: int
    """Bots at a table."""
    seating: Seating = "balanced"
    """Round robin, gauntlet, ladder: the seatings of one block."""
    rounds: int = 0
    """Round robin, gauntlet: how often all of it is played. Swiss: its rounds. 0: 1, or for
    Swiss as many as tell a winner and one more."""
    matches: int = 0
    """Round robin, gauntlet: only a balanced part of one round. Ladder: it ends after about so
    many. 0: all; for a ladder, without an end."""
    games: int = 0
    """Swiss: games of a pairing, 0 for 2. Knockout: best of so many, 0 for 3."""
    same_owner: SameOwner = "meet"
    seeds: tuple[str, ...] = ()
    """Swiss, knockout: bots in order of strength, best first; others follow in drawn order."""
    window: float = 200.0
    """Ladder: Elo within which bots meet without waiting."""


class Enter(NamedTuple):
    """A bot enters."""

    bot: str
    owner: str = ""
    """Empty: nobody else's."""
    role: Role = "entrant"
    rating: float = 1500.0
    """Ladder: its Elo before its first match there; an anchor keeps it."""


class Start(NamedTuple):
    """The roster of the start is complete."""


class Withdraw(NamedTuple):
    """A bot leaves, by its owner's or the organiser's wish or by rule."""

    bot: str


class Readmit(NamedTuple):
    """A bot that left is back."""

    bot: str


class Result(NamedTuple):
    """A match has its result."""

    match: str
    """Its id, `round/pairing/seating`."""
    placements: tuple[int, ...]
    """By seat, 1 is best, equal is a tie. Empty where it counts nowhere: no contest, abandoned."""
    absent: tuple[int, ...] = ()
    """Seats whose bots did not come."""
    ratings: tuple[float, ...] = ()
    """Ladder: live Elo by seat after the match."""


class Void(NamedTuple):
    """The result of a match is taken back; the match is due again if all of its bots are in."""

    match: str


Event = Enter | Start | Withdraw | Readmit | Result | Void


class Match(NamedTuple):
    """One match; the three numbers count from 1."""

    round: int
    pairing: int
    seating: int
    seats: tuple[str, ...]
    """Names of the bots by seat."""

    @property
    def id(self) -> str:
        """Round/pairing/seating, unique within the tournament."""
        return f"{self.round}/{self.pairing}/{self.seating}"


class Change(NamedTuple):
    """What an event changes."""

    due: tuple[Match, ...] = ()
    gone: frozenset[str] = frozenset()
    void: frozenset[str] = frozenset()


Drawn = tuple[Sequence[tuple[str, str]], str | None]
"""The pairs of a round, best first, and who is left over."""

Draw = Callable[[], Drawn]
"""Draws a round from copies, so that it may run in any thread; it may take seconds."""


class Undrawn:
    """What a format says of draws that has none which take long."""

    lazy = False
    to_be_drawn = False

    def draw(self) -> Draw | None:
        """None: nothing is drawn."""
        return None

    def drawn(self, found: Drawn) -> Change:
        """Nothing comes of a draw."""
        return Change()


class Planner(Protocol):
    """A format at work."""

    lazy: bool
    """A round that is to be drawn waits for `draw` and `drawn`; else it is drawn at once."""

    @property
    def to_be_drawn(self) -> bool:
        """A round is to be drawn now."""
        ...

    def draw(self) -> Draw | None:
        """Return how the round is drawn that is to be drawn now, if there is one."""
        ...

    def drawn(self, found: Drawn) -> Change:
        """Take what `draw` gave; no event came between."""
        ...

    def add(self, event: Event) -> Change:
        """Take the next event.

        Raises:
            ScheduleError: it cannot be; nothing has changed.
        """
        ...

    @property
    def total(self) -> int | None:
        """Matches in all, as far as can be said: those that are sure to come are included.

        None before the start, and of a ladder without an end.
        """
        ...

    @property
    def over(self) -> bool:
        """All that will ever be due has its result."""
        ...

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Bots best first, those that share a rank together, where the format itself ranks.

        That is Swiss (points, then strength of opponents) and knockout (how far they came).
        Empty elsewhere: the table's own order holds.
        """
        ...

    def placings(self) -> Mapping[str, Placing]:
        """What the places of `ranking` follow from, of each bot in it."""
        ...
