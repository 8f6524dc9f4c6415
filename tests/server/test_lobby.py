"""The lobby: who is here and free, for a whole table or not at all; and since when one is away."""

import pytest

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Draining, Goodbye, Hello
from tests.server.session.stage import GAME, Stage, end, start, turns
from tests.sim.loop import simulated

OTHER = Hello(games={"duelosaur": ()})
BOTH = Hello(games={"duelosaur": (), "draftosaurus": ("summer",)})


@simulated
async def test_a_bot_that_nobody_knows_is_not_here() -> None:
    async with Stage() as stage:
        assert not stage.lobby.connected("ann")
        assert not stage.lobby.free("ann", *GAME)
        assert stage.lobby.playing("ann") == 0


@pytest.mark.parametrize(
    ("games", "plays"),
    [
        ({}, True),
        ({"draftosaurus": ()}, True),
        ({"draftosaurus": ("summer",)}, True),
        ({"draftosaurus": ("winter", "summer")}, True),
        ({"draftosaurus": ("winter",)}, False),
        ({"duelosaur": ()}, False),
    ],
)
@simulated
async def test_a_bot_is_free_for_the_games_that_it_declared(
    games: dict[str, tuple[str, ...]], plays: bool
) -> None:
    async with Stage() as stage:
        await stage.come("ann", Hello(games=games))
        assert stage.lobby.free("ann", *GAME) is plays
        assert (stage.lobby.away_for("ann", *GAME) is None) is plays


@simulated
async def test_a_table_is_reserved_as_a_whole() -> None:
    async with Stage() as stage:
        for bot in ("ann", "bob", "cyd"):
            await stage.come(bot)
        seats = stage.lobby.reserve(("cyd", "ann", "bob"), *GAME)
        assert seats is not None
        assert len(seats) == 3
        assert [stage.lobby.playing(bot) for bot in ("ann", "bob", "cyd")] == [1, 1, 1]


@pytest.mark.parametrize("missing", ["away", "full", "leaving", "another game"])
@simulated
async def test_if_one_is_missing_nobody_is_reserved(missing: str) -> None:
    async with Stage() as stage:
        await stage.come("ann")
        if missing != "away":
            bob = await stage.come("bob", OTHER if missing == "another game" else Hello())
        if missing == "full":
            stage.reserve("bob")
        if missing == "leaving":
            bob.send(Goodbye())
            await turns()
        before = stage.lobby.playing("bob")
        assert stage.lobby.reserve(("ann", "bob"), *GAME) is None
        assert stage.lobby.playing("ann") == 0
        assert stage.lobby.playing("bob") == before


@pytest.mark.parametrize("capacity", [1, 4])
@simulated
async def test_a_bot_has_as_many_places_as_it_declared(capacity: int) -> None:
    async with Stage() as stage:
        await stage.come("ann", Hello(max_concurrent=capacity))
        for _ in range(capacity):
            assert stage.lobby.reserve(("ann",), *GAME) is not None
        assert stage.lobby.reserve(("ann",), *GAME) is None
        assert stage.lobby.playing("ann") == capacity


@simulated
async def test_coming_again_gives_no_further_place() -> None:
    async with Stage() as stage:
        peer = await stage.come("ann")
        stage.reserve("ann").join(start())
        peer.drop()
        await turns()
        await stage.come("ann")
        assert not stage.lobby.free("ann", *GAME)


@simulated
async def test_a_bot_that_returns_with_fewer_places_gets_nothing_new_until_it_fits() -> None:
    async with Stage() as stage:
        peer = await stage.come("ann", Hello(max_concurrent=3))
        seats = [await stage.sit("ann", f"cup/1/{n}/1") for n in range(3)]
        peer.drop()
        await turns()
        await stage.come("ann", Hello(max_concurrent=2))
        for seat, free in zip(seats, (False, True, True), strict=True):
            seat.leave(end(seat.start.match_id))
            assert stage.lobby.free("ann", *GAME) is free


@simulated
async def test_a_place_that_is_released_is_free() -> None:
    async with Stage() as stage:
        await stage.come("ann")
        seat = stage.reserve("ann")
        assert not stage.lobby.free("ann", *GAME)
        seat.release()
        assert stage.lobby.free("ann", *GAME)


@simulated
async def test_all_who_are_free_are_those_who_are_free_one_by_one() -> None:
    bots = {"ann", "bob", "cyd", "dan", "eve"}
    async with Stage() as stage:
        for bot in ("bob", "ann", "cyd"):
            await stage.come(bot)
        await stage.come("dan", OTHER)
        await stage.come("zoe")
        stage.reserve("bob")
        assert stage.lobby.all_free(bots, *GAME) == ["ann", "cyd"]
        assert [b for b in sorted(bots) if stage.lobby.free(b, *GAME)] == ["ann", "cyd"]


