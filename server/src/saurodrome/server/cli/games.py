"""`saurodrome games`: what can be played; asks no server."""

from typing import Any

import click

from saurodrome.engine import registry
from saurodrome.engine.game import Game
from saurodrome.server.cli.options import json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import Column, table

COLUMNS = (
    Column("game", right=False),
    Column("variants", right=False),
    Column("players", right=False),
    Column("rules"),
)


def lines(games: tuple[Game, ...]) -> list[str]:
    """Gives the games as a table."""
    rows = [
        [
            game.name,
            ", ".join(game.variants),
            f"{game.min_players} to {game.max_players}",
            str(game.rules_version),
        ]
        for game in games
    ]
    return table(COLUMNS, rows)


def game_json(game: Game) -> dict[str, Any]:
    """Gives a game as JSON."""
    return {
        "game": game.name,
        "variants": list(game.variants),
        "min_players": game.min_players,
        "max_players": game.max_players,
        "rules_version": game.rules_version,
    }


@click.command()
@json_option
@click.pass_obj
def games(terminal: Terminal) -> None:
    """List what can be played; needs no server."""
    known = registry.games()
    if terminal.json:
        terminal.data([game_json(game) for game in known])
    else:
        terminal.print(lines(known))
