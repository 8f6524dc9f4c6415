"""What a server plays, as messages: its games, and their rulesets in chunks."""

from collections.abc import Iterator, Sequence

from saurodrome.bot.v1 import games_pb2
from saurodrome.engine.game import Game
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc import checks

CHUNK = 32_768
"""Bytes of a ruleset in one message."""


def info(game: Game) -> games_pb2.GameInfo:
    """A game."""
    return games_pb2.GameInfo(
        game=game.name,
        variants=game.variants,
        min_players=game.min_players,
        max_players=game.max_players,
        rules_version=game.rules_version,
        ruleset=game.ruleset,
        ruleset_hash=game.ruleset_hash,
        note=game.ruleset_note,
        variant_players=[
            games_pb2.VariantPlayers(variant=variant, players=game.player_counts(variant))
            for variant in game.variants
        ],
    )


def ruleset(name: str, games: Sequence[Game]) -> Iterator[games_pb2.GetRulesetResponse]:
    """The ruleset of a game, part by part.

    Raises:
        Refused: UNKNOWN_GAME or NO_RULESET.
    """
    by_name = {game.name: game for game in games}
    game = by_name[checks.known(name, sorted(by_name), "UNKNOWN_GAME", "No game is called", "game")]
    document = game.ruleset_json().encode()
    if not document:
        raise Refused(
            Kind.NOT_FOUND,
            "NO_RULESET",
            f"{game.name} has no ruleset: its rules are all.",
            "game",
            "ask for it only where ListGames names one",
        )
    for begin in range(0, len(document), CHUNK):
        yield games_pb2.GetRulesetResponse(
            ruleset=game.ruleset,
            hash=game.ruleset_hash,
            size=len(document),
            chunk=document[begin : begin + CHUNK],
        )