@simulated
async def test_who_comes_goes_says_goodbye_or_declares_other_games_is_counted() -> None:
    async with Stage() as stage:
        counts = [stage.lobby.comings_and_goings]

        async def counted() -> bool:
            await turns()
            counts.append(stage.lobby.comings_and_goings)
            return counts[-1] > counts[-2]

        peer = await stage.come("ann")
        assert await counted()
        stage.reserve("ann").release()
        assert not await counted()
        await stage.come("ann", OTHER)  # in the place of the first
        assert await counted()
        peer = await stage.come("bob")
        assert await counted()
        peer.send(Goodbye())
        assert await counted()
        peer = await stage.come("cyd")
        assert await counted()
        peer.drop()
        assert await counted()


# absence


@simulated
async def test_a_bot_that_never_came_is_away_since_it_was_first_asked_for() -> None:
    async with Stage() as stage:
        assert stage.lobby.away_for("ann", *GAME) == 0.0
        await stage.at(stage.loop.time() + 12.0)
        assert stage.lobby.away_for("ann", *GAME) == pytest.approx(12.0)


@simulated
async def test_absence_counts_from_the_moment_the_stream_was_lost() -> None:
    async with Stage() as stage:
        peer = await stage.come("ann")
        await stage.at(stage.loop.time() + 100.0)
        assert stage.lobby.away_for("ann", *GAME) is None
        peer.drop()
        await stage.at(stage.loop.time() + 7.0)
        assert stage.lobby.away_for("ann", *GAME) == pytest.approx(7.0)


@simulated
async def test_a_bot_that_changes_its_game_is_away_from_then_on() -> None:
    async with Stage() as stage:
        await stage.come("ann")
        await stage.at(stage.loop.time() + 100.0)
        await stage.come("ann", OTHER)
        await stage.at(stage.loop.time() + 7.0)
        assert stage.lobby.away_for("ann", *GAME) == pytest.approx(7.0)
        assert stage.lobby.away_for("ann", "duelosaur", "any") is None


@simulated
async def test_a_bot_cannot_put_off_its_absence_with_streams_for_other_games() -> None:
    async with Stage() as stage:
        first = await stage.come("ann", BOTH)
        first.drop()
        await turns()
        begun = stage.loop.time()
        for _ in range(5):
            peer = await stage.come("ann", OTHER)
            await stage.at(stage.loop.time() + 10.0)
            peer.drop()
            await turns()
        away = stage.lobby.away_for("ann", *GAME)
        assert away == pytest.approx(stage.loop.time() - begun)


# everybody


@pytest.mark.case("SE-03")
@simulated
async def test_revoking_ends_the_stream_of_that_bot_only() -> None:
    revoked = Refused(Kind.UNAUTHENTICATED, "TOKEN_REVOKED", "The token was replaced.")
    async with Stage() as stage:
        ann, bob = await stage.come("ann"), await stage.come("bob")
        stage.lobby.revoke("ann", revoked)
        stage.lobby.revoke("nobody", revoked)
        assert await ann.ended is revoked
        assert not bob.ended.done()


@simulated
async def test_draining_is_told_to_everybody_who_is_here() -> None:
    async with Stage() as stage:
        ann, bob = await stage.come("ann"), await stage.come("bob")
        stage.lobby.session("cyd")
        stage.lobby.drain(8.0, "the server stops")
        await turns()
        told = [peer.got(Draining) for peer in (ann, bob)]
        assert told == [[Draining(8.0, "the server stops")]] * 2
        assert sorted(stage.lobby.here()) == ["ann", "bob"]


@simulated
async def test_closing_ends_every_stream() -> None:
    draining = Refused(Kind.UNAVAILABLE, "DRAINING", "The server stops.")
    async with Stage() as stage:
        peers = [await stage.come(bot) for bot in ("ann", "bob")]
        stage.lobby.close(draining)
        assert [await peer.ended for peer in peers] == [draining, draining]
        await turns()
        assert list(stage.lobby.here()) == []


@simulated
async def test_who_is_kept_has_no_place_for_others_and_is_still_able_to_play() -> None:
    async with Stage() as stage:
        for bot in ("ann", "bob"):
            await stage.come(bot)
        await stage.come("cyd", OTHER)
        stage.lobby.hold(("ann",))
        assert stage.lobby.all_free(("ann", "bob", "cyd"), *GAME) == ["bob"]
        assert stage.lobby.reserve(("ann", "bob"), *GAME) is None
        assert stage.lobby.able(("ann", "bob", "cyd", "dan"), *GAME) == ["ann", "bob"]
        stage.lobby.hold(())
        assert stage.lobby.reserve(("ann", "bob"), *GAME) is not None
        assert not stage.lobby.free("ann", *GAME)
        assert stage.lobby.able(("ann", "bob"), *GAME) == ["ann", "bob"]  # when it has ended
