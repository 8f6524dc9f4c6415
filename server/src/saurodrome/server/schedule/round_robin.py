"""The round robin: every group of bots meets at one table, from all its seatings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import comb
from typing import NamedTuple, get_args

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Match, Seating
from saurodrome.server.schedule.groups import groups_in_order
from saurodrome.server.schedule.pairs import pairs_in_order
from saurodrome.server.schedule.seatings import Seats, balanced_seatings, rotations
from saurodrome.server.schedule.shuffle import keyed_order

MOST_PAIRINGS = 50_000
"""Pairings that a schedule may have: a matter of memory and of seconds to plan them."""


class Block(NamedTuple):
    """One pairing in one round: the same bots in all seatings."""

    round: int
    pairing: int
    bots: tuple[str, ...]
    """Names, ascending."""
    matches: tuple[Match, ...]

    @property
    def id(self) -> str:
        """Round/pairing: the key by which results of this block belong together."""
        return f"{self.round}/{self.pairing}"


class Schedule(NamedTuple):
    """All matches of some pairings in the order of play; blocks are built when asked for."""

    entrants: tuple[str, ...]
    """Names, ascending."""
    players: int
    seating: Seating
    seed: int
    rounds: int
    pairings: tuple[tuple[int, ...], ...]
    """Indices of the entrants who meet, by pairing number - 1; every round has these."""
    match_count: int
    """Matches in all. Less than those of all blocks only when the last block is cut short."""
    first_round: int = 1
    """The number of the first round."""

    @property
    def block_size(self) -> int:
        """Matches in a whole block."""
        return len(self._seatings())

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in the order in which they begin."""
        left = self.match_count
        for number in range(self.first_round, self.first_round + self.rounds):
            for pairing in range(1, len(self.pairings) + 1):
                block = self._block(number, pairing)
                yield block._replace(matches=block.matches[:left])
                left -= len(block.matches)

    def matches(self) -> Iterator[Match]:
        """Yield the matches in the order of play.

        Blocks that follow each other and share no bot go side by side, a match of each in turn,
        so that bots keep level and can all play at once.
        """
        for blocks in self._disjoint_blocks():
            for side_by_side in zip_longest(*(block.matches for block in blocks)):
                yield from (match for match in side_by_side if match is not None)

    def matches_by_bot(self) -> dict[str, int]:
        """Return how many matches each entrant plays."""
        whole = Counter(bot for pairing in self.pairings for bot in pairing)
        played = {bot: self.rounds * self.block_size * whole[bot] for bot in whole}
        cut = self.rounds * len(self.pairings) * self.block_size - self.match_count
        for bot in self.pairings[-1]:
            played[bot] -= cut
        return {name: played[bot] for bot, name in enumerate(self.entrants)}

    def _disjoint_blocks(self) -> Iterator[list[Block]]:
        together: list[Block] = []
        busy: set[str] = set()
        for block in self.blocks():
            if not busy.isdisjoint(block.bots):
                yield together
                together, busy = [], set()
            together.append(block)
            busy.update(block.bots)
        yield together

    def _seatings(self) -> tuple[Seats, ...]:
        if self.seating == "balanced":
            return balanced_seatings(self.players)
        return rotations(self.players)

    def _block(self, number: int, pairing: int) -> Block:
        bots = tuple(self.entrants[index] for index in self.pairings[pairing - 1])
        first = keyed_order(self.seed, f"seats {number}/{pairing}", self.players)
        matches = tuple(
            Match(number, pairing, seating, tuple(bots[first[player]] for player in seats))
            for seating, seats in enumerate(self._seatings(), start=1)
        )
        return Block(number, pairing, bots, matches)


