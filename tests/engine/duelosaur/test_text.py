"""Texts of actions, both ways."""

import pytest

from saurodrome.engine.errors import BadActionText
from saurodrome.engine.games.duelosaur.position import OPEN_BUILD, OVER
from saurodrome.engine.games.duelosaur.steps import step_text, steps
from saurodrome.engine.games.duelosaur.text import plain
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import PARTS, cards, company, dna, position, settled


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Create  p01", "create p01"),
        (" sell pc ", "sell cp"),
        ("MIX up P02 bc to K", "mix up p02 cb to k"),
        ("die 0 as ykgbpc", "die 0 as cpbgky"),
    ],
)
def test_what_does_not_matter(written: str, meant: str) -> None:
    assert plain(written) == meant


def test_words_are_not_taken_for_units() -> None:
    for text in ("keep row", "reset row", "space 3", "done", "deck", "discard p01 p10"):
        assert plain(text) == text


def test_every_kind_of_step() -> None:
    own = company(
        coins=3,
        dna=dna(cyan=2, purple=1, blue=1, green=1, yellow=1),
        seen=cards("P01"),
        specialists=samples.specialists("X05", "X07"),
    )
    texts = [step_text(PARTS, step) for step in steps(samples.setting(), samples.work(own))]
    assert {
        "done",
        "create P01",
        "attraction P01",
        "mix up free cb to k",
        "mix up P01 cc to g",
        "mix down P01 y to pp",
        "sell cp",
        "sell g",
        "security",
        "action X07 P01",
    } <= set(texts)
    assert len(set(texts)) == len(texts)


def test_what_a_reader_is_told() -> None:
    state = settled(position(companies=(company(coins=1),) * 2, stage=OPEN_BUILD, round=1))
    with pytest.raises(BadActionText) as caught:
        state.parse_action(0, "build a zoo")
    assert caught.value.hint == "legal here: done, security"
    rich = company(coins=1, dna=dna(cyan=9))
    state = settled(position(companies=(rich,) * 2, stage=OPEN_BUILD, round=1))
    with pytest.raises(BadActionText, match="legal here: done, sell cc, security"):
        state.parse_action(0, "sell gg")
    with pytest.raises(BadActionText, match="nothing to decide"):
        position(stage=OVER).parse_action(0, "done")


def test_units_may_come_in_any_order() -> None:
    own = company(dna=dna(cyan=1, blue=1))
    state = settled(position(companies=(own, own), stage=OPEN_BUILD, round=1))
    assert state.parse_action(0, "sell bc") == state.parse_action(0, "sell cb") == 1
