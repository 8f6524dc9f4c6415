"""Numbers that are kept elsewhere and read at every scrape."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TypeAlias

from prometheus_client.metrics_core import Metric

from saurodrome.server.contracts import TableRow
from saurodrome.server.metrics.catalogue import BY_NAME, TOP, Entry
from saurodrome.server.metrics.tallies import MAX_CHARS, Number, family
from saurodrome.server.recorder import START

Values: TypeAlias = Mapping[tuple[str, ...], float]
Read: TypeAlias = Callable[[], "float | Values | None"]
Rows: TypeAlias = Callable[[], Iterable[tuple[str, TableRow]]]

Part: TypeAlias = Callable[[TableRow], "float | None"]

OF_ROWS: tuple[tuple[str, Part], ...] = (
    ("rank", lambda row: row.rank),
    ("rating_elo", lambda row: row.rating),
    ("rating_error_elo", lambda row: row.rating_error),
    ("elo_live", lambda row: row.elo_live),
    ("score_ratio", lambda row: row.score),
    ("points", lambda row: row.mean_points),
    ("matches", lambda row: row.matches),
    ("timeouts", lambda row: row.timeouts),
    ("illegal", lambda row: row.illegal),
    ("forfeits", lambda row: row.forfeits),
)


class Readings:
    """Reads everything. One reading that fails spoils no other, and is counted."""

    def __init__(self) -> None:
        """Reads nothing yet."""
        self._reads: list[tuple[Entry, Read]] = []
        self._failures = Number(BY_NAME["saurodrome_scrape_failures_total"])

    def add(self, name: str, read: Read) -> None:
        """Shows what `read` gives, in the metric of that name; None shows nothing.

        Raises:
            KeyError: The catalogue has no such metric.
        """
        self._reads.append((BY_NAME[name], read))

    def collect(self) -> Iterator[Metric]:
        """Reads everything, one metric after the other."""
        for entry, read in self._reads:
            try:
                values = _checked(entry, read())
            except Exception:  # whatever is wrong there, the page goes on
                self._failures.value += 1
                values = {}
            yield family(entry, values)
        yield from self._failures.collect()


class Table:
    """The first rows of a table, read once for all metrics that show a part of it."""

    def __init__(self, read: Rows, thinking: Mapping[str, Sequence[float]]) -> None:
        """Takes who gives the rows, best first, and by bot: decisions closed, and their seconds."""
        self._read = read
        self._thinking = thinking
        self._top: list[tuple[tuple[str, ...], TableRow]] = []

    def add_to(self, readings: Readings, connected: Callable[[str], bool]) -> None:
        """Adds all metrics of bots; the first of them reads the table."""
        readings.add("saurodrome_elo_drift", self._fetch)
        parts: list[tuple[str, Part]] = [
            *OF_ROWS,
            ("connected", lambda row: connected(row.bot)),
            ("decisions_total", lambda row: self._spent(row.bot, 0)),
            ("thinking_seconds_total", lambda row: self._spent(row.bot, 1)),
        ]
        for name, part in parts:
            readings.add(f"saurodrome_bot_{name}", partial(self._parts, part))

    def _fetch(self) -> float | None:
        self._top = []
        rows = list(self._read())
        self._top = [((tournament, row.bot), row) for tournament, row in islice(rows, TOP)]
        if not rows:
            return None
        return abs(math.fsum(row.elo_live for _, row in rows) - START * len(rows))

    def _spent(self, bot: str, index: int) -> float | None:
        spent = self._thinking.get(bot)
        return spent[index] if spent else None

    def _parts(self, part: Part) -> Values:
        return {key: value for key, row in self._top if (value := part(row)) is not None}


def _checked(entry: Entry, read: "float | Values | None") -> Values:
    """What was read, as values by labels, none of them beyond the metric's bound."""
    if read is None:
        return {}
    if not isinstance(read, Mapping):
        return {(): read}
    return {
        labels: value
        for labels, value in islice(read.items(), entry.children)
        if all(label.isascii() and len(label) <= MAX_CHARS for label in labels)
    }
