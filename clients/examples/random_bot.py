"""A bot that plays at random: the yardstick that every other bot should beat.

With SAURODROME_SEED set, it plays the same in the same position, whatever came before.
"""

import os
import random

from saurodrome.client import Decision, run

SEED = os.environ.get("SAURODROME_SEED")


def choose(d: Decision) -> int:
    """Takes any legal action, each as likely as the others."""
    if SEED is None:
        return random.choice(d.legal_actions).id
    # Several matches may be open at once: a generator for each decision depends on no order.
    where = f"{d.match_id} {d.seat} {d.state.turn} {d.state.phase}"
    what = ", ".join(map(str, d.legal_actions))  # a phase may ask several times in a turn
    seed = f"{SEED} {where} {what}"
    return random.Random(seed).choice(d.legal_actions).id


if __name__ == "__main__":
    run(choose, max_concurrent=4)
