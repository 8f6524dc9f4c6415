"""Match records as a server makes them: played in virtual time, the secret opened, compressed."""

import hashlib
import zlib
from functools import cache

from saurodrome.engine.playthrough import dumps, loads
from saurodrome.server.match import Match
from saurodrome.server.port import Answer, Question, Verdict
from saurodrome.server.record import record_match
from tests.sim.heard import Heard
from tests.sim.loop import simulate
from tests.sim.ports import PlainCodec, Script, ScriptedPort, late_at
from tests.sim.tables import DEAL, plan


def some(seat: int) -> Script:
    """Answer with one legal action or another, the same ones each time."""

    def script(number: int, question: Question) -> Answer:
        chosen = (7 * number + 3 * seat) % len(question.legal)
        return Answer(question.legal[chosen], Verdict.ACCEPTED, 0.012)

    return script


@cache
def recorded(variant: str = "winter", players: int = 5, forfeits: bool = False) -> str:
    """Give the record of a match; in one with forfeits seat 0 is late three times in a row."""
    scripts = [some(seat) for seat in range(players)]
    if forfeits:
        scripts[0] = late_at(*range(30))
    table = plan(players)._replace(variant=variant)
    ports = [ScriptedPort(script) for script in scripts]
    played = simulate(Match(table, DEAL, ports, PlainCodec(), Heard(), lambda: 1_000.0).play())
    record = record_match(table, DEAL, played, 1_790_000_000.0, "1.2.3")
    assert record is not None
    return zlib.decompress(record).decode()


def signed(body: str) -> str:
    """Give an edited text a checksum that fits again."""
    body = body.rpartition("sha256 ")[0]
    return f"{body}sha256 {hashlib.sha256(body.encode()).hexdigest()}\n"


def retagged(text: str, **tags: str | None) -> str:
    """Give a record other tags, None for none; underscores stand for hyphens."""
    played = loads(text)
    changed = {key.replace("_", "-"): value for key, value in tags.items()}
    kept = {**dict(played.tags), **changed}
    pairs = tuple((key, value) for key, value in kept.items() if value is not None)
    return dumps(played._replace(tags=pairs))
