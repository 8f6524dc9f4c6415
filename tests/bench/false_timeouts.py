"""Instant bots at a limit of 50 ms without a margin: who is called late, and by whose fault.

    python -m tests.bench.false_timeouts [--tables 32] [--matches 200] [--limit 50] [--seconds 90]

All bots answer at once and stamp their own time, from the arrival of a decision to their reply.
A decision that timed out although the bot was quicker than nine tenths of the limit is false: the
arbiter or the way took the time; unless the bots' own process stood still, which all 64 share: on a
machine that has better things to do it often does. The ledgers are printed. Ends with 1 if one is
false.
"""

import argparse
import json
import sys
import time
from collections import Counter

from tests.bench.house import house, percentile
from tests.bench.process import line, python, tell

STOOD = 0.01
"""Seconds: a process of bots that stood still for so long may have let a frame lie."""


def main(arguments: list[str] | None = None) -> int:
    """Plays, and prints what timed out; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=32, help="matches at once")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--limit", type=float, default=50.0, help="ms for a decision")
    parser.add_argument("--seconds", type=float, default=90.0, help="stop after")
    options = parser.parse_args(arguments)
    limit, bots = options.limit / 1000, 2 * options.tables
    with house() as server:
        tokens = server.register("quick", bots)
        server.begin("quick", bots, limit, 0.0)
        begun = time.monotonic()
        command = ("-m", "tests.bench.crowd", "play", server.server.address, str(tokens))
        with python(*command) as crowd:
            line(crowd)
            until = begun + options.seconds
            while (done := server.done("quick")) < options.matches and time.monotonic() < until:
                time.sleep(0.5)
            # First, since the bots stand still while they write down what they saw.
            faults = [f for f in server.faults("quick") if f.kind == "TIMED_OUT"]
            tell(crowd, "look")
            seen = json.loads(line(crowd))
        took = time.monotonic() - begun
    late: list[tuple[float | None, float]] = seen["late"]
    quick = [stood for stamp, stood in late if stamp is not None and stamp < 0.9 * limit]
    false = [stood for stood in quick if stood < STOOD]
    print(f"{done} matches, {seen['decisions']} decisions, {options.tables} at once, {took:.0f} s")
    p50, p99 = (1000 * percentile(seen["turns"], share) for share in (0.5, 0.99))
    print(f"turns p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(
        f"timed out {len(late)}: {len(quick) - len(false)} while the bots' own process stood"
        f" still, {len(false)} false, {len(late) - len(quick)} of slow bots"
    )
    for said, number in Counter(fault.counted_as for fault in faults).most_common(10):
        print(f"  {number}x {said}")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
