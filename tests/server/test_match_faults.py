"""What faults cost in a match: defaults, strikes, forfeits and their places, void attempts."""

import pytest

from saurodrome.engine import playthrough as playthroughs
from saurodrome.server.match import AttemptVoid
from saurodrome.server.port import Answer, FaultRule, Question, TimeControl, Verdict
from saurodrome.server.store.records import Termination
from tests.engine.toy import GAME as CAIRNS
from tests.sim.heard import Heard
from tests.sim.loop import simulated
from tests.sim.ports import Script, ScriptedPort, default_of, illegal_at, late_at
from tests.sim.tables import DRAFTOSAURUS, match, places


@simulated
async def test_a_timeout_plays_the_default_and_the_match_goes_on() -> None:
    ports = [ScriptedPort(late_at(1)), ScriptedPort(), ScriptedPort()]
    played = await match(ports).play()
    assert played.termination is Termination.FINISHED
    (fault,) = played.faults
    assert (fault.kind, fault.bot, fault.turn, fault.charged_to) == ("TIMED_OUT", "ann", 2, "bot")
    assert fault.took >= fault.limit == TimeControl().decision
    assert [seat.timeouts for seat in played.seats] == [1, 0, 0]
    _, question = ports[0].asked[1]
    record = played.playthrough
    assert record is not None
    choice = record.steps[1].choices[0]
    assert choice.note.startswith("timed_out 1000")
    assert question.default in question.legal


@pytest.mark.case("TO-01")
@pytest.mark.parametrize(
    ("script", "kind"), [(late_at(2, 3, 4), "TIMED_OUT"), (illegal_at(2, 3, 4), "ILLEGAL")]
)
@simulated
async def test_of_two_players_three_strikes_in_a_row_end_the_match_at_once(
    script: Script, kind: str
) -> None:
    heard = Heard()
    ports = [ScriptedPort(script), ScriptedPort()]
    played = await match(ports, heard=heard).play()
    assert played.termination is Termination.FORFEIT
    assert places(played) == [2, 1]
    assert [seat.forfeited for seat in played.seats] == [True, False]
    assert [seat.rated for seat in played.seats] == [True, True]
    assert [len(port.asked) for port in ports] == [5, 5]
    assert [fault.kind for fault in played.faults] == [kind] * 3
    assert heard.all("forfeited") == [("ann", "cup/1/1/1", kind.lower())]
    assert "forfeit" in played.faults[-1].counted_as


@simulated
async def test_five_strikes_in_a_match_forfeit_it() -> None:
    ports = [ScriptedPort(late_at(0, 2, 4, 6, 8)), ScriptedPort()]
    played = await match(ports).play()
    assert played.termination is Termination.FORFEIT
    assert len(ports[0].asked) == 9


@simulated
async def test_four_strikes_apart_forfeit_nothing() -> None:
    ports = [ScriptedPort(late_at(0, 2, 4, 6)), ScriptedPort(illegal_at(0, 2, 4, 6))]
    assert (await match(ports).play()).termination is Termination.FINISHED


@pytest.mark.case("P49")
@simulated
async def test_with_more_players_who_forfeits_is_asked_no_more_and_the_others_play_on() -> None:
    ports = [ScriptedPort(late_at(0, 1, 2)), ScriptedPort(), ScriptedPort()]
    played = await match(ports).play()
    assert played.termination is Termination.FORFEIT
    assert len(ports[0].asked) == 3
    assert len(ports[1].asked) == len(ports[2].asked) > 3
    assert places(played)[0] == 3
    assert sorted(places(played)[1:])[0] == 1
    assert all(seat.rated for seat in played.seats)
    record = played.playthrough
    assert record is not None
    assert record.outcome is not None
    assert playthroughs.verify(record, DRAFTOSAURUS) is None


@simulated
async def test_later_forfeits_are_placed_above_earlier_ones() -> None:
    ports = [
        ScriptedPort(late_at(2, 3, 4)),
        ScriptedPort(),
        ScriptedPort(late_at(0, 1, 2)),
        ScriptedPort(illegal_at(3, 4, 5)),
    ]
    assert places(await match(ports).play()) == [3, 1, 4, 2]


@simulated
async def test_forfeits_in_the_same_turn_share_their_place() -> None:
    ports = [ScriptedPort(late_at(0, 1, 2)), ScriptedPort(illegal_at(0, 1, 2)), ScriptedPort()]
    assert places(await match(ports).play()) == [2, 2, 1]


@simulated
async def test_two_who_forfeit_in_the_same_turn_share_the_first_place() -> None:
    ports = [ScriptedPort(late_at(0, 1, 2)), ScriptedPort(late_at(0, 1, 2))]
    played = await match(ports).play()
    assert places(played) == [1, 1]
    assert [seat.forfeited for seat in played.seats] == [True, True]


@simulated
async def test_a_match_that_all_forfeit_ends_by_itself() -> None:
    ports = [ScriptedPort(late_at(k, k + 1, k + 2)) for k in range(4)]
    played = await match(ports).play()
    assert places(played) == [4, 3, 2, 1]


@pytest.mark.case("P46")
@simulated
async def test_a_forfeit_in_the_last_turn_keeps_the_points_and_takes_the_place() -> None:
    counted = ScriptedPort()
    await match([counted, ScriptedPort()]).play()
    turns = len(counted.asked)
    last = late_at(turns - 3, turns - 2, turns - 1)
    played = await match([ScriptedPort(last), ScriptedPort()]).play()
    assert played.playthrough is not None
    assert played.playthrough.outcome is not None
    assert places(played) == [2, 1]
    assert [s.points for s in played.seats] == list(played.playthrough.outcome.points)


@simulated
async def test_illegal_replies_before_a_legal_one_are_noted_and_no_strike() -> None:
    def sloppy(number: int, question: Question) -> Answer:
        return Answer(question.legal[0], Verdict.ACCEPTED, 0.2, illegal=2)

    ports = [ScriptedPort(sloppy), ScriptedPort()]
    played = await match(ports, faults=FaultRule(1, 1, 3)).play()
    assert played.termination is Termination.FINISHED
    assert played.seats[0].illegal == 2 * len(ports[0].asked)
    assert {fault.kind for fault in played.faults} == {"ILLEGAL"}


@simulated
async def test_a_void_answer_makes_the_attempt_void() -> None:
    def stood_still(number: int, question: Question) -> Answer:
        return default_of(question, Verdict.VOID, stalled=2.5)

    for game in (DRAFTOSAURUS, CAIRNS):
        with pytest.raises(AttemptVoid, match=r"2\.5 s inside a decision of bob"):
            await match([ScriptedPort(), ScriptedPort(stood_still)], game).play()
