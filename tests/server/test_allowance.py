"""How long a seat may think: by kind of phase, and out of a bank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.allowance import Allowance
from saurodrome.server.port import TimeControl
from saurodrome.server.store.records import Termination
from tests.sim.bots import Bot
from tests.sim.cups import stop
from tests.sim.loop import simulated
from tests.sim.world import World

PLAIN = TimeControl(decision=1.0, sealed=10.0)


def test_without_a_bank_every_decision_has_its_limit_however_much_was_spent() -> None:
    allowance = Allowance(PLAIN)
    for _ in range(3):
        assert allowance.limit("place") == 1.0
        assert allowance.limit("build", sealed=True) == 10.0
        allowance.spend(1.0)


def test_a_kind_of_phase_may_have_a_limit_of_its_own() -> None:
    allowance = Allowance(PLAIN._replace(phases=(("discard", 0.25), ("build", 30.0))))
    assert allowance.limit("discard") == 0.25
    assert allowance.limit("place") == 1.0
    assert allowance.limit("build", sealed=True) == 30.0


def test_a_bank_is_spent_and_each_decision_gives_the_increment_back() -> None:
    allowance = Allowance(PLAIN._replace(bank=2.0, increment=0.5))
    assert allowance.limit("place") == 1.0  # no more than a decision may take
    allowance.spend(1.0)  # 1.5 left
    allowance.spend(1.0)  # 1.0 left
    allowance.spend(0.75)
    assert allowance.limit("place") == 0.75
    allowance.spend(0.75)
    assert allowance.limit("place") == 0.5


@given(st.lists(st.floats(0.0, 5.0)), st.floats(0.001, 9.0), st.floats(0.001, 2.0))
def test_a_bank_is_never_in_debt_and_there_is_always_the_increment(
    spent: list[float], bank: float, increment: float
) -> None:
    allowance = Allowance(PLAIN._replace(bank=bank, increment=increment))
    for seconds in spent:
        allowance.spend(seconds)
        assert min(increment, 1.0) <= allowance.limit("place") <= 1.0


class Thinker(Bot):
    """Thinks for the same time about everything."""

    seconds = 0.1

    def thinks(self, decision: object) -> float:
        """Return how long."""
        return self.seconds


@pytest.mark.parametrize(("bank", "forfeits"), [(0.0, False), (0.5, True), (4.0, False)])
@simulated
async def test_who_spends_the_bank_too_quickly_times_out(bank: float, forfeits: bool) -> None:
    """Two dozen decisions of 0.1 s want some 2.4 s, of which increments give back a tenth."""
    time = TimeControl(ready=2.0, decision=0.2, margin=0.0, bank=bank, increment=0.01)
    async with World() as world:
        await world.begin("ann", "bob", time=time)
        bots = [Thinker(world, "ann"), Bot(world, "bob")]
        await world.over()
        results = await world.results()
        faults = [fault for _, fault in await world.organiser.faults("cup", "ann", None, 50)]
        stop(bots)
    if not forfeits:
        assert {r.termination for r in results} == {Termination.FINISHED}
        assert faults == []
        return
    assert {r.termination for r in results} == {Termination.FORFEIT}
    assert {fault.kind for fault in faults} == {"TIMED_OUT"}
    assert all(fault.limit < 0.1 for fault in faults)


@simulated
async def test_limits_of_kinds_of_phases_hold_in_sealed_phases_too() -> None:
    time = TimeControl(ready=2.0, decision=5.0, margin=0.0, sealed=20.0, phases=(("build", 0.15),))
    async with World() as world:
        await world.begin("ann", "bob", game=("duelosaur", "short"), time=time)
        bots = [Thinker(world, "ann"), Bot(world, "bob")]
        await world.over()
        faults = [fault for _, fault in await world.organiser.faults("cup", "ann", None, 50)]
        stop(bots)
    assert faults
    assert {fault.kind for fault in faults} == {"TIMED_OUT"}
    assert all(fault.limit <= 0.15 for fault in faults)
