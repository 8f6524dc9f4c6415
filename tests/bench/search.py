"""How often the search bot beats the greedy bot at two-player tables, with an interval.

    python tests/bench/search.py [TABLES] [--limit 0.2] [--board summer] [--kept FILE]

Each deal is played from both seats, so TABLES is rounded up to an even number. A tie counts half.
The interval is Wilson's of 95 %; play-outs count, so the machine's load does. With --kept every
finished table is a line in FILE, and a later call goes on from there. Boards are those of
Draftosaurus and `duelosaur/medium`.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script, and found from there

from saurodrome.engine.games.draftosaurus import bits
from tests.bench.tables import bot, play

BOARDS = ("draftosaurus/summer", "draftosaurus/winter", "duelosaur/medium")
GREEDY = {"draftosaurus": "greedy", "duelosaur": "duelosaur_greedy"}

Table = tuple[float, int]
"""Share and advantage in points of the search bot."""


def interval(share: float, tables: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    middle = share + z * z / (2 * tables)
    half = z * math.sqrt(share * (1 - share) / tables + z * z / (4 * tables * tables))
    return (middle - half) / (1 + z * z / tables), (middle + half) / (1 + z * z / tables)


def table(board: str, number: int, seconds: float) -> Table:
    """Return how one table ends."""
    game, variant = board.split("/")
    search, greedy = bot("search"), bot(GREEDY[game])
    own = number % 2
    seats = [greedy, search] if own else [search, greedy]
    outcome = play(game, variant, seats, 2 * (number // 2), seconds)
    mine, theirs = outcome.placements[own], outcome.placements[1 - own]
    share = 0.5 if mine == theirs else float(mine < theirs)
    return share, outcome.points[own] - outcome.points[1 - own]


def kept_in(file: Path | None, board: str, seconds: float) -> dict[int, Table]:
    """Return the tables that were played before, by number."""
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {
        one["table"]: (one["share"], one["points"])
        for one in lines
        if (one["board"], one["limit"], one["form"]) == (board, seconds, form())
    }


def form() -> str:
    """Return which form of the engine plays."""
    return "compiled" if bits.COMPILED else "plain"


def results(board: str, tables: int, seconds: float, file: Path | None) -> Iterator[Table]:
    """Yield the tables of a board in their order."""
    known = kept_in(file, board, seconds)
    for number in range(tables):
        found = known.get(number)
        if found is None:
            found = table(board, number, seconds)
            if file is not None:
                line = {"board": board, "limit": seconds, "form": form(), "table": number}
                line |= {"share": found[0], "points": found[1]}
                with file.open("a") as kept:
                    kept.write(json.dumps(line) + "\n")
        yield found


def main() -> None:
    """Play and print a line for each board."""
    parser = argparse.ArgumentParser(description="Search against greedy.")
    parser.add_argument("tables", nargs="?", type=int, default=200)
    parser.add_argument("--limit", type=float, default=0.2, help="seconds a decision")
    parser.add_argument("--board", choices=BOARDS, action="append")
    parser.add_argument("--kept", type=Path, help="where finished tables are kept")
    wish = parser.parse_args()
    tables = wish.tables + wish.tables % 2
    for board in wish.board or BOARDS:
        found = list(results(board, tables, wish.limit, wish.kept))
        share = sum(one for one, _ in found) / tables
        low, high = interval(share, tables)
        ahead = sum(points for _, points in found) / tables
        print(
            f"{form()} {board} {tables} tables {wish.limit * 1000:.0f} ms: {share:.3f}"
            f" [{low:.3f}, {high:.3f}], {ahead:+.1f} points",
            flush=True,
        )


if __name__ == "__main__":
    main()
