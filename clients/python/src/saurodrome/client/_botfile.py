"""Bots in files: imported as modules, with errors that name the author's line."""

import difflib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from saurodrome.client._errors import BotFileError, InputError
from saurodrome.client._source import message_of, own_frames, shown_path
from saurodrome.client._strategy import Strategy, bot_name, strategy_of
from saurodrome.client._supports import game_names

_loading: ContextVar[Path | None] = ContextVar("_loading", default=None)


def load(path: str | Path) -> Strategy:
    """Loads a bot from a Python file that offers `choose` and maybe `prepare`.

    The file is imported, not run as a program, and its folder is where its own imports are
    looked for. The bot is its function `choose`, else its object `bot`, else the only object
    with a method `choose` whose class stands in the file, else one that is made of the only
    such class, without arguments. ``__version__`` becomes the bot's version, and ``GAMES`` what
    it plays, as `games` of `run`.

    Raises:
        BotFileError: The file is missing, is no Python, raises, has no `choose` or several, or
            names games that are not known.
    """
    path = Path(path)
    module = _imported(path)
    offered = getattr(module, "choose", None)
    if offered is None:
        offered = getattr(module, "bot", None)
    if offered is None:
        offered = _object_in(module, path)
    try:
        strategy = strategy_of(offered, getattr(module, "prepare", None))
    except InputError as error:
        where = error.where or shown_path(path)
        raise BotFileError(error.code, error.what, where=where, do=error.do) from None
    version = str(getattr(module, "__version__", ""))
    try:
        games = game_names(getattr(module, "GAMES", None), f"GAMES in {shown_path(path)}")
    except InputError as error:
        raise BotFileError(error.code, error.what, where=error.where, do=error.do) from None
    return replace(strategy, name=bot_name(path.stem), version=version, path=path, games=games)


def _imported(path: Path) -> ModuleType:
    if path.is_dir():
        raise BotFileError(
            "BOT_FILE_MISSING",
            f"{path} is a folder; a bot is one Python file.",
            where=f"folder {path.resolve()}",
            do="name the file in it that has choose",
        )
    if not path.is_file():
        raise BotFileError(
            "BOT_FILE_MISSING",
            f"there is no file {path}.",
            where=f"folder {path.parent.resolve()}",
            do=f"saurodrome bot new {path.name}, or check the name",
        )
    name = f"saurodrome_bot_{path.stem}"
    loader = importlib.machinery.SourceFileLoader(name, str(path.resolve()))
    spec = importlib.util.spec_from_file_location(name, path.resolve(), loader=loader)
    if spec is None:
        raise AssertionError("a loader was given")
    module = importlib.util.module_from_spec(spec)
    with _marked(path), _importing(path, name, module):
        try:
            loader.exec_module(module)
        except SyntaxError as error:
            raise _syntax(error, path) from None
        except BotFileError:
            raise
        except (Exception, SystemExit) as error:
            raise _raised(error, path) from error
    return module


@contextmanager
def _marked(path: Path) -> Iterator[None]:
    """Notes that a file is being loaded, for `refuse_while_loading`."""
    token = _loading.set(path)
    try:
        yield
    finally:
        _loading.reset(token)


@contextmanager
def _importing(path: Path, name: str, module: ModuleType) -> Iterator[None]:
    """Makes the file's folder the first to import from, as Python does for a program."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.modules[name] = module
    try:
        yield
    except BaseException:
        sys.modules.pop(name, None)
        raise


def refuse_while_loading() -> None:
    """Stops a file that calls `run` while it is imported.

    Raises:
        BotFileError: RUN_AT_IMPORT.
    """
    if path := _loading.get():
        raise BotFileError(
            "RUN_AT_IMPORT",
            "the file calls run() while it is imported.",
            where=shown_path(path),
            do='put the call under: if __name__ == "__main__":',
        )


def _syntax(error: SyntaxError, path: Path) -> BotFileError:
    line = f" line {error.lineno}" if error.lineno else ""
    text = f": {error.text.strip()}" if error.text else ""
    return BotFileError(
        "BOT_SYNTAX",
        f"{type(error).__name__}: {error.msg}",
        where=f"{shown_path(error.filename or path)}{line}{text}",
        do="mend that line, or the one before",
    )


def _raised(error: BaseException, path: Path) -> BotFileError:
    do = "mend that line"
    if isinstance(error, ModuleNotFoundError) and error.name:
        do = f"install it (pip install {error.name.partition('.')[0]}), or mend the import"
    return BotFileError(
        "BOT_IMPORT", message_of(error), where=own_frames(error) or shown_path(path), do=do
    )


def _object_in(module: ModuleType, path: Path) -> object:
    """Finds the object that plays, in a file with neither `choose` nor `bot`.

    Only classes of the file itself count: many an imported object has something called choose.

    Raises:
        BotFileError: NO_CHOOSE, SEVERAL_BOTS, or BOT_IMPORT if none can be made of the class.
    """
    values = {id(value): (name, value) for name, value in vars(module).items()}.values()
    own = [
        (name, value)
        for name, value in values
        if callable(getattr(value, "choose", None))
        and _class_of(value).__module__ == module.__name__
    ]
    objects = [(name, value) for name, value in own if not isinstance(value, type)]
    classes = [(name, value) for name, value in own if isinstance(value, type)]
    bases = {base for _, value in classes for base in value.__mro__[1:]}
    found = objects or [(name, value) for name, value in classes if value not in bases]
    if not found:
        raise _no_choose(path, module)
    if len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise BotFileError(
            "SEVERAL_BOTS",
            f"{path.name} has no function choose, and several that could play: {names}.",
            where=shown_path(path),
            do=f"name one of them: bot = {found[0][0]}{'' if objects else '()'}",
        )
    name, value = found[0]
    return value if objects else _made(name, value, path)


def _class_of(value: object) -> type:
    return value if isinstance(value, type) else type(value)


def _made(name: str, kind: type, path: Path) -> object:
    """Makes the object of a class that plays.

    Raises:
        BotFileError: BOT_IMPORT.
    """
    try:
        return kind()
    except (Exception, SystemExit) as error:
        raise BotFileError(
            "BOT_IMPORT",
            message_of(error),
            where=own_frames(error) or f"{shown_path(path)}, {name}()",
            do=f"write below the class: bot = {name}(...)",
        ) from error


def _no_choose(path: Path, module: ModuleType) -> BotFileError:
    near = difflib.get_close_matches("choose", [n for n in vars(module) if n[0] != "_"], n=1)
    hint = f"; did you mean to call {near[0]} so?" if near else ""
    return BotFileError(
        "NO_CHOOSE",
        f"{path.name} has no function choose, and no object or class with a method choose.",
        where=shown_path(path),
        do=f"write: def choose(d: Decision) -> int{hint}",
    )
