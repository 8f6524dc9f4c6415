"""`saurodrome bot new`: writes the first bot."""

from pathlib import Path

import click

from saurodrome.client import InputError
from saurodrome.server.cli.examples import example
from saurodrome.server.cli.options import FILE
from saurodrome.server.cli.terminal import Terminal

FIRST = "first_bot.py"


@click.command()
@click.argument("file", type=FILE)
@click.pass_obj
def new(terminal: Terminal, file: Path) -> None:
    """Write a first small bot into FILE.

    A file that exists is left as it is.
    """
    text = example(FIRST).read_text()
    try:
        with file.open("x") as new_file:
            new_file.write(text)
    except FileExistsError:
        what = f"{file} exists; nothing was written."
        raise InputError("FILE_EXISTS", what, do="choose another name") from None
    lines = len(text.splitlines())
    terminal.print(
        f"Wrote {file}: a bot that plays anything but the River. {lines} lines, edit choose."
    )
    terminal.next(f"saurodrome bot try {file}")
