"""What the ranks of a Swiss or a knockout follow from: columns, JSON and words; pure functions."""

from collections.abc import Sequence
from typing import Any

from saurodrome.client.tournaments import EntrantStatus, Standing
from saurodrome.server.cli.text import Column, count

NONE = "-"
SWISS = (Column("Swiss"), Column("Buchholz"), Column("byes"))
KNOCKOUT = (Column("passed"), Column("out in"))
BY_SWISS = (
    "ranks: by Swiss points (1 a pairing won or a bye, 0.5 a level one), then by Buchholz (the"
    " sum of the opponents' points); equal in both share a rank"
)
BY_KNOCKOUT = (
    "ranks: by rounds passed (won, or without an opponent); equal in that share a rank;"
    " out in: the round in which it left"
)

STANDS = "; a disqualified bot is last, and what others have from pairings with it stays"


def columns(rows: Sequence[Standing]) -> tuple[Column, ...]:
    """Gives the columns that the ranks need, if the format itself ranks."""
    if any(row.HasField("swiss") for row in rows):
        return SWISS
    return KNOCKOUT if any(row.HasField("knockout") for row in rows) else ()


def cells(row: Standing, shown: Sequence[Column]) -> list[str]:
    """Gives a bot's cells of these columns; those of a bot that never took part are empty."""
    if row.HasField("swiss"):
        swiss = row.swiss
        return [f"{swiss.points:.1f}", f"{swiss.buchholz:.1f}", count(swiss.byes)]
    if row.HasField("knockout"):
        return [count(row.knockout.passed), out_in(row)]
    return [NONE] * len(shown)


def out_in(row: Standing) -> str:
    """Gives the round in which a bot left a knockout; the winner has won, who is in has none."""
    told = row.knockout
    if told.left_in:
        return "final" if told.left_in == told.rounds else f"round {told.left_in}"
    return "won" if told.passed == told.rounds else NONE


def words(rows: Sequence[Standing]) -> str:
    """Says what the ranks follow from; nothing where they go by the table alone."""
    told = {SWISS: BY_SWISS, KNOCKOUT: BY_KNOCKOUT}.get(columns(rows), "")
    gone = any(row.status == EntrantStatus.ENTRANT_STATUS_DISQUALIFIED for row in rows)
    return told + STANDS if told and gone else told


def as_json(row: Standing) -> dict[str, Any]:
    """Gives what a rank follows from as JSON; null where it does not."""
    swiss = row.swiss if row.HasField("swiss") else None
    knockout = row.knockout if row.HasField("knockout") else None
    return {
        "swiss_points": swiss and swiss.points,
        "buchholz": swiss and swiss.buchholz,
        "byes": swiss and swiss.byes,
        "rounds_passed": knockout and knockout.passed,
        "left_in": knockout and knockout.left_in,
        "rounds": knockout and knockout.rounds,
    }
