"""Decisions a second of the whole arbiter beside a bare gRPC ping-pong, in the same run.

    python -m tests.bench.arbiter [--rounds 5] [--bots 64] [--seconds 4] [--players 2] [--json]
        [--compiled [FOLDER]]

Both are measured in turn with the same bots, which answer at once and share the cores with
what they measure. Everything is on: rules, legality, clocks, metrics, log, SQLite. Read the
ratios: single figures move with the machine. `--compiled` measures the compiled form, in place of
the plain one; it is taken from a folder that `engine/compiled.py` and `server/compiled.py` made,
or made anew, which takes some minutes.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from saurodrome.client.tournaments import TournamentClient, TournamentSettings
from tests.bench.process import line, python, tell, usage


class Sample(NamedTuple):
    """One window of measurement.

    Attributes:
        rate: Decisions a second.
        cpu: CPU seconds of the server for one decision.
        frame: A decision frame of typical length.
    """

    rate: float
    cpu: float
    frame: bytes


def measure(target: str, tokens: Path, server: int, seconds: float) -> Sample:
    """Lets all bots play and looks at a window of it."""
    with python("-m", "tests.bench.instant_bots", target, str(tokens)) as bots:
        line(bots)
        time.sleep(1.0)  # connections warm up, the first deals are made

        def look() -> tuple[float, float, int, str]:
            tell(bots, "look")
            decisions, _, frame = json.loads(line(bots))
            return time.monotonic(), usage(server).cpu, decisions, frame

        begun = look()
        time.sleep(seconds)
        over = look()
    decisions = over[2] - begun[2]
    return Sample(
        decisions / (over[0] - begun[0]),
        (over[1] - begun[1]) / max(decisions, 1),
        bytes.fromhex(over[3]),
    )


def bare(frame: bytes, bots: int, seconds: float) -> Sample:
    """The yardstick."""
    with (
        tempfile.TemporaryDirectory() as folder,
        python("-m", "tests.bench.bare_server", frame.hex()) as server,
    ):
        tokens = Path(folder, "tokens")
        tokens.write_text("\n".join("x" for _ in range(bots)))
        return measure(f"127.0.0.1:{line(server)}", tokens, server.pid, seconds)


def arbiter(bots: int, players: int, seconds: float, compiled: Path | None = None) -> Sample:
    """The whole server with a tournament that outlasts the window, in one form or the other."""
    with (
        tempfile.TemporaryDirectory() as folder,
        python("-m", "tests.bench.arbiter_server", folder, first=compiled) as server,
    ):
        port = line(server)
        form, wanted = line(server), "compiled" if compiled else "plain"
        if form != wanted:
            sys.exit(f"error: the arbiter of this path is {form}, {wanted} was asked for")
        tokens = Path(folder, "tokens")
        target = f"127.0.0.1:{port}"
        with TournamentClient(server=target, token_file=Path(folder, "admin.token")) as client:
            names = [f"bot-{number:02}" for number in range(bots)]
            tokens.write_text("\n".join(client.register_bot(name).token for name in names))
            client.create(
                TournamentSettings(
                    name="bench",
                    game="draftosaurus",
                    variant="summer",
                    players=players,
                    bots=names,
                    rounds=20,
                    concurrency=bots,
                )
            )
            client.start("bench")
        return measure(target, tokens, server.pid, seconds)


def main() -> None:
    """Prints the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bots", type=int, default=64)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--compiled", nargs="?", const="", metavar="FOLDER")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        compiled = None
        if arguments.compiled is not None:
            compiled = Path(arguments.compiled or compile_all(Path(scratch))).resolve()
        run(arguments, compiled)


def run(arguments: argparse.Namespace, compiled: Path | None) -> None:
    """Measures in turn, and prints."""
    bots, players, seconds = arguments.bots, arguments.players, arguments.seconds
    frame = arbiter(bots, players, 1.0, compiled).frame
    pairs = []
    for _ in range(arguments.rounds):
        yardstick = bare(frame, bots, seconds)
        pairs.append((yardstick, arbiter(bots, players, seconds, compiled)))
    form = "compiled" if compiled else "plain"
    found = summary(pairs, frame) | {"form": form}
    print(json.dumps(found) if arguments.json else report(pairs, frame, form))


def compile_all(folder: Path) -> Path:
    """Makes the compiled forms of engine and server in a folder."""
    for distribution in ("engine", "server"):
        script = Path(__file__).parents[2] / distribution / "compiled.py"
        done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}\nerror: {distribution} cannot be compiled")
    return folder


def summary(pairs: list[tuple[Sample, Sample]], frame: bytes) -> dict[str, float]:
    """Medians over the rounds; ratios are made within each round."""
    return {
        "frame_bytes": len(frame),
        "bare_rate": median(b.rate for b, _ in pairs),
        "arbiter_rate": median(a.rate for _, a in pairs),
        "rate_ratio": median(a.rate / b.rate for b, a in pairs),
        "bare_cpu_us": 1e6 * median(b.cpu for b, _ in pairs),
        "arbiter_cpu_us": 1e6 * median(a.cpu for _, a in pairs),
        "cpu_ratio": median(a.cpu / b.cpu for b, a in pairs),
    }


def report(pairs: list[tuple[Sample, Sample]], frame: bytes, form: str) -> str:
    """The table that people read."""
    lines = ["round    bare/s  arbiter/s  ratio   bare us  arbiter us  CPU ratio"]
    for number, (b, a) in enumerate(pairs, 1):
        lines.append(
            f"{number:5}  {b.rate:8,.0f}   {a.rate:8,.0f}  {a.rate / b.rate:5.2f}"
            f"  {b.cpu * 1e6:8.0f}  {a.cpu * 1e6:10.0f}  {a.cpu / b.cpu:9.2f}"
        )
    s = summary(pairs, frame)
    lines.append(
        f"median {s['bare_rate']:8,.0f}   {s['arbiter_rate']:8,.0f}  {s['rate_ratio']:5.2f}"
        f"  {s['bare_cpu_us']:8.0f}  {s['arbiter_cpu_us']:10.0f}  {s['cpu_ratio']:9.2f}"
    )
    lines.append(
        f"{form} arbiter, frames of {len(frame)} bytes, both ways the same bots and connections"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
