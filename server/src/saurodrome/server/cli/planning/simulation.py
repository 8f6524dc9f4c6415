"""A tournament among bots of known strength, in virtual time: no server, no network, no clock."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import exp, log
from random import Random
from typing import NamedTuple

from saurodrome.server.cli.planning.shape import ELO, begun
from saurodrome.server.rating.elo import elo
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.recorder import START, K
from saurodrome.server.schedule import Match, Planner, Result
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.tournament.pairings import Pairings


class Played(NamedTuple):
    """One match of a simulated tournament."""

    match: Match
    placements: tuple[int, ...]
    """By seat."""
    ended: float
    """Virtual seconds since the start."""

    def rated(self) -> RatedMatch:
        """The match as the fit of ratings wants it."""
        seats = zip(self.match.seats, self.placements, strict=True)
        return RatedMatch(f"{self.match.round}/{self.match.pairing}", tuple(seats))


class Simulated(NamedTuple):
    """A whole tournament."""

    played: tuple[Played, ...]
    """In the order in which they ended."""
    ranking: tuple[tuple[str, ...], ...]
    """Where the format itself ranks; else empty."""


def simulate(
    settings: TournamentSettings, strengths: Mapping[str, float], seconds: float, seed: int
) -> Simulated:
    """Play a tournament to its end.

    At a table each bot's day is its strength plus chance of the Gumbel distribution, and the
    best day wins: of any two bots the one that is d Elo stronger is above the other in
    1 / (1 + 10**(-d / 400)) of all matches, whoever else sits there (R. D. Luce, 1959).

    Args:
        settings: The tournament; its matches at once bound what is played at a time.
        strengths: Elo of every entrant.
        seconds: The mean length of a match; each takes half of it to half as much again.
        seed: Decides the pairings' draw, the results and the lengths.

    Raises:
        ScheduleError: it cannot be.
    """
    return _Hall(settings, strengths, seconds, seed).play()


class _Hall:
    """Where a tournament is simulated."""

    def __init__(
        self,
        settings: TournamentSettings,
        strengths: Mapping[str, float],
        seconds: float,
        seed: int,
    ) -> None:
        self._settings = settings
        self._strengths = strengths
        self._seconds = seconds
        self._random = Random(seed)
        self._planner, due = begun(settings, list(strengths), seed)
        self._left = Pairings(due)
        self._free = set(strengths)
        self._live = dict.fromkeys(strengths, START)
        self._running: list[tuple[float, int, Match]] = []
        self._begun = 0

    def play(self) -> Simulated:
        played = tuple(self._matches())
        return Simulated(played, self._planner.ranking())

    def _matches(self) -> Iterator[Played]:
        now = 0.0
        self._begin(now)
        while self._running:
            now, _, match = heappop(self._running)
            self._free.update(match.seats)
            placements = self._placements(match)
            self._tell(self._planner, match, placements)
            yield Played(match, placements, now)
            self._begin(now)

    def _begin(self, now: float) -> None:
        while len(self._running) < self._settings.concurrency:
            match = self._left.playable(self._free)
            if match is None:
                return
            self._left.take(match)
            self._free.difference_update(match.seats)
            self._begun += 1
            ends = now + self._seconds * self._random.uniform(0.5, 1.5)
            heappush(self._running, (ends, self._begun, match))

    def _placements(self, match: Match) -> tuple[int, ...]:
        days = [self._strengths[bot] / ELO + self._gumbel() for bot in match.seats]
        if len(days) == 1:  # alone against the game itself: as a bot of the usual rating
            return (1,) if days[0] > START / ELO + self._gumbel() else (2,)
        return tuple(1 + sum(other > day for other in days) for day in days)

    def _gumbel(self) -> float:
        return -log(self._random.expovariate(1.0) + exp(-700))

    def _tell(self, planner: Planner, match: Match, placements: Sequence[int]) -> None:
        live = elo([self._live[bot] for bot in match.seats], placements, k=K)
        self._live.update(zip(match.seats, live, strict=True))
        change = planner.add(Result(match.id, tuple(placements), (), live))
        self._left.drop(change.gone)
        self._left.add(change.due)
