"""Draws of a Swiss: beside the event loop, in their place in the log, and no harm to a stop."""

import asyncio
from collections.abc import Callable

from saurodrome.server.contracts import TournamentAct
from saurodrome.server.settings import Format
from saurodrome.server.store.records import EventKind
from tests.sim.cups import arrive, stop
from tests.sim.loop import simulated
from tests.sim.world import World


@simulated
async def test_a_round_is_drawn_beside_the_loop_and_what_happens_meanwhile_comes_after() -> None:
    """A draw among many bots takes seconds: other tournaments play on, and acts wait for it."""
    async with World() as world:
        names = ("ann", "bob", "cyd", "dan")
        draws: list[Callable[[], None]] = []

        def later(executor: object, work: Callable[..., object], *args: object) -> object:
            done = world.loop.create_future()
            draws.append(lambda: done.set_result(work(*args)))
            return done

        await world.begin(*names, name="swiss", format=Format.SWISS, rounds=2, games=2)
        await world.begin(*names, name="other", rounds=3)
        bots = arrive(world, *names)
        for bot in bots:
            bot.thinks = lambda decision: 0.05  # type: ignore[method-assign]
        at_once = world.loop.run_in_executor
        world.loop.run_in_executor = later  # type: ignore[method-assign, assignment]
        for _ in range(400):
            if draws:
                break
            await asyncio.sleep(0.05)
        (draw,) = draws  # of the second round
        world.loop.run_in_executor = at_once  # type: ignore[method-assign]
        act = TournamentAct(EventKind.WITHDRAWN, "dan", reason="x", who="olga")
        acting = asyncio.create_task(world.organiser.act("swiss", act))
        before = (await world.organiser.get("other")).done
        await asyncio.sleep(2.0)
        assert (await world.organiser.get("other")).done > before
        assert not acting.done()
        assert (await world.organiser.get("swiss")).done == 4
        draw()
        await acting
        await world.over("swiss")
        await world.over("other")
        stop(bots)
        results = [r.match_id for r in await world.results("swiss")]
        progress = await world.organiser.get("swiss")
        await world.restart()  # the log comes to the same when it is folded at once
        again = await world.organiser.get("swiss")
    assert {match_id.split("/")[1] for match_id in results} == {"1", "2"}
    assert (again.done, again.total, again.position) == (
        progress.done,
        progress.total,
        progress.position,
    )


@simulated
async def test_a_draw_that_is_being_made_holds_up_no_stop() -> None:
    async with World() as world:
        names = ("ann", "bob", "cyd", "dan")
        await world.begin(*names, format=Format.SWISS, rounds=2, games=2)
        bots = arrive(world, *names)
        at_once = world.loop.run_in_executor
        world.loop.run_in_executor = lambda *_: world.loop.create_future()  # type: ignore[method-assign]
        await asyncio.sleep(2.0)
        world.loop.run_in_executor = at_once  # type: ignore[method-assign]
        assert (await world.organiser.get("cup")).done == 4
        await world.restart()
        progress = await world.over()
        stop(bots)
    assert progress.done == progress.total == 8


@simulated
async def test_a_draw_that_fails_is_told_on_every_screen_and_made_again_after_an_act() -> None:
    async with World() as world:
        names = ("ann", "bob", "cyd", "dan")
        await world.begin(*names, format=Format.SWISS, rounds=2, games=2)
        bots = arrive(world, *names)
        at_once = world.loop.run_in_executor

        def broken(executor: object, work: Callable[..., object], *args: object) -> object:
            failed = world.loop.create_future()
            failed.set_exception(ArithmeticError("no weights"))
            return failed

        world.loop.run_in_executor = broken  # type: ignore[method-assign, assignment]
        await asyncio.sleep(2.0)
        world.loop.run_in_executor = at_once  # type: ignore[method-assign]
        shown = await world.organiser.get("cup")
        assert shown.done == 4
        assert shown.waiting_for.startswith("its next round cannot be drawn: ArithmeticError(")
        assert [where for where, _ in world.trace.all("error")] == ["draw cup"]
        act = TournamentAct(EventKind.WITHDRAWN, "dan", reason="x", who="olga")
        await world.organiser.act("cup", act)
        over = await world.over()
        stop(bots)
    assert (over.waiting_for, over.done > 4) == ("", True)
