"""`saurodrome doctor`: whether a server is well, and what to do where it is not."""

import os
import resource
import shutil
import time
from collections.abc import Iterator
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import NamedTuple

import click

from saurodrome.server.certificates import certificates
from saurodrome.server.cli import config as config_command
from saurodrome.server.cli import vitals
from saurodrome.server.cli.data import FOLDER
from saurodrome.server.cli.failures import AnswerIsNo, readable
from saurodrome.server.cli.home import RunningServer, running_server
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.server_options import config_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import count, plural, span, wrapped
from saurodrome.server.config import Config, load
from saurodrome.server.errors import Refused
from saurodrome.server.listening import bind
from saurodrome.server.store import backup as backups
from saurodrome.server.store.checkup import Checkup, look
from saurodrome.server.store.interface import StoreTrouble

LITTLE = 1_000_000_000
"""Free bytes below which a disk is nearly full."""
OWN_FILES = 150
"""Descriptors that a server needs besides one a bot."""
OLD = 2 * 86_400.0
"""Seconds from which the newest backup is old."""
SLOW = 0.1
"""Seconds of lag of the event loop, at the 99th percentile, from which bots may notice."""
INDENT = " " * 15


class State(StrEnum):
    """How a part is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"
    OFF = "off"


class Finding(NamedTuple):
    """One line: a part, how it is, and what to do about it."""

    part: str
    state: State
    text: str
    do: str = ""


@click.command()
@click.option("--data", type=FILE, help="Data directory  [default: .saurodrome]")
@config_option
@click.option("--health", is_flag=True, help="Only ask the server, as often as one likes")
@json_option
@click.pass_obj
def doctor(terminal: Terminal, data: Path | None, config_file: Path | None, health: bool) -> None:
    """Look for what is wrong with a server and its machine.

    It changes nothing, whether the server runs or not. Exit code 1 if something fails.
    """
    loaded = load(config_file, os.environ, {} if data is None else {"data": data})
    given = loaded.config()
    found = [_server(running_server(given.data), given.data)] if health else list(examine(given))
    if terminal.json:
        terminal.data([finding._asdict() for finding in found])
    else:
        terminal.print(line for finding in found for line in lines(finding))
    bad = (State.FAIL, State.OFF, State.WARN) if health else (State.FAIL,)
    if any(finding.state in bad for finding in found):
        raise AnswerIsNo


def examine(given: Config) -> Iterator[Finding]:
    """Looks at every part."""
    running = running_server(given.data)
    yield from _settings(given)
    yield _server(running, given.data)
    yield from _store(given)
    yield _disk(given.data)
    if running is None:
        yield _ports(given)
    elif (pace := _pace(running)) is not None:
        yield pace
    yield _limits()
    yield _certificate(given)
    yield _backup(given.data / FOLDER)


def lines(finding: Finding) -> list[str]:
    """A finding as it is printed."""
    said = wrapped(f"{finding.part:<9} {finding.state:<4} {finding.text}", INDENT)
    return said + (wrapped(f"{INDENT}do     {finding.do}", " " * 22) if finding.do else [])


def _settings(given: Config) -> Iterator[Finding]:
    refused, warnings = config_command.examine(given)
    for error in refused:
        yield Finding("settings", State.FAIL, f"[{error.code}] {error.what}", error.do)
    for warning in warnings:
        yield Finding("settings", State.WARN, warning)


def _server(running: RunningServer | None, data: Path) -> Finding:
    if running is None:
        return Finding("server", State.OFF, f"none runs on {data}")
    since = span(time.time() - running.started)
    where = f"pid {running.pid}, bots {running.address}, for {since}"
    began = time.monotonic()
    try:
        told = vitals.health(running.web)
    except (OSError, ValueError) as error:
        return Finding("server", State.FAIL, f"{where}; {running.web} does not answer: {error}")
    status, reason = told.get("status"), told.get("reason", "")
    took = span(time.monotonic() - began)
    if status == "serving":
        return Finding("server", State.OK, f"{where}; serving, health in {took}")
    text = f"{where}; {status}{f': {reason}' if reason else ''}"
    do = "matches wait, nothing is lost: mend the disk while it runs" if reason else ""
    return Finding("server", State.WARN if status == "draining" else State.FAIL, text, do)


def _pace(running: RunningServer) -> Finding | None:
    """How long the loop and the disk make others wait; nothing while there is nothing to tell."""
    try:
        metrics = vitals.page(f"{running.web}/metrics")
    except OSError as error:
        return Finding("pace", State.FAIL, f"{running.web}/metrics does not answer: {error}")
    names = {"loop lag": "saurodrome_loop_lag_seconds", "commit": "saurodrome_commit_seconds"}
    found = {what: vitals.quantile(metrics, name, 0.99) for what, name in names.items()}
    said = [
        f"{what} p99 {f'at most {span(p99)}' if p99 < inf else 'off the scale'}"
        for what, p99 in found.items()
        if p99 is not None
    ]
    if not said:
        return None
    slow = (found["loop lag"] or 0.0) > SLOW
    do = "the machine is too busy, or has too few processors" if slow else ""
    return Finding("pace", State.WARN if slow else State.OK, ", ".join(said), do)


def _store(given: Config) -> Iterator[Finding]:
    try:
        found = look(given.data)
    except (Refused, StoreTrouble) as error:
        said = readable(error)
        if said.code == "NO_STORE":
            yield Finding("store", State.OFF, "there is none yet; `serve` makes one")
        else:
            yield Finding("store", State.FAIL, f"[{said.code}] {said.what}", said.do)
        return
    yield _sound(found)
    if found.pending:
        text = f"schema {found.contents.schema}, this program brings it to {found.pending[-1]}"
        yield Finding("schema", State.WARN, text, "saurodrome migrate --dry-run, then serve")


def _sound(found: Checkup) -> Finding:
    contents = found.contents
    text = (
        f"sqlite, integrity {found.verdict}, {count(contents.size)} bytes,"
        f" {plural(contents.results, 'result')}, {plural(contents.records, 'record')}"
    )
    if found.verdict == "ok":
        return Finding("store", State.OK, text)
    return Finding("store", State.FAIL, text, "stop the server and restore a backup")


def _disk(data: Path) -> Finding:
    folder = data if data.exists() else data.absolute().parent
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("disk", State.FAIL, f"{folder}: {error.strerror}", "make that folder")
    text = f"{free / 1e9:.1f} GB free where {folder} lies"
    if free == 0:
        do = "make room: matches wait meanwhile, nothing is lost, clocks stand still"
        return Finding("disk", State.FAIL, text, do)
    if free < LITTLE:
        return Finding("disk", State.WARN, text, "make room, or keep records for fewer days")
    return Finding("disk", State.OK, text)


def _ports(given: Config) -> Finding:
    asked = {"bots_port": given.bots_port, "web_port": given.web_port}
    try:
        for name, port in asked.items():
            host = given.web_host or given.host if name == "web_port" else given.host
            bind(host, port, name).close()
    except Refused as refused:
        return Finding("ports", State.FAIL, f"[{refused.code}] {refused.what}", refused.do)
    return Finding("ports", State.OK, f"{given.bots_port} bots, {given.web_port} web: both free")


def _limits() -> Finding:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return Finding("limits", State.OK, "any number of files")
    bots = max(0, soft - OWN_FILES)
    text = f"{count(soft)} files: enough for about {count(bots)} bots"
    if bots < 100:
        return Finding("limits", State.WARN, text, "raise it: ulimit -n 65536, or LimitNOFILE=")
    return Finding("limits", State.OK, text)


def _certificate(given: Config) -> Finding:
    try:
        tls = certificates(given)
    except Refused as refused:
        return Finding("tls", State.FAIL, f"[{refused.code}] {refused.what}", refused.do)
    if tls is None:
        return Finding("tls", State.OFF, "no certificate: plain text")
    left = tls.ends - time.time()
    day = time.strftime("%Y-%m-%d", time.gmtime(tls.ends))
    if left <= 0:
        return Finding("tls", State.FAIL, f"ended on {day}", "renew it; no restart is needed")
    state = State.WARN if left < config_command.SOON else State.OK
    return Finding("tls", state, f"ends on {day}, in {plural(int(left // 86_400), 'day')}")


def _backup(folder: Path) -> Finding:
    newest = backups.newest(folder)
    if newest is None:
        return Finding("backup", State.WARN, f"none in {folder}", "saurodrome backup")
    age = time.time() - newest.stat().st_mtime
    state = State.WARN if age > OLD else State.OK
    return Finding("backup", state, f"{newest.name}, {span(age)} old")
