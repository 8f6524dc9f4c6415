"""The time of a sealed phase: one budget a seat for all steps, one strike at most."""

import asyncio

import pytest

from saurodrome.engine import playthrough as playthroughs
from saurodrome.server.match import Played
from saurodrome.server.port import Answer, FaultRule, Question, Verdict
from tests.engine.toy import GAME as CAIRNS
from tests.sim.loop import simulated
from tests.sim.ports import Script, ScriptedPort
from tests.sim.tables import match

BUDGET = 10.0
"""The usual time control's seconds for a sealed phase."""
DECISION = 1.0


def stack(charged: float) -> Script:
    """Stack every stone of the toy before being done, taking so long for each step."""

    def script(number: int, question: Question) -> Answer:
        action = question.legal[-1] if 1 in question.legal else question.legal[0]
        return Answer(action, Verdict.ACCEPTED, charged)

    return script


def gone(verdict: Verdict, *numbers: int) -> Script:
    """Stack as above, and be struck at some questions."""

    def script(number: int, question: Question) -> Answer:
        if number in numbers:
            return Answer(question.default, verdict, question.time.decision, 3)
        return stack(0.25)(number, question)

    return script


def limits(port: ScriptedPort) -> list[float]:
    """The seconds that a seat had for each of its questions."""
    return [question.time.decision for _, question in port.asked]


def texts(played: Played, seat: int) -> list[str]:
    """What a seat did in the match."""
    assert played.playthrough is not None
    choices = [choice for step in played.playthrough.steps for choice in step.choices]
    return [choice.action for choice in choices if choice.seat == seat]


@simulated
async def test_each_step_has_what_the_steps_before_it_left_and_a_new_phase_all_of_it() -> None:
    ports = [ScriptedPort(stack(0.25)), ScriptedPort(stack(0.5))]
    played = await match(ports, CAIRNS).play()
    for port, charged in zip(ports, (0.25, 0.5), strict=True):
        got = limits(port)
        phases = [i for i, limit in enumerate(got) if limit == BUDGET]
        assert len(phases) == 2  # the toy has two rounds
        for number, limit in enumerate(got):
            if limit != DECISION:  # of the open phase
                begun = max(phase for phase in phases if phase <= number)
                assert limit == pytest.approx(BUDGET - charged * (number - begun))
    assert DECISION in limits(ports[0]) + limits(ports[1])
    assert played.playthrough is not None
    assert playthroughs.verify(played.playthrough, CAIRNS) is None


@simulated
async def test_at_the_deadline_the_seat_is_done_with_one_strike_and_its_steps_stand() -> None:
    ports = [ScriptedPort(gone(Verdict.TIMED_OUT, 1)), ScriptedPort(stack(0.1))]
    played = await match(ports, CAIRNS, FaultRule(strikes_in_a_row=5)).play()
    assert texts(played, 0)[:2] == ["stack", "done"]
    assert played.seats[0].timeouts == 1
    fault = played.faults[0]
    assert (fault.kind, fault.bot) == ("TIMED_OUT", "ann")
    assert fault.took == fault.limit == BUDGET - 0.25


@simulated
async def test_a_budget_that_ends_with_a_step_in_its_margin_ends_the_build_without_a_strike() -> (
    None
):
    ports = [ScriptedPort(stack(BUDGET + 0.01)), ScriptedPort(stack(0.1))]
    played = await match(ports, CAIRNS).play()
    assert texts(played, 0)[:2] == ["stack", "done"]
    assert played.seats[0].timeouts == 0
    assert limits(ports[0])[:2] in ([BUDGET, DECISION], [BUDGET, BUDGET])


@simulated
async def test_what_one_spends_takes_nothing_from_the_other() -> None:
    for script in (stack(0.0), stack(3.0), gone(Verdict.TIMED_OUT, 0)):
        other = ScriptedPort(stack(0.5))
        await match([ScriptedPort(script), other], CAIRNS, FaultRule(9, 9)).play()
        assert limits(other)[:2] == [BUDGET, BUDGET - 0.5]


@simulated
async def test_a_lone_seat_that_forfeits_ends_its_match() -> None:
    alone = CAIRNS.__class__("cairns", ("plain",), 1, 4, 1)
    port = ScriptedPort(gone(Verdict.TIMED_OUT, 0))
    begun = asyncio.get_running_loop().time()
    played = await match([port], alone, FaultRule(strikes_in_a_row=1)).play()
    assert (len(port.asked), played.seats[0].forfeited) == (1, True)
    assert asyncio.get_running_loop().time() == begun
