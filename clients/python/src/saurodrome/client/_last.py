"""Decisions in files: the last one that failed is kept, to be asked again."""

from pathlib import Path

from saurodrome.client._decision import Decision

LAST = Path(".saurodrome/last.decision")


def save_decision(decision: Decision, path: str | Path = LAST) -> Path:
    """Writes a decision as JSON: its message and that of its match.

    Raises:
        OSError: The file cannot be written.
    """
    raise NotImplementedError


def load_decision(path: str | Path = LAST) -> Decision:
    """Reads a decision from a file; its time starts to run now.

    Raises:
        InputError: The file is missing or is no decision.
    """
    raise NotImplementedError
