"""Prints a digest of seeded matches and play-outs, to compare two forms of the engine.

python tests/engine/digest.py
"""

import hashlib

from saurodrome.engine.chance import SecureChance
from saurodrome.engine.games.draftosaurus import bits
from saurodrome.engine.games.draftosaurus.playout import Table
from saurodrome.engine.games.draftosaurus.state import GAME
from saurodrome.engine.playthrough import Recorder, dumps
from saurodrome.engine.xorshift import XorshiftChance

SEEDS = 40


def record(variant: str, players: int, seed: int) -> str:
    """Return the record of one random match, and what is known at each of its steps."""
    secret = SecureChance(hashlib.sha256(f"{variant} {players} {seed}".encode()).digest())
    choices = XorshiftChance(seed)
    match = Recorder(GAME, variant, players, secret, start=seed % players)
    seen = []
    while deciders := match.state.deciders():
        seen += [repr(match.state.observation(seat)) for seat in (None, *deciders)]
        seen.append(repr(match.state.resample(0, choices)))
        legal = {seat: match.state.legal_actions(seat) for seat in deciders}
        match.step({seat: ids[choices.below(len(ids))] for seat, ids in legal.items()})
    return "\n".join([dumps(match.playthrough()), *seen])


def ending(variant: str, players: int, seed: int) -> str:
    """Return how one play-out ends."""
    position = GAME.initial_state(variant, players, XorshiftChance(seed), seed % players)
    table = Table.at(position)
    decisions = table.play_out(XorshiftChance(seed + 1))
    return repr((decisions, [seat.zoo() for seat in table.seats], table.points()))


def main() -> None:
    """Print which form this is, and one line for each kind of match."""
    print("compiled" if bits.COMPILED else "plain")
    for variant in GAME.variants:
        for players in GAME.player_counts(variant):
            digest = hashlib.sha256()
            for seed in range(SEEDS):
                digest.update(record(variant, players, seed).encode())
                digest.update(ending(variant, players, seed).encode())
            print(variant, players, digest.hexdigest())


if __name__ == "__main__":
    main()
