"""Plays formats to their end without a server: results by strength, or by a test's wish."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from saurodrome.server.schedule import (
    Change,
    Enter,
    Event,
    Form,
    Match,
    Result,
    Role,
    Start,
    Withdraw,
    planner_of,
)

Referee = Callable[[Match], Sequence[int]]
"""Gives the placements of a match, by seat."""


def names(count: int) -> list[str]:
    return [f"b{index:02}" for index in range(count)]


def by_name(match: Match) -> tuple[int, ...]:
    """The lower name always wins."""
    order = sorted(match.seats)
    return tuple(1 + order.index(bot) for bot in match.seats)


def by_chance(seed: int) -> Referee:
    """Anybody wins, and a match in five is level."""

    def referee(match: Match) -> Sequence[int]:
        random = Random(f"{seed} {match.id}")
        if random.random() < 0.2:
            return (1,) * len(match.seats)
        return random.sample(range(1, len(match.seats) + 1), len(match.seats))

    return referee


class Play:
    """One tournament: its log, what is due, what was played."""

    def __init__(self, form: Form, bots: Iterable[str | Enter], seed: int = 1) -> None:
        self.planner = planner_of(form, seed)
        self.log: list[Event] = []
        self.due: dict[str, Match] = {}
        self.ever: dict[str, Match] = {}
        self.played: list[Match] = []
        for bot in bots:
            self.tell(bot if isinstance(bot, Enter) else Enter(bot))
        self.tell(Start())

    def tell(self, event: Event) -> Change:
        change = self.planner.add(event)
        self.log.append(event)
        assert not change.gone - self.due.keys()
        for match in change.due:
            assert self.ever.setdefault(match.id, match) == match
            assert match.id not in self.due
            self.due[match.id] = match
        for gone in change.gone:
            del self.due[gone]
        return change

    def result(self, match: Match, placements: Sequence[int], absent: Sequence[int] = ()) -> Change:
        del self.due[match.id]
        self.played.append(match)
        return self.tell(Result(match.id, tuple(placements), tuple(absent)))

    def to_the_end(
        self, referee: Referee = by_name, shuffled: Random | None = None, most: int = 100_000
    ) -> "Play":
        """Plays what is due, first come first served or in any order."""
        while self.due and len(self.played) < most:
            at = shuffled.randrange(len(self.due)) if shuffled else 0
            match = list(self.due.values())[at]
            self.result(match, referee(match))
        return self

    def counts(self) -> Counter[str]:
        return Counter(bot for match in self.played for bot in match.seats)


def entries(count: int, role: Role = "entrant", owners: int = 0) -> list[Enter]:
    return [
        Enter(bot, f"owner-{index % owners}" if owners else "", role)
        for index, bot in enumerate(names(count))
    ]


def met(matches: Iterable[Match]) -> Counter[frozenset[str]]:
    """How many pairings each two bots had: games of one series count once."""
    series = {(match.round, match.pairing): frozenset(match.seats) for match in matches}
    return Counter(series.values())


def leaves(bots: Sequence[str]) -> Iterator[Event]:
    return (Withdraw(bot) for bot in bots)
