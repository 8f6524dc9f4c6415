"""Blocks whose matches are not all among the same bots, as when one of them was away."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.bradley_terry import win_probability
from saurodrome.server.rating.games import Floats, Games, Ints, summed
from saurodrome.server.rating.pool import Seats

_AT_ONCE = 400_000
"""Entries of blocks' matrices that are worked on together, which bounds the memory."""


class Mixed(NamedTuple):
    """Blocks of equally many bots, one a column."""

    bots: Ints
    """By row and block."""
    slopes: Floats
    """Of the block's likelihood, by bot and block."""
    information: Floats
    """By two bots and block, in the order of `itertools.combinations`."""


def mixed(seats: Sequence[Seats], strengths: Floats) -> Iterator[Mixed]:
    """Yield the blocks of some matches, by how many bots they have, in parts."""
    if not seats:
        return
    games = Games(("",) * len(strengths), tuple(seats)).pairs()
    chance = win_probability(strengths[games.first] - strengths[games.second])
    surprise, among = games.weight * (games.score - chance), games.weight * chance * (1 - chance)
    size = len(strengths)
    known, cell = np.unique(
        np.concatenate([games.block * size + games.first, games.block * size + games.second]),
        return_inverse=True,
    )
    slopes = summed(cell, np.concatenate([surprise, -surprise]), len(known))
    first, second = np.sort(cell.reshape(2, -1), axis=0)
    starts = np.flatnonzero(np.diff(known // size, prepend=-1))
    counts = np.diff(starts, append=len(known))
    of_game = np.repeat(np.arange(len(starts)), counts)[first]
    for count in np.unique(counts):
        chosen = counts == count
        mine = chosen[of_game]
        block = (np.cumsum(chosen) - 1)[of_game[mine]]
        begin = starts[of_game[mine]]
        pair = _numbers(int(count))[first[mine] - begin, second[mine] - begin]
        blocks, pairs = int(chosen.sum()), int(count * (count - 1) // 2)
        shared = summed(pair * blocks + block, among[mine], pairs * blocks)
        cells = starts[chosen] + np.arange(count)[:, None]
        information = shared.reshape(pairs, blocks)
        step = max(1, _AT_ONCE // int(count) ** 2)
        for begin in range(0, blocks, step):
            some = slice(begin, begin + step)
            yield Mixed(known[cells[:, some]] % size, slopes[cells[:, some]], information[:, some])


def _numbers(count: int) -> Ints:
    """Return by first and second the place of two in the order of combinations."""
    numbers = np.zeros((count, count), np.int64)
    for number, pair in enumerate(combinations(range(count), 2)):
        numbers[pair] = number
    return numbers
