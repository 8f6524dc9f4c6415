"""The one place that builds and wires everything.

The walk of a reply frame:

    rpc/play      a reply frame arrives on a bot's stream
    session       judges it against the open decision
    match         has all deciders' answers, applies them once, loops
    driver        hands the outcome over when the match is played
    recorder      commits result, live Elo and the release of the lease together
    tournament    crosses the pairing off
    standings     the table, for dashboards, the wire and the command line
"""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from saurodrome.engine import registry
from saurodrome.server import readings
from saurodrome.server.arbiter import Arbiter
from saurodrome.server.certificates import Certificates
from saurodrome.server.config import Config
from saurodrome.server.contracts import Progress
from saurodrome.server.deals import Deal, SecretDealer
from saurodrome.server.garbage import seldom_collected
from saurodrome.server.listening import is_loopback
from saurodrome.server.log import LogObserver, logging_to, set_level
from saurodrome.server.match import MatchPlan, Played
from saurodrome.server.metrics import Metrics
from saurodrome.server.observer import Observer, Observers
from saurodrome.server.record import record_match
from saurodrome.server.roster import admin_token
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import About
from saurodrome.server.rpc.server import Backend, RpcServer
from saurodrome.server.session.session import MAX_SURPLUS
from saurodrome.server.store import sqlite_errors
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import FILE, SqliteDatabase
from saurodrome.server.upkeep import (
    Reloading,
    Upkeep,
    forget_records,
    note_change,
    renew,
    renew_admin_token,
    warn_of_plaintext,
)
from saurodrome.server.web import Health, WebServer

ADMIN_TOKEN = "admin.token"
"""The file of the administrator's token in the data directory."""
_STDERR = 2
SERVE_FILE = "serve.json"
"""The file in the data directory that tells where its server is reached."""


class Serving(NamedTuple):
    """What a server tells when it serves.

    Attributes:
        bots_port: Where bots and organisers reach it.
        web_port: Where pages and metrics are.
        admin_token_path: The file of the administrator's token.
        running: Tournaments that go on.
        void: Attempts that were in flight when the last process ended.
    """

    bots_port: int
    web_port: int
    admin_token_path: Path
    running: tuple[Progress, ...] = ()
    void: int = 0


async def serve(
    config: Config,
    *,
    ready: Callable[[Serving], None],
    observer: Observer | None = None,
    reload: Callable[[], Config] | None = None,
) -> int:
    """Serves until SIGTERM or SIGINT, then drains; a second signal ends at once.

    Args:
        config: What to serve.
        ready: Called once when everything is open.
        observer: Hears of all events, too.
        reload: Reads the settings anew after a SIGHUP; without it they stay.

    Returns:
        The exit code: 0 after a clean stop, 130 if a second signal cut it short.

    Raises:
        Refused: The server cannot start; nothing was changed then.
    """
    signals = Signals()
    async with AsyncExitStack() as stack:
        _refuse_emptied(config.data)
        database = SqliteDatabase(config.data)
        store = SqlStore(database)
        stack.push_async_callback(store.close)
        await store.open()
        log = stack.enter_context(logging_to(config))
        metrics = Metrics(_version())
        arbiter = Arbiter(
            store,
            await admin_token(config.data / ADMIN_TOKEN),
            Observers(metrics, log, observer or Observer()),
            SecretDealer(),
            Codec,
            _record,
            time.time,
            config.max_matches,
        )
        stack.enter_context(readings.measured(metrics))
        rpc = RpcServer(config, _backend(arbiter, Observers(metrics, log)))
        stack.push_async_callback(rpc.stop)
        readings.watch(metrics, arbiter, log, config.data, rpc.certificates)
        web = WebServer(
            config,
            arbiter.organiser,
            metrics,
            Health(_version(), rpc.port),
            lambda: arbiter.recorder.trouble,
            rpc.certificates.context if rpc.certificates and config.tls_web else None,
        )
        stack.push_async_callback(web.stop)
        running, void = await arbiter.start()
        stack.push_async_callback(arbiter.stop)
        await rpc.start()
        await web.start()
        settings = Reloading(config, reload or (lambda: config), partial(_apply, arbiter, log))
        upkeep = Upkeep(Observers(metrics, log).error)
        stack.push_async_callback(upkeep.stop)
        _keep_up(upkeep, settings, arbiter, rpc.certificates)
        signals.on_hangup = lambda: upkeep.start(
            _reload(settings, arbiter, config.data / ADMIN_TOKEN), "reload"
        )
        serving = Serving(rpc.port, web.port, config.data / ADMIN_TOKEN, running, void)
        told = _tell(config, serving)
        stack.callback(told.unlink, missing_ok=True)
        stack.enter_context(seldom_collected())
        ready(serving)
        await signals.stop.wait()
        await rpc.drain()
        web.drain()
        await _until(arbiter.drain(settings.config.drain), signals.at_once)
    return 130 if signals.at_once.is_set() else 0


