"""A bot that thinks as long as it may: Monte Carlo search over all that it cannot see.

It tells the engine what it knows. The engine deals what is unseen and plays on, again and again;
see the engine's page on search. In Draftosaurus that is a thousand times and more, about twenty
times as often in the engine's compiled form.
"""

import time
from typing import Any, Protocol

from saurodrome.client import Decision, Match, run
from saurodrome.client.games import draftosaurus as drafto
from saurodrome.client.games import duelosaur as duel
from saurodrome.engine import registry
from saurodrome.engine.games.draftosaurus import knowledge as drafto_known
from saurodrome.engine.games.draftosaurus.knowledge import UNKNOWN
from saurodrome.engine.games.draftosaurus.position import PHASES
from saurodrome.engine.games.duelosaur import knowledge as duel_known
from saurodrome.engine.games.duelosaur.position import (
    NOTHING,
    Company,
    Due,
    Rival,
    Step,
    Work,
    mask,
)
from saurodrome.engine.games.duelosaur.state import Duelosaur
from saurodrome.engine.search.draftosaurus import Search as DraftoSearch
from saurodrome.engine.search.duelosaur.search import Search as DuelSearch

GAMES = ["draftosaurus", "duelosaur"]

# Of the limit for thinking; the rest is for the way and for a busy machine. A play-out of
# Duelosaur takes milliseconds, and many times that where other processes want the core, too.
SHARE = {"draftosaurus": 0.4, "duelosaur": 0.25}
SLICE = 0.002  # seconds between two looks at the clock
STEPS = 8  # of Build at most share what is left of its time
SPECIES = {species: number for number, species in enumerate(drafto.Species)}
FACES = {die: number for number, die in enumerate(drafto.Die)}
FREE = len(FACES)
TURNS = 12


class Search(Protocol):
    """What the engine's searches have in common."""

    def run(self, playouts: int) -> None:
        """Adds some play-outs."""

    def best(self) -> int:
        """Gives the action that did best."""


def prepare(m: Match) -> None:
    """Refuses to search with other component values than those of the server."""
    if m.game == "duelosaur" and duel.ruleset(m).hash != registry.get(m.game).ruleset_hash:
        raise RuntimeError("the server plays other component values than the engine here")


