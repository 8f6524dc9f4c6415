"""A tournament as files: table, crosstable, results, match records; complete or not at all."""

import contextlib
import csv
import json
import os
import secrets
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from saurodrome.client import InputError
from saurodrome.client.tournaments import Match, Standings, TournamentClient
from saurodrome.server.cli import standings as table
from saurodrome.server.cli.faults import short_id
from saurodrome.server.cli.log import MATCHES, SETTINGS, Log, of_server, result_of, written
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.text import WIDTH, bar, count, percent, wrapped
from saurodrome.server.rating.fit import Fit
from saurodrome.server.tournament.course import Counted
from saurodrome.server.tournament.ledger import Ledger

MARK = "export.json"
"""The file by which an earlier export is known."""


def command_for(name: str) -> str:
    """Gives the command that exports a tournament, as a hint that fits a line."""
    command = f"saurodrome tournament export {name} --to "
    return command + (name if len(command) + len(name) <= WIDTH - len("next: ") else "results")


def export_to(
    client: TournamentClient, name: str, folder: Path, zipped: bool, terminal: Terminal
) -> dict[str, Any]:
    """Writes a tournament's files, shows how far it is, and says what was written.

    All files stand at one position of the log, also while the tournament goes on.

    Raises:
        InputError: The folder holds something that is no export.
    """
    progress = Progress(terminal)
    done = write(client, name, folder, zipped, progress.show)
    progress.close(f"{count(done['records'])} records")
    if not terminal.json:
        terminal.print(lines(done, zipped))
    if done["matches"] < done["matches_total"]:
        terminal.note(
            wrapped(
                f"warning[PARTIAL] {count(done['matches'])} of {count(done['matches_total'])}"
                f" matches; the files carry position {count(done['log_position'])}.",
                "  ",
            )
        )
    return done


