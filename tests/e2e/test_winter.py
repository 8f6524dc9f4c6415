"""Winter over the wire: a tournament of five whose records prove themselves, and quarantine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from saurodrome.engine.playthrough import Playthrough, loads
from tests.e2e.arena import Workshop

pytestmark = [pytest.mark.wire, pytest.mark.slow]

HOUSE = "greedy,random,greedy-2,random-2,random-3"
OWNER = """
import json, time
from pathlib import Path

LOG = Path(__file__).with_suffix(".log")


def choose(d):
    if d.state.phase == "quarantine":
        asked = time.monotonic()
        time.sleep({pause})
        with LOG.open("a") as log:
            said = {{"match": d.match_id, "seat": d.seat, "asked": asked}}
            said["answered"] = time.monotonic()
            said["legal"] = [str(action) for action in d.legal_actions]
            log.write(json.dumps(said) + "\\n")
        return d.legal_actions[0]
    waits = [a for a in d.legal_actions if a.pen == "quarantine_zone"]
    return (waits or d.legal_actions)[0]
"""
"""Puts a dinosaur into quarantine as soon as it may, and takes its time at the move out of it."""


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    """A working folder; what is started in it ends with the test."""
    with Workshop(tmp_path) as shop:
        yield shop


def test_the_records_of_five_in_winter_are_verified_and_one_changed_character_is_named(
    workshop: Workshop,
) -> None:
    workshop.serve(HOUSE)
    workshop.run(
        *("tournament", "create", "w", "--variant", "winter", "--players", "5"),
        *("--bots", HOUSE, "--seating", "rotations", "--rounds", "4", "--watch"),
    )
    workshop.run("tournament", "export", "w", "--to", "out")
    workshop.run("tournament", "export", "w", "--to", "packed", "--zip")
    assert workshop.run("replay", "verify", "out").endswith(
        "20 of 20 records verified, 20 deals proved\n"
    )
    assert "20 of 20 records" in workshop.run("replay", "verify", "packed")
    paths = sorted((workshop.folder / "out" / "records").iterdir())
    assert any(quarantined(loads(path.read_text())) for path in paths)
    changed = paths[11]
    text = changed.read_text()
    at = text.index(" lookout")
    changed.write_text(f"{text[:at]}x{text[at + 1 :]}")
    done = workshop.piped("replay", "verify", "out", "--json")
    assert done.code == 1
    (bad,) = [one for one in map(json.loads, done.out.splitlines()) if not one["verified"]]
    assert bad["record"] == f"out/records/{changed.name}"
    assert bad["error"]["code"] == "RECORD_EDITED"
    assert bad["turn"] is not None
    assert bad["seat"] is not None


def quarantined(record: Playthrough) -> bool:
    """Tell whether a dinosaur moved out of quarantine."""
    return record.steps[-1].choices[0].action.startswith("move ")


def asked(workshop: Workshop, pauses: dict[str, float]) -> tuple[Playthrough, dict[int, Any]]:
    """Play one match of three in winter; give its record, and what bots said at the last move."""
    workshop.serve("none")
    for name, pause in pauses.items():
        (workshop.folder / f"{name}.py").write_text(OWNER.format(pause=pause))
        workshop.run("bot", "register", name)
        workshop.start("bot", "run", f"{name}.py")
    workshop.run(
        *("tournament", "create", "q", "--variant", "winter", "--players", "3"),
        *("--bots", ",".join(pauses), "--matches", "3", "--concurrency", "1"),
        *("--seating", "rotations", "--time", "1s", "--watch"),
    )
    workshop.run("tournament", "export", "q", "--to", "out")
    path = sorted((workshop.folder / "out" / "records").iterdir())[0]
    record = loads(path.read_text())
    match = dict(record.tags)["match"]
    lines = [line for name in pauses for line in log_of(workshop, name)]
    said = [one for one in map(json.loads, lines) if one["match"] == match]
    return record, {one["seat"]: one for one in said}


def log_of(workshop: Workshop, name: str) -> list[str]:
    """Give what a bot wrote down, nothing if it never had to move."""
    path = workshop.folder / f"{name}.log"
    return path.read_text().splitlines() if path.exists() else []


def test_owners_are_asked_at_once_and_offered_what_the_pens_take(workshop: Workshop) -> None:
    record, said = asked(workshop, {"ann": 0.4, "bob": 0.4, "cyd": 0.4})
    owners = {choice.seat: choice for choice in record.steps[-1].choices}
    assert len(owners) >= 2
    assert said.keys() == owners.keys()
    assert max(one["asked"] for one in said.values()) < min(
        one["answered"] for one in said.values()
    )
    for seat, choice in owners.items():
        assert choice.action == said[seat]["legal"][0]
        assert not any("quarantine" in action for action in said[seat]["legal"])
        assert any(action.endswith(" river") for action in said[seat]["legal"])


def test_a_late_owners_dinosaur_goes_to_the_river(workshop: Workshop) -> None:
    record, _ = asked(workshop, {"ann": 0.0, "bob": 0.0, "sleepy": 2.0})
    tags = dict(record.tags)
    (seat,) = [seat for seat in range(3) if tags[f"seat{seat}"] == "sleepy"]
    late = next(choice for choice in record.steps[-1].choices if choice.seat == seat)
    assert late.action.endswith(" river")
    assert late.note.startswith("timed_out")
    assert "late 1" in tags[f"seat{seat}-result"]
    verified = workshop.run("replay", "verify", "out")
    assert "3 of 3 records verified" in verified
