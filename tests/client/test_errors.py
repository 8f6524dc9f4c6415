"""The tree of errors: its three lines, its exit codes."""

import pytest

from saurodrome.client import (
    BadReply,
    BotFault,
    BotFileError,
    BotRaised,
    IllegalAction,
    InputError,
    LateReply,
    NotReady,
    Refused,
    RequestError,
    SaurodromeError,
    ServerError,
    ServerTrouble,
    Unreachable,
)
from saurodrome.client.testing import decision, match


def test_an_error_reads_as_three_lines() -> None:
    error = SaurodromeError("CODE", "it broke.", where="here", do="mend it")

    assert error.format() == "error[CODE] it broke.\n  where  here\n  do     mend it"


def test_what_is_not_known_has_no_line() -> None:
    assert SaurodromeError("CODE", "it broke.").format() == "error[CODE] it broke."


def test_a_warning_is_called_so() -> None:
    assert SaurodromeError("CODE", "beware.").format(kind="warning") == "warning[CODE] beware."


def test_long_parts_are_wrapped_under_their_labels() -> None:
    error = SaurodromeError("CODE", "w " * 60, where="x " * 60, do="line one\nline two")

    lines = error.format().split("\n")

    assert all(len(line) <= 80 for line in lines)
    assert lines[1].startswith("  w")
    assert next(line for line in lines if line.startswith(" " * 9)).startswith("         x")
    assert lines[-2:] == ["  do     line one", "         line two"]


def test_names_with_direction_marks_cannot_turn_the_line_round() -> None:
    assert "\\u202e" in SaurodromeError("CODE", "bot \u202egnp").format()


def test_machines_get_the_same_parts() -> None:
    error = SaurodromeError("CODE", "it broke.", where="here", do="mend it")

    assert error.as_dict() == {
        "code": "CODE",
        "what": "it broke.",
        "where": "here",
        "do": "mend it",
    }


@pytest.mark.parametrize(
    ("kind", "parent", "exit_code"),
    [
        (InputError, SaurodromeError, 2),
        (BotFileError, InputError, 2),
        (ServerError, SaurodromeError, 3),
        (Unreachable, ServerError, 3),
        (Refused, ServerError, 3),
        (RequestError, ServerError, 2),
        (ServerTrouble, ServerError, 4),
        (BotFault, SaurodromeError, 1),
        (BotRaised, BotFault, 1),
        (BadReply, BotFault, 1),
        (IllegalAction, BotFault, 1),
        (LateReply, BotFault, 1),
        (NotReady, BotFault, 1),
    ],
)
def test_place_in_the_tree_and_exit_code(
    kind: type[SaurodromeError], parent: type[SaurodromeError], exit_code: int
) -> None:
    assert issubclass(kind, parent)
    assert kind.exit_code == exit_code


def test_a_bots_fault_carries_its_decision_and_match() -> None:
    asked = decision()

    fault = IllegalAction("ILLEGAL_ACTION", "no.", decision=asked)

    assert (fault.decision, fault.match) == (asked, asked.match)


def test_a_fault_while_getting_ready_carries_the_match_alone() -> None:
    wanted = match()

    fault = BotRaised("BOT_RAISED", "no.", match=wanted)

    assert (fault.decision, fault.match) == (None, wanted)
