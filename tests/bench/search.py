"""How often the search bot beats the greedy bot at two-player tables, with an interval.

    python tests/bench/search.py [TABLES] [--limit 0.2] [--variant summer]

Each deal is played from both seats, so TABLES is rounded up to an even number. A tie counts half.
The interval is Wilson's of 95 %.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script, and found from there

from saurodrome.engine.games.draftosaurus import bits
from saurodrome.engine.games.draftosaurus.state import GAME
from tests.bench.tables import bot, play


def interval(share: float, tables: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    middle = share + z * z / (2 * tables)
    half = z * math.sqrt(share * (1 - share) / tables + z * z / (4 * tables * tables))
    return (middle - half) / (1 + z * z / tables), (middle + half) / (1 + z * z / tables)


def results(variant: str, tables: int, seconds: float) -> Iterator[tuple[float, int]]:
    """Yield share and advantage in points of the search bot, table by table."""
    search, greedy = bot("search"), bot("greedy")
    for number in range(tables):
        own = number % 2
        seats = [greedy, search] if own else [search, greedy]
        outcome = play(variant, seats, 2 * (number // 2), seconds)
        mine, theirs = outcome.placements[own], outcome.placements[1 - own]
        share = 0.5 if mine == theirs else float(mine < theirs)
        yield share, outcome.points[own] - outcome.points[1 - own]


def main() -> None:
    """Play and print a line for each board."""
    parser = argparse.ArgumentParser(description="Search against greedy.")
    parser.add_argument("tables", nargs="?", type=int, default=200)
    parser.add_argument("--limit", type=float, default=0.2, help="seconds a decision")
    parser.add_argument("--variant", choices=GAME.variants, action="append")
    wish = parser.parse_args()
    tables = wish.tables + wish.tables % 2
    form = "compiled" if bits.COMPILED else "plain"
    for variant in wish.variant or GAME.variants:
        found = list(results(variant, tables, wish.limit))
        share = sum(one for one, _ in found) / tables
        low, high = interval(share, tables)
        ahead = sum(points for _, points in found) / tables
        print(
            f"{form} {variant} {tables} tables {wish.limit * 1000:.0f} ms: {share:.3f}"
            f" [{low:.3f}, {high:.3f}], {ahead:+.1f} points",
            flush=True,
        )


if __name__ == "__main__":
    main()
