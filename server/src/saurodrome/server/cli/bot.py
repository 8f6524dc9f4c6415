"""`saurodrome bot`: a bot's way from an empty file to a seat at a table."""

import click

from saurodrome.client.tournaments import Bot
from saurodrome.server.cli import bot_new, bot_report, bot_run, bot_try
from saurodrome.server.cli.home import HOME, set_aside, token_path, write_token
from saurodrome.server.cli.options import Connection, connection_options, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import UNICODE, Column, Symbols, cut, table, wrapped

COLUMNS = (
    Column("no"),
    Column("bot", right=False),
    Column("display name", right=False),
    Column("owner", right=False),
    Column("connected", right=False),
    Column("playing"),
)


@click.group()
def bot() -> None:
    """Write a bot, try it, register it, let it play, see its times."""


bot.add_command(bot_new.new)
bot.add_command(bot_try.try_bot)
bot.add_command(bot_run.run)
bot.add_command(bot_report.report)


@bot.command()
@click.argument("name")
@click.option("--owner", default="", help="Who answers for it  [default: nobody is named]")
@click.option("--display-name", default="", help="What people read  [default: the name]")
@connection_options
@json_option
@click.pass_obj
def register(
    terminal: Terminal, name: str, owner: str, display_name: str, connection: Connection
) -> None:
    """Register a bot and keep its token.

    The token goes into .saurodrome/NAME.token and is never shown.
    NAME is 1 to 32 of a-z 0-9 . _ - and begins with a letter or digit.
    """
    with connection.client() as client:
        answer = client.register_bot(name, display_name=display_name, owner=owner)
    path = token_path(answer.bot.name)
    aside = set_aside(path)
    write_token(path, answer.token)
    if aside is not None:
        terminal.note(wrapped(f"warning[TOKEN_SET_ASIDE] The token in {path} is now in {aside}."))
    if terminal.json:
        terminal.data({**bot_json(answer.bot), "token_file": str(path)})
        return
    terminal.print(
        wrapped(
            f"Registered {answer.bot.name} (bot {answer.bot.number}). Token saved in {path},"
            f" readable only by you and never shown. A new one: saurodrome bot token {name} --new"
        )
    )
    terminal.next(f"saurodrome bot run {name}.py")


@bot.command("list")
@connection_options
@json_option
@click.pass_obj
def list_bots(terminal: Terminal, connection: Connection) -> None:
    """List the bots that the server knows."""
    with connection.client() as client:
        bots = client.list_bots()
    if terminal.json:
        terminal.data([bot_json(one) for one in bots])
    elif bots:
        terminal.print(lines(bots, terminal.symbols))
    else:
        terminal.print("No bot is registered yet.")
        terminal.next("saurodrome bot register NAME")


@bot.command()
@click.argument("name")
@click.option("--new", is_flag=True, help="Issue a new one; the old one ends at once")
@connection_options
@json_option
@click.pass_obj
def token(terminal: Terminal, name: str, new: bool, connection: Connection) -> None:
    """Say where a bot's token lies; with --new, replace it.

    The old token ends at once, and with it the stream of a program that uses it.
    """
    path = token_path(name)
    if new:
        with connection.client() as client:
            write_token(path, client.rotate_token(name))
    exists = path.exists()
    if terminal.json:
        terminal.data({"bot": name, "token_file": str(path), "exists": exists, "new": new})
    elif new:
        text = f"New token of {name} saved in {path}; the old one does not work any more."
        terminal.print(wrapped(text))
    elif exists:
        terminal.print(f"The token of {name} lies in {path}; it is never shown.")
    else:
        terminal.print(f"There is no token of {name} in {HOME}.")
        terminal.next(f"saurodrome bot token {name} --new")


def lines(bots: tuple[Bot, ...], symbols: Symbols = UNICODE) -> list[str]:
    """Gives the bots as a table."""
    rows = [
        [
            str(one.number),
            cut(one.name, 32, symbols),
            cut(one.display_name, 14, symbols),
            cut(one.owner, 10, symbols),
            "yes" if one.connected else "-",
            str(one.playing),
        ]
        for one in bots
    ]
    return table(COLUMNS, rows)


def bot_json(one: Bot) -> dict[str, object]:
    """Gives a bot as JSON."""
    return {
        "bot": one.name,
        "number": one.number,
        "display_name": one.display_name,
        "owner": one.owner,
        "created": one.created.ToJsonString(),
        "connected": one.connected,
        "playing": one.playing,
    }
