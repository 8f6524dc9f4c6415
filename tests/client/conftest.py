"""What the client's tests share: no test sees the environment or the folder of its caller."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("SAURODROME_SERVER", "SAURODROME_TOKEN", "SAURODROME_ADMIN_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
