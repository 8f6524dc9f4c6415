"""A sequential test stops a tournament, and lets a ladder take a new version for an old one."""

import asyncio
from dataclasses import replace

import pytest

from saurodrome.server.contracts import EntrantStatus
from saurodrome.server.rating.sprt import Verdict
from saurodrome.server.settings import Format, Seating, SprtRule
from saurodrome.server.store.records import EventKind
from saurodrome.server.tournament.ledger import block
from saurodrome.server.tournament.sequential import SequentialTest
from tests.server.cli.cup import Played
from tests.sim.bots import Silent
from tests.sim.cups import FINISHED, arrive, state, stop
from tests.sim.loop import simulated
from tests.sim.world import World


def rule(bot: str, *against: str) -> SprtRule:
    """Test for a lead of 200."""
    return SprtRule(bot, against, elo0=0.0, elo1=200.0)


def judge(played: Played, bot: str, *against: str) -> SequentialTest:
    """Test a bot in a cup."""
    return SequentialTest(replace(played.settings, sprt=rule(bot, *against)))


def test_the_rejected_bot_is_to_leave_or_else_those_that_it_beat() -> None:
    played = Played(rounds=20)
    played.play(300)
    ((bot, reason),) = judge(played, "ann", "eve").lost(played.course)
    assert bot == "ann"
    assert reason.startswith("test: ann was rejected against eve: LLR -")
    assert reason.endswith("normalised Elo 0 to 200")
    accepted = judge(played, "eve", "ann", "bob").lost(played.course)
    assert [bot for bot, _ in accepted] == ["ann", "bob"]


def test_results_that_come_one_by_one_stand_for_the_same_as_all_at_once() -> None:
    played = Played(rounds=20)
    test = judge(played, "eve", "ann", "bob", "cyd")
    for count in (0, 1, 1, 7, 31):
        played.play(count)
        again = judge(played, "eve", "ann", "bob", "cyd")
        assert test.look(played.course) == again.look(played.course)
    assert test.look(played.course).verdict is Verdict.OPEN


def test_half_a_block_and_one_with_a_void_match_do_not_count() -> None:
    played = Played(rounds=20)
    test = judge(played, "eve", "ann", "bob", "cyd", "dan")
    while not test.look(played.course).blocks:
        played.play(1)
    last = played.course.results[-1]
    alike = [r for r in played.course.results if block(r.match_id) == block(last.match_id)]
    assert len(alike) == 2  # whole with its second match
    played.act(EventKind.VOIDED, match_id=last.match_id)
    assert test.look(played.course).blocks == 0


def test_whom_the_organiser_takes_back_is_left_alone() -> None:
    played = Played(rounds=20)
    played.play(300)
    test = judge(played, "ann", "eve")
    ((bot, reason),) = test.lost(played.course)
    played.act(EventKind.WITHDRAWN, bot, reason=reason)
    assert list(test.lost(played.course)) == []
    played.act(EventKind.READMITTED, bot)
    assert list(test.lost(played.course)) == []


@pytest.mark.parametrize("tested", ["sil", "ann"])
@simulated
async def test_a_tournament_of_two_ends_with_the_verdict(tested: str) -> None:
    other = {"sil": "ann", "ann": "sil"}[tested]
    async with World() as world:
        await world.begin("ann", "sil", rounds=500, sprt=rule(tested, other))
        bots = [*arrive(world, "ann"), Silent(world, "sil")]
        progress = await world.over()
        table = await world.organiser.standings("cup")
        events = await world.organiser.events("cup", 0, 10)
        stop(bots)
    assert state(progress) is FINISHED
    assert 4 <= progress.done < 200
    assert [(e.kind, e.bot, e.who) for e in events[1:]] == [(EventKind.WITHDRAWN, "sil", "rule")]
    rows = {row.bot: row for row in table.rows}
    assert rows["sil"].status is EntrantStatus.WITHDRAWN
    verdict = {"sil": "rejected", "ann": "accepted"}[tested]
    assert f"{tested} was {verdict} against {other}" in rows["sil"].status_reason


@simulated
async def test_a_ladder_takes_the_new_version_for_the_old_one() -> None:
    async with World() as world:
        await world.begin(
            *("ann", "bob", "new", "sil"),
            format=Format.LADDER,
            seating=Seating.ROTATIONS,
            rounds=0,
            window=4000.0,
            sprt=rule("new", "sil"),
        )
        bots = [*arrive(world, "ann", "bob", "new"), Silent(world, "sil")]
        while True:
            events = await world.organiser.events("cup", 0, 10)
            if any(event.kind is EventKind.WITHDRAWN for event in events):
                break
            await asyncio.sleep(1.0)
        rows = {row.bot: row for row in (await world.organiser.standings("cup")).rows}
        await world.organiser.cancel("cup")
        stop(bots)
    assert [(e.bot, e.who) for e in events if e.kind is EventKind.WITHDRAWN] == [("sil", "rule")]
    assert rows["new"].status is EntrantStatus.PLAYING
