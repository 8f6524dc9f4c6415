"""A bot that plays at random and thinks too long every third time: it is late, and pays for it."""

import itertools
import random
import time

from saurodrome.client import Decision, run

turns = itertools.count(1)


def choose(d: Decision) -> int:
    """Takes one and a half times the limit every third time."""
    if next(turns) % 3 == 0:
        time.sleep(1.5 * d.match.time.decision)
    return random.choice(d.legal_actions).id


if __name__ == "__main__":
    run(choose, max_concurrent=4)