def choose(d: Decision) -> int:
    """Searches until its share of the time is used."""
    if len(d.legal_actions) == 1:
        return d.legal_actions[0].id
    stop = d.remaining - budget(d)
    search = searching(d)
    playouts, longest = 1, 0.0
    while d.remaining - longest > stop:
        begin = time.perf_counter()
        search.run(playouts)
        spent = time.perf_counter() - begin
        longest = max(longest, spent)
        playouts = playouts * 2 if spent < SLICE / 2 else max(1, playouts // 2)
    return search.best()


def budget(d: Decision) -> float:
    """Gives the seconds for thinking; all steps of Build share one clock."""
    share = SHARE[d.game]
    if d.game == "duelosaur" and d.state.phase is duel.Phase.BUILD:
        return share * d.remaining / STEPS
    return share * min(d.match.time.decision, d.remaining)


def searching(d: Decision) -> Search:
    """Starts a search."""
    legal = [action.id for action in d.legal_actions]
    if d.game == "duelosaur":
        return DuelSearch(duel_seen(d), legal)
    return DraftoSearch(drafto_seen(d), legal)


# Draftosaurus.


def drafto_seen(d: Decision) -> drafto_known.Observation:
    """Gives what the bot knows in the engine's words."""
    state = d.state
    turn = TURNS if state.phase is drafto.Phase.QUARANTINE else state.turn - 1
    public = drafto_known.Public(
        variant=registry.get(d.game).variants.index(d.variant),
        start=(state.roller - turn) % len(state.zoos),
        turn=turn,
        stage=PHASES.index(state.phase),
        die=FREE if state.die is None else FACES[state.die],
        bag_size=state.bag,
        hand_sizes=tuple(hand.size for hand in state.hands),
        zoos=tuple(contents(zoo) for zoo in state.zoos),
        discards=(packed(state.discarded), *[0] * (len(state.zoos) - 1)),
        reveal=(),
    )
    return drafto_known.Observation(state.me, public, known(state))


def known(state: drafto.State) -> drafto_known.Private:
    """Gives what it knows of hands and bag."""
    hands = [UNKNOWN if h.dinosaurs is None else packed(h.dinosaurs) for h in state.hands]
    unseen = sum(count << 4 * SPECIES[species] for species, count in state.unseen.items())
    return drafto_known.Private(tuple(hands), unseen)


def packed(dinosaurs: tuple[drafto.Species, ...]) -> int:
    """Counts dinosaurs, four bits a species."""
    return sum(1 << 4 * SPECIES[species] for species in dinosaurs)


def contents(zoo: drafto.Zoo) -> tuple[int, ...]:
    """Gives what lies in the pens, three bits a dinosaur."""
    return tuple(
        sum(
            SPECIES[species] + 1 << 3 * index
            for index, species in enumerate(zoo.pyramid if pen is drafto.Pen.PYRAMID else inside)
            if species is not None
        )
        for pen, inside in zoo.items()
    )


# Duelosaur Island: the wire and the engine number everything alike.


def duel_seen(d: Decision) -> duel_known.Observation:
    """Gives what the bot knows in the engine's words."""
    game, m = registry.get(d.game), d.state.message
    if not isinstance(game, Duelosaur):
        raise TypeError("the engine's game of this name is another one")
    public = duel_known.Public(
        setting=game.setting(d.variant),
        phase=d.state.phase.value,
        active=m.active if m.HasField("active") else NOTHING,
        round=m.round,
        first=m.first,
        final=m.final,
        agenda=tuple(Due(due.seat, due.key - 1, due.amount) for due in m.agenda),
        companies=tuple(premises(company) for company in m.companies),
        rivals=(rival(m.rival),) if m.HasField("rival") else (),
        hands=tuple(mask(hand.cards) for hand in m.shown),
        pools=(),
        row=tuple(m.row),
        discards=mask(m.discards),
        staff_left=mask(m.staff_left),
        staff_discards=mask(m.staff_discards),
        pool=m.choosing,
        rolled=tuple(m.rolled),
        slots=faces(m),
        offer=tuple(m.offer),
        picks=m.picks,
        queue=tuple(m.queue),
        rerolls=m.rerolls,
        tokens=tuple(slot.twist for slot in m.slots if slot.HasField("twist")),
        offered=tuple(m.offered),
        marker=m.marker,
        limit=m.limit,
        plan=m.rival.plan,
        scripts=(),
        sheets=(),
    )
    return duel_known.Observation(m.seat, public, duel_private(m))


def duel_private(m: Any) -> duel_known.Private:
    """Gives what the bot knows that does not lie open."""
    pools = tuple(duel_known.Pool(mask(p.cards), p.deck, tuple(p.hands)) for p in m.pools)
    return duel_known.Private(
        hands=tuple(mask(hand.cards) for hand in m.hands),
        pools=pools,
        specialists=tuple(m.candidates),
        choice=m.chosen if m.HasField("chosen") else NOTHING,
        work=work(m) if m.HasField("work") else None,
    )


def faces(m: Any) -> tuple[int, ...]:
    """Gives the faces on the slots; () before the dice are placed."""
    found = tuple(slot.face if slot.HasField("face") else NOTHING for slot in m.slots)
    placed = any(face != NOTHING for face in found) or m.picks
    return found if placed else ()


def premises(m: Any) -> duel_known.Premises:
    """Gives what lies open of a company."""
    return duel_known.Premises(*numbers(m), m.hand, *park(m))


def numbers(m: Any) -> tuple[int, tuple[int, ...], int, int, int, int, int]:
    """Gives the first entries of a company."""
    tracks = (m.threat, m.security, m.excitement, m.visitors, m.lawsuits)
    return (m.coins, tuple(m.dna), *tracks)


def park(m: Any) -> tuple[int, int, tuple[int, ...]]:
    """Gives the last entries of a company."""
    return mask(m.dinosaurs), mask(m.attractions), tuple(m.specialists)


def rival(m: Any) -> Rival:
    """Gives the AI of a solo match."""
    tracks = (m.coins, m.basic, m.advanced, m.excitement, m.visitors)
    return Rival(*tracks, mask(m.hand), mask(m.dinosaurs), mask(m.attractions))


def work(m: Any) -> Work:
    """Gives what the bot did behind its screen; of its steps only the kinds count."""
    hand, shown = mask(m.hands[m.seat].cards), mask(m.shown[m.seat].cards)
    own = m.work.company
    return Work(
        company=Company(*numbers(own), hand & shown, hand & ~shown, *park(own)),
        script=tuple(Step(step.kind - 1) for step in m.work.script),
        used=tuple(m.work.used),
        due=tuple((due.key - 1, due.amount) for due in m.work.due),
        drawn=0,
        thrown=mask(m.work.thrown),
        done=m.work.done,
    )


if __name__ == "__main__":
    run(choose, prepare=prepare, games=GAMES)
