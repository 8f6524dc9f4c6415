"""Winter's last move: all owners at once, to the River if late, under the rules of the pens."""

from collections.abc import Callable, Sequence

import pytest

from saurodrome.engine.games.draftosaurus.state import DraftosaurusState
from saurodrome.engine.playthrough import Playthrough, replay, verify
from saurodrome.server.match import Match
from saurodrome.server.port import Answer, Question, Verdict
from tests.engine.draftosaurus.cases import plain_zoo
from tests.engine.draftosaurus.reference import Goal, Zoo
from tests.sim.heard import Heard
from tests.sim.loop import simulated
from tests.sim.ports import PlainCodec, Script, ScriptedPort, default_of
from tests.sim.tables import DEAL, DRAFTOSAURUS, plan

TURNS = 12
ZONE = 10
"""The quarantine zone is the eleventh place of the board, the River the twelfth."""


def into_quarantine(late: bool = False) -> Script:
    """Put a dinosaur into quarantine once the zone takes one; at the end move out, or be late."""

    def script(number: int, question: Question) -> Answer:
        if number >= TURNS:
            if late:
                return default_of(question, Verdict.TIMED_OUT)
            return Answer(question.legal[0], Verdict.ACCEPTED, 0.01)
        zone = [action for action in question.legal if action // 6 == ZONE]
        return Answer((zone or question.legal)[0], Verdict.ACCEPTED, 0.01)

    return script


def never(number: int, question: Question) -> Answer:
    """Put nothing into quarantine."""
    dry = [action for action in question.legal if action // 6 != ZONE]
    return Answer(dry[0], Verdict.ACCEPTED, 0.01)


def at_once(number: int) -> float:
    """Think no time at all."""
    return 0.0


async def play(
    scripts: Sequence[Script], *thinks: Callable[[int], float]
) -> tuple[Playthrough, list[ScriptedPort]]:
    """Play a winter match between scripted seats, the first of which may take their time."""
    times = [*thinks, *[at_once] * len(scripts)]
    ports = [
        ScriptedPort(script, thinks=time) for script, time in zip(scripts, times, strict=False)
    ]
    table = plan(len(ports))._replace(variant="winter")
    played = await Match(table, DEAL, ports, PlainCodec(), Heard(), lambda: 1_000.0).play()
    assert played.playthrough is not None
    assert verify(played.playthrough, DRAFTOSAURUS) is None
    return played.playthrough, ports


@simulated
async def test_all_owners_are_asked_at_the_same_moment_and_nobody_else() -> None:
    scripts = [into_quarantine(), never, into_quarantine(), never, into_quarantine()]
    record, ports = await play(scripts, lambda number: 0.1 * (number % 3), at_once, lambda _: 0.2)
    assert [len(port.asked) for port in ports] == [13, 12, 13, 12, 13]
    moments = {port.asked[TURNS][0] for port in ports if len(port.asked) > TURNS}
    assert len(moments) == 1
    last = record.steps[-1].choices
    assert [choice.seat for choice in last] == [0, 2, 4]
    assert all(choice.action.startswith("move ") for choice in last)


@simulated
async def test_the_quick_owner_waits_for_the_slow_one() -> None:
    def slow(number: int) -> float:
        return 0.9 if number == TURNS else 0.0

    record, ports = await play([into_quarantine(), into_quarantine(), never], slow)
    assert ports[0].asked[TURNS][0] == ports[1].asked[TURNS][0]
    last = record.steps[-1]
    assert [choice.seat for choice in last.choices] == [0, 1]
    firsts = [port.asked[TURNS][1].legal[0] for port in ports[:2]]
    before = list(replay(record))[-2]
    assert [choice.action for choice in last.choices] == [
        before.action_text(seat, action) for seat, action in enumerate(firsts)
    ]


@pytest.mark.parametrize("players", [2, 3, 5])
@simulated
async def test_a_late_owners_dinosaur_goes_to_the_river(players: int) -> None:
    scripts = [into_quarantine(late=True), *[into_quarantine()] * (players - 1)]
    if players == 2:  # two questions a turn: the twelve placements and the discards
        scripts = [two_players(script) for script in scripts]
    record, _ = await play(scripts)
    before, after = list(replay(record))[-2:]
    assert isinstance(before, DraftosaurusState)
    assert isinstance(after, DraftosaurusState)
    late = record.steps[-1].choices[0]
    assert late.note.startswith("timed_out")
    (species,) = plain_zoo(before, 0)["quarantine_zone"]
    assert plain_zoo(after, 0)["river"] == [*plain_zoo(before, 0)["river"], species]
    assert plain_zoo(after, 0)["quarantine_zone"] == []
    assert all("river" not in choice.action for choice in record.steps[-1].choices[1:])


def two_players(script: Script) -> Script:
    """Number the placements only, and discard the first dinosaur."""
    placed = 0

    def numbered(number: int, question: Question) -> Answer:
        nonlocal placed
        if number % 2 and number < 2 * TURNS:
            return Answer(question.legal[0], Verdict.ACCEPTED, 0.01)
        placed += 1
        return script(placed - 1, question)

    return numbered


@pytest.mark.parametrize("players", [3, 4, 5])
@simulated
async def test_targets_obey_the_pens_own_rules(players: int) -> None:
    """The second opinion on the rules lists the same targets as the question does."""
    record, ports = await play([into_quarantine()] * players)
    before = list(replay(record))[-2]
    assert isinstance(before, DraftosaurusState)
    for seat in before.deciders():
        zoo = Zoo("winter")
        for pen, inside in plain_zoo(before, seat).items():
            for slot, species in enumerate(inside):
                if species is not None:
                    zoo.put(species, (pen, slot if pen == "pyramid" else None))
        expected = zoo.moves([zoo.leave_quarantine()], None)
        assert {goal_of(before, seat, action) for action in ports[seat].asked[TURNS][1].legal} == {
            goal for _, goal in expected
        }


def goal_of(state: DraftosaurusState, seat: int, action: int) -> Goal:
    """Say where a move out of quarantine goes, by its text."""
    _, _, pen, *slot = state.action_text(seat, action).split()
    (name,) = [one.name for one in state.board.pens if one.short == pen]
    return name, int(slot[0]) if slot else None
