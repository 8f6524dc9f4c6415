"""Every abuse case and field report that is promised has a test that carries its id.

A test names its cases by `@pytest.mark.case("PA-01", ...)`; what they ask for stands in
`tests/data/abuse.json` and `tests/data/field-reports.md`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def abuse_cases() -> set[str]:
    """The ids of the abuse cases."""
    cases = json.loads((TESTS / "data" / "abuse.json").read_text())["cases"]
    return {case["id"] for case in cases}


def field_reports() -> set[str]:
    """The ids of the rows of the field reports."""
    text = (TESTS / "data" / "field-reports.md").read_text()
    return set(re.findall(r"^\| (P\d+\w?) \|", text, re.MULTILINE))


def marked() -> Iterator[tuple[str, str]]:
    """Yields each id that a test carries, with the test's file."""
    for path in sorted(TESTS.rglob("*.py")):
        for ids in re.findall(r"@?pytest\.mark\.case\(([^)]*)\)", path.read_text()):
            for found in re.findall(r'"([^"]+)"', ids):
                yield found, path.name


def test_every_case_has_a_test() -> None:
    promised = abuse_cases() | field_reports()
    shown = {found for found, _ in marked()}
    assert sorted(promised - shown) == []


def test_every_id_that_a_test_carries_is_one() -> None:
    known = abuse_cases() | field_reports()
    assert [(found, where) for found, where in marked() if found not in known] == []


def test_the_lists_of_cases_are_whole() -> None:
    assert len(abuse_cases()) == 49
    assert len(field_reports()) == 55
