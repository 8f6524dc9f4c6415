"""Changes sources one place at a time, and names the changes that no test notices.

Works on a copy in .mutants; a run that was stopped goes on where it was.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chores.mutants.changes import mutate
from chores.mutants.mutant import Mutant
from chores.mutants.report import report
from chores.mutants.stage import HOME, digest, looking_at, modules, stage
from chores.mutants.trial import Trial
from chores.mutants.verdicts import Verdicts
from chores.terminal import Refused, say


def main() -> int:
    """Return 0 if every change was noticed or is known to change nothing, 1 if not."""
    parser = argparse.ArgumentParser("run.py mutants", description=__doc__)
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="sources [scoring and legality of Draftosaurus]"
    )
    parser.add_argument("--since", metavar="REV", help="only sources changed since a revision")
    parser.add_argument("--left", action="store_true", help="only what the last run did not kill")
    parser.add_argument("--jobs", "-j", type=int, default=1, help="runs at once [1]")
    chosen = parser.parse_args()
    try:
        sources = modules(chosen.paths, chosen.since)
        if not sources:
            say(f"None of these sources has changed since {chosen.since}.")
            return 0
        return report(judge(sources, chosen.left, chosen.jobs))
    except Refused as reason:
        say(f"error: {reason}")
        return 2


def judge(sources: Sequence[Path], left: bool, jobs: int) -> dict[Mutant, str]:
    """Return what became of each change of some sources.

    Args:
        sources: The sources, relative to the root.
        left: Believe the last run where it says that a change was killed.
        jobs: Runs at once.
    """
    HOME.mkdir(exist_ok=True)
    stage(HOME)
    kept = Verdicts(HOME / "verdicts.json", digest(HOME), left)
    changes = {source: mutate(HOME, source) for source in sources}
    for source, mutants in changes.items():
        waiting = [mutant for mutant in mutants if mutant not in kept]
        if waiting:
            try_all(waiting, Trial(HOME, looking_at(source)), kept, jobs)
    return {mutant: kept[mutant] for mutants in changes.values() for mutant in mutants}


def try_all(mutants: Sequence[Mutant], trial: Trial, kept: Verdicts, jobs: int) -> None:
    """Try changes of one source, and keep each verdict at once."""
    began, shown = time.monotonic(), sys.stderr.isatty()
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = pool.map(trial.verdict, [mutant.key for mutant in mutants])
        try:
            for done, mutant in enumerate(mutants, start=1):
                kept.keep(mutant, next(verdicts))
                if shown:
                    left = (time.monotonic() - began) / done * (len(mutants) - done) / 60
                    status = f"{mutant.module.name}: {done} of {len(mutants)}, {left:.0f} min left"
                    print(f"\r{status}    ", end="", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
            if shown:
                say("")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
