"""One attempt: who is asked when, what is applied, and who had to be ready."""

from collections.abc import Callable
from itertools import islice

import pytest

from saurodrome.engine import playthrough as playthroughs
from saurodrome.server.store.records import Termination
from tests.engine.toy import GAME as CAIRNS
from tests.sim.loop import simulated
from tests.sim.ports import ScriptedPort, late_at
from tests.sim.tables import DEAL, DRAFTOSAURUS, NAMES, RULE, match, places


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@simulated
async def test_a_match_without_faults_ends_as_the_rules_say(players: int) -> None:
    played = await match([ScriptedPort() for _ in range(players)]).play()
    assert played.termination is Termination.FINISHED
    assert played.faults == ()
    record = played.playthrough
    assert record is not None
    assert record.outcome is not None
    assert [(s.placement, s.points) for s in played.seats] == list(
        zip(record.outcome.placements, record.outcome.points, strict=True)
    )
    assert playthroughs.verify(record, DRAFTOSAURUS) is None


@simulated
async def test_the_draws_are_those_of_the_attempts_secret() -> None:
    first = await match([ScriptedPort() for _ in range(3)]).play()
    again = await match([ScriptedPort() for _ in range(3)]).play()
    assert first == again


@simulated
async def test_each_bot_is_told_its_seat_and_the_commitment_before_the_deal() -> None:
    ports = [ScriptedPort() for _ in range(3)]
    await match(ports).play()
    for seat, port in enumerate(ports):
        (start,) = port.started
        assert (start.seat, start.attempt, start.match_id) == (seat, 1, "cup/1/1/1")
        assert [player.bot for player in start.players] == list(NAMES[:3])
        assert start.commitment == DEAL.commitment
        assert (start.game, start.variant) == (DRAFTOSAURUS.name, DRAFTOSAURUS.variants[0])


@simulated
async def test_ids_of_decisions_are_a_seats_own_count() -> None:
    ports = [ScriptedPort(late_at(0, 1, 2)), ScriptedPort(), ScriptedPort()]
    await match(ports).play()
    for seat, port in enumerate(ports):
        ids = [question.decision_id for _, question in port.asked]
        assert ids == list(islice(DEAL.decision_ids(seat), len(ids)))


@pytest.mark.case("P49")
@simulated
async def test_a_question_offers_the_legal_actions_and_a_legal_default() -> None:
    ports = [ScriptedPort() for _ in range(4)]
    await match(ports).play()
    questions = [question for port in ports for _, question in port.asked]
    assert questions
    for question in questions:
        assert question.legal == tuple(sorted(set(question.legal)))
        assert question.default in question.legal
        assert question.replies == RULE.replies_per_decision


@simulated
async def test_nothing_is_asked_before_the_answers_of_all_deciders_are_in() -> None:
    events: list[tuple[str, int, int]] = []

    def port(seat: int) -> ScriptedPort:
        return ScriptedPort(
            thinks=lambda number: 0.1 * ((seat + number) % 3),
            log=lambda event, number: events.append((event, number, seat)),
        )

    await match([port(seat) for seat in range(3)]).play()
    by_turn = [number for _, number, _ in events]
    assert by_turn == sorted(by_turn)
    for number in range(max(by_turn) + 1):
        kinds = [event for event, turn, _ in events if turn == number]
        assert kinds == ["asked"] * 3 + ["answered"] * 3


def uneven(seat: int) -> Callable[[int], float]:
    """Think now longer, now shorter than the others."""
    return lambda number: 0.01 * ((seat + number) % 4)


@simulated
async def test_no_seat_is_ever_asked_twice_at_once() -> None:
    for game in (DRAFTOSAURUS, CAIRNS):
        ports = [ScriptedPort(thinks=uneven(seat)) for seat in range(3)]
        await match(ports, game).play()
        assert [port.most_open for port in ports] == [1, 1, 1]


@simulated
async def test_every_answer_is_applied_exactly_once() -> None:
    ports = [ScriptedPort() for _ in range(3)]
    played = await match(ports).play()
    record = played.playthrough
    assert record is not None
    for seat, port in enumerate(ports):
        choices = [c for step in record.steps for c in step.choices if c.seat == seat]
        assert len(choices) == len(port.asked)


# READY


@pytest.mark.parametrize(
    ("ready", "termination", "placements"),
    [
        ((True, False), Termination.ABSENT, [1, 2]),
        ((False, True, True), Termination.ABSENT, [3, 1, 1]),
        ((False, False, True, False), Termination.ABSENT, [2, 2, 1, 2]),
        ((False, False), Termination.NO_CONTEST, [1, 1]),
    ],
)
@simulated
async def test_a_match_is_not_played_unless_all_are_ready(
    ready: tuple[bool, ...], termination: Termination, placements: list[int]
) -> None:
    ports = [ScriptedPort(ready=is_ready) for is_ready in ready]
    played = await match(ports).play()
    assert played.termination is termination
    assert places(played) == placements
    assert [seat.absent for seat in played.seats] == [not is_ready for is_ready in ready]
    assert not any(seat.rated for seat in played.seats)
    assert not any(port.asked for port in ports)
    assert played.playthrough is None
    assert [(f.kind, f.limit) for f in played.faults] == [("NOT_READY", 20.0)] * ready.count(False)
