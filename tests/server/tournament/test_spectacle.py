"""What is seen of matches while they are played: what every seat knows, and only if published."""

import asyncio
from random import Random
from typing import Any, cast

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import State
from saurodrome.server.contracts import Spectacle
from saurodrome.server.errors import Refused
from saurodrome.server.match import Match, MatchPlan
from saurodrome.server.port import FaultRule, PlayerName, TimeControl
from saurodrome.server.settings import Deals, PublishLive
from saurodrome.server.tournament.spectacle import spectacle
from tests.sim.bots import Bot
from tests.sim.cups import arrive, stop
from tests.sim.loop import simulated
from tests.sim.world import World

TRIO = ("ann", "bob", "cyd")


class Slow(Bot):
    """Takes half of its time."""

    def thinks(self, decision: Any) -> float:
        """Return it."""
        return float(decision.remaining / 2)


def states(game: str, variant: str, players: int) -> list[State]:
    """Return the states of one random match."""
    random, chance = Random(5), FastChance(5)
    state = registry.get(game).initial_state(variant, players, chance)
    found = [state]
    while deciders := state.deciders():
        seats = deciders[:1] if state.sealed else deciders
        state = state.apply({s: random.choice(state.legal_actions(s)) for s in seats}, chance)
        found.append(state)
    return found


def shown(game: str, variant: str, players: int, state: State) -> Spectacle:
    """Return what is seen of a match that stands so."""
    names = tuple(PlayerName(f"b{n}", f"b{n}") for n in range(players))
    made = registry.get(game)
    plan = MatchPlan("cup", "cup/1/1/1", 1, made, variant, names, TimeControl(), FaultRule())
    match = cast(Match, _Standing(plan, state))
    return spectacle(match, named=True, board=True)


class _Standing:
    """A match that stands still."""

    getting_ready: tuple[int, ...] = ()

    def __init__(self, plan: Any, state: State) -> None:
        self.plan = plan
        self.state = state


@pytest.mark.case("HI-02")
@pytest.mark.parametrize(
    ("game", "variant", "players"),
    [("draftosaurus", "summer", 4), ("draftosaurus", "winter", 2), ("duelosaur", "short", 2)],
)
def test_nothing_that_a_spectator_may_not_know_changes_what_is_seen(
    game: str, variant: str, players: int
) -> None:
    chance = FastChance(9)
    for state in states(game, variant, players):
        other = state.resample(None, chance)
        assert shown(game, variant, players, other) == shown(game, variant, players, state)


async def refused(world: World, match_id: str) -> tuple[str, str]:
    """Give the code and what is said of a match that is not played, up to its first name."""
    with pytest.raises(Refused) as refusal:
        await world.organiser.live("cup", match_id, insider=True)
    return refusal.value.code, refusal.value.what.partition(f" '{match_id}' in")[0]


@simulated
async def test_matches_that_are_played_are_listed_with_their_turn_and_one_with_its_board() -> None:
    async with World() as world:
        await world.begin(*TRIO, players=3, rounds=2, concurrency=1)
        bots: list[Bot] = [Slow(world, bot) for bot in TRIO]
        await asyncio.sleep(0.5)
        live = await world.organiser.live("cup", "", insider=False)
        (match,) = live.matches
        assert sorted(match.bots) == sorted(TRIO)
        assert match.turn >= 1
        assert match.phase == "place"
        assert match.board == ()
        one = (await world.organiser.live("cup", match.match_id, insider=False)).matches[0]
        assert one.match_id == match.match_id
        assert any("ann" in line for line in one.board)
        await asyncio.sleep(0.5)
        later = (await world.organiser.live("cup", "", insider=False)).matches
        assert (later[0].match_id, later[0].turn) > (match.match_id, match.turn)
        assert await refused(world, "cup/9/9/9") == ("UNKNOWN_MATCH", "There is no match")
        assert await refused(world, "cup/abc") == ("UNKNOWN_MATCH", "There is no match")
        due = list((await world.organiser._shelf.find("cup")).course.due)[-1]
        assert await refused(world, f"cup/{due}") == ("NOT_PLAYED", f"cup/{due} has not begun.")
        await world.over()
        over = await refused(world, match.match_id)
        assert over == ("NOT_PLAYED", f"'{match.match_id}' is over.")
        assert (await world.organiser.live("cup", "", insider=False)).matches == ()
        stop(bots)


@simulated
async def test_before_a_match_begins_it_says_who_is_getting_ready() -> None:
    async with World() as world:
        await world.begin("ann", "bob", concurrency=1)
        bots = arrive(world, "ann", "bob")
        bots[1].loads = 1.0
        await asyncio.sleep(0.5)
        (match,) = (await world.organiser.live("cup", "", insider=False)).matches
        assert match.getting_ready == ("bob",)
        assert (match.turn, match.phase) == (0, "")
        await world.over()
        stop(bots)


@simulated
async def test_what_is_not_published_is_seen_by_organisers_alone() -> None:
    async with World() as world:
        await world.begin("ann", "bob", concurrency=1, publish_live=PublishLive.CLOSED)
        bots: list[Bot] = [Slow(world, bot) for bot in ("ann", "bob")]
        await asyncio.sleep(0.5)
        with pytest.raises(Refused) as refusal:
            await world.organiser.live("cup", "", insider=False)
        assert refusal.value.code == "NOT_PUBLISHED"
        assert len((await world.organiser.live("cup", "", insider=True)).matches) == 1
        await world.over()
        stop(bots)


@simulated
async def test_where_bots_must_not_know_each_other_seats_stand_for_them() -> None:
    async with World() as world:
        await world.begin("ann", "bob", concurrency=1, blind=True)
        bots: list[Bot] = [Slow(world, bot) for bot in ("ann", "bob")]
        await asyncio.sleep(0.5)
        (match,) = (await world.organiser.live("cup", "", insider=False)).matches
        assert match.bots == ("seat-1", "seat-2")
        board = (await world.organiser.live("cup", match.match_id, insider=False)).matches[0].board
        assert board
        assert not any(bot in line for bot in ("ann", "bob") for line in board)
        (known,) = (await world.organiser.live("cup", "", insider=True)).matches
        assert set(known.bots) == {"ann", "bob"}
        await world.over()
        stop(bots)


@simulated
async def test_of_a_deal_that_other_matches_share_no_board_is_seen_not_even_by_organisers() -> None:
    async with World() as world:
        sealed = {"deals": Deals.DUPLICATE, "trusted": True}
        await world.begin(*TRIO, players=3, concurrency=1, **cast(Any, sealed))
        bots: list[Bot] = [Slow(world, bot) for bot in TRIO]
        await asyncio.sleep(0.5)
        (match,) = (await world.organiser.live("cup", "", insider=True)).matches
        (one,) = (await world.organiser.live("cup", match.match_id, insider=True)).matches
        assert one.turn >= 1
        assert one.board == ()
        await world.over()
        stop(bots)
