"""What was found so far, in a file: a run that was stopped goes on where it was."""

import json
from pathlib import Path

from chores.mutants.mutant import KILLED, Mutant


class Verdicts:
    """What was found so far, kept in a file as long as nothing that it depends on changes."""

    def __init__(self, file: Path, of: str, left: bool) -> None:
        """Read what there is.

        Args:
            file: The file.
            of: A hash of all that the verdicts depend on.
            left: Read kills also if that has changed.
        """
        self._file = file
        self._of = of
        self._verdicts: dict[str, str] = {}
        if file.exists():
            content = json.loads(file.read_text())
            self._verdicts = {
                name: verdict
                for name, verdict in content["verdicts"].items()
                if content["of"] == of or (left and verdict == KILLED)
            }

    def __contains__(self, mutant: Mutant) -> bool:
        """Tell whether there is one."""
        return self._name(mutant) in self._verdicts

    def __getitem__(self, mutant: Mutant) -> str:
        """Return one."""
        return self._verdicts[self._name(mutant)]

    @staticmethod
    def _name(mutant: Mutant) -> str:
        return f"{mutant.key}: {' / '.join(mutant.now)}"

    def keep(self, mutant: Mutant, verdict: str) -> None:
        """Keep one more."""
        self._verdicts[self._name(mutant)] = verdict
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps({"of": self._of, "verdicts": self._verdicts}, indent=1))
        new.replace(self._file)
