"""What an operator reads on the terminal of a server while it runs."""

from pathlib import Path

from saurodrome.server.app import Serving
from saurodrome.server.cli.serve import StoreTrouble, lines
from saurodrome.server.config import Config
from saurodrome.server.contracts import Progress
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import Tournament, TournamentState
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


def test_what_was_cut_off_is_a_total_of_its_own_and_not_that_of_the_last_tournament() -> None:
    running = []
    for number, name in enumerate(("one", "two"), 1):
        settings = TournamentSettings(name, "draftosaurus", "summer", 2, ("a", "b"))
        record = Tournament(number, settings, TournamentState.RUNNING, 1, 0.0, "")
        running.append(Progress(record, total=10, done=number, position=number))
    said = lines(Config(Path("data")), Serving(1, 2, Path("token"), tuple(running), void=1))
    first = [line for line in said if not line.startswith(" ")]
    assert [line.split()[0] for line in first[:3]] == ["recovered", "recovered", "void"]
    at = said.index(first[2])
    text = " ".join(" ".join(said[at : said.index(first[3])]).split())
    assert text == ("void 1 match in flight at the end, in all tournaments together: played again")
    nothing = lines(Config(Path("data")), Serving(1, 2, Path("token"), tuple(running)))
    assert not any("in flight" in line for line in nothing)
