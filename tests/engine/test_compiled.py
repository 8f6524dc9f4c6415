"""The engine compiled by mypyc plays the same games from the same seeds as the plain one."""

from pathlib import Path

import pytest

from tests.forms import ROOT, compiled, digest

PLAIN = ROOT / "engine" / "src"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the engine compiled."""
    return compiled("engine", tmp_path_factory.mktemp("compiled"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "lines"),
    [("digest.py", 8), ("arbiter_digest.py", 16), ("search_digest.py", 20)],
    ids=["engine", "arbiter", "search"],
)
def test_both_forms_play_the_same_games(engine: Path, script: str, lines: int) -> None:
    """The engine's own matches and play-outs, an arbiter's records, and what searches think."""
    plain, *expected = digest(PLAIN, f"engine/{script}")
    other, *found = digest(engine, f"engine/{script}")
    assert (plain, other) == ("plain", "compiled")
    assert len(expected) == lines
    assert found == expected
