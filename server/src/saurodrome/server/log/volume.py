"""How much is logged: counts of lines, and the bounds on repeats and on the whole."""

from collections.abc import Callable

PER_SECOND = 1_000
"""Lines a second of one level below warning that are written in the long run."""
BURST = 10_000
"""Lines of such a level that may come at once."""
REPEATS = 10
"""Lines of one kind about one thing in a minute; the rest is counted in the next one."""
_WINDOW = 60.0
_MAX_KEYS = 1_024
_FREE = ("warning", "error", "critical")


class Volume:
    """Counts lines, and says when there are too many of a level.

    Each level has its own allowance, so that a flood of debug lines costs no line of a match's
    story. Warnings and errors always pass: where they repeat, `Repeats` bounds them.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Starts with the full allowance; `clock` in seconds."""
        self._clock = clock
        self._allowed: dict[str, tuple[float, float]] = {}
        self.written = dict.fromkeys(("debug", "info", "warning", "error"), 0)
        """Lines by level."""
        self.left_out = 0
        """Lines that were not written, for repeats or for volume."""
        self._untold = 0

    def admit(self, level: str) -> bool:
        """Whether one more line of a level is written; counts it."""
        if level not in _FREE and not self._spend(level):
            self.left_out += 1
            self._untold += 1
            return False
        name = "error" if level == "critical" else level
        self.written[name] = self.written.get(name, 0) + 1
        return True

    def untold(self) -> int:
        """Lines left out for volume since this was last asked."""
        left_out, self._untold = self._untold, 0
        return left_out

    def _spend(self, level: str) -> bool:
        now = self._clock()
        left, when = self._allowed.get(level, (float(BURST), now))
        left = min(float(BURST), left + (now - when) * PER_SECOND)
        self._allowed[level] = max(0.0, left - 1.0), now
        return left >= 1.0


class Repeats:
    """Tells which of many like lines are worth writing."""

    def __init__(self, clock: Callable[[], float], volume: Volume | None = None) -> None:
        """Starts with nothing; `clock` in seconds, `volume` counts what is left out."""
        self._clock = clock
        self._volume = volume
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def ask(self, kind: str, about: str) -> int | None:
        """How many lines were left out since the last one; None if this one is left out, too."""
        if len(self._seen) >= _MAX_KEYS:
            self._seen.clear()
        now = self._clock()
        since, count = self._seen.get((kind, about), (now, 0))
        if now - since >= _WINDOW:
            left_out = max(0, count - REPEATS)
            self._seen[kind, about] = now, 1
            return left_out
        self._seen[kind, about] = since, count + 1
        if count < REPEATS:
            return 0
        if self._volume:
            self._volume.left_out += 1
        return None
