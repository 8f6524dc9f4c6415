"""What was found is kept, compared with what is known, and told."""

from pathlib import Path

import pytest

from chores.mutants import known
from chores.mutants.known import Equivalent
from chores.mutants.mutant import KILLED, SURVIVED, TIMEOUT, Mutant
from chores.mutants.report import report
from chores.mutants.verdicts import Verdicts

SOURCE = Path("engine/src/saurodrome/engine/games/chess/scoring.py")
SAME = Equivalent("scoring.rank", "a = 1", ("a = 2",), "nobody reads it")


def mutant(number: int, was: str = "a = 1", now: str = "a = 2") -> Mutant:
    return Mutant(SOURCE, f"chess.scoring.x_rank__mutmut_{number}", "scoring.rank", (was,), (now,))


def test_a_change_that_is_known_to_change_nothing_has_its_reason() -> None:
    assert known.reason(mutant(1), [SAME]) == "nobody reads it"
    assert known.reason(mutant(1, now="a = 3"), [SAME]) == ""
    assert known.reason(mutant(1, was="a = 0"), [SAME]) == ""
    assert known.reason(mutant(1)._replace(function="scoring.score"), [SAME]) == ""
    assert known.reason(mutant(1)._replace(now=("a = 2", "b")), [SAME]) == ""


def test_what_is_no_change_any_more_is_named_if_its_source_was_looked_at() -> None:
    assert known.stale([SAME], [mutant(1)]) == []
    assert known.stale([SAME], [mutant(1, now="a = 3")]) == ["scoring.rank: a = 2"]
    elsewhere = SAME._replace(function="lines.points")
    assert known.stale([elsewhere], [mutant(1)]) == []


def test_each_known_change_is_written_down_once_with_a_reason() -> None:
    written = known.load()
    changes = [(one.function, one.was, now) for one in written for now in one.now]
    assert len(set(changes)) == len(changes) > 0
    assert all(one.why and one.was not in one.now for one in written)


@pytest.fixture
def only_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one change be known."""
    monkeypatch.setattr(known, "load", lambda: [SAME])


@pytest.mark.usefixtures("only_same")
def test_who_leaves_nothing_passes(capsys: pytest.CaptureFixture[str]) -> None:
    found = {mutant(1): SURVIVED, mutant(2, now="a = 3"): KILLED, mutant(3, now="a = 4"): TIMEOUT}
    assert report(found) == 0
    out, err = capsys.readouterr()
    assert [line.split() for line in out.splitlines()] == [
        ["source", "changes", "killed", "timeout", "same", "survived"],
        ["scoring.py", "3", "1", "1", "1", "0"],
    ]
    assert err == ""


@pytest.mark.usefixtures("only_same")
def test_what_nobody_noticed_is_shown_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert report({mutant(1): SURVIVED, mutant(2, was="b = 1", now="b = 2"): SURVIVED}) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[1].split() == ["scoring.py", "2", "0", "0", "1", "1"]
    assert out.endswith(f"\n\n{SOURCE}: scoring.rank\n  - b = 1\n  + b = 2\n")


def test_a_run_goes_on_where_it_was_as_long_as_nothing_changed(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.json"
    run = Verdicts(file, "one", left=False)
    run.keep(mutant(1), KILLED)
    run.keep(mutant(2), SURVIVED)
    again = Verdicts(file, "one", left=False)
    assert (again[mutant(1)], again[mutant(2)]) == (KILLED, SURVIVED)
    assert mutant(1, now="a = 3") not in again
    assert mutant(1) not in Verdicts(file, "two", left=False)


def test_kills_of_a_run_before_are_believed_on_request(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.json"
    run = Verdicts(file, "one", left=False)
    run.keep(mutant(1), KILLED)
    run.keep(mutant(2), SURVIVED)
    left = Verdicts(file, "two", left=True)
    assert mutant(1) in left
    assert mutant(2) not in left
