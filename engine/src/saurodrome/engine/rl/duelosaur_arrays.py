"""Duelosaur Island as arrays: what a player knows, and what it may do.

An observation is a vector of int16. Sets are one entry a member: C cards, S specialists of the
components. The own company comes first, in Build as it is by now; then the other one.

| entries | what |
| --- | --- |
| 14 | the phase, one-hot, in the order of `PHASES`; all 0 after the end |
| 9 | round; 1 if the observer is first; visitors that end the match; 1 in the last round; PR marker; PR limit; picks made; dice rolls left; cards of the deck |
| 2 | what a gain asks for, its key in `words.KEYS` + 1, and how much; 0 if none asks |
| 2 * (13 + 2 C + S) | each company: coins, 6 colours of DNA, threat, security, excitement, visitors, lawsuits, size of the hand; dinosaurs, attractions, specialists |
| 2 * C | for each company the cards known to be in its hand |
| C | cards that may be in the deck or in the other's hand |
| 2 * C | cards of the row; the discard pile |
| 3 * S | specialists on offer; those that the observer chooses from; those nobody has seen |
| 5 * 3 | for each slot: plot twist + 1, face of its die + 1, face rolled and not yet placed + 1 |

Numbers above 1000 are cut off. An action is its id, which belongs to the decision; what ids mean
is an array of int8, a row an id:

| columns | what |
| --- | --- |
| 0 | the phase, its place in `PHASES` + 1; 0 in rows of ids that are not legal |
| 1 | kind of pick or step, see `draft` and `steps`; else 0 |
| 2 | card, specialist or slot + 1, in other phases the id + 1, at most 127 |
| 3, 4 | option + 1; specialist that leaves + 1 |
| 5-10 | units by colour: chosen for wild ones, or paid |
| 11-16 | units by colour that a mix yields |
| 17, 18 | cards paid + 1 |

Of a decision with more than 512 actions the first 512 can be chosen.
"""  # noqa: E501 - a table

from typing import Final

import numpy as np
from numpy.typing import NDArray

from saurodrome.engine.games.duelosaur import draft, flow, steps
from saurodrome.engine.games.duelosaur.knowledge import Observation
from saurodrome.engine.games.duelosaur.position import Step, bits, mask
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.games.duelosaur.state import DuelosaurState

PHASES: Final = (
    "twist",
    "setup",
    "reset",
    "draw",
    "colour",
    "prep_specialists",
    "reroll",
    "prep_dice",
    "pick",
    "build",
    "pr",
    "discard",
    "ai_tie",
    "over",
)
MOST_ACTIONS: Final = 512
WIDTH: Final = 19
LARGEST: Final = 1000
_SLOTS: Final = 5
_COMPANY: Final = 13
_HEAD: Final = len(PHASES) + 9 + 2


def length(setting: Setting) -> int:
    """Return how many entries an observation has."""
    cards, staff = len(setting.cards), len(setting.components.specialists)
    companies = 2 * (_COMPANY + 2 * cards + staff)
    return _HEAD + companies + 5 * cards + 3 * staff + 3 * _SLOTS


def observe(state: DuelosaurState, player: int) -> NDArray[np.int16]:
    """Return what a player knows; its shape is `(length(setting),)`."""
    seen = state.observation(player)
    cards, staff = len(state.setting.cards), len(state.setting.components.specialists)
    order = (player, 1 - player)
    parts = [_head(seen), *[_company(seen, seat) for seat in order]]
    hands = [seen.private.hands[seat] for seat in order]
    unseen = sum(pool.cards for pool in seen.private.pools)
    public = seen.public
    parts += [_members(one, cards) for one in (*hands, unseen, mask(public.row), public.discards)]
    looks = seen.private.specialists
    sets = (mask(public.offer), mask(looks), public.staff_left)
    parts += [_members(one, staff) for one in sets]
    parts += [_numbers(one) for one in (public.tokens, public.slots, public.rolled)]
    found = np.minimum(np.concatenate(parts), LARGEST)
    return found.astype(np.int16)


