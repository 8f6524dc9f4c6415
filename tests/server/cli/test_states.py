"""A tournament in words: its state, how far it is, how long it takes, why it waits."""

import pytest
from rich.cells import cell_len

from saurodrome.client.tournaments import Format
from saurodrome.server.cli.states import (
    elapsed,
    is_over,
    left,
    progress_line,
    share_done,
    state,
    title,
    void,
)
from tests.server.cli.fixtures import EVIL, START, WIDE, tournament


@pytest.mark.parametrize(
    ("word", "over"),
    [
        ("PLANNED", False),
        ("RUNNING", False),
        ("PAUSED", False),
        ("FINISHED", True),
        ("CANCELLED", True),
    ],
)
def test_states_are_one_word_and_the_last_two_are_final(word: str, over: bool) -> None:
    assert state(tournament(word)) == word
    assert is_over(tournament(word)) is over


def test_the_time_left_follows_from_the_rate() -> None:
    # 20,248 matches at 0.6 a second are 33,747 s.
    assert left(tournament()) == "9 h 22 min"


def test_without_a_match_the_time_left_is_not_known_rather_than_zero() -> None:
    assert left(tournament(done=0)) == "unknown: no match finished yet"


def test_a_tournament_that_stands_still_has_no_time_left_either() -> None:
    still = tournament()
    still.rate = 0
    assert left(still) == "unknown: no match finished in the last minute"


def test_the_line_of_one_that_runs_has_count_share_rate_and_time_left() -> None:
    line = progress_line(tournament())
    assert line.startswith("18,204 of 38,452   ############..............   47 %   0.6/s   left")


def test_a_ladder_without_an_end_has_no_share_and_no_time_left() -> None:
    ladder = tournament()
    ladder.settings.format = Format.FORMAT_LADDER
    assert left(ladder) == "without an end: until it is cancelled"
    assert progress_line(ladder) == "18,204 played   0.6/s   without an end"
    ladder.settings.matches = 38_452
    assert " of 38,452 " in progress_line(ladder)


def test_the_line_of_one_that_waits_says_for_what() -> None:
    assert "waits: rexy" in progress_line(tournament(waiting_for="rexy"))


def test_the_last_line_gives_the_mean_rate_and_says_finished() -> None:
    over = tournament("FINISHED", 120, 120)
    over.ended.seconds = START + 30
    assert progress_line(over).endswith("100 %   4.0/s   30 s   finished")


def test_time_spent_ends_with_the_tournament() -> None:
    over = tournament("FINISHED")
    over.ended.seconds = START + 30
    assert elapsed(over, now=lambda: START + 1e6) == 30
    assert elapsed(tournament(), now=lambda: START + 7.0) == 7


def test_nothing_is_divided_by_an_empty_schedule() -> None:
    assert share_done(tournament(done=0, total=0)) == 0


@pytest.mark.parametrize("name", [EVIL, WIDE])
def test_titles_fit_and_show_marks(name: str) -> None:
    shown = tournament()
    shown.settings.display_name = name
    assert cell_len(title(shown)) <= 38
    assert "\u202e" not in title(shown)


@pytest.mark.parametrize(
    ("word", "end"),
    [("PAUSED", "47 %   paused"), ("PLANNED", "planned"), ("CANCELLED", "cancelled")],
)
def test_the_line_of_one_that_does_not_run_ends_with_its_state(word: str, end: str) -> None:
    line = progress_line(tournament(word))
    assert line.endswith(end)
    assert "/s" not in line
    assert "left" not in line


@pytest.mark.parametrize("width", range(60, 80))
def test_the_bar_gives_way_before_a_figure_is_cut(width: int) -> None:
    over = tournament("FINISHED", 400_000, 400_000)
    over.ended.seconds = START + 100_000
    line = progress_line(over, width=width)
    assert cell_len(line) <= width
    assert line.endswith("finished")
    assert line.startswith("400,000 of 400,000")


def test_a_cancelled_tournament_plays_nothing_again() -> None:
    assert void(tournament("CANCELLED", attempts_void=3)) == "void 3"
    assert void(tournament("RUNNING", attempts_void=3)) == "void and played again 3"
    assert void(tournament()) == ""
