"""`saurodrome backup`, `restore` and `migrate`: the data of a server, kept and moved on."""

import asyncio
import time
from pathlib import Path

import click

from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.server_options import data_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import count, plural, wrapped
from saurodrome.server.cli.values import whole
from saurodrome.server.store import backup as backups
from saurodrome.server.store import rehearsal
from saurodrome.server.store.backup import Contents

FOLDER = "backups"
"""Where backups lie, in the data directory."""
INDENT = " " * 11


@click.command()
@data_option
@click.option("--to", type=FILE, help=f"File or folder  [default: {FOLDER}/ in the data directory]")
@click.option("--keep", type=whole(1), help="Backups to keep, the newest ones  [default: all]")
@json_option
@click.pass_obj
def backup(terminal: Terminal, data: Path, to: Path | None, keep: int | None) -> None:
    """Back up all data, also while the server runs.

    The backup is one file as of one moment, checked and readable only by you: bots, tournaments,
    results, ratings, faults and match records. The administrator's token is not in it; those of
    others are as digests, so that they work again after a restore.
    """
    named = to is not None and to.suffix == ".db"
    folder = to.parent if to is not None and named else to or data / FOLDER
    file = to if to is not None and named else folder / backups.name_at(time.time())
    began = time.monotonic()
    contents = backups.backup(data, file)
    gone = backups.thin_out(folder, keep) if keep else ()
    if terminal.json:
        terminal.data({"file": str(file), **contents._asdict(), "deleted": [str(g) for g in gone]})
        return
    terminal.print(wrapped(f"backed up  {file}", INDENT))
    terminal.print(described(contents))
    if gone:
        terminal.print(f"{INDENT}{plural(len(gone), 'older backup')} deleted")
    terminal.note(f"{INDENT}{time.monotonic() - began:.1f} s")


@click.command()
@click.argument("file", type=FILE)
@data_option
@click.option("--replace", is_flag=True, help="Set aside what is there")
@json_option
@click.pass_obj
def restore(terminal: Terminal, file: Path, data: Path, replace: bool) -> None:
    """Put a backup in the place of a stopped server's data.

    The backup is checked first; a damaged one, or one of a newer version, changes nothing. What is
    there is kept: with --replace it is set aside under another name.
    """
    contents, aside = backups.restore(file, data, replace=replace)
    if terminal.json:
        terminal.data({**contents._asdict(), "aside": None if aside is None else str(aside)})
        return
    terminal.print(wrapped(f"restored   {file} into {data}", INDENT))
    terminal.print(described(contents))
    if aside is not None:
        terminal.print(wrapped(f"{INDENT}what was there is now {aside}", INDENT))
    terminal.note(
        wrapped(
            f"{INDENT}Bots that were registered and tokens that were issued since are unknown;"
            " tokens that were revoked since work again. Matches since are played again.",
            INDENT,
        )
    )
    terminal.next(f"saurodrome serve --data {data}")


@click.command()
@data_option
@click.option("--dry-run", is_flag=True, help="On a copy, also while the server runs")
@json_option
@click.pass_obj
def migrate(terminal: Terminal, data: Path, dry_run: bool) -> None:
    """Bring the data of a stopped server to this version's form.

    `serve` does the same at its start. This keeps a backup of before, and --dry-run says what
    would be done and how long it takes, on a copy that is deleted afterwards.
    """
    if dry_run:
        done = asyncio.run(rehearsal.rehearse(data))
    else:
        kept = data / FOLDER / backups.name_at(time.time())
        done = asyncio.run(rehearsal.migrate_with_backup(data, kept))
    if terminal.json:
        terminal.data(
            {
                "from": done.before.schema,
                "to": done.after.schema,
                "steps": [{"schema": number, "about": about} for number, about in done.steps],
                "seconds": round(done.seconds, 3),
                "dry_run": dry_run,
            }
        )
        return
    terminal.print(migrated(done, dry_run))


def described(contents: Contents) -> list[str]:
    """Says what is in a database."""
    when = ""
    if contents.newest is not None:
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(contents.newest))
        when = f", the newest of {stamp} UTC"
    return wrapped(
        f"{INDENT}{plural(contents.bots, 'bot')}, {plural(contents.tournaments, 'tournament')},"
        f" {plural(contents.results, 'result')}{when}, {plural(contents.records, 'match record')};"
        f" schema {contents.schema}, {count(contents.size)} bytes",
        INDENT,
    )


def migrated(done: rehearsal.Rehearsal, dry_run: bool) -> list[str]:
    """Says what migrations did, or would do."""
    if not done.steps:
        return [f"up to date schema {done.before.schema}"]
    verb = "would go  " if dry_run else "migrated  "
    said = [f"{verb} from schema {done.before.schema} to {done.after.schema}"]
    for number, about in done.steps:
        said += wrapped(f"{INDENT}{number}  {about}", " " * 17)
    said.append(f"{INDENT}in {done.seconds:.1f} s; everything is still there, and sound")
    return said
