"""A dry run's bookkeeping: what the matches of one bot against its opponents came to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from saurodrome.client import Decided, Event, MatchEnded, MatchStarted, Status
from saurodrome.server.cli.house import GREEDY, kind_of
from saurodrome.server.cli.text import Column, count, cut, span, table

THE_GAME = "the game"
"""The opponent of who sits alone."""
COLUMNS = (
    Column("opponent", right=False),
    Column("won"),
    Column("shared"),
    Column("lost"),
    Column("points a match"),
)


@dataclass
class Versus:
    """How a bot fared against one opponent, over all tables where both sat."""

    won: int = 0
    shared: int = 0
    lost: int = 0
    points: int = 0
    theirs: int = 0

    @property
    def matches(self) -> int:
        """How many tables that were."""
        return self.won + self.shared + self.lost

    def add(self, mine: tuple[int, int], other: tuple[int, int]) -> None:
        """Counts one table: placement and points of both."""
        self.won += mine[0] < other[0]
        self.shared += mine[0] == other[0]
        self.lost += mine[0] > other[0]
        self.points += mine[1]
        self.theirs += other[1]


@dataclass
class Trial:
    """What happened so far.

    Attributes:
        versus: By opponent; several of one kind count together.
        ended: Ids of the matches that ended with a result, in that order: match 1, 2, ...
        step: The step that each open match is at, from 1: the bot's next decision.
        seats: Names by seat of the open matches.
    """

    versus: dict[str, Versus] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    step: dict[str, int] = field(default_factory=dict)
    seats: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Counts an event."""
        match event:
            case MatchStarted(match):
                self.step[match.id] = 1
                self.seats[match.id] = tuple(player.bot for player in match.players)
            case Decided(match, _, False):
                self.step[match.id] = self.step.get(match.id, 1) + 1
            case MatchEnded() if event.played:
                self._count(event)

    def _count(self, event: MatchEnded) -> None:
        self.ended.append(event.match_id)
        seats = self.seats.pop(event.match_id)
        self.step.pop(event.match_id, None)
        mine = event.results[event.seat]
        if len(seats) == 1:
            game = (3 - mine.placement, 0)  # first if it was not beaten; its points are not told
            self.versus.setdefault(THE_GAME, Versus()).add((mine.placement, mine.points), game)
        for seat, result in enumerate(event.results):
            if seat != event.seat:
                self.versus.setdefault(kind_of(seats[seat]), Versus()).add(
                    (mine.placement, mine.points), (result.placement, result.points)
                )


def lines(trial: Trial, status: Status, limit: float) -> list[str]:
    """Gives the table of a trial and the figures below it.

    Args:
        trial: What happened.
        status: The figures of the bot.
        limit: Seconds for a decision.
    """
    rows = [
        [
            f"vs {cut(name)}",
            count(one.won),
            count(one.shared),
            count(one.lost),
            f"{one.points / one.matches:.1f}" + _theirs(name, one),
        ]
        for name, one in sorted(trial.versus.items())
        if one.matches
    ]
    figures = (
        f" decisions {count(status.decisions)}   late {status.late}"
        f"   think {span(status.mean_think)}   slowest {span(status.slowest)} of {span(limit)}"
    )
    return [*table(COLUMNS, rows), figures]


def _theirs(name: str, one: Versus) -> str:
    """Gives the opponent's points behind a colon, where they are known."""
    return "" if name == THE_GAME else f" : {one.theirs / one.matches:.1f}"


def as_json(trial: Trial, status: Status, limit: float, planned: int) -> dict[str, Any]:
    """Gives the same as JSON."""
    return {
        "matches": len(trial.ended),
        "matches_planned": planned,
        "decisions": status.decisions,
        "late": status.late,
        "illegal": status.illegal,
        "think_s": status.mean_think,
        "slowest_s": status.slowest,
        "limit_s": limit,
        "versus": {
            name: {
                "won": one.won,
                "shared": one.shared,
                "lost": one.lost,
                "points": one.points / one.matches,
                "their_points": None if name == THE_GAME else one.theirs / one.matches,
            }
            for name, one in sorted(trial.versus.items())
            if one.matches
        },
    }


def opponents(game: str, players: int, against: Sequence[str] = ()) -> Sequence[tuple[str, ...]]:
    """Gives the tables of a trial: who sits with the bot at each.

    Two play greedy and random by turns; more take seats of both kinds at one table. Against
    the game itself a bot sits alone.

    Args:
        game: Name of the game.
        players: Seats at a table.
        against: Kinds of bots of the house; else greedy and random.
    """
    if players == 1:
        return ((),)
    usual = (GREEDY[game], "random") if game in GREEDY else ("random",)
    kinds = against or usual
    if players == 2:
        return tuple((kind,) for kind in kinds)
    names = [
        kinds[i % len(kinds)] + (f"-{i // len(kinds) + 1}" if i >= len(kinds) else "")
        for i in range(players - 1)
    ]
    return (tuple(names),)
