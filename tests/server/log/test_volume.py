"""However much happens, the log stays bounded, and a flood costs no line that matters."""

from saurodrome.server.log.volume import BURST, PER_SECOND, REPEATS, Repeats, Volume


def test_a_flood_is_cut_to_what_a_second_may_have_and_is_counted() -> None:
    now = [0.0]
    volume = Volume(lambda: now[0])
    assert sum(volume.admit("info") for _ in range(BURST + 500)) == BURST
    assert volume.left_out == 500
    assert volume.untold() == 500
    assert volume.untold() == 0
    now[0] = 2.0
    assert sum(volume.admit("info") for _ in range(BURST)) == 2 * PER_SECOND
    assert volume.written["info"] == BURST + 2 * PER_SECOND


def test_a_flood_of_debug_lines_costs_no_other_line() -> None:
    volume = Volume(lambda: 0.0)
    for _ in range(2 * BURST):
        volume.admit("debug")
    assert all(volume.admit(level) for level in ("info", "warning", "error"))
    assert volume.written == {"debug": BURST, "info": 1, "warning": 1, "error": 1}


def test_warnings_and_errors_pass_always() -> None:
    volume = Volume(lambda: 0.0)
    assert all(volume.admit("error") for _ in range(2 * BURST))
    assert volume.left_out == 0


def test_repeats_are_left_out_and_counted_in_both_places() -> None:
    now = [0.0]
    volume = Volume(lambda: now[0])
    repeats = Repeats(lambda: now[0], volume)
    answers = [repeats.ask("session closed", "ada") for _ in range(REPEATS + 7)]
    assert answers == [0] * REPEATS + [None] * 7
    assert volume.left_out == 7
    assert repeats.ask("session closed", "bob") == 0
    now[0] = 61.0
    assert repeats.ask("session closed", "ada") == 7
