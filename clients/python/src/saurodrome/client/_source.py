"""Places in an author's source, for error messages: only the author's own lines."""

import functools
import inspect
import sysconfig
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_OURS = str(Path(__file__).parent)
_LIBRARIES = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)
_FIRST, _LAST = 2, 4  # how many frames of a deep stack are shown from its two ends
_MESSAGE = 1_000  # characters of an exception


def shown_path(path: str | Path) -> str:
    """Gives a path as short as it can be typed: relative if it lies below the current folder."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def place_of(function: Callable[..., Any]) -> str:
    """Says where a function is defined, as in ``my_bot.py line 12``; "" if that is unknown."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if not hasattr(function, "__code__") and not hasattr(function, "__func__"):
        function = getattr(type(function), "__call__", function)  # noqa: B004  # not a test
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return f"{shown_path(code.co_filename)} line {code.co_firstlineno}" if code else ""


def message_of(error: BaseException) -> str:
    """Gives an exception as Python's last line of a traceback does, also if str() fails.

    A text that goes on and on is cut at 1,000 characters.
    """
    name = type(error).__name__
    text = str(traceback.TracebackException.from_exception(error))
    if len(text) > _MESSAGE:
        text = f"{text[:_MESSAGE]}..."
    return f"{name}: {text}" if text else name


def own_frames(error: BaseException) -> str:
    """Says where an exception came from, a line a frame: the author's frames, no others.

    Returns:
        "" if none of the frames is the author's.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_own(f.filename)]
    return "\n".join(_frame_lines(frames))


def _is_own(filename: str) -> bool:
    if filename.startswith("<"):
        return False
    path = str(Path(filename).resolve())
    return not path.startswith((_OURS, *_LIBRARIES))


def _frame_lines(frames: list[traceback.FrameSummary]) -> Iterable[str]:
    hidden = len(frames) - _FIRST - _LAST
    for index, frame in enumerate(frames):
        if index == _FIRST and hidden > 0:
            yield f"... {hidden} more frames"
        if index < _FIRST or index >= _FIRST + max(0, hidden):
            yield _frame_line(frame)


def _frame_line(frame: traceback.FrameSummary) -> str:
    place = f"{shown_path(frame.filename)} line {frame.lineno} in {frame.name}"
    source = (frame.line or "").strip()
    return f"{place}: {source}" if source else place
