"""What the demo claims, checked against its tables, faults and records."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from saurodrome.client.tournaments import Fault, Standing, Standings
from saurodrome.server.cli.proof import PROVED, prove
from saurodrome.server.cli.text import plural, wrapped

RANDOM = ("random", "random-2")


class Claim(NamedTuple):
    """One claim, and whether it holds."""

    text: str
    holds: bool


class Evidence(NamedTuple):
    """What the demo leaves behind.

    Attributes:
        tables: The final tables.
        faults: All faults.
        records: The files of all match records.
        metrics: The page of metrics at the end.
        bots: How many bots took part.
    """

    tables: Sequence[Standings]
    faults: Sequence[Fault]
    records: Sequence[Path]
    metrics: str
    bots: int


def check(evidence: Evidence) -> list[Claim]:
    """Checks all claims."""
    rows = [{row.bot: row for row in table.standings} for table in evidence.tables]
    metrics = counters(evidence.metrics)
    late = sum(row["slow"].timeouts for row in rows)
    illegal = sum(row["illegal"].illegal for row in rows)
    lost = sum(row["slow"].forfeits for row in rows)
    back = int(metrics.get("saurodrome_sessions_opened_total", 0)) - evidence.bots
    return [
        Claim("every match has its result", all(map(complete, evidence.tables))),
        Claim("greedy finished above both random bots at every size", all(map(ordered, rows))),
        Claim(
            f"{plural(late, 'decision')} late, all of them slow's, who forfeited"
            f" {plural(lost, 'match')}",
            late > 0 and lost > 0 and only("slow", rows, "timeouts", "forfeits"),
        ),
        Claim(
            f"{plural(illegal, 'illegal answer')}, all of them illegal's",
            illegal > 0 and only("illegal", rows, "illegal"),
        ),
        Claim("no fault is charged to anybody else", charged(evidence.faults)),
        Claim(
            f"dropping lost its connection {back} times, came back, and lost nothing by it",
            back > 1
            and all(row["dropping"].timeouts + row["dropping"].forfeits == 0 for row in rows),
        ),
        Claim(
            f"all {plural(len(evidence.records), 'record')} replay to the same end, from the deal"
            " that was committed to",
            replayed(evidence.records),
        ),
        Claim(
            "tables and metrics agree",
            metrics.get("saurodrome_matches_total") == sum(map(done, evidence.tables))
            and metrics.get("saurodrome_illegal_replies_total") == illegal,
        ),
    ]


def counters(page: str) -> dict[str, float]:
    """Sums the samples of a page of metrics by name, whatever their labels."""
    sums: dict[str, float] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            sums[sample.name] = sums.get(sample.name, 0.0) + sample.value
    return sums


def done(table: Standings) -> int:
    """Counts the results of a tournament."""
    return table.tournament.matches_done


def complete(table: Standings) -> bool:
    """Tells whether every match of a tournament has a result that counts."""
    now = table.tournament
    played = now.matches_done == now.matches_total == now.log_position
    seats = sum(row.matches for row in table.standings)
    return (
        played and not now.matches_abandoned and seats == now.matches_total * now.settings.players
    )


def ordered(rows: dict[str, Standing]) -> bool:
    """Tells whether greedy stands above the random bots, by rank and by rating."""
    greedy = rows["greedy"]
    return all(
        greedy.rank < rows[name].rank and greedy.rating > rows[name].rating for name in RANDOM
    )


def only(bot: str, tables: Sequence[dict[str, Standing]], *fields: str) -> bool:
    """Tells whether only one bot has anything in some columns."""
    return not any(
        getattr(row, field)
        for rows in tables
        for name, row in rows.items()
        if name != bot
        for field in fields
    )


def charged(faults: Sequence[Fault]) -> bool:
    """Tells whether every fault is charged to the bot that made it."""
    owners = {"TIMED_OUT": "slow", "ILLEGAL": "illegal", "FORFEIT": "slow"}
    return all(
        fault.bot == owners.get(fault.kind, "") and fault.charged_to == "bot" for fault in faults
    )


def replayed(paths: Sequence[Path]) -> bool:
    """Tells whether all records follow the rules to their results, and their deals are proved."""
    findings = [prove(path.read_bytes(), str(path)) for path in paths]
    return bool(paths) and all(one.error is None and one.deal == PROVED for one in findings)


def lines(claims: Sequence[Claim]) -> list[str]:
    """Gives the claims, each with whether it holds."""
    return [
        line
        for claim in claims
        for line in wrapped(f"{'ok  ' if claim.holds else 'FAIL'} {claim.text}", " " * 5)
    ]
