"""What is drawn and played in a match does not depend on what other matches do meanwhile."""

import asyncio
from typing import Any

import pytest

from saurodrome.server.frames import Decision, Hello
from tests.sim.bots import Bot
from tests.sim.loop import simulate
from tests.sim.ports import legal_of
from tests.sim.world import Attempt, World

CUP = "cup/1/1/1"


class First(Bot):
    """Takes the first action at once."""

    hello = Hello("1", "sim", {}, 4)

    def answer(self, decision: Decision) -> None:
        """Send it."""
        self.reply(decision, legal_of(decision.payload)[0])


def in_flight_beside(world: World) -> int:
    """Return how many matches of others ran while the first match of the cup did."""
    flying: set[str] = set()
    beside: set[str] = set()
    for event in world.trace.events:
        if event.name == "match_started":
            flying.add(event.args[1])
        if CUP in flying:
            beside |= {one for one in flying if not one.startswith("cup/")}
        if event.name == "match_finished":
            flying.discard(event.args[0].match_id)
    return len(beside)


def played(beside: int) -> tuple[Attempt, int]:
    """Return the first match of a cup, and how many matches of others ran beside it.

    Args:
        beside: Tournaments of the same two bots that go on meanwhile.
    """

    async def main() -> tuple[Attempt, int]:
        async with World(seed=3) as world:
            bots = [First(world, name) for name in ("ann", "bob")]
            for number in range(beside):
                await world.begin("ann", "bob", name=f"other-{number}")
            if beside:
                await asyncio.sleep(0.01)
            await world.begin("ann", "bob")
            await world.over()
            for number in range(beside):
                await world.over(f"other-{number}")
            for bot in bots:
                bot.stop()
            return world.played[CUP, 1], in_flight_beside(world)

    return simulate(main())


def course(attempt: Attempt) -> list[Any]:
    """Return all draws and actions of a match, without what bots note of their times."""
    playthrough = attempt.played.playthrough
    assert playthrough is not None
    steps = playthrough.steps
    assert any(step.draws for step in steps)
    return [(step.draws, [(c.seat, c.action) for c in step.choices]) for step in steps]


@pytest.mark.case("HI-06")
def test_a_match_is_the_same_whether_or_not_its_players_play_others() -> None:
    alone, none = played(0)
    among, others = played(3)
    assert none == 0 < others
    assert among.deal == alone.deal
    assert course(among) == course(alone)
