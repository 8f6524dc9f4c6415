"""The changes of a source, in an environment that has mutmut: `.venv-mutants`."""

from pathlib import Path

import pytest

pytest.importorskip("mutmut")

from chores.mutants.changes import mutate
from chores.mutants.stage import MUTMUT

SOURCE = """
class Pair:
    def total(self) -> int:
        return self.one + self.two


def twice(one: int) -> int:
    return one * 2
"""


def test_a_source_is_put_into_a_form_with_all_its_changes(tmp_path: Path) -> None:
    module = Path("engine/src/saurodrome/engine/pair.py")
    (tmp_path / module).parent.mkdir(parents=True)
    (tmp_path / module).write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text(MUTMUT)
    found = mutate(tmp_path, module)
    told = {(one.function, one.was, one.now) for one in found}
    assert (
        "pair.Pair.total",
        ("return self.one + self.two",),
        ("return self.one - self.two",),
    ) in told
    assert ("pair.twice", ("return one * 2",), ("return one / 2",)) in told
    assert ("pair.twice", ("return one * 2",), ("return one * 3",)) in told
    keys = [one.key for one in found]
    assert len(set(keys)) == len(keys)
    assert all(key.startswith("saurodrome.engine.pair.x") for key in keys)
    assert "MUTANT_UNDER_TEST" not in SOURCE != (tmp_path / module).read_text()
