"""What one change of a source is, and what may become of it."""

from pathlib import Path
from typing import Final, NamedTuple

KILLED: Final = "killed"
SURVIVED: Final = "survived"
TIMEOUT: Final = "timeout"


class Mutant(NamedTuple):
    """One change.

    Attributes:
        module: The changed source, relative to the root.
        key: What the environment variable MUTANT_UNDER_TEST says to ask for it.
        function: The function, as "scoring.totals".
        was: The changed lines before, without their indentation.
        now: The same afterwards.
    """

    module: Path
    key: str
    function: str
    was: tuple[str, ...]
    now: tuple[str, ...]
