"""How many random decisions a CPU second the engine makes on one core, beside OpenSpiel.

    python tests/bench/engine.py [SECONDS] [--rounds N] [--only TEXT ...]

Plays uniformly random matches of each game, variant and number of players through `State`, as a
match does: legal actions, a choice, apply. Then Draftosaurus' play-outs in place, as a search
makes them. Where `open_spiel` is installed (an environment of its own will do, PYTHONPATH set to
the engine), its goofspiel is measured in the same rounds, from Python and in its C++ loop; each
figure is the median of the rounds, since the machine's speed wanders. For the compiled form set
PYTHONPATH to a folder made by `engine/compiled.py`.
"""

import argparse
import importlib
import random
from collections.abc import Callable
from itertools import count
from statistics import median
from time import process_time
from typing import Any

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Game
from saurodrome.engine.games.draftosaurus import bits
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.playout import Table
from saurodrome.engine.games.draftosaurus.state import GAME
from saurodrome.engine.xorshift import XorshiftChance

Match = Callable[[], int]
"""Plays one match and returns how many decisions it had."""

GOOFSPIEL = ("goofspiel(players=2,num_cards=13)", "goofspiel(players=4,num_cards=12)")
LIKE_DUELOSAUR = ("gin_rummy", "backgammon")


def rate(play: Match, seconds: float) -> float:
    """Return decisions a CPU second."""
    decisions = 0
    begin = process_time()
    while (spent := process_time() - begin) < seconds:
        decisions += play()
    return decisions / spent


def through_state(game: Game, variant: str, players: int) -> Match:
    """Return matches as an arbiter plays them."""
    chance = FastChance(1)

    def play() -> int:
        decisions = 0
        state = game.initial_state(variant, players, chance)
        while deciders := state.deciders():
            actions = {}
            for player in deciders:
                legal = state.legal_actions(player)
                actions[player] = legal[chance.draw("choice", len(legal))]
            decisions += len(deciders)
            state = state.apply(actions, chance)
        state.outcome()
        return decisions

    return play


def in_place(variant: str, players: int) -> Match:
    """Return play-outs from the first position, deal included, points counted."""
    chance = XorshiftChance(1)
    board = BOARDS[GAME.variants.index(variant)]

    def play() -> int:
        table = Table(board, players)
        table.begin(chance)
        decisions = table.play_out(chance)
        table.points()
        return decisions

    return play


def openspiel_python(pyspiel: Any, name: str) -> Match:
    """Return matches of OpenSpiel's game with the loop in Python."""
    game = pyspiel.load_game(name)
    players = range(game.num_players())
    draw = random.Random(1).random

    def play() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_simultaneous_node():
                legal = [state.legal_actions(player) for player in players]
                state.apply_actions([ids[int(draw() * len(ids))] for ids in legal])
                decisions += len(players)
                continue
            ids = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(ids[int(draw() * len(ids))])
        state.returns()
        return decisions

    return play


def openspiel_cpp(pyspiel: Any, name: str) -> Match:
    """Return matches of OpenSpiel's goofspiel with the loop in C++, too."""
    game = pyspiel.load_game(name)
    players = game.num_players()
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(players)]
    seeds = count(1)
    decisions = openspiel_python(pyspiel, name)()  # the same number in every match

    def play() -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return decisions

    return play


def openspiel() -> dict[str, Match]:
    """Return OpenSpiel's matches by what to call them; none where it is not installed."""
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return {}
    found = {f"{name} from Python": openspiel_python(pyspiel, name) for name in GOOFSPIEL}
    found |= {f"{name} in C++": openspiel_cpp(pyspiel, name) for name in GOOFSPIEL}
    found |= {f"{name} from Python": openspiel_python(pyspiel, name) for name in LIKE_DUELOSAUR}
    return {f"OpenSpiel {name}": match for name, match in found.items()}


def ours() -> dict[str, Match]:
    """Return our matches by what to call them."""
    found = {}
    for game in registry.games():
        for variant in game.variants:
            for players in game.player_counts(variant):
                name = f"{game.name} {variant} {players} players, State"
                found[name] = through_state(game, variant, players)
    for variant in GAME.variants:
        for players in GAME.player_counts(variant):
            name = f"draftosaurus {variant} {players} players, play-out"
            found[name] = in_place(variant, players)
    return found


def main() -> None:
    """Print a line for each kind of match."""
    parser = argparse.ArgumentParser(description="Decisions a CPU second, one core.")
    parser.add_argument("seconds", nargs="?", type=float, default=0.3, help="for each figure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", help="figures whose name holds this text")
    wish = parser.parse_args()
    only = wish.only or [""]
    every = (ours() | openspiel()).items()
    matches = {name: one for name, one in every if any(text in name for text in only)}
    for play in matches.values():
        rate(play, wish.seconds)  # tables fill, and are not measured
    rates: dict[str, list[float]] = {name: [] for name in matches}
    for _ in range(wish.rounds):
        for name, play in matches.items():
            rates[name].append(rate(play, wish.seconds))
    print("compiled" if bits.COMPILED else "plain", "engine, thousand decisions a CPU second")
    for name, found in rates.items():
        print(f"{name:<58}{median(found) / 1000:8.0f}")


if __name__ == "__main__":
    main()
