"""The demo's claims hold where they should, and each of them can fail."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from saurodrome.client.tournaments import Standings
from saurodrome.server.cli.demo_claims import Claim, Evidence, check, counters, lines
from tests.server.cli.fixtures import fault, standing, tournament
from tests.server.cli.recorded import recorded, retagged, signed

METRICS = """\
# TYPE saurodrome_matches counter
saurodrome_matches_total{termination="finished"} 8.0
saurodrome_matches_total{termination="forfeit"} 2.0
# TYPE saurodrome_illegal_replies counter
saurodrome_illegal_replies_total 7.0
# TYPE saurodrome_sessions_opened counter
saurodrome_sessions_opened_total 15.0
"""


def table() -> Standings:
    rows = [
        standing(1, "greedy", rating=1500.0, matches=4),
        standing(2, "random", rating=1000.0, matches=4),
        standing(3, "random-2", rating=990.0, matches=4),
        standing(4, "dropping", rating=980.0, matches=4),
        standing(5, "illegal", rating=900.0, matches=2, illegal=7),
        standing(6, "slow", rating=500.0, matches=2, timeouts=9, forfeits=2),
    ]
    now = tournament("FINISHED", done=10, total=10)
    now.settings.players = 2
    return Standings(tournament=now, standings=rows)


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    record = tmp_path / "1.play"
    record.write_text(recorded())
    faults = [fault("TIMED_OUT", "slow"), fault("FORFEIT", "slow"), fault("ILLEGAL", "illegal")]
    return Evidence([table()], faults, [record], METRICS, bots=6)


def failing(claims: list[Claim]) -> list[str]:
    return [claim.text for claim in claims if not claim.holds]


def test_all_claims_hold_where_they_should(evidence: Evidence) -> None:
    claims = check(evidence)
    assert failing(claims) == []
    assert all(line.startswith(("ok  ", "     ")) for line in lines(claims))


def spoil(change: Callable[[Standings], object]) -> Callable[[Evidence], Evidence]:
    def spoiled(evidence: Evidence) -> Evidence:
        change(evidence.tables[0])
        return evidence

    return spoiled


def row(table: Standings, bot: str, **figures: float) -> None:
    found = next(one for one in table.standings if one.bot == bot)
    for name, value in figures.items():
        setattr(found, name, value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (spoil(lambda t: setattr(t.tournament, "matches_done", 9)), "every match"),
        (spoil(lambda t: setattr(t.tournament, "matches_abandoned", 1)), "every match"),
        (spoil(lambda t: row(t, "random", matches=3)), "every match"),
        (spoil(lambda t: row(t, "random-2", rank=1)), "greedy finished above"),
        (spoil(lambda t: row(t, "random", rating=1501.0)), "greedy finished above"),
        (spoil(lambda t: row(t, "random", timeouts=1)), "late, all of them slow's"),
        (spoil(lambda t: row(t, "slow", forfeits=0)), "late, all of them slow's"),
        (spoil(lambda t: row(t, "greedy", illegal=1)), "all of them illegal's"),
        (lambda e: e._replace(faults=[fault("TIMED_OUT", "random")]), "no fault is charged"),
        (lambda e: e._replace(faults=[fault("VOID", "", charged_to="server")]), "no fault"),
        (spoil(lambda t: row(t, "dropping", timeouts=1)), "dropping lost its connection"),
        (lambda e: e._replace(bots=15), "dropping lost its connection"),
        (lambda e: e._replace(records=[]), "replay to the same end"),
        (lambda e: e._replace(metrics=METRICS.replace("2.0", "3.0")), "tables and metrics"),
    ],
)
def test_each_claim_can_fail(
    evidence: Evidence, change: Callable[[Evidence], Evidence], words: str
) -> None:
    claims = check(change(evidence))
    assert any(words in said for said in failing(claims))
    assert any(line.startswith("FAIL") for line in lines(claims))


def test_a_record_that_breaks_the_rules_is_noticed(evidence: Evidence, tmp_path: Path) -> None:
    forged = tmp_path / "forged.play"
    forged.write_text(signed(re.sub(r"outcome points \d+", "outcome points 99", recorded())))
    claims = check(evidence._replace(records=[forged]))
    assert any("replay to the same end" in said for said in failing(claims))


def test_a_deal_that_is_not_proved_is_noticed(evidence: Evidence, tmp_path: Path) -> None:
    secretive = tmp_path / "secretive.play"
    secretive.write_text(retagged(recorded(), secret=None))
    claims = check(evidence._replace(records=[secretive]))
    assert any("committed to" in said for said in failing(claims))


def test_samples_of_a_metric_are_summed_over_their_labels() -> None:
    assert counters(METRICS)["saurodrome_matches_total"] == 10
