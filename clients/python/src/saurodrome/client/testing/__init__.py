"""Test a bot without a server: decisions as text, and an arbiter that follows a script.

    from saurodrome.client.testing import decision, play

    def test_takes_the_forest() -> None:
        d = decision(["S forest", "S river"], zoos=[{"forest": "SS"}, {}])
        assert play(choose, [d]) == ["S forest"]

`ScriptedArbiter` is a real gRPC server on a free port that a test leads frame by frame.
"""

from saurodrome.client.testing._arbiter import ScriptedArbiter, ScriptedStream
from saurodrome.client.testing._draftosaurus import decision, match
from saurodrome.client.testing._play import play

__all__ = ["ScriptedArbiter", "ScriptedStream", "decision", "match", "play"]
