"""The routes: the status page, health for load balancers, metrics for Prometheus."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import chain
from time import perf_counter
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saurodrome.server.contracts import Progress, Spectacles, Table
from saurodrome.server.errors import Refused
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.records import TournamentState
from saurodrome.server.web.page import (
    MAX_ROWS,
    STYLE,
    gone_page,
    live_page,
    status_page,
    unknown_page,
    unread_page,
)

PAGE_AGE = 1.0
"""Seconds for which a status page is shown again, however many ask."""
METRICS_AGE = 0.25
"""Seconds for which a rendered metrics page is."""
SLICE = 0.001
"""Seconds that the making of a metrics page keeps the event loop at a time."""
MATCH_CHARS = 128
"""Characters of a match id that are looked at."""
MOST_BOARDS = 64
"""Boards that are kept for `PAGE_AGE`."""
NAME_CHARS = 64
"""Characters of a tournament's name that are looked at."""
MOST_PAGES = MAX_ROWS + 1
"""Status pages that are kept for `PAGE_AGE`: one of each tournament that is listed."""
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_GOING = (TournamentState.RUNNING, TournamentState.PAUSED)
_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; style-src 'self'; frame-ancestors 'none';"
     b" base-uri 'none'; form-action 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)  # fmt: skip


class Scrape(Protocol):
    """What makes the metrics page."""

    def parts(self) -> Iterator[bytes]:
        """The page in Prometheus' text format, in pieces that are quickly made."""
        ...


class Shown(Protocol):
    """What the pages show."""

    def latest(self, limit: int) -> Sequence[Progress]:
        """Where at most `limit` tournaments stand: those that run, then the newest."""
        ...

    async def get(self, name: str) -> Progress:
        """Where a tournament stands."""
        ...

    async def standings(self, name: str) -> Table:
        """The table of a tournament."""
        ...

    async def live(self, name: str, match_id: str, *, insider: bool) -> Spectacles:
        """Matches that are being played: one with its board, or all without."""
        ...


class Fresh:
    """Makes bytes anew when they are asked for and too old; one making at a time."""

    def __init__(self, make: Callable[[], Awaitable[bytes]], age: float) -> None:
        """Takes what makes them and how old they may be, in seconds."""
        self._make = make
        self._age = age
        self._lock = asyncio.Lock()
        self._made = b""
        self._until = float("-inf")

    async def get(self) -> bytes:
        """The bytes."""
        async with self._lock:
            loop = asyncio.get_running_loop()
            if loop.time() >= self._until:
                self._made = await self._make()
                self._until = loop.time() + self._age
            return self._made


def make_app(
    shown: Shown, metrics: Scrape, version: str, health: Callable[[], Mapping[str, object]]
) -> ASGIApp:
    """The application.

    Args:
        shown: What the pages show.
        metrics: What makes the metrics page.
        version: The server's version.
        health: What `/healthz` tells; a `status` that is not `serving` comes as 503.
    """

    async def make_page(name: str) -> bytes:
        known = shown.latest(MAX_ROWS)
        one = await shown.get(name) if name else _first(known)
        table, live = (await _table(shown, one), await _live(shown, one)) if one else (None, None)
        return status_page(version, known, table, live, one).encode()

    async def make_metrics() -> bytes:
        parts, since = [], perf_counter()
        for part in metrics.parts():
            parts.append(part)
            if perf_counter() - since > SLICE:
                await asyncio.sleep(0)  # a reply that came meanwhile is judged now
                since = perf_counter()
        return b"".join(parts)

    boards: dict[str, Fresh] = {}
    pages = {"": Fresh(lambda: make_page(""), PAGE_AGE)}
    scrapes = Fresh(make_metrics, METRICS_AGE)

    async def status(request: Request) -> Response:
        name = request.query_params.get("tournament", "")[:NAME_CHARS]
        try:
            return HTMLResponse(await _fresh(pages, name, lambda: make_page(name), MOST_PAGES))
        except Refused:
            return HTMLResponse(unknown_page(name), 404)
        except StoreTrouble as trouble:
            return HTMLResponse(unread_page(name, trouble.code), 503)

    async def live(request: Request) -> Response:
        match_id = request.path_params["match_id"][:MATCH_CHARS]

        async def make_board() -> bytes:
            found = await shown.live(match_id.partition("/")[0], match_id, insider=False)
            return live_page(found.matches[0]).encode()

        try:
            return HTMLResponse(await _fresh(boards, match_id, make_board, MOST_BOARDS))
        except (Refused, StoreTrouble):
            return HTMLResponse(gone_page(match_id), 404)

    async def style(request: Request) -> Response:
        return Response(STYLE, media_type="text/css")

    async def healthz(request: Request) -> Response:
        told = health()
        return JSONResponse(told, 200 if told["status"] == "serving" else 503)

    async def scrape(request: Request) -> Response:
        return Response(await scrapes.get(), headers={"content-type": METRICS_TYPE})

    routes = [
        Route("/", status),
        Route("/live/{match_id:path}", live),
        Route("/style.css", style),
        Route("/healthz", healthz),
        Route("/metrics", scrape),
    ]
    return _with_headers(Starlette(routes=routes))


async def _fresh(
    kept: dict[str, Fresh], key: str, make: Callable[[], Awaitable[bytes]], most: int
) -> bytes:
    """Gives a page of many, made anew when it is too old; keeps none that cannot be made."""
    page = kept.get(key) or Fresh(make, PAGE_AGE)
    try:
        made = await page.get()
    except (Refused, StoreTrouble):
        kept.pop(key, None)
        raise
    if key not in kept and len(kept) >= most:
        kept.clear()
    kept[key] = page
    return made


def _first(known: Sequence[Progress]) -> Progress | None:
    """The newest that runs, else the newest with a table to show, else the newest."""
    runs = (p for p in known if p.tournament.state is TournamentState.RUNNING)
    with_table = (p for p in known if p.done and p.table_is_public)
    return next(chain(runs, with_table, known), None)


async def _table(shown: Shown, one: Progress) -> Table | None:
    """The table of a tournament, if it has results and they are shown."""
    if not (one.done and one.table_is_public):
        return None
    try:
        return await shown.standings(one.tournament.settings.name)
    except (Refused, StoreTrouble):
        return None


async def _live(shown: Shown, one: Progress) -> Spectacles | None:
    """What is played of a tournament, if that is shown; a pause lets matches end."""
    if one.tournament.state not in _GOING:
        return None
    try:
        return await shown.live(one.tournament.settings.name, "", insider=False)
    except Refused:
        return None


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Adds the headers that keep a page from doing anything but being read."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await app(scope, receive, send_with_headers)

    return wrapped
