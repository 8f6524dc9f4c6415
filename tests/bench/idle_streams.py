"""A thousand idle bots beside 32 running matches: memory a stream, processor, overhead.

    python -m tests.bench.idle_streams [--streams 1000] [--tables 32] [--seconds 5]

Every idle bot has a connection of its own. The overhead is the arbiter's own share of each
decision, from its metrics: the time from the opening to the write. Linux only.
"""

import argparse
import json
import re
import resource
import time
import urllib.request

from tests.bench.house import House, house, percentile
from tests.bench.process import line, python, tell, usage
from tests.e2e.wirebots import descriptors, memory


def overhead(house: House) -> dict[float, float]:
    """The cumulative buckets of the arbiter's overhead, by their upper bound in seconds."""
    with urllib.request.urlopen(f"{house.server.web}/metrics", timeout=5) as page:
        text = page.read().decode()
    name = "saurodrome_arbiter_overhead_seconds_bucket"
    return {
        float(bound): float(count)
        for bound, count in re.findall(rf'^{name}{{le="(.+?)"}} (\S+)$', text, re.MULTILINE)
    }


def below(before: dict[float, float], after: dict[float, float], share: float) -> float:
    """The bucket's bound, in seconds, below which a share of what came in between stays."""
    counts = {bound: after[bound] - before.get(bound, 0.0) for bound in after}
    total = counts[float("inf")]
    return min(bound for bound, count in counts.items() if count >= share * total)


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Prints the figures; gives them, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args(arguments)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with house() as server:
        pid, address = server.server.pid, server.server.address
        idlers = server.register("idle", options.streams)
        playing = server.register("good", 2 * options.tables)
        time.sleep(1.0)
        empty, files = memory(pid), descriptors(pid)
        with python("-m", "tests.bench.crowd", "idle", address, str(idlers)) as idle:
            line(idle)
            time.sleep(2.0)
            a_stream = 1024 * (memory(pid) - empty) / options.streams
            cpu = usage(pid).cpu
            time.sleep(options.seconds)
            resting = (usage(pid).cpu - cpu) / options.seconds
            server.begin("good", 2 * options.tables)
            with python("-m", "tests.bench.crowd", "play", address, str(playing)) as bots:
                line(bots)
                time.sleep(1.0)
                tell(bots, "look")
                line(bots)
                before, cpu = overhead(server), usage(pid).cpu
                time.sleep(options.seconds)
                tell(bots, "look")
                seen = json.loads(line(bots))
                busy = (usage(pid).cpu - cpu) / options.seconds
                after = overhead(server)
        gone = time.monotonic()
        while descriptors(pid) > files + 2 and time.monotonic() - gone < 10.0:
            time.sleep(0.02)
        noticed = time.monotonic() - gone
    figures = {
        "kib_a_stream": a_stream,
        "processor_idle": resting,
        "processor_busy": busy,
        "overhead_p50_ms": 1000 * below(before, after, 0.5),
        "overhead_p99_ms": 1000 * below(before, after, 0.99),
        "turn_p50_ms": 1000 * percentile(seen["turns"], 0.5),
        "turn_p99_ms": 1000 * percentile(seen["turns"], 0.99),
        "decisions_a_second": len(seen["turns"]) / options.seconds,
        "late": len(seen["late"]),
        "noticed_s": noticed,
    }
    print(f"{options.streams} idle streams, a connection each, {options.tables} tables at once")
    print(f"memory a stream        {figures['kib_a_stream']:8.1f} KiB")
    print(f"processor, all idle    {100 * resting:8.1f} %")
    print(f"processor, all playing {100 * busy:8.1f} %")
    print(f"overhead p50, p99      {figures['overhead_p50_ms']:8.2f} ms, below"
          f" {figures['overhead_p99_ms']:.2f} ms")  # fmt: skip
    print(
        f"turn p50, p99          {figures['turn_p50_ms']:8.1f} ms, {figures['turn_p99_ms']:.1f} ms"
    )
    print(
        f"decisions a second     {figures['decisions_a_second']:8.0f}, late {figures['late']:.0f}"
    )
    print(f"all noticed as gone    {noticed:8.1f} s after SIGKILL, descriptors back")
    return figures


if __name__ == "__main__":
    main()
