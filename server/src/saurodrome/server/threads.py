"""Threads that give way to the one that decides."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def giving_way() -> Iterator[None]:
    """Lets no thread that begins inside take a core away from a thread that runs.

    gRPC's threads wake for every packet, and bring it to the event loop. By Linux's usual policy
    one that wakes may interrupt whoever runs, mostly the loop itself: each decision is then cut
    into pieces, and costs half as much again. Under SCHED_BATCH it takes a free core, or waits
    until a turn is over, and brings several packets at once; its share of time stays the same.

    A thread inherits the policy of the one that starts it, whose own is put back. Nothing
    happens where the system has no such policy, does not allow it, or was told another one.
    """
    if sys.platform != "linux" or os.sched_getscheduler(0) != os.SCHED_OTHER:
        yield
        return
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
