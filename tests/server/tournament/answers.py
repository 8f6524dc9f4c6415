"""All that can be asked of a tournament, as bytes and texts that people and programs get."""

import zlib
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from saurodrome.server.errors import Refused
from saurodrome.server.readings import _matches
from saurodrome.server.rpc import convert
from saurodrome.server.web.app import make_app
from tests.sim.world import World


async def nothing() -> None:
    """Do nothing between two questions."""


async def answers(
    world: World, name: str, between: Callable[[], Awaitable[None]] = nothing
) -> dict[str, object]:
    """Ask everything, and do something before each question; answers and refusals by question."""
    organiser = world.organiser
    now = await organiser.standings(name)
    last = now.progress.position
    listed = await organiser.matches(name, 0, 500)
    asked: dict[str, Callable[[], Awaitable[object]]] = {
        "get": lambda: _message(convert.tournament, organiser.get(name)),
        "list": lambda: _messages(convert.tournament, organiser.list_tournaments(None, 9)),
        "watch": lambda: _watched(world, name),
        "standings": lambda: _message(convert.table, organiser.standings(name)),
        "earlier": lambda: _message(convert.table, organiser.standings(name, last // 2)),
        "by event": lambda: _message(convert.table, organiser.standings(name, last, 1)),
        "too late": lambda: organiser.standings(name, last + 1),
        "matches": lambda: _messages(convert.match, organiser.matches(name, 0, 500)),
        "one match": lambda: _messages(convert.match, organiser.matches(name, last - 1, 1)),
        "events": lambda: _messages(convert.event, organiser.events(name, 0, 500)),
        "faults": lambda: _faults(world, name),
        "live": lambda: organiser.live(name, "", insider=False),
        "not played": lambda: organiser.live(name, f"{name}/1/1/1", insider=True),
        "no match": lambda: organiser.live(name, f"{name}/99/1/1", insider=True),
        "start": lambda: organiser.start(name),
        "page": lambda: _page(world, f"/?tournament={name}"),
        "all": lambda: _page(world, "/"),
        "board": lambda: _page(world, f"/live/{name}/1/1/1"),
    }
    for one in listed:
        match_id = one.result.match_id
        asked[f"record {match_id}"] = lambda match_id=match_id: _record(world, match_id)  # type: ignore[misc]
    told: dict[str, object] = {}
    for question, ask in asked.items():
        await between()
        told[question] = await _told(ask)
    await between()
    told["metrics"] = _matches(world.arbiter)
    return told


async def _told(ask: Callable[[], Awaitable[object]]) -> object:
    try:
        return await ask()
    except Refused as refusal:
        return (refusal.code, refusal.what, refusal.where, refusal.do)


async def _message(made: Callable[[Any], Any], asking: Awaitable[Any]) -> bytes:
    text: bytes = made(await asking).SerializeToString(deterministic=True)
    return text


async def _messages(made: Callable[[Any], Any], asking: Awaitable[Any]) -> list[bytes]:
    return [made(one).SerializeToString(deterministic=True) for one in await asking]


async def _watched(world: World, name: str) -> list[bytes]:
    seen = [progress async for progress in world.organiser.watch(name)]
    return [convert.tournament(p).SerializeToString(deterministic=True) for p in seen]


async def _faults(world: World, name: str) -> list[tuple[int, bytes]]:
    found = await world.organiser.faults(name, "", None, 500)
    return [(number, convert.fault(f).SerializeToString(deterministic=True)) for number, f in found]


async def _record(world: World, match_id: str) -> bytes:
    """The record as an organiser gets it; that of a simulation is a mark, and none to unpack."""
    try:
        return await world.organiser.record(match_id, 0)
    except zlib.error:
        return b"not refused"


async def _page(world: World, path: str) -> tuple[int, str]:
    """A page as it is sent; each time by an application that has made none before."""
    made = make_app(world.organiser, None, "1", dict)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url="http://a") as http:
        answer = await http.get(path)
    return answer.status_code, answer.text
