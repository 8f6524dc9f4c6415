"""What random and greedy players reach in Draftosaurus, and how far seats are equal.

    python tests/bench/fairness.py [RANDOM_GAMES [GREEDY_GAMES]]

Prints the mean points of random play beside the published figures, and the share of wins of each
seat between identical greedy players, first with seat 0 rolling first, then with seat 1: the
advantage of rolling late moves along. 4,000 and 3,000 games a line take a few minutes on one core.
A shared win counts in parts. Ends with 1 if a mean is further from its published figure than
sampling explains.
"""

import argparse
import sys
from math import sqrt

from saurodrome.engine.games.draftosaurus.kernel import TURNS
from saurodrome.engine.games.draftosaurus.state import GAME
from tests.engine.draftosaurus.players import Mean, random_mean, seat_shares
from tests.engine.draftosaurus.published import ERROR, RANDOM_MEANS, SEAT_SHARES

BEYOND_CHANCE = 4.0
"""Standard errors of the difference; one run in 16,000 is further off by chance."""


def off(found: Mean, expected: float) -> float:
    """Return by how many standard errors of the difference a mean is off."""
    return (found.value - expected) / sqrt(found.error**2 + ERROR**2)


def print_means(games: int) -> bool:
    """Print the means of random play; tell whether all published ones are met."""
    print(f"mean points of random play, {games:,} games each, ± one standard error")
    met = True
    for variant in GAME.variants:
        for players in range(2, 6):
            found = random_mean(variant, players, games)
            line = f"{variant}  {players} players   {found.value:6.2f} ± {found.error:.2f}"
            expected = RANDOM_MEANS.get((variant, players))
            if expected is not None:
                apart = off(found, expected)
                met = met and abs(apart) <= BEYOND_CHANCE
                line += f"   published {expected:5.2f}   {apart:+.1f} standard errors"
            print(line, flush=True)
    return met


def print_shares(games: int) -> None:
    """Print the shares of wins by seat, for two seats that roll first."""
    error = 100 * sqrt(0.25 / games)
    print(f"\nshare of wins by seat in per cent, identical greedy players, {games:,} games a line,")
    print(f"standard error below {error:.1f}; * rolls the die of the last turn")
    for variant in GAME.variants:
        for players in range(2, 6):
            for start in (0, 1):
                found = seat_shares(variant, players, start, games)
                last = (start + TURNS - 1) % players
                cells = [
                    f"{100 * share:5.1f}{'*' if seat == last else ' '}"
                    for seat, share in enumerate(found)
                ]
                published = SEAT_SHARES[variant, players] if start == 0 else ()
                known = "   published " + " ".join(map(str, published)) if published else ""
                print(
                    f"{variant}  {players} players, seat {start} rolls first   "
                    f"{''.join(cells):35}{known}",
                    flush=True,
                )


def main() -> int:
    """Print both tables; give the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("random_games", nargs="?", type=int, default=4000)
    parser.add_argument("greedy_games", nargs="?", type=int, default=3000)
    given = parser.parse_args()
    met = print_means(given.random_games)
    print_shares(given.greedy_games)
    return 0 if met else 1


if __name__ == "__main__":
    sys.path.insert(0, __file__.rsplit("/tests/", 1)[0])
    sys.exit(main())
