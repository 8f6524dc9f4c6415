"""The match record: what a server adds to a playthrough."""

import zlib

import pytest

from saurodrome.engine import registry
from saurodrome.engine.playthrough import loads, verify
from saurodrome.server.record import record_match
from tests.sim.loop import simulate
from tests.sim.ports import ScriptedPort
from tests.sim.tables import DEAL, match, plan


@pytest.mark.parametrize("name", ["draftosaurus", "duelosaur"])
def test_a_record_names_the_ruleset_that_it_was_played_with_and_replays(name: str) -> None:
    game = registry.get(name)
    played = simulate(match([ScriptedPort(), ScriptedPort()], game).play())
    record = record_match(plan(2, game), DEAL, played, 1_790_000_000.0, "1.2.3")
    assert record is not None
    said = loads(zlib.decompress(record).decode())
    tags = dict(said.tags)
    assert tags.get("ruleset", "") == game.ruleset
    assert tags.get("ruleset-hash", "") == game.ruleset_hash
    assert verify(said) is None
