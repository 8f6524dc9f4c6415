"""Matches between scripted seats, without sessions, lobby or store."""

from collections.abc import Sequence

from saurodrome.engine import registry
from saurodrome.engine.game import Game
from saurodrome.server.deals import SeededDealer
from saurodrome.server.match import Match, MatchPlan, Played
from saurodrome.server.port import FaultRule, PlayerName, TimeControl
from tests.sim.heard import Heard
from tests.sim.ports import PlainCodec, ScriptedPort

DRAFTOSAURUS = registry.get("draftosaurus")
NAMES = ("ann", "bob", "cyd", "dan", "eve")
DEAL = SeededDealer(7).deal("cup/1/1/1", 1)
RULE = FaultRule(strikes_in_a_row=3, strikes_in_match=5, replies_per_decision=3)


def plan(
    players: int, game: Game = DRAFTOSAURUS, faults: FaultRule = RULE, attempt: int = 1
) -> MatchPlan:
    """Return a plan for a table."""
    names = tuple(PlayerName(name, name.title()) for name in NAMES[:players])
    variant = game.variants[0]
    return MatchPlan("cup", "cup/1/1/1", attempt, game, variant, names, TimeControl(), faults)


def match(
    ports: Sequence[ScriptedPort],
    game: Game = DRAFTOSAURUS,
    faults: FaultRule = RULE,
    heard: Heard | None = None,
) -> Match:
    """Return a match between scripted seats."""
    table = plan(len(ports), game, faults)
    return Match(table, DEAL, ports, PlainCodec(), heard or Heard(), lambda: 1_000.0)


def places(played: Played) -> list[int]:
    """Return the placements by seat."""
    return [seat.placement for seat in played.seats]
