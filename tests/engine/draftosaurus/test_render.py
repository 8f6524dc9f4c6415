"""Boards fit a terminal, say everything in letters, and cannot be spoilt by names."""

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus.board import SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.position import QUARANTINE
from saurodrome.engine.games.draftosaurus.positions import PlainZoo
from saurodrome.engine.games.draftosaurus.render import fit, render, turn_of
from saurodrome.engine.games.draftosaurus.state import GAME
from tests.engine.draftosaurus.cases import CASES, state

R, S, C, B, N, P = SPECIES_NAMES


def test_two_zoos_stand_side_by_side() -> None:
    rulebook = CASES["score_and_quarantine_cases"][0]["zoos"][0]
    other = {"king_of_the_jungle": [R], "river": [S] * 8}
    before = state("summer", [rulebook, other], [[S, N], [S, S]], die="no_trex", roller=1, turn=11)
    before = before._replace(discards=(before.box - sum(z.counts for z in before.zoos), 0))
    before = before._replace(discards=(before.discards[0] - sum(before.hands), 0))
    assert render(before.observation(0), names=["ada", "bo"]) == [
        "turn 12 of 12, round 4, place: die no trex, rolled by bo",
        "        0 ada              1 bo",
        "forest  P P P . . .      8 . . . . . .      0 woods/food",
        "trio    N N S            7 . . .            0 woods/food",
        "king    .                0 R              7+1 woods/rest",
        "prairie B B . . . .      5 . . . . . .      0 grass/food",
        "meadow  C S R N . .   10+1 . . . . . .      0 grass/rest",
        "island  .                0 .                0 grass/rest",
        "river   -                0 S S S S S S      8",
        "                           S S",
        "total                   31                 16",
        "hand    S N                S S",
    ]


def winter_table(count: int) -> list[PlainZoo]:
    """Return zoos with something in every pen of the first, and an empty last one."""
    first: PlainZoo = {
        "well_ordered_wood": [S, R, S],
        "lovers_bridge_left": [B, B, N, R],
        "lovers_bridge_right": [N, B, C, C, C, C, C],
        "pyramid": [P, C, P, None, S, None],
        "lookout": [S],
        "quarantine_zone": [B],
        "river": [P],
    }
    others: list[PlainZoo] = [{"river": [S], "quarantine_zone": [R]}] * (count - 1)
    return [first, *others]


def test_a_winter_zoo_shows_rows_couples_neighbour_and_quarantine() -> None:
    now = state("winter", winter_table(2), [[], []], turn=12, stage=QUARANTINE)
    assert render(now.observation(None), names=["ada", "bo"]) == [
        "after turn 12: quarantine, without die",
        "        0 ada              1 bo",
        "wood    S R S . . .    8+1 . . . . . .      0 woods/food",
        "lbridge B B N R         +1 -                  woods/food",
        "couples B N             12 -                0",
        "rbridge N B C C C C        -                  grass/rest",
        "        C",
        "pyramid   .                  .                grass/rest",
        "         . S                . .",
        "        P C P           10 . . .            0",
        "lookout S of 1           2 . of 0           0 woods/rest",
        "quarant B                0 R              0+1 grass/food",
        "river   P                1 S                1",
        "total                   35                  2",
        "hand    -                  -",
    ]


def test_five_winter_zoos_show_their_final_moves_side_by_side() -> None:
    now = state("winter", winter_table(5), [[]] * 5, turn=12, stage=QUARANTINE)
    texts = ["move B pyramid 3", "move R river", "move R lbridge", "move R lookout", "move R wood"]
    moves = {seat: now.parse_action(seat, text) for seat, text in enumerate(texts)}
    lines = render(now.apply(moves, FastChance(1)).observation(None))
    (row,) = [line for line in lines if line.startswith("quarant")]
    assert row == ("quarant B>pyramid 3 R>river     R>lbridge   R>lookout   R>wood      grass/food")
    assert lines[0] == "over"
    assert max(map(len, lines)) <= 80
    (lookouts,) = [line for line in lines if line.startswith("lookout")]
    assert [words[0] for words in lookouts.split(" of ")[1:]] == ["4", "0", "1", "2", "3"]


def test_a_turn_is_counted_as_the_rules_do() -> None:
    now = state("winter", winter_table(2), [[], []], turn=12, stage=QUARANTINE)
    assert turn_of(now.observation(0)) == 12
    assert turn_of(GAME.initial_state("summer", 3, FastChance(1)).observation(None)) == 1


def test_hands_that_are_not_known_show_their_size() -> None:
    now = GAME.initial_state("summer", 3, FastChance(1))
    lines = render(now.observation(None))
    assert lines[-2].split() == ["hand", "6", "hidden", "6", "hidden", "6", "hidden"]
    assert lines[-1] == "unseen  6 R, 6 S, 6 C, 6 B, 6 N, 6 P"
    assert lines[0] == f"{lines[0].split(':')[0]}: die {lines[0].split('die ')[1]}"
    assert lines[0].endswith("rolled by seat 0")


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_never_takes_more_than_80_columns(variant: str, players: int) -> None:
    chance = FastChance(players)
    now = GAME.initial_state(variant, players, chance)
    while now.deciders():
        actions = {}
        for player in now.deciders():
            legal = now.legal_actions(player)
            actions[player] = legal[chance.draw("choice", len(legal))]
        now = now.apply(actions, chance)
        for line in render(now.observation(0), names=["w" * 40] * players):
            assert len(line) <= 80
            assert line.isascii()
            assert line == line.rstrip()


def test_the_end_is_said() -> None:
    chance = FastChance(1)
    now = GAME.initial_state("summer", 2, chance)
    while now.deciders():
        now = now.apply({p: now.default_action(p) for p in now.deciders()}, chance)
    assert render(now.observation(None))[0] == "over"


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("ada", 5, "ada"),
        ("adaad", 5, "adaad"),
        ("adalovelace", 5, "adal~"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本~"),
        ("日本語", 4, "日~"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("a\u202eb", 10, "a\\u202eb"),
        ("a\nb", 10, "a\\u000ab"),
        ("\u202e\u202e", 8, "\\u202e~"),
    ],
)
def test_names_are_cut_by_cells_and_hide_nothing(text: str, cells: int, expected: str) -> None:
    assert fit(text, cells) == expected
