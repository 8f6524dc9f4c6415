"""All groups of a field, in an order that keeps bots level after every single group.

Written in one line, such an order is one permutation of all bots after the other: its *laps*. A
group may reach over the end of a lap; then nobody sits in it twice. So bots differ by one group at
most after every group, and by none after every lap.

There is such an order for every field and every size of table, and it is found as in the proof of
Baranyai's theorem (On the factorization of the complete uniform hypergraph, 1975): bots are dealt
out one by one. Each lap takes a bot into one of its groups with room; and of the groups that have
the same members so far, as many take it as there are whole groups with those members and it. In
fractions of a bot that is easy, every place that is left takes an equal share of it; and where a
flow through capacities that are whole exists in fractions, it exists in whole numbers, too.
"""

from collections import Counter, deque
from itertools import combinations
from math import comb, gcd

from saurodrome.server.schedule.shuffle import keyed_order

Group = tuple[int, ...]
_LOOKS = 20_000_000
"""Pairs of bots that are looked at, at the most, to let pairs meet evenly: a few seconds."""


def all_groups(bots: int, players: int, seed: int) -> list[Group]:
    """Return every group of ``players`` out of ``bots`` once, in the order of play.

    After every group any two bots differ by one group at most. How often two of them have met
    by then is kept about even, too.
    """
    groups = [0] * comb(bots, players)
    laps = _laps(bots, players)
    for bot in range(bots):
        _deal(bot, bots - bot - 1, players, groups, laps)
    named = keyed_order(seed, "bots of all groups", bots)
    return _evenly(
        [tuple(sorted(named[bot] for bot in range(bots) if group >> bot & 1)) for group in groups],
        bots // gcd(bots, players),
        bots,
        seed,
    )


class _Part:
    """What a lap holds of a group."""

    __slots__ = ("group", "room")

    def __init__(self, group: int, room: int) -> None:
        self.group = group
        self.room = room


def _laps(bots: int, players: int) -> list[list[_Part]]:
    """Return all laps with their places, none of them taken."""
    laps = []
    for begin in range(0, comb(bots, players) * players, bots):
        parts, at = [], begin
        while at < begin + bots:
            group = at // players
            end = min((group + 1) * players, begin + bots)
            parts.append(_Part(group, end - at))
            at = end
        laps.append(parts)
    return laps


def _deal(bot: int, left: int, players: int, groups: list[int], laps: list[list[_Part]]) -> None:
    """Give a bot to one group of every lap; ``left`` more are to come."""
    dealing = _Dealing(left, players, groups, laps)
    for lap in dealing.without():
        dealing.make_room(lap)
    for part in dealing.taken.values():
        part.room -= 1
        groups[part.group] |= 1 << bot


class _Dealing:
    """Which group of each lap takes a bot: a flow, made by first choice and then augmented."""

    def __init__(self, left: int, players: int, groups: list[int], laps: list[list[_Part]]) -> None:
        self._groups = groups
        self._open = [[part for part in parts if part.room] for parts in laps]
        self._wanted = {
            held: comb(left, players - held.bit_count() - 1)
            for held in {groups[part.group] for parts in self._open for part in parts}
        }
        self.taken: dict[int, _Part] = {}
        """By lap."""
        self._taker: dict[int, int] = {}
        """The lap that gave the bot to a group."""
        self._takers: dict[int, dict[int, None]] = {held: {} for held in self._wanted}
        """The laps that gave it to groups of the same members."""

    def without(self) -> list[int]:
        """Choose for each lap what is most urgent, and return the laps for which nothing is."""
        groups, wanted, without = self._groups, self._wanted, []
        choices = Counter(groups[part.group] for parts in self._open for part in parts)
        for lap, parts in enumerate(self._open):
            best, urgency = None, 0.0
            for part in parts:
                held = groups[part.group]
                if wanted[held] > urgency * choices[held] and part.group not in self._taker:
                    best, urgency = part, wanted[held] / choices[held]
            for part in parts:
                choices[groups[part.group]] -= 1
            if best is None:
                without.append(lap)
            else:
                self._take(lap, best)
        return without

    def make_room(self, lap: int) -> None:
        """Let a lap have the bot: by the shortest chain of laps that choose anew."""
        asked_by: dict[int, tuple[int, _Part] | None] = {lap: None}
        waiting, seen = deque([lap]), set[int]()
        while waiting:
            asking = waiting.popleft()
            for part in self._open[asking]:
                held = self._groups[part.group]
                taker = self._taker.get(part.group)
                if taker is None and self._wanted[held]:
                    self._choose_anew(asking, part, asked_by)
                    return
                others = self._takers[held] if taker is None else {taker: None}
                if taker is None and held in seen:
                    continue
                seen.update([held] if taker is None else [])
                for other in others:
                    if other not in asked_by:
                        asked_by[other] = (asking, part)
                        waiting.append(other)
        raise AssertionError("there is no such flow")  # the theorem says that there is

    def _choose_anew(
        self, lap: int, part: _Part, asked_by: dict[int, tuple[int, _Part] | None]
    ) -> None:
        while True:
            self._leave(lap)
            self._take(lap, part)
            asked = asked_by[lap]
            if asked is None:
                return
            lap, part = asked

    def _take(self, lap: int, part: _Part) -> None:
        held = self._groups[part.group]
        self.taken[lap] = part
        self._taker[part.group] = lap
        self._takers[held][lap] = None
        self._wanted[held] -= 1

    def _leave(self, lap: int) -> None:
        part = self.taken.pop(lap, None)
        if part is not None:
            held = self._groups[part.group]
            del self._taker[part.group]
            del self._takers[held][lap]
            self._wanted[held] += 1


def _evenly(groups: list[Group], size: int, bots: int, seed: int) -> list[Group]:
    """Put stretches of ``size`` groups, after which all are level, in the order that mixes best."""
    stretches = [groups[at : at + size] for at in range(0, len(groups), size)]
    left = [stretches[index] for index in keyed_order(seed, "all groups", len(stretches))]
    pairs = [[a * bots + b for group in one for a, b in combinations(group, 2)] for one in left]
    looks = max(8, _LOOKS // max(1, len(left) * len(pairs[0])))
    met = [0] * (bots * bots)
    order: list[Group] = []
    while left:
        among = range(max(0, len(left) - looks), len(left))
        best = min(among, key=lambda index: sum(map(met.__getitem__, pairs[index])))
        for pair in pairs[best]:
            met[pair] += 1
        order += left[best]
        left[best], pairs[best] = left[-1], pairs[-1]
        del left[-1], pairs[-1]
    return order
