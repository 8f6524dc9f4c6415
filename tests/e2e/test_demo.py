"""The demo ends with 0, shows its tables, and keeps what it says it keeps."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.e2e.shell import saurodrome

pytestmark = [pytest.mark.wire, pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.mark.case("ML-01")
@pytest.mark.parametrize(
    ("options", "boards"),
    [
        ((), {"demo-2p": "summer", "demo-4p": "winter"}),
        (("--variant", "winter"), {"demo-2p": "winter", "demo-4p": "winter"}),
        (("--game", "duelosaur"), {"demo-2p": "medium"}),
    ],
    ids=["both", "winter", "duelosaur"],
)
def test_the_demo_holds_what_it_claims(
    tmp_path: Path, options: tuple[str, ...], boards: dict[str, str]
) -> None:
    done = saurodrome("demo", *options, cwd=tmp_path, limit=150)
    assert done.code == 0, done.text
    assert "FAIL" not in done.out
    assert len(re.findall(r"(?m)^ok   ", done.out)) == 8
    headings = re.findall(r"(?m)^ rank +bot ", done.out)  # as narrow as the table needs
    assert len(headings) == len(boards)
    assert max(map(cell_len, done.text.splitlines())) <= 80
    assert "\x1b" not in done.text
    # What an author keeps here is not overwritten by bots of the demo.
    assert [path.name for path in (tmp_path / ".saurodrome").iterdir()] == ["demo"]
    for plan, board in boards.items():
        records = list((tmp_path / ".saurodrome" / "demo" / plan / "records").glob("*.play"))
        assert records
        assert all(f"\nvariant {board}\n" in record.read_text() for record in records)
    assert (
        "saurodrome_matches_total"
        in (tmp_path / ".saurodrome" / "demo" / "metrics.txt").read_text()
    )
    (told,) = re.findall(r"(?m)^(?:next: |      )saurodrome (.*)$", done.err)
    assert saurodrome(*told.split(), cwd=tmp_path).code == 0
