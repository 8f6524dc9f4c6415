"""Whole matches between identical players, random or greedy, fast enough for thousands of them."""

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Final, NamedTuple

from saurodrome.engine.chance import Chance, FastChance
from saurodrome.engine.games.draftosaurus import kernel, scoring
from saurodrome.engine.games.draftosaurus.board import (
    FREE,
    SCORE_ALONE,
    SCORE_COUPLES,
    SCORE_MOST,
    SCORE_PAIRS,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES, counts_of, tally, unpack
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState

Player = Callable[[DraftosaurusState, int, Chance], int]
"""Chooses one of a seat's legal actions."""

HOPE: Final = {
    "forest_of_sameness": (0.0, 2.0, 4.0, 4.0, 6.0, 6.0, 0.0),
    "woody_trio": (0.0, 2.3, 4.6, 0.0),
    "meadow_of_differences": (0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0),
    "well_ordered_wood": (0.0, 2.0, 4.0, 4.0, 6.0, 6.0, 0.0),
    "pyramid": (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    "lookout": (0.0, 3.0),
    "quarantine_zone": (0.0, 3.0),
}
"""What a pen may still become, by its number of dinosaurs, at the start of the game; in points."""
SINGLE: Final = 4.0
"""The same for a dinosaur that waits for its partner."""
RISK: Final = 5.6
"""What a king or a loner may still lose: others, and we, get more of the species."""


def play(
    variant: str, players: int, chance: Chance, choose: Player, start: int = 0
) -> DraftosaurusState:
    """Play a match between identical players and return its end."""
    now = GAME.initial_state(variant, players, chance, start)
    while deciders := now.deciders():
        now = now.apply({seat: choose(now, seat, chance) for seat in deciders}, chance)
    return now


def at_random(now: DraftosaurusState, seat: int, chance: Chance) -> int:
    """Choose any legal action, all equally likely."""
    legal = now.legal_actions(seat)
    return legal[chance.draw("choice", len(legal))]


def greedily(now: DraftosaurusState, seat: int, chance: Chance) -> int:
    """Choose the best points at once, and some for what pens may become; ties by chance.

    Of two players each puts back what the opponent, who gets the rest, could use best.
    """
    legal, zoos = now.legal_actions(seat), now.zoos
    if now.phase == "discard":
        first = now.board.first_discard
        values = [best_use(now, zoos, 1 - seat, action - first) for action in legal]
    else:
        values = [worth(now, zoos, seat, action) for action in legal]
    best = max(values)
    ties = [action for action, value in zip(legal, values, strict=True) if value == best]
    return ties[chance.draw("choice", len(ties))]


def best_use(now: DraftosaurusState, zoos: tuple[Zoo, ...], seat: int, species: int) -> float:
    """Return what a seat's zoo is worth at most after it placed a dinosaur, whatever the die."""
    ids = kernel.placements(now.board, zoos[seat], 1 << 4 * species, FREE)
    return max(worth(now, zoos, seat, action) for action in ids)


def worth(now: DraftosaurusState, zoos: tuple[Zoo, ...], seat: int, action: int) -> float:
    """Return what a seat's zoo is worth after a placement or a move out of quarantine."""
    board, zoo = now.board, zoos[seat]
    if action >= board.first_move:
        action -= board.first_move
        zoo = kernel.lift(board, zoo)
    after = kernel.place(board, zoo, 1 << 4 * (action % SPECIES), FREE, action)
    assert after is not None
    zoos = (*zoos[:seat], after, *zoos[seat + 1 :])
    left = (kernel.TURNS - now.turn - 1) / kernel.TURNS
    return scoring.score(board, zoos)[seat].total + left * hope(board, zoos, seat)


def hope(board: Board, zoos: Sequence[Zoo], seat: int) -> float:
    """Return what the pens of a zoo may still become, and lose."""
    found = 0.0
    for line in board.scores[:-1]:
        contents, partner = zoos[seat].pens[line.pen], zoos[seat].pens[line.partner]
        if line.kind == SCORE_COUPLES:
            found += SINGLE * sum(count % 2 for count in counts_of(tally(contents)))
        elif line.kind == SCORE_PAIRS:
            halves = zip(counts_of(tally(contents)), counts_of(tally(partner)), strict=True)
            found += SINGLE * sum(abs(left - right) for left, right in halves)
        elif line.kind in (SCORE_MOST, SCORE_ALONE):
            found -= RISK * risk(line, contents, zoos, seat)
        else:
            found += HOPE[line.name][sum(one >= 0 for one in unpack(contents))]
    return found


def risk(line: Score, contents: int, zoos: Sequence[Zoo], seat: int) -> float:
    """Return how much a king or a loner that scores now has to fear, 0 to 1."""
    if not contents:
        return 0.0
    have = [counts_of(zoo.counts)[contents - 1] for zoo in zoos]
    if line.kind == SCORE_ALONE:
        return 1.0 if have[seat] == 1 else 0.0
    lead = have[seat] - max(count for other, count in enumerate(have) if other != seat)
    return 1 / (1 + lead) if lead >= 0 else 0.0


class Mean(NamedTuple):
    """A mean and its standard error."""

    value: float
    error: float


def random_mean(variant: str, players: int, games: int, seed: int = 1) -> Mean:
    """Play random matches; one match is one observation, since its points hang together."""
    chance = FastChance(seed)
    found = []
    for _ in range(games):
        outcome = play(variant, players, chance, at_random).outcome()
        assert outcome is not None
        found.append(mean(outcome.points))
    return Mean(mean(found), stdev(found) / sqrt(games))


def seat_shares(variant: str, players: int, start: int, games: int, seed: int = 1) -> list[float]:
    """Play greedy matches and return each seat's share of the wins."""
    chance = FastChance(seed)
    won = [0.0] * players
    for _ in range(games):
        outcome = play(variant, players, chance, greedily, start).outcome()
        assert outcome is not None
        first = [seat for seat in range(players) if outcome.placements[seat] == 1]
        for seat in first:
            won[seat] += 1 / len(first)
    return [wins / games for wins in won]
