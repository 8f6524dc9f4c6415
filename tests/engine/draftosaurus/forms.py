"""The ways of the compiled form of the engine, taken by the plain one."""

import contextlib
import sys
from collections.abc import Iterator
from unittest import mock

from saurodrome.engine.games.draftosaurus import bits

PACKAGE = bits.__name__.rpartition(".")[0]
FORMS = ("plain", "compiled")


@contextlib.contextmanager
def ways_of(form: str) -> Iterator[None]:
    """Let the game's modules take the ways of a form; a compiled engine knows its own alone."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PACKAGE)]
    with contextlib.ExitStack() as stack:
        for module in modules:
            if hasattr(module, "COMPILED"):
                stack.enter_context(mock.patch.object(module, "COMPILED", form == "compiled"))
        yield
