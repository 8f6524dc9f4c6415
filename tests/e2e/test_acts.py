"""An organiser leads a Swiss on the command line: entries, withdrawals, a void match."""

from pathlib import Path

import pytest

from tests.e2e.arena import Workshop
from tests.e2e.shell import saurodrome

pytestmark = pytest.mark.slow

HOUSE = "greedy,random,greedy-2,random-2"


def test_bots_come_and_go_and_a_match_is_voided(tmp_path: Path) -> None:
    with Workshop(tmp_path) as workshop:
        workshop.serve(HOUSE)
        workshop.run(
            *("tournament", "create", "cup", "--format", "swiss", "--rounds", "2"),
            *("--bots", "greedy,random,greedy-2", "--time", "5s"),
        )
        entered = workshop.run("tournament", "enter", "cup", "random-2")
        assert entered.startswith("random-2 joined at log position 0.")
        workshop.run("tournament", "withdraw", "cup", "random", "--reason", "unwell")
        table = workshop.run("tournament", "start", "cup", "--watch")
        assert "w withdrawn" in table
        results = workshop.run("tournament", "events", "cup")
        assert [line.split()[4:6] for line in results.splitlines()[1:] if line[:4].strip()] == [
            ["joined", "random-2"],
            ["withdrawn", "random"],
            ["started", "-"],
        ]
        workshop.run("tournament", "void", "cup/1/1/1", "--reason", "a flash of lightning")
        after = workshop.run("tournament", "standings", "cup")
        assert "results that count no more 1" in after
        again = saurodrome("tournament", "void", "cup/1/1/1", "--reason", "again", cwd=tmp_path)
        assert again.code == 2
        assert "error[ALREADY_VOID]" in again.text
