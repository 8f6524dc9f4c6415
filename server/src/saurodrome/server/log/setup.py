"""Puts the log together: structlog and the libraries' logging into files and terminals."""

import logging
import sys
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog

from saurodrome.server.config import Config
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.log.events import DebugLogObserver, LogObserver
from saurodrome.server.log.render import console_line, json_line, shorten
from saurodrome.server.log.sinks import DescriptorSink, FileSink
from saurodrome.server.log.volume import Repeats, Volume
from saurodrome.server.log.writer import LineWriter

LOG_FILE = "saurodrome.log"
"""The file in the data directory, one JSON object a line."""
MAX_BYTES = 16 * 1024 * 1024
"""Bytes of the file before it starts anew."""
KEPT_FILES = 4
"""Full files that are kept."""
CLOSE_TIME = 1.0
"""Seconds in which the last lines are written at the end."""

Render = Callable[[Mapping[str, Any]], str]
_LEVELS = ("debug", "info", "warning", "error")


@contextmanager
def logging_to(config: Config) -> Iterator[LogObserver]:
    """Logs into a file of the data directory, and to standard error if the settings say so.

    Yields:
        The observer that logs what happens; its `dropped` counts lines that were lost.

    Raises:
        Refused: BAD_LOG_LEVEL or LOG_UNWRITABLE.
    """
    if config.log_level not in _LEVELS:
        what = f"{config.log_level[:40]!a} is no level."
        raise Refused(Kind.INVALID, "BAD_LOG_LEVEL", what, "log_level", f"use {', '.join(_LEVELS)}")
    outputs = [_file(config.data / LOG_FILE)]
    if config.log_console and sys.stderr is not None:
        outputs.append(_console(sys.stderr.fileno(), terminal=sys.stderr.isatty()))
    try:
        volume = Volume(time.monotonic)
        with _configured(outputs, config.log_level, volume):
            kind = DebugLogObserver if config.log_level == "debug" else LogObserver
            yield kind(outputs_dropped(outputs), lambda: outputs[0][0].waiting, volume)
    finally:
        for writer, _ in outputs:
            writer.close(CLOSE_TIME)


def set_level(level: str, log: LogObserver) -> None:
    """Changes the least level that is logged, while `logging_to` is in force.

    Decisions are logged only if the server was started with `debug`.
    """
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(number))
    logging.getLogger().setLevel(max(number, logging.WARNING))
    log.bind()


def outputs_dropped(outputs: list[tuple[LineWriter, Render]]) -> Callable[[], int]:
    """Counts the lines that any output lost."""
    return lambda: sum(writer.dropped for writer, _ in outputs)


def _file(path: Path) -> tuple[LineWriter, Render]:
    try:
        sink = FileSink(path, MAX_BYTES, KEPT_FILES)
    except OSError as error:
        raise Refused(
            Kind.UNAVAILABLE,
            "LOG_UNWRITABLE",
            f"The log cannot be written: {error.strerror}.",
            str(path),
            "make the data directory writable for this user",
        ) from None
    return LineWriter(sink, _notice(json_line)), json_line


def _console(descriptor: int, *, terminal: bool) -> tuple[LineWriter, Render]:
    render = console_line if terminal else json_line
    return LineWriter(DescriptorSink(descriptor), _notice(render)), render


def _notice(render: Render) -> Callable[[int], str]:
    def notice(lost: int) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return render(
            {
                "timestamp": stamp,
                "level": "warning",
                "event": "log lines dropped",
                "dropped": lost,
            }
        )

    return notice


@contextmanager
def _configured(
    outputs: list[tuple[LineWriter, Render]], level: str, volume: Volume
) -> Iterator[None]:
    """Points structlog and the root logger at the outputs, and puts both back afterwards."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _as_argument,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *names: _Output(outputs, names, volume),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    before = root.handlers[:], root.level
    root.handlers[:] = [_Bridge(volume)]
    root.setLevel(max(number, logging.WARNING))
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.handlers[:], level_before = before
        root.setLevel(level_before)
        structlog.reset_defaults()


def _as_argument(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> tuple[tuple[object], dict[str, Any]]:
    return (event,), {}


class _Output:
    """What structlog writes to: every output in its own form."""

    def __init__(
        self, outputs: list[tuple[LineWriter, Render]], names: tuple[Any, ...], volume: Volume
    ) -> None:
        self._outputs = outputs
        self._names = names
        self._volume = volume

    def emit(self, event: dict[str, Any]) -> None:
        """Hands the event to the writers as lines, unless there are too many of its level."""
        if not self._volume.admit(event["level"]):
            return
        if left_out := self._volume.untold():
            event["left_out_for_volume"] = left_out
        short = shorten({"logger": self._names[0], **event} if self._names else event)
        for writer, render in self._outputs:
            writer.put(render(short))

    debug = info = warning = error = critical = emit


class _Bridge(logging.Handler):
    """Takes the records of libraries into the log, their text as a value."""

    def __init__(self, volume: Volume) -> None:
        super().__init__()
        self._repeats = Repeats(time.monotonic, volume)

    def emit(self, record: logging.LogRecord) -> None:
        """Logs a record, unless there were many like it."""
        if self._repeats.ask(record.name, str(record.msg)[:100]) is None:
            return
        try:
            text = record.getMessage()
        except Exception:  # a library's record with arguments that do not fit its text
            text = str(record.msg)
        level = next((name for least, name in _STEPS if record.levelno >= least), "debug")
        log = getattr(structlog.get_logger(record.name), level)
        log("library message", message=text, exc_info=record.exc_info)


_STEPS = ((logging.ERROR, "error"), (logging.WARNING, "warning"), (logging.INFO, "info"))
