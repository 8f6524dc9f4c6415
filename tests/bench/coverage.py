"""How many of the 95 % intervals of ratings hold the truth, in simulated leagues.

    nice -n 19 python -m tests.bench.coverage [LEAGUES [BOTS]]

Each line: so many leagues of so many tables, each table a block of all its seatings; what the
matches of a block share; the share of intervals that hold the truth, of ratings about the mean
and of differences of two bots. 400 leagues a line, the default, take about ten minutes on one
core. Bots are three more than players unless given. Ends with 1 if a share is not within 0.93
and 0.97.
"""

import argparse
import sys

from tests.server.rating.leagues import Luck, coverage, leagues

LOW, HIGH = 0.93, 0.97


def main(count: int = 400, bots: int | None = None) -> int:
    """Print the table; give the exit code."""
    print(f"{count} leagues a line; strengths with a standard deviation of 150 Elo")
    print("players  tables  shared  ratings  differences", flush=True)
    met = True
    for players in (2, 3, 4, 5):
        for tables in (25, 50, 200):
            for luck in Luck:
                found = coverage(leagues(players, tables, luck, count, bots=bots))
                met = met and all(LOW <= round(share, 3) <= HIGH for share in found)
                cells = "  ".join(f"{share:9.3f}" for share in found)
                print(f"{players:7}  {tables:6}  {luck:6} {cells}", flush=True)
    print(f"all within {LOW} and {HIGH}" if met else f"not all within {LOW} and {HIGH}")
    return 0 if met else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("leagues", nargs="?", type=int, default=400)
    parser.add_argument("bots", nargs="?", type=int)
    given = parser.parse_args()
    sys.exit(main(given.leagues, given.bots))
