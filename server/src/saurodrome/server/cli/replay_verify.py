"""`saurodrome replay verify`: whether match records are what they say."""

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from saurodrome.client import InputError, SaurodromeError
from saurodrome.server.cli import proof
from saurodrome.server.cli.failures import NO, readable
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.proof import Finding
from saurodrome.server.cli.records import order
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import WIDTH, plural, wrapped

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is read: a thousand times a long match."""


class Source(NamedTuple):
    """A record to be checked: its content, or why there is none."""

    name: str
    content: bytes | SaurodromeError


@click.command()
@click.argument("files", metavar="FILE...", type=FILE, nargs=-1, required=True)
@json_option
@click.pass_obj
def verify(terminal: Terminal, files: Sequence[Path]) -> int:
    """Check match records: text, moves, draws, results.

    FILE is a .play file, a .zip of them, or a folder with any of these, such as an export.
    Every match is played again by the rules, every draw is drawn again from the secret that
    the record opens, and the secret is compared with the commitment that the bots were told
    before the match. Each record is verified, or its first difference is named.

    Exit code 1 if a record is not what it says; 2 if one cannot be read, is cut off, foreign,
    or of a newer format or other rules.
    """
    findings = []
    for source in sources(files):
        finding = look_at(source)
        findings.append(finding)
        if terminal.json:
            terminal.data(proof.as_json(finding))
        else:
            terminal.print(lines(finding))
    if not terminal.json:
        terminal.print(summary(findings))
    codes = {finding.error.exit_code for finding in findings if finding.error is not None}
    return NO if NO in codes else max(codes, default=0)


def look_at(source: Source) -> Finding:
    """Checks one record."""
    if isinstance(source.content, SaurodromeError):
        return Finding(source.name, source.content)
    return proof.prove(source.content, source.name)


def lines(finding: Finding) -> list[str]:
    """Says what was found out about one record."""
    if finding.error is None:
        size = f"{plural(finding.players, 'player')}, {plural(finding.steps, 'step')}"
        return wrapped(f"verified  {finding.name}   {size}, {finding.deal}", " " * 10)
    head = wrapped(f"NOT       {finding.name}", " " * 10)
    return [*head, *finding.error.format(width=WIDTH).split("\n")]


def summary(findings: Sequence[Finding]) -> list[str]:
    """Counts the records that are verified, and the deals that are proved."""
    verified = [finding for finding in findings if finding.error is None]
    proved = sum(finding.deal == proof.PROVED for finding in verified)
    total = plural(len(findings), "record")
    return [f"{len(verified):,} of {total} verified, {plural(proved, 'deal')} proved"]


def sources(paths: Sequence[Path]) -> Iterator[Source]:
    """Gives the records in files, archives and folders; what holds none is an error."""
    for path in paths:
        try:
            found = False
            for source in sources_in(path):
                found = True
                yield source
        except (OSError, zipfile.BadZipFile) as error:
            yield Source(str(path), readable(error))
            continue
        if not found:
            what = f"There is no match record in {path}."
            error_ = InputError("NO_RECORD", what, do="name .play files, or an export's folder")
            yield Source(str(path), error_)


def sources_in(path: Path) -> Iterator[Source]:
    """Gives the records of one file, archive or folder.

    Raises:
        OSError: It cannot be read.
    """
    if path.is_dir():
        inside = [*path.rglob("*.play"), *path.rglob("*.zip")]
        for one in sorted(inside, key=lambda file: (str(file.parent), order(file))):
            yield from sources_in(one)
    elif zipfile.is_zipfile(path):
        yield from archived(path)
    else:
        with path.open("rb") as file:
            yield Source(str(path), limited(file.read(LARGEST + 1), str(path)))


def archived(path: Path) -> Iterator[Source]:
    """Gives the records of an archive."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".play")]
        for name in sorted(names, key=lambda one: order(Path(one))):
            shown = f"{path}/{name}"
            try:
                with archive.open(name) as file:
                    yield Source(shown, limited(file.read(LARGEST + 1), shown))
            except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
                what = f"It cannot be unpacked: {error}."
                do = "fetch the archive again"
                yield Source(shown, InputError("BAD_ARCHIVE", what, where=shown, do=do))


def limited(content: bytes, name: str) -> bytes | SaurodromeError:
    """Gives a content, or an error if it is longer than any record."""
    if len(content) <= LARGEST:
        return content
    what = f"It is longer than {LARGEST // 1024 // 1024} MB, so it is no match record."
    return InputError("RECORD_FOREIGN", what, where=name, do="give the name of a .play file")