def _refuse_emptied(data: Path) -> None:
    """Refuses to begin anew, silently, where a server was that has lost its file's content."""
    file = data / FILE
    if (data / ADMIN_TOKEN).exists() and file.is_file() and file.stat().st_size == 0:
        raise sqlite_errors.emptied(file)


def _record(plan: MatchPlan, deal: Deal, played: Played) -> bytes | None:
    return record_match(plan, deal, played, time.time(), _version())


@cache
def _version() -> str:
    try:
        return version("saurodrome-server")
    except PackageNotFoundError:
        return "0+source"


def _backend(arbiter: Arbiter, observer: Observers) -> Backend:
    return Backend(
        arbiter.roster,
        arbiter.gate,
        arbiter.organiser,
        registry.games(),
        observer,
        About(_version(), MAX_SURPLUS),
        arbiter.roster,
        arbiter.store,
    )


class Signals:
    """What the process is told: to stop, to stop at once, or to read its settings anew.

    SIGHUP means the last, unless this process was started on a terminal that is gone now.

    Attributes:
        stop: Set by the first SIGTERM or SIGINT.
        at_once: Set by the second.
        on_hangup: Reads the settings anew; nothing before the server serves.
    """

    def __init__(self) -> None:
        """Listens from now on."""
        self.stop, self.at_once = asyncio.Event(), asyncio.Event()
        self.on_hangup: Callable[[], None] = lambda: None
        self._on_terminal = os.isatty(_STDERR)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopped)
        loop.add_signal_handler(signal.SIGHUP, self._hung_up)

    def _stopped(self) -> None:
        (self.at_once if self.stop.is_set() else self.stop).set()

    def _hung_up(self) -> None:
        if self._on_terminal and not os.isatty(_STDERR):
            self.stop.set()
        else:
            self.on_hangup()


def _keep_up(
    upkeep: Upkeep, settings: Reloading, arbiter: Arbiter, certificates: Certificates | None
) -> None:
    """Starts what a server does beside playing."""
    config = settings.config
    if certificates:
        upkeep.start(renew(certificates), "certificates")
    elif not is_loopback(config.host):
        warn_of_plaintext(config.host)
    dropped = arbiter.organiser.records_dropped
    forgetting = forget_records(arbiter.store, dropped, lambda: settings.config.records_days)
    upkeep.start(forgetting, "records")


async def _reload(settings: Reloading, arbiter: Arbiter, token: Path) -> None:
    await note_change(arbiter.store, await settings.again())
    await renew_admin_token(arbiter.roster, token)


def _apply(arbiter: Arbiter, log: LogObserver, config: Config) -> None:
    """Puts settings in force that may change while the server runs."""
    arbiter.scheduler.limit(config.max_matches)
    set_level(config.log_level, log)


async def _until(work: Coroutine[None, None, None], at_once: asyncio.Event) -> None:
    """Waits for work to be done, or for the event that cuts it short."""
    task, cut = asyncio.create_task(work), asyncio.create_task(at_once.wait())
    await asyncio.wait((task, cut), return_when=asyncio.FIRST_COMPLETED)
    for one in (task, cut):
        one.cancel()
    await asyncio.gather(task, cut, return_exceptions=True)


def _tell(config: Config, serving: Serving) -> Path:
    """Writes where this server is reached, for the command line on the same machine."""
    path = config.data / SERVE_FILE
    facts = {
        "pid": os.getpid(),
        "host": config.host,
        "bots_port": serving.bots_port,
        "web_port": serving.web_port,
        "started": time.time(),
        "web_host": config.web_host or config.host,
        "web_tls": bool(config.tls_cert and config.tls_web),
    }
    new = path.with_name(f"{SERVE_FILE}.new")
    new.write_text(json.dumps(facts) + "\n")
    new.replace(path)  # whoever looks sees all of it, or nothing
    return path
