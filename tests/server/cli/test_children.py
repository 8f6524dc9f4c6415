"""How programs ended that a command started."""

import pytest

from saurodrome.server.cli.children import how_it_ended


@pytest.mark.case("P11")
@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "ended with 0"),
        (3, "ended with 3"),
        (-9, "was killed by SIGKILL (137, often for want of memory)"),
        (-11, "was killed by SIGSEGV (139)"),
        (-15, "was killed by SIGTERM (143)"),
        (-99, "was killed by signal 99 (227)"),
    ],
)
def test_a_killed_program_is_told_from_one_that_ended_by_itself(code: int, words: str) -> None:
    assert how_it_ended(code) == words