def write(
    client: TournamentClient,
    name: str,
    folder: Path,
    zipped: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Writes a tournament's files.

    Args:
        client: The server.
        name: The tournament.
        folder: Where they go.
        zipped: The records go into one archive.
        tell: Told how far it is.

    Returns:
        What was written.

    Raises:
        InputError: The folder holds something that is no export.
    """
    check_free(folder)
    standings = client.standings(name)
    position = standings.tournament.log_position
    log = of_server(client, name)
    matches = [match for match in client.matches(name) if match.log_position <= position]
    done = {
        "tournament": name,
        "log_position": position,
        "event": standings.event,
        "matches": standings.tournament.matches_done,
        "results": len(matches),
        "matches_total": standings.tournament.matches_total,
        "records": sum(match.has_record for match in matches),
        "folder": str(folder),
    }
    with replacing(folder) as new:
        write_tables(new, standings, matches, log)
        write_records(client, new, matches, zipped, tell)
        (new / MARK).write_text(json.dumps(done, indent=1) + "\n")
    return done


def lines(done: dict[str, Any], zipped: bool) -> list[str]:
    """Says what was written."""
    records = "records.zip" if zipped else "records/*.play"
    return [
        " standings.csv  standings.json  crosstable.csv  covariance.csv",
        f" matches.jsonl ({count(done['results'])})  {records} ({count(done['records'])})",
        f" all at log position {count(done['log_position'])}, in {done['folder']}",
        " check it anywhere, without this server:",
        f" saurodrome rate {done['folder']} --compare {done['folder']}/standings.csv",
    ]


def check_free(folder: Path) -> None:
    """Refuses a folder that holds something else than an earlier export.

    Raises:
        InputError: It does.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("NOT_A_FOLDER", f"{folder} is no folder.", where="--to")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise InputError(
            "FOLDER_IN_USE",
            f"{folder} holds something that is no export; nothing was written.",
            where="--to",
            do="name a new folder",
        )


@contextlib.contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Gives a new folder beside a folder, which takes its place if all went well."""
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    beside = folder.absolute().parent / f".{folder.name}.{secrets.token_hex(4)}"
    new, old = beside.with_suffix(".new"), beside.with_suffix(".old")
    new.mkdir()
    try:
        yield new
        if folder.exists():
            os.rename(folder, old)
        os.rename(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def write_tables(folder: Path, standings: Standings, matches: Sequence[Match], log: Log) -> None:
    """Writes table, crosstable, covariances, results, and what else a table follows from."""
    counted = log.counted(standings.tournament.log_position, standings.event)
    write_csv(folder / "standings.csv", table.csv_rows(standings.standings))
    write_csv(folder / "crosstable.csv", crosstable_rows(log, counted))
    write_csv(folder / "covariance.csv", covariance_rows(log.fitted(counted)))
    write_json(folder / "standings.json", table.as_json(standings))
    write_json(folder / SETTINGS, written(log, counted.position, counted.event))
    with (folder / MATCHES).open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(match_json(match)) + "\n" for match in matches)


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Writes one object."""
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def write_csv(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    """Writes rows, the heading first."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def crosstable_rows(log: Log, counted: Counted) -> list[list[str]]:
    """Gives how often the bot of a row finished above that of a column, and on how many tables."""
    ledger = Ledger(log.settings)
    ledger.take(counted)
    crosstable = ledger.standings.crosstable()
    rows = [["bot", *(head for name in crosstable.names for head in (name, f"{name} tables"))]]
    for name, cells in zip(crosstable.names, crosstable.cells, strict=True):
        row = [name]
        for cell in cells:
            row += [f"{cell.share:.4f}", str(cell.tables)] if cell else ["", "0"]
        rows.append(row)
    return rows


def covariance_rows(fitted: Fit) -> list[list[str]]:
    """Gives the covariances that intervals are made of, in Elo squared; empty where bots never met.

    1.96 times the root of a variance is the half width of a rating's interval; that of a
    difference is the two variances less twice the covariance.
    """
    names = [bot.name for component in fitted.components for bot in component.bots]
    rows = [["bot", *names]]
    begin = 0
    for component in fitted.components:
        end = begin + len(component.bots)
        before, after = [""] * begin, [""] * (len(names) - end)
        for bot, line in zip(component.bots, component.spread.covariance.tolist(), strict=True):
            rows.append([bot.name, *before, *map(repr, line), *after])
        begin = end
    return rows


def match_json(match: Match) -> dict[str, Any]:
    """Gives a result as JSON."""
    result = result_of(match)
    return {
        "log_position": match.log_position,
        "match_id": match.match_id,
        "attempt": match.attempt,
        "termination": match.termination,
        "ended": match.ended.ToJsonString(),
        "seats": [seat._asdict() for seat in result.seats],
        "record": record_name(match) if match.has_record else None,
        "void": match.void_reason,
    }


def record_name(match: Match) -> str:
    """Gives the file name of a match record."""
    return short_id(match.match_id).replace("/", "-") + ".play"


def write_records(
    client: TournamentClient,
    folder: Path,
    matches: Sequence[Match],
    zipped: bool,
    tell: Callable[[str], None],
) -> None:
    """Fetches and writes the match records, into a folder or an archive."""
    kept = [match for match in matches if match.has_record]
    with contextlib.ExitStack() as stack:
        if zipped:
            archive = zipfile.ZipFile(folder / "records.zip", "w", zipfile.ZIP_DEFLATED)
            stack.enter_context(archive)
        else:
            (folder / "records").mkdir()
        for number, match in enumerate(kept, 1):
            record = client.record(match.match_id, attempt=match.attempt, for_all=True)
            if zipped:
                archive.writestr(record_name(match), record)
            else:
                (folder / "records" / record_name(match)).write_bytes(record)
            share = number / len(kept)
            tell(f"{count(number)} of {count(len(kept))} records   {bar(share)}   {percent(share)}")
