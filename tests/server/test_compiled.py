"""The arbiter compiled by mypyc does to the byte what the plain one does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.compiled import MODULES
from tests.forms import ROOT, compiled, digest

PLAIN = ROOT / "server" / "src"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the server compiled."""
    return compiled("server", tmp_path_factory.mktemp("compiled"))


@pytest.mark.slow
def test_both_forms_have_the_same_histories_with_faults_and_crashes(server: Path) -> None:
    plain, *expected = digest(PLAIN, "server/form_digest.py")
    other, *found = digest(server, "server/form_digest.py")
    assert (plain, other) == ("plain", "compiled")
    assert len(expected) == 8 + 16
    assert found == expected


def waits_in_handlers(source: str) -> Iterator[int]:
    """Give the lines that wait in an `except` or `finally`, or at the end of an `async with`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AsyncWith):
            yield node.lineno
        if isinstance(node, ast.Try | ast.TryStar):
            for part in (*node.handlers, *node.finalbody):
                yield from (one.lineno for one in ast.walk(part) if isinstance(one, ast.Await))


@pytest.mark.parametrize("module", MODULES)
def test_nothing_compiled_waits_while_it_handles_an_exception(module: str) -> None:
    """All others would be handling it meanwhile: theirs would hang on it, one behind the other."""
    assert list(waits_in_handlers((PLAIN / module).read_text())) == []


@pytest.mark.parametrize(
    "body",
    [
        "try:\n  pass\n except OSError:\n  await x",
        "try:\n  pass\n finally:\n  await x",
        "async with x:\n  pass",
    ],
)
def test_waits_in_handlers_are_found(body: str) -> None:
    assert list(waits_in_handlers(f"async def f():\n {body}\n"))
    assert not list(waits_in_handlers("async def f():\n try:\n  await x\n finally:\n  pass\n"))
