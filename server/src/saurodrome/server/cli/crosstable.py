"""Who finished above whom, how often: a fold over results."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from saurodrome.client.tournaments import Match


class Meeting(NamedTuple):
    """What two bots made of each other.

    Attributes:
        tables: Matches that both played.
        share: Share of these in which the first finished above the second, ties half.
    """

    tables: int
    share: float


def crosstable(matches: Iterable[Match]) -> dict[tuple[str, str], Meeting]:
    """Gives the meetings of every ordered pair of bots that met at a table.

    Matches without placements (no contest, abandoned) count nowhere.
    """
    tables: dict[tuple[str, str], int] = {}
    beaten: dict[tuple[str, str], float] = {}
    for match in matches:
        for a in match.seats:
            for b in match.seats:
                if a.bot == b.bot or not a.placement or not b.placement:
                    continue
                pair = (a.bot, b.bot)
                won = 1.0 if a.placement < b.placement else 0.5 * (a.placement == b.placement)
                tables[pair] = tables.get(pair, 0) + 1
                beaten[pair] = beaten.get(pair, 0.0) + won
    return {pair: Meeting(n, beaten[pair] / n) for pair, n in tables.items()}


def csv_rows(bots: Sequence[str], matches: Iterable[Match]) -> list[list[str]]:
    """Gives the crosstable as rows of a CSV file: share above, and on how many tables.

    Args:
        bots: Rows and columns, in this order.
        matches: The results.
    """
    met = crosstable(matches)
    heads = ["bot", *(column for bot in bots for column in (bot, f"{bot} tables"))]
    rows = [heads]
    for a in bots:
        cells: list[str] = [a]
        for b in bots:
            meeting = met.get((a, b))
            cells += [f"{meeting.share:.4f}", str(meeting.tables)] if meeting else ["", "0"]
        rows.append(cells)
    return rows