def _head(seen: Observation) -> NDArray[np.int64]:
    public = seen.public
    phase = [int(name == public.phase) for name in PHASES[:-1]] + [0]
    asked = public.agenda[0] if public.phase in ("draw", "colour") and public.agenda else None
    deck = sum(pool.deck for pool in public.pools)
    rest = [
        public.round,
        int(public.first == seen.player),
        public.setting.threshold,
        int(public.final),
        public.marker,
        public.limit,
        public.picks,
        public.rerolls,
        deck,
    ]
    asks = [asked.key + 1, asked.amount] if asked else [0, 0]
    return np.array([*phase, *rest, *asks], dtype=np.int64)


def _company(seen: Observation, seat: int) -> NDArray[np.int64]:
    """Return a company as it lies open, the observer's in Build as it is by now."""
    setting, work = seen.public.setting, seen.private.work
    open_one = seen.public.companies[seat]
    own = work.company if work is not None and seat == seen.player else open_one
    hand = seen.private.hands[seat].bit_count() if own is not open_one else open_one.hand
    tracks = (own.coins, *own.dna, own.threat, own.security, own.excitement, own.visitors)
    cards = len(setting.cards)
    return np.concatenate(
        [
            np.array([*tracks, own.lawsuits, hand], dtype=np.int64),
            _members(own.dinosaurs, cards),
            _members(own.attractions, cards),
            _members(mask(own.specialists), len(setting.components.specialists)),
        ]
    )


def _members(members: int, size: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.zeros(size, dtype=np.int64)
    found[bits(members)] = 1
    return found


def _numbers(numbers: tuple[int, ...]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.zeros(_SLOTS, dtype=np.int64)
    found[: len(numbers)] = [number + 1 for number in numbers]
    return found


def legal(state: DuelosaurState, player: int) -> tuple[int, ...]:
    """Return the legal actions that fit into the arrays."""
    return tuple(action for action in state.legal_actions(player) if action < MOST_ACTIONS)


def mask_of(state: DuelosaurState, player: int) -> NDArray[np.int8]:
    """Return 1 for each action that a player may take; its shape is `(MOST_ACTIONS,)`."""
    out: NDArray[np.int8] = np.zeros(MOST_ACTIONS, dtype=np.int8)
    out[list(legal(state, player))] = 1
    return out


def meanings(state: DuelosaurState, player: int) -> NDArray[np.int8]:
    """Return what the actions of a player mean; its shape is `(MOST_ACTIONS, WIDTH)`."""
    out: NDArray[np.int8] = np.zeros((MOST_ACTIONS, WIDTH), dtype=np.int8)
    phase = flow.phase(state)
    ids = legal(state, player)
    if phase is None or not ids:
        return out
    number = PHASES.index(phase.name) + 1
    if phase.name == "pick":
        found = [_pick(pick) for pick in draft.picks(state, player)[:MOST_ACTIONS]]
    elif phase.name == "build":
        known = steps.steps(state.setting, state.works[player])
        found = [_step(step) for step in known[:MOST_ACTIONS]]
    else:
        found = [(0, min(action + 1, 127)) for action in ids]
    for action, row in zip(ids, found, strict=True):
        out[action, 0] = number
        out[action, 1 : 1 + len(row)] = row
    return out


def _pick(pick: draft.Pick) -> tuple[int, ...]:
    return (pick.kind, pick.item + 1, pick.option + 1, pick.out + 1, *_units(pick.colours))


def _step(step: Step) -> tuple[int, ...]:
    cards = [card + 1 for card in step.cards[:2]]
    units = (*_units(step.spent), *_units(step.made))
    return (step.kind, step.item + 1, 0, 0, *units, *cards)


def _units(colours: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(colours.count(colour) for colour in range(6))
