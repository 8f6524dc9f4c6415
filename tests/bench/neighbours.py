"""What an attacker costs its neighbours: their times under each attack beside those without.

    python -m tests.bench.neighbours [--bots 16] [--attackers 4] [--seconds 4] [--only KIND]

A turn is the time from a bot's reply to its next decision, by the bot's own clock: the rival's
answer, the arbiter and the way both ways. Bots, attackers and server share the cores, so an
attacker also costs what its own program burns: `processor` is that alone, programs that only
burn as much as there are attackers' processes.
"""

import argparse
import json
import time
from contextlib import ExitStack
from pathlib import Path

from tests.bench.crowd import ATTACKS
from tests.bench.house import House, house, percentile
from tests.bench.process import line, python, tell

NONE, BURN = "none", "processor"


def measured(
    house: House, playing: Path, attackers: Path, name: str, seconds: float
) -> dict[str, float]:
    """Times of the neighbours during one attack."""
    address = house.server.address
    with ExitStack() as stack:
        if name == BURN:
            stack.enter_context(python("-c", "while True: pass"))
        elif name != NONE:
            crowd = ("-m", "tests.bench.crowd", "attack", address, str(attackers), name)
            line(attack := stack.enter_context(python(*crowd)))
        bots = stack.enter_context(python("-m", "tests.bench.crowd", "play", address, str(playing)))
        line(bots)
        time.sleep(1.0)
        tell(bots, "look")
        before = json.loads(line(bots))
        time.sleep(seconds)
        tell(bots, "look")
        after = json.loads(line(bots))
        rounds = 0
        if name not in (NONE, BURN):
            tell(attack, "look")
            rounds = json.loads(line(attack))["rounds"]
    return {
        "decisions": (after["decisions"] - before["decisions"]) / seconds,
        "p50": 1000 * percentile(after["turns"], 0.5),
        "p99": 1000 * percentile(after["turns"], 0.99),
        "late": len(after["late"]),
        "rounds": rounds / (seconds + 1.0),
    }


def main(arguments: list[str] | None = None) -> dict[str, dict[str, float]]:
    """Prints the table; gives it, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=16)
    parser.add_argument("--attackers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--only", choices=list(ATTACKS), help="one attack  [default: all]")
    options = parser.parse_args(arguments)
    kinds = [NONE, options.only] if options.only else [NONE, BURN, *ATTACKS]
    found = {}
    print("attack      decisions/s    turn p50    turn p99   late   rounds/s of the attack")
    with house() as server:
        playing = server.register("good", options.bots)
        attackers = server.register("evil", options.attackers)
        server.begin("good", options.bots)
        for name in kinds:
            found[name] = one = measured(server, playing, attackers, name, options.seconds)
            print(
                f"{name:<10}  {one['decisions']:11,.0f}  {one['p50']:7.1f} ms  {one['p99']:7.1f} ms"
                f"  {one['late']:5.0f}   {one['rounds']:8,.0f}",
                flush=True,
            )
    return found


if __name__ == "__main__":
    main()
