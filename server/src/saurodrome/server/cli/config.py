"""`saurodrome config`: what a server would be told, and whether it would take it."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import click

from saurodrome.client import InputError, SaurodromeError
from saurodrome.server.certificates import certificates
from saurodrome.server.cli import house
from saurodrome.server.cli.failures import readable
from saurodrome.server.cli.options import json_option
from saurodrome.server.cli.server_options import config_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import plural, wrapped
from saurodrome.server.config import SETTINGS, Config, Loaded, load
from saurodrome.server.config.show import documented, masked
from saurodrome.server.errors import Refused
from saurodrome.server.listening import plaintext_refused

SOON = 30 * 86_400.0
"""Seconds before its end from which a certificate is warned of."""
REFUSED = 2
"""Exit code where a server would not start."""


@click.group()
def config() -> None:
    """Show and check the settings of a server.

    They come from flags of `serve`, the environment, a configuration file and defaults, in this
    order.
    """


@config.command()
@config_option
@click.option("--defaults", is_flag=True, help="The defaults: a file to begin with")
@json_option
@click.pass_obj
def show(terminal: Terminal, config_file: Path | None, defaults: bool) -> None:
    """Show every setting, what it is for, and where it comes from.

    The output is a configuration file. Tokens in it are masked.
    """
    loaded = load(None, {}) if defaults else load(config_file, os.environ)
    loaded.config()
    if terminal.json:
        terminal.data(as_json(loaded))
    else:
        terminal.print(documented(None if defaults else loaded).splitlines())


@config.command()
@config_option
@json_option
@click.pass_obj
def check(terminal: Terminal, config_file: Path | None) -> int:
    """Check the settings as `serve` would, without serving.

    Exit code 2 if it would refuse them; warnings do not count.
    """
    loaded = load(config_file, os.environ)
    refused = [readable(problem) for problem in loaded.problems]
    warnings: list[str] = []
    if not refused:
        refused, warnings = examine(loaded.config())
    if terminal.json:
        told = [error.as_dict() for error in refused]
        terminal.data({"ok": not refused, "refused": told, "warnings": warnings})
    else:
        terminal.print(lines(loaded, refused, warnings))
    return REFUSED if refused else 0


def examine(given: Config) -> tuple[list[SaurodromeError], list[str]]:
    """Gives why a server would not start with settings, and what it should be warned of."""
    refused: list[SaurodromeError] = []
    warnings: list[str] = []
    tls = None
    try:
        tls = certificates(given)
        if tls is None and (plain := plaintext_refused(given)):
            raise plain
    except Refused as error:
        refused.append(readable(error))
    try:
        refused += _contradictions(given)
    except InputError as error:
        refused.append(error)
    if tls is not None:
        left = tls.ends - time.time()
        day = time.strftime("%Y-%m-%d", time.gmtime(tls.ends))
        if left <= 0:
            warnings.append(f"tls.cert ended on {day}: clients refuse it")
        elif left < SOON:
            warnings.append(f"tls.cert ends in {plural(int(left // 86_400), 'day')} ({day})")
    if given.allow_plaintext and tls is None:
        warnings.append("listen.allow_plaintext: who can listen in on the way reads every token")
    return refused, warnings


def _contradictions(given: Config) -> Iterator[InputError]:
    if given.bots_port == given.web_port != 0:
        yield InputError(
            "PORT_TWICE",
            f"Port {given.web_port} is for bots and for pages.",
            where="listen.bots_port, listen.web_port",
            do="give one of them another port",
        )
    if house.parse(given.house) and given.tls_client_ca:
        yield InputError(
            "HOUSE_WITHOUT_CERT",
            "Bots of the house have no certificate, and every client must show one.",
            where="tls.client_ca, house.bots",
            do="house.bots = [], or no tls.client_ca",
        )


def lines(loaded: Loaded, refused: list[SaurodromeError], warnings: list[str]) -> list[str]:
    """Says how it came out: what was read, what is warned of and what is refused."""
    said: list[str] = []
    for error in refused:
        where = f" ({error.where})" if error.where else ""
        text = f"refused  [{error.code}] {error.what}{where} {error.do}"
        said += wrapped(masked(text), " " * 9)
    for warning in warnings:
        said += wrapped(f"warning  {warning}", " " * 9)
    if not refused:
        counted = [
            f"{loaded.count(origin)} from the {origin}" for origin in ("file", "environment")
        ]
        settings = plural(len(SETTINGS), "setting")
        defaults = plural(loaded.count("default"), "default")
        said.append(f"ok       {settings}; {', '.join(counted)}, {defaults}")
    return said


def as_json(loaded: Loaded) -> dict[str, object]:
    """Gives every setting with its value and where it comes from."""
    shown: dict[str, object] = {}
    for setting in SETTINGS:
        value = loaded.values[setting.field]
        plain = masked(str(value)) if isinstance(value, str | Path) else value
        shown[setting.key] = {"value": plain, "from": loaded.origins[setting.field]}
    return shown
