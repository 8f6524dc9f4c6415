"""The order in which groups of three and more meet: least played first, then least met."""

from collections.abc import Iterator
from heapq import heapify, heappop
from itertools import combinations
from math import comb

from saurodrome.server.schedule.laps import Group, all_groups
from saurodrome.server.schedule.shuffle import keyed_numbers

_STEPS_A_GROUP = 2
_STEPS_AT_LEAST = 500


def groups_in_order(bots: int, players: int, seed: int, count: int) -> list[Group]:
    """Return ``count`` different groups of ``players`` out of ``bots`` in the order of play.

    After every group any two bots differ by one group at most, and pairs of bots have met about
    equally often. Of more than half of all groups those are the first of an order of all of them;
    a smaller choice is made group by group, so that the field may be a large one.
    """
    if 2 * count <= comb(bots, players):
        order = _Draft(bots, players, seed).order(count)
        if len(order) == count:
            return order
    return all_groups(bots, players, seed)[:count]


class _Draft:
    """An order in the making, with how often each bot played and each two of them met."""

    def __init__(self, bots: int, players: int, seed: int) -> None:
        self._bots = bots
        self._players = players
        self._seed = seed
        self._taken: set[Group] = set()
        self._order: list[Group] = []
        self._played = [0] * bots
        self._met = [[0] * bots for _ in range(bots)]

    def order(self, count: int) -> list[Group]:
        """Search for balanced groups, stepping back where none fits; fewer if that takes long."""
        options = [self._balanced_options()]
        for _ in range(_STEPS_A_GROUP * count + _STEPS_AT_LEAST):
            if len(self._order) == count or not options:
                break
            group = next((g for g in options[-1] if g not in self._taken), None)
            if group is not None:
                self._take(group)
                options.append(self._balanced_options())
                continue
            options.pop()
            if options:
                self._take_back()
        return self._order

    def _take(self, group: Group) -> None:
        self._taken.add(group)
        self._order.append(group)
        self._count(group, 1)

    def _take_back(self) -> None:
        group = self._order.pop()
        self._taken.remove(group)
        self._count(group, -1)

    def _count(self, group: Group, times: int) -> None:
        for bot in group:
            self._played[bot] += times
        for a, b in combinations(group, 2):
            self._met[a][b] += times
            self._met[b][a] += times

    def _balanced_options(self) -> Iterator[Group]:
        """Yield the groups that keep all bots within one of each other, least met first."""
        fewest = min(self._played)
        behind = [bot for bot in range(self._bots) if self._played[bot] == fewest]
        ties = keyed_numbers(self._seed, f"group {len(self._order)}", self._bots)
        if len(behind) > self._players:
            return self._extend((), behind, ties)
        ahead = [bot for bot in range(self._bots) if self._played[bot] > fewest]
        return self._extend(tuple(behind), ahead, ties)

    def _extend(self, group: Group, pool: list[int], ties: list[int]) -> Iterator[Group]:
        rows = [self._met[bot] for bot in group]
        heap = [(sum([row[bot] for row in rows]), ties[bot], bot) for bot in pool]
        missing = self._players - len(group)
        if missing == 0:
            yield tuple(sorted(group))
        elif missing == 1:
            for _, _, bot in sorted(heap):
                yield tuple(sorted((*group, bot)))
        else:
            heapify(heap)
            while len(heap) >= missing:
                bot = heappop(heap)[2]
                yield from self._extend((*group, bot), [entry[2] for entry in heap], ties)
