"""The order in which pairs meet, so that after each of them bots differ by one at most."""

from collections.abc import Iterator

from saurodrome.server.schedule.shuffle import keyed_order

Pair = tuple[int, ...]


def pairs_in_order(bots: int, seed: int) -> list[Pair]:
    """Return all pairs of 0 to ``bots - 1`` in the order of play.

    An even number plays turns of the circle method, in each of which every bot plays once. With
    an odd number the byes of those turns would add up, so it plays turns in which every bot
    plays twice. In both, after every pair, any two bots differ by one pair at most.
    """
    labels = keyed_order(seed, "bots of pairs", bots)
    pairs = _circle_turns(bots, seed) if bots % 2 == 0 else _cycle_turns(bots, seed)
    return [tuple(sorted((labels[a], labels[b]))) for a, b in pairs]


def _circle_turns(bots: int, seed: int) -> Iterator[Pair]:
    """Yield perfect matchings: one bot sits still, the others face each other across a circle.

    Source: T. P. Kirkman, "On a problem in combinations" (1847).
    """
    ring = bots - 1
    for turn in keyed_order(seed, "turns of pairs", ring):
        yield ring, turn
        for step in range(1, bots // 2):
            yield (turn + step) % ring, (turn - step) % ring


def _cycle_turns(bots: int, seed: int) -> Iterator[Pair]:
    """Yield Hamiltonian cycles, each by every other edge, twice round.

    Source: Walecki's construction, in E. Lucas, "Récréations mathématiques" (1883), volume 2.
    """
    ring = bots - 1
    for turn in keyed_order(seed, "turns of pairs", ring // 2):
        zigzag = [(step + 1) // 2 * (1 if step % 2 else -1) for step in range(ring)]
        cycle = [ring, *((turn + offset) % ring for offset in zigzag)]
        for edge in range(bots):
            start = 2 * edge % bots
            yield cycle[start], cycle[(start + 1) % bots]
