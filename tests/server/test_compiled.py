"""The arbiter compiled by mypyc does to the byte what the plain one does."""

from pathlib import Path

import pytest

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
