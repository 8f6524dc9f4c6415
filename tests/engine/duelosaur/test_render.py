"""Positions as text: they fit a terminal, say what is known, and cannot be spoilt by names."""

import dataclasses
from typing import Any

import pytest

from saurodrome.engine.cells import width
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.position import (
    BUILD,
    OPEN_BUILD,
    PR,
    VISITORS,
)
from saurodrome.engine.games.duelosaur.render import render, turn_of
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.players import at_random
from tests.engine.duelosaur.samples import (
    SOLO,
    TOKENS,
    act,
    cards,
    company,
    face,
    market,
    position,
    settled,
    specialists,
)


def table(**changes: Any) -> DuelosaurState:
    one = company(
        coins=5,
        dna=(2, 0, 1, 1, 0, 0),
        threat=4,
        security=3,
        excitement=6,
        visitors=21,
        lawsuits=1,
        hidden=cards("P20"),
        seen=cards("P02"),
        dinosaurs=cards("P01"),
        attractions=cards("P10", "P08", "P05"),
        specialists=specialists("X04"),
    )
    other = company(hidden=cards("P21"), security=9)
    state = position(
        companies=(one, other),
        market=market(("P03",), ("P20", "P21", "P22", "P23"), ("P30",)),
        tokens=(TOKENS["T01"], TOKENS["T13"]),
        draft=samples.draft(slots=(-1, face({"cyan": 2}, 2), -1, -1, -1), picks=6),
        stage=VISITORS,
        round=4,
        marker=3,
    )
    return DuelosaurState._make(state._replace(**changes))


def test_a_table_in_pr() -> None:
    state = table(stage=PR, queue=(0,), limit=3)
    assert render(state.observation(0), names=["deinos", "herb"]) == [
        "Duelosaur Island (duelosaur-recon-1: values reconstructed), to 35",
        "round 4: pr, deinos to choose; first player deinos",
        "row 0 P03 Ankylosaurus        cpby      1e 0t 2v | Coffee Kiosk   food 1  $3 0v",
        "deck    2 cards, 1 discarded; 22 specialists unseen",
        "draft   0: - on T01 x2                      1: cc t2 on T13 x2 or $2",
        "PR      0 1 2 [3] 4 5 6 7 8 9   rides: 2 basic, $1",
        "bonus   0: $1; 1: 1 basic, 1 card; 2: 2 basic",
        "        0 deinos                            1 herb",
        "points  27 now, visitors 21                 5 now, visitors 5",
        "park    1 dinos, 3 attractions: f2 m1 r2    0 dinos, 0 attractions: f0 m0 r0",
        "DNA     c2 p0 b1 | g1 k0 y0                 c0 p0 b0 | g0 k0 y0",
        "tracks  threat 4 security 3 excitement 6    threat 1 security 9 excitement 1",
        "coins   5  lawsuits 1                       0  lawsuits 0",
        "hand    P02 P20                             1 hidden",
        "escapes 4 + 2 undrafted - 3 = 3, -6v        1 + 2 undrafted - 9 = 0, -0v",
        "staff   X04 Chef                            -",
        "hand  P02 Triceratops         ccpbgk    2e 1t 3v | Poster Stand   merch 1 $3 0v",
        "      P20 Deinonychus         ccppbk    2e 2t 3v | Cave Coaster   ride 2  $5 1v",
    ]


def test_a_spectator_sees_less_and_a_replay_all() -> None:
    state = table(stage=PR, queue=(0,), limit=3)
    spectator, everything = render(state.observation(None)), render(state.reveal_all())
    assert "hand    P02 1 hidden                        1 hidden" in spectator
    assert "hand    P02 P20                             P21" in everything


def test_builds_stand_side_by_side_once_they_are_shown() -> None:
    state = settled(table(stage=OPEN_BUILD, market=market((), ("P20", "P21"), ())))
    state = act(state, "sell g", "security", seat=0)
    state = act(state, "done", seat=1)
    assert "build 1 sell g" in render(state.observation(0))
    assert not [line for line in render(state.observation(1)) if "sell g" in line]
    assert "sealed: all decide in secret" in render(state.observation(None))[1]
    open_lines = render(state.reveal_all())
    assert "build 1 sell g                              done" in open_lines
    state = act(state, "done", seat=0)
    assert render(state.observation(None))[-3:] == [
        "build 1 sell g                              done",
        "build 2 security",
        "build 3 done",
    ]


def test_a_replay_shows_work_behind_the_screens() -> None:
    own = company(coins=3, hidden=cards("P01"))
    state = position(
        companies=(own, company()), stage=OPEN_BUILD, round=1, market=market((), ("P01", "P02"))
    )
    state = act(settled(state), "attraction P01", seat=0)
    assert state.stage == BUILD
    seen = state.reveal_all()
    assert seen.public.companies[0].attractions == cards("P01")
    assert seen.private.pools[0].cards == cards("P02")


def test_solo_lays_the_ai_card_open() -> None:
    state = position(SOLO["A6"], rivals=(samples.rival(hand=cards("P01"), basic=3),), round=2)
    lines = render(state.observation(0), names=["ada"])
    assert "        0 ada                               1 Ptera Byte" in lines
    assert "DNA     c0 p0 b0 | g0 k0 y0                 basic 3, advanced 0" in lines
    assert lines[-10:] == [
        "AI card A6 Ptera Byte, difficulty 3",
        "AI card draws 2: most_excitement",
        "AI card picks: threat_low, visitors, total_dna",
        "AI card builds: dinosaur by excitement, visitors",
        "AI card builds: > dinosaur by visitors then attraction by completes_set,",
        "        visitors",
        "AI card builds: attraction by completes_set, visitors",
        "AI card loses 1 visitors per threat left over",
        "AI card PR: visitors, coins, total_dna",
        "AI card scores visitors, dinos, attractions, sets",
    ]


def test_rounds_are_the_turns_of_a_replay() -> None:
    assert turn_of(samples.start().observation(None)) == 1
    assert turn_of(position(round=4).observation(None)) == 4


def test_another_set_is_not_called_reconstructed() -> None:
    parts = samples.PARTS._replace(ruleset="my-box-1")
    changed = dataclasses.replace(samples.setting(), components=parts)
    lines = render(position(setting=changed).observation(None))
    assert lines[0] == "Duelosaur Island (my-box-1), to 35"


@pytest.mark.parametrize("variant", ["short-twists", "long-extra", "solo-sara-tops"])
def test_no_line_is_wider_than_a_terminal(variant: str) -> None:
    names = ["🦖" * 40, "\u202e<b>" + "x" * 70]
    players, chance, player = GAME.setting(variant).players, FastChance(4), at_random(4)
    state = GAME.initial_state(variant, players, chance)
    for step in range(120):
        if step % 12 == 0:
            for seen in (*map(state.observation, (None, 0, players - 1)), state.reveal_all()):
                for line in render(seen, names=names):
                    assert width(line) <= 80
                    assert line.isprintable()
        if state.deciders():
            state = state.apply({one: player(state, one) for one in state.deciders()}, chance)
