"""The routes: the status page, health for load balancers, metrics for Prometheus."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from time import perf_counter
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saurodrome.server.contracts import Progress, Spectacles, Table
from saurodrome.server.errors import Refused
from saurodrome.server.web.page import MAX_ROWS, STYLE, gone_page, live_page, status_page

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
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

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

    async def list_tournaments(self, before: int | None, limit: int) -> tuple[Progress, ...]:
        """At most `limit` tournaments, newest first, with numbers below `before`."""
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

    async def make_page() -> bytes:
        progresses = await shown.list_tournaments(None, MAX_ROWS)
        table, live = await _table(shown, progresses), await _live(shown, progresses)
        return status_page(version, progresses, table, live).encode()

    async def make_metrics() -> bytes:
        parts, since = [], perf_counter()
        for part in metrics.parts():
            parts.append(part)
            if perf_counter() - since > SLICE:
                await asyncio.sleep(0)  # a reply that came meanwhile is judged now
                since = perf_counter()
        return b"".join(parts)

    boards: dict[str, Fresh] = {}
    pages, scrapes = Fresh(make_page, PAGE_AGE), Fresh(make_metrics, METRICS_AGE)

    async def status(request: Request) -> Response:
        return HTMLResponse(await pages.get())

    async def live(request: Request) -> Response:
        match_id = request.path_params["match_id"][:MATCH_CHARS]

        async def make_board() -> bytes:
            found = await shown.live(match_id.partition("/")[0], match_id, insider=False)
            return live_page(found.matches[0]).encode()

        board = boards.get(match_id) or Fresh(make_board, PAGE_AGE)
        try:
            page = await board.get()
        except Refused:
            boards.pop(match_id, None)
            return HTMLResponse(gone_page(match_id), 404)
        if match_id not in boards and len(boards) >= MOST_BOARDS:
            boards.clear()
        boards[match_id] = board
        return HTMLResponse(page)

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


async def _table(shown: Shown, progresses: tuple[Progress, ...]) -> Table | None:
    """The table of the newest tournament that runs, else of the newest that has results."""
    running = [p for p in progresses if p.tournament.state.value == "running"]
    with_results = [p for p in (*running, *progresses) if p.done and p.table_is_public]
    if not with_results:
        return None
    try:
        return await shown.standings(with_results[0].tournament.settings.name)
    except Refused:
        return None


async def _live(shown: Shown, progresses: tuple[Progress, ...]) -> Spectacles | None:
    """What is played of the newest tournament that runs, if that is shown."""
    running = [p for p in progresses if p.tournament.state.value == "running"]
    if not running:
        return None
    try:
        return await shown.live(running[0].tournament.settings.name, "", insider=False)
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
