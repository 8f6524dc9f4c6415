"""`saurodrome audit` on a terminal: who did what, in which role, within 80 columns."""

from google.protobuf.timestamp_pb2 import Timestamp

from saurodrome.client.admin import AuditEntry, Role
from saurodrome.server.cli.access import act_lines


def entry(who: str, act: str, subject: str, outcome: str = "done") -> AuditEntry:
    return AuditEntry(
        number=12_345,
        when=Timestamp(seconds=1_796_031_000),
        who=who,
        role=Role.ROLE_ORGANISER,
        act=f"TournamentService/{act}",
        subject=subject,
        outcome=outcome,
    )


def test_the_role_is_told_with_usual_names() -> None:
    lines = act_lines(
        [
            entry("olga", "IssueToken", "sue as spectator"),
            entry("organisation", "StartTournament", "winter-course-2026"),
        ]
    )
    assert "role" in lines[0]
    assert all("organiser" in line for line in lines[1:])
    assert "sue as spectator" in lines[1]
    assert max(map(len, lines)) <= 80


def test_the_longest_names_still_fit_the_width() -> None:
    long = [entry("o" * 32, "ListTournamentEvents", "t" * 32, "TOURNAMENT_NOT_RUNNING")]
    assert max(map(len, act_lines(long))) <= 80
