"""Sealed phases: every seat goes on at its own pace, and nobody can time the others."""

import asyncio
from collections.abc import Callable

from saurodrome.engine import playthrough as playthroughs
from saurodrome.server.port import Answer, FaultRule, Question, Verdict
from saurodrome.server.store.records import Termination
from tests.engine.toy import GAME as CAIRNS
from tests.sim.loop import simulated
from tests.sim.ports import ScriptedPort, late_at
from tests.sim.tables import match, places


def every(seconds: float) -> Callable[[int], float]:
    """Think so long about each question."""
    return lambda number: seconds


@simulated
async def test_a_sealed_phase_is_played_to_its_reveal() -> None:
    played = await match([ScriptedPort() for _ in range(3)], CAIRNS).play()
    assert played.termination is Termination.FINISHED
    assert played.playthrough is not None
    assert playthroughs.verify(played.playthrough, CAIRNS) is None


def stacks(number: int, question: Question) -> Answer:
    """Stack every stone of the toy before being done; keep the cairn."""
    return Answer(question.legal[-1] if 1 in question.legal else question.legal[0], *QUICK)


QUICK = (Verdict.ACCEPTED, 0.01)


@simulated
async def test_in_a_sealed_phase_no_seat_can_time_anothers_steps() -> None:
    """However long one takes, the other is asked its next step as soon as it answered."""
    timelines = []
    for pause in (0.0, 0.3, 0.9):
        ann = ScriptedPort(stacks, thinks=every(0.1))
        bob = ScriptedPort(stacks, thinks=every(pause))
        begun = asyncio.get_running_loop().time()
        await match([ann, bob], CAIRNS).play()
        timelines.append([(round(when - begun, 6), q.payload) for when, q in ann.asked])
    steps = sealed_steps(timelines[0])
    assert steps >= 2
    assert timelines[0][:steps] == timelines[1][:steps] == timelines[2][:steps]


def sealed_steps(timeline: list[tuple[float, bytes]]) -> int:
    """Return how many questions of a timeline belong to the first sealed phase."""
    return next((i for i, (_, p) in enumerate(timeline) if b"(0, 0, 0," not in p), len(timeline))


@simulated
async def test_in_a_sealed_phase_the_outcome_does_not_depend_on_the_order_of_steps() -> None:
    results = []
    for pauses in ((0.0, 0.3), (0.3, 0.0), (0.1, 0.1)):
        ports = [ScriptedPort(stacks, thinks=every(pause)) for pause in pauses]
        results.append((await match(ports, CAIRNS).play()).seats)
    assert results[0] == results[1] == results[2]


@simulated
async def test_a_seat_that_forfeited_plays_its_sealed_steps_by_default() -> None:
    rule = FaultRule(strikes_in_a_row=1)
    ports = [ScriptedPort(late_at(0)), ScriptedPort(stacks), ScriptedPort(stacks)]
    played = await match(ports, CAIRNS, rule).play()
    assert len(ports[0].asked) == 1
    assert [seat.forfeited for seat in played.seats] == [True, False, False]
    assert places(played)[0] == 3
    assert played.playthrough is not None
    assert playthroughs.verify(played.playthrough, CAIRNS) is None


@simulated
async def test_a_forfeit_of_two_in_a_sealed_phase_ends_the_match_while_the_other_thinks() -> None:
    rule = FaultRule(strikes_in_a_row=1)
    ports = [ScriptedPort(late_at(0)), ScriptedPort(stacks, thinks=every(5.0))]
    begun = asyncio.get_running_loop().time()
    played = await match(ports, CAIRNS, rule).play()
    assert asyncio.get_running_loop().time() - begun < 5.0
    assert places(played) == [2, 1]
