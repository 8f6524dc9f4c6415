"""What an operator reads on the terminal of a server while it runs."""

from saurodrome.server.cli.serve import StoreTrouble
from tests.server.cli.test_terminal import terminal


def test_that_results_cannot_be_stored_is_said_once_and_that_they_can_again() -> None:
    screen, _, err = terminal()
    trouble = StoreTrouble(screen.note)
    trouble.commit_done(1, 0.1)
    assert err.getvalue() == ""
    for _ in range(3):
        trouble.commit_failed("STORE_FULL", "[STORE_FULL] The disk is full.", 0.1)
    said = " ".join(err.getvalue().split())
    assert said.startswith(
        "warning[STORE_FULL] results cannot be stored: The disk is full. They are kept"
    )
    assert said.count("STORE_FULL") == 1
    trouble.commit_done(5, 0.1)
    trouble.commit_done(5, 0.1)
    assert err.getvalue().count("results are stored again") == 1