def round_robin(
    entrants: Sequence[str],
    players: int,
    *,
    seed: int,
    seating: Seating = "balanced",
    rounds: int = 1,
    matches: int | None = None,
) -> Schedule:
    """Return the schedule in which every group of entrants meets at a table.

    Its order depends on the arguments alone, and not on the order of the entrants. What holds:

    - After every match two bots differ by at most one block of matches, at tables of any size,
      and by at most one match where all bots can play at once; at the end of a round there is no
      difference.
    - A part (``matches``): whole blocks, of which the last may be cut short; bots differ by at
      most one block in the end, and pairs of bots meet about equally often.

    Planning takes a tenth or two of a millisecond a pairing.

    Args:
        entrants: names of the bots.
        players: bots at a table, 1 to 5; 1 where a bot plays against the game itself.
        seed: decides all that is left to chance.
        seating: ``balanced`` plays each group 1, 2, 6, 12 or 20 times, so that seats and
            neighbours are even; ``rotations`` as many times as there are players, so that
            seats are even.
        rounds: how often all of it is played.
        matches: play only so many matches, a balanced part of one round.

    Raises:
        ScheduleError: too few entrants, a name twice, or a count that cannot be.
    """
    names = tuple(sorted(entrants))
    _check(names, players, seating, rounds)
    size = len(balanced_seatings(players) if seating == "balanced" else rotations(players))
    count = comb(len(names), players)
    if matches is not None:
        _check_part(matches, len(names), players, size, rounds)
        count = -(-matches // size)
    if count > MOST_PAIRINGS:
        raise ScheduleError(
            "TOO_MANY_PAIRINGS",
            f"{len(names)} bots make {count:,} groups of {players}, more than {MOST_PAIRINGS:,}.",
            "entrants",
            f"set matches to {MOST_PAIRINGS * size:,} or fewer",
        )
    if players == 1:
        pairings: list[tuple[int, ...]] = [(bot,) for bot in keyed_order(seed, "bots alone", count)]
    elif players == 2:
        pairings = pairs_in_order(len(names), seed)[:count]
    else:
        pairings = groups_in_order(len(names), players, seed, count)
    total = rounds * count * size if matches is None else matches
    return Schedule(names, players, seating, seed, rounds, tuple(pairings), total)


def _check(names: Sequence[str], players: int, seating: str, rounds: int) -> None:
    if not 1 <= players <= 5:
        raise ScheduleError(
            "NO_SUCH_TABLE", f"A table of {players} cannot be.", "players", "choose 1 to 5"
        )
    if seating not in get_args(Seating):
        choices = " or ".join(get_args(Seating))
        raise ScheduleError(
            "UNKNOWN_SEATING", f"There is no seating {seating!r}.", "seating", f"choose {choices}"
        )
    if rounds < 1:
        raise ScheduleError(
            "NO_MATCHES", f"{rounds} rounds hold no match.", "rounds", "play 1 or more"
        )
    if twice := sorted(name for name, times in Counter(names).items() if times > 1):
        raise ScheduleError(
            "DUPLICATE_ENTRANT",
            f"Entered more than once: {', '.join(twice)}.",
            "entrants",
            "enter each bot once",
        )
    if len(names) < players:
        raise ScheduleError(
            "TOO_FEW_ENTRANTS",
            f"{len(names)} bots cannot fill a table of {players}.",
            "entrants",
            f"enter {players - len(names)} more, or play at smaller tables",
        )


def _check_part(matches: int, bots: int, players: int, size: int, rounds: int) -> None:
    """Check a count of matches against what one round holds and what seats every bot."""
    if rounds != 1:
        raise ScheduleError(
            "ROUNDS_AND_MATCHES",
            f"{matches} matches of {rounds} rounds were asked for.",
            "matches",
            "give rounds or matches, not both",
        )
    most = comb(bots, players) * size
    least = -(-bots // players) * size
    if matches > most:
        raise ScheduleError(
            "TOO_MANY_MATCHES",
            f"One round holds {most:,} matches, not {matches:,}.",
            "matches",
            f"ask for {most:,} or fewer, or set rounds to {-(-matches // most)} instead",
        )
    if matches < least:
        raise ScheduleError(
            "TOO_FEW_MATCHES",
            f"{matches} matches leave bots out: blocks of {size} seat all {bots} "
            f"in {least:,} matches.",
            "matches",
            f"ask for {least:,} or more",
        )
