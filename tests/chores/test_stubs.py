"""Stubs follow the .proto files, and a difference is named."""

from pathlib import Path

import pytest

from chores import stubs


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Freshly made stubs; those of the repository are one changed, one missing, one too many."""
    fresh, kept = tmp_path / "fresh" / "saurodrome", tmp_path / "kept" / "saurodrome"
    fresh.mkdir(parents=True)
    kept.mkdir(parents=True)
    (fresh / "same.py").write_text("same")
    (kept / "same.py").write_text("same")
    (fresh / "changed.py").write_text("after")
    (kept / "changed.py").write_text("before")
    (fresh / "missing.py").write_text("new")
    (kept / "stale.py").write_text("old")
    monkeypatch.setattr(stubs, "STUBS", kept.parent)
    return fresh.parent


def test_every_difference_is_named(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stubs.drift(new) == 1
    said = capsys.readouterr().err
    assert [name in said for name in ("same", "changed", "missing", "stale")] == [0, 1, 1, 1]


def test_replacing_leaves_no_difference(new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stubs.replace(new)
    assert stubs.drift(new) == 0
    assert capsys.readouterr().err == ""
