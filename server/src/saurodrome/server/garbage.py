"""Garbage collection that keeps out of the way of clocks."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 10_000
"""Containers that may come to life, over those that died, until the collector looks at them.

What matches, streams and commits make dies by its reference count. With Python's 700 a burst of
frames is looked at again and again while it is in use: an eighth of the arbiter's time.
"""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Takes what start-up made out of the collector's sight, and lets it look less often.

    Modules, schemas and message types stay until the end; to walk through all of them takes
    longer than the stall that is taken off a bot's clock.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
