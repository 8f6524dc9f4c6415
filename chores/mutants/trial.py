"""The tests against one change: one process, a limit on its processor time."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from chores.mutants.mutant import KILLED, SURVIVED, TIMEOUT
from chores.terminal import Refused

_PYTEST: Final = (
    *("-m", "pytest", "-q", "-n0", "-p", "no:randomly"),
    *("--hypothesis-profile=mutants", "-m", "not slow and not wire"),
    *("--exitfirst", "--failed-first"),  # what noticed one change often notices the next
)
_FAILED: Final = {1, 2, 3}
"""Exit codes of pytest: a test failed, a test could not be imported, pytest itself fell over."""


class Trial:
    """Runs the same tests again and again.

    Attributes:
        limit: Seconds of processor time that a run may take: three times what it takes without a
            change, and five for a process that starts slowly.
    """

    def __init__(self, home: Path, tests: Sequence[Path]) -> None:
        """Run the tests without a change.

        Args:
            home: The copy of the repository.
            tests: Files of tests, relative to it, in the order in which they run.

        Raises:
            Refused: They fail.
        """
        self._home = home
        self._command = [sys.executable, *_PYTEST, *map(str, tests)]
        self.limit = 600
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = self._run("")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if ended.returncode:
            raise Refused(f"{ended.stdout}\nThe tests fail without any change (above: how).")
        taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.limit = round(3 * taken) + 5

    def verdict(self, mutant: str) -> str:
        """Return what became of a change: KILLED, SURVIVED or TIMEOUT.

        Raises:
            Refused: The tests did not run.
        """
        try:
            ended = self._run(mutant)
        except subprocess.TimeoutExpired:
            return TIMEOUT
        if ended.returncode == 0:
            return SURVIVED
        if ended.returncode in _FAILED:
            return KILLED
        if ended.returncode < 0:  # it was ended for the time that it took, or it crashed
            return TIMEOUT
        raise Refused(f"{ended.stdout}\nThe tests of {mutant} did not run (above: why).")

    def _run(self, mutant: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"MUTANT_UNDER_TEST": mutant, "PYTHONDONTWRITEBYTECODE": ""}
        return subprocess.run(
            ["sh", "-c", 'ulimit -t "$0"; exec "$@"', str(self.limit), *self._command],
            cwd=self._home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=20 * self.limit,  # for one that waits instead of working
            check=False,
        )
