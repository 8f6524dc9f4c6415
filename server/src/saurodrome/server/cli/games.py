"""`saurodrome games`: what can be played; asks no server."""

import textwrap
from typing import Any

import click

from saurodrome.engine import registry
from saurodrome.engine.game import Game
from saurodrome.engine.games.draftosaurus import bits
from saurodrome.server.cli.options import json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import Column, table, wrapped

COLUMNS = (
    Column("game", right=False),
    Column("variants", right=False),
    Column("players", right=False),
    Column("rules"),
    Column("engine", right=False),
)

ROOM = 36
"""Cells for variants."""


def form(game: Game) -> str:
    """Says which form of a game's rules is running: compiled, or plain Python."""
    return "compiled" if game.name == "draftosaurus" and bits.COMPILED else "plain"


def lines(games: tuple[Game, ...]) -> list[str]:
    """Gives the games as a table; many variants take several lines."""
    rows = []
    for game in games:
        first, *rest = textwrap.wrap(
            ", ".join(game.variants), ROOM, break_on_hyphens=False, break_long_words=False
        )
        players = f"{game.min_players} to {game.max_players}"
        rows.append([game.name, first, players, str(game.rules_version), form(game)])
        rows += [["", more, "", "", ""] for more in rest]
    return [*table(COLUMNS, rows), *notes(games)]


def notes(games: tuple[Game, ...]) -> list[str]:
    """Says where component values come from, of games that have any."""
    said: list[str] = []
    for game in games:
        if game.ruleset:
            text = f"{game.name}: ruleset {game.ruleset}. {game.ruleset_note}"
            said += ["", *wrapped(text.strip())]
    return said


def game_json(game: Game) -> dict[str, Any]:
    """Gives a game as JSON."""
    return {
        "game": game.name,
        "variants": list(game.variants),
        "min_players": game.min_players,
        "max_players": game.max_players,
        "rules_version": game.rules_version,
        "engine": form(game),
        "ruleset": game.ruleset,
        "ruleset_hash": game.ruleset_hash,
        "note": game.ruleset_note,
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
