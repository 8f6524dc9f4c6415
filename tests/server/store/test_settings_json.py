"""Settings survive the way through JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.settings import (
    Deals,
    Entry,
    Format,
    Publish,
    SameOwner,
    Seating,
    SprtRule,
    TournamentSettings,
)
from saurodrome.server.store.settings_json import from_json, to_json

numbers = st.floats(allow_nan=False, allow_infinity=False)
counts = st.integers(-(2**63), 2**63 - 1)
words = st.text(st.characters(exclude_categories=["Cs"]))

settings = st.builds(
    TournamentSettings,
    name=words,
    game=words,
    variant=words,
    players=counts,
    bots=st.lists(words).map(tuple),
    display_name=words,
    seating=st.sampled_from(Seating),
    rounds=counts,
    matches=counts,
    time=st.builds(
        TimeControl,
        numbers,
        numbers,
        numbers,
        numbers,
        st.lists(st.tuples(words, numbers)).map(tuple),
        numbers,
        numbers,
    ),
    faults=st.builds(FaultRule, counts, counts, counts),
    join_timeout=numbers,
    concurrency=counts,
    seed=counts,
    anchor=words,
    anchor_rating=numbers,
    ruleset=words,
    ruleset_hash=words,
    format=st.sampled_from(Format),
    games=counts,
    seeds=st.lists(words).map(tuple),
    candidates=st.lists(words).map(tuple),
    fillers=st.lists(words).map(tuple),
    window=numbers,
    same_owner=st.sampled_from(SameOwner),
    deals=st.sampled_from(Deals),
    trusted=st.booleans(),
    blind=st.booleans(),
    start_at=numbers,
    entry=st.sampled_from(Entry),
    entry_until=numbers,
    publish_table=st.sampled_from(Publish),
    quarantine_after=counts,
    sprt=st.builds(
        SprtRule, words, st.lists(words).map(tuple), numbers, numbers, numbers, numbers, words
    ),
)

OLD: dict[str, Any] = {"name": "n", "game": "g", "variant": "v", "players": 2, "bots": ["a", "b"]}


@given(settings)
def test_settings_come_back(given: TournamentSettings) -> None:
    assert from_json(json.loads(json.dumps(to_json(given)))) == given


def test_what_an_older_version_did_not_write_takes_its_default() -> None:
    assert from_json(OLD) == TournamentSettings("n", "g", "v", 2, ("a", "b"))
    assert from_json(OLD | {"time": {"ready": 3.0}}).time == TimeControl(ready=3.0)


@pytest.mark.parametrize("unknown", [{"strkes": 3}, {"time": {"dcision": 1.0}}])
def test_what_is_unknown_is_not_dropped(unknown: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        from_json(OLD | unknown)


def test_no_other_seating_is_made_up() -> None:
    with pytest.raises(ValueError, match="diagonal"):
        from_json(OLD | {"seating": "diagonal"})
