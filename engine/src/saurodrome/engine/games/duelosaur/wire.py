"""Duelosaur Island on the wire: observations and actions as bytes of its .proto messages.

Concatenated protobuf merges, so a message is put together from bytes of its parts. Action ids
belong to one decision, so what they mean is read off the observation.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

from saurodrome.engine.games.duelosaur import abilities, draft, income, preparation, steps
from saurodrome.engine.games.duelosaur.knowledge import Observation, Premises, Public
from saurodrome.engine.games.duelosaur.knowledge import Pool as KnownPool
from saurodrome.engine.games.duelosaur.position import (
    NOTHING,
    Company,
    Due,
    Rival,
    Step,
    Work,
    bits,
)
from saurodrome.engine.games.duelosaur.scoring import Sheet
from saurodrome.engine.games.duelosaur.words import COLOURS, KEYS
from saurodrome.games.duelosaur.v1 import actions_pb2 as actions
from saurodrome.games.duelosaur.v1 import duelosaur_pb2 as pb

_RECENT: Final = 256
"""Public parts and companies that are kept: each is sent several times in a row."""
_KEPT: Final = 16_384
"""Actions that are kept: steps of Build come again and again."""
_COLOURS: Final = tuple(actions.Colour.Value(f"COLOUR_{name.upper()}") for name in COLOURS)
_KEYS: Final = tuple(pb.GainKey.Value(f"GAIN_KEY_{name.upper()}") for name in KEYS)
_STEPS: Final = tuple(
    actions.StepKind.Value(f"STEP_KIND_{name.upper().replace(' ', '_')}") for name in steps.KINDS
)
_PICKS: Final = (
    actions.PICK_KIND_DIE,
    actions.PICK_KIND_KEEP,
    actions.PICK_KIND_SWAP,
    actions.PICK_KIND_DISCARD,
)
_PHASES: Final = {"over": pb.PHASE_UNSPECIFIED} | {
    name.removeprefix("PHASE_").lower(): number for name, number in pb.Phase.items() if number
}


def encode(observation: Observation) -> bytes:
    """Return a whole observation as a serialized message."""
    return _public(observation.public) + _private(observation)


class DuelosaurWire:
    """Any variant on the wire: observations carry the set that they speak of."""

    fixed_ids: Final = False

    def __init__(self, variant: str) -> None:
        """Take any variant."""

    def public(self, observation: Observation) -> bytes:
        """Return what everybody knows as a partial Observation message."""
        return _public(observation.public)

    def private(self, observation: Observation) -> bytes:
        """Return the rest of the message: what this observer knows besides."""
        return _private(observation)

    def actions(self, observation: Observation, legal: Sequence[int]) -> list[bytes]:
        """Return actions of the observer's decision as Action messages."""
        meaning = _MEANING[observation.public.phase](observation)
        return [meaning(action) for action in legal]


# What everybody knows.


@lru_cache(_RECENT)
def _public(public: Public) -> bytes:
    numbers = pb.Observation(
        phase=_PHASES[public.phase],
        active=None if public.active == NOTHING else public.active,
        round=public.round,
        first=public.first,
        threshold=public.setting.threshold,
        final=public.final,
        agenda=map(_due, public.agenda),
        shown=map(_cards, public.hands),
        row=public.row,
        deck=sum(pool.deck for pool in public.pools),
        discards=bits(public.discards),
        staff_left=bits(public.staff_left),
        staff_discards=bits(public.staff_discards),
        choosing=public.pool,
        rolled=public.rolled,
        slots=_slots(public),
        offer=public.offer,
        picks=public.picks,
        queue=public.queue,
        rerolls=public.rerolls,
        offered=public.offered,
        marker=public.marker,
        limit=public.limit,
        scripts=[pb.Script(steps=map(_step, script)) for script in public.scripts],
    )
    companies = zip(public.companies, public.sheets, strict=False)
    numbers.companies.extend(_premises(premises, sheet) for premises, sheet in companies)
    for rival in public.rivals:
        numbers.rival.CopyFrom(_rival(rival, public.sheets[-1], public.plan))
    return numbers.SerializeToString(deterministic=True)


def _slots(public: Public) -> list[pb.Slot]:
    tokens, faces = public.tokens, public.slots
    count = max(len(tokens), public.setting.components.dice_rolled)
    return [
        pb.Slot(
            twist=tokens[slot] if slot < len(tokens) else None,
            face=faces[slot] if slot < len(faces) and faces[slot] != NOTHING else None,
        )
        for slot in range(count)
    ]


def _premises(company: Premises, sheet: Sheet) -> pb.Company:
    message = _company(*company[:7], company.dinosaurs, company.attractions, company.specialists)
    message.hand = company.hand
    message.sheet.CopyFrom(_sheet(sheet))
    return message


def _company(
    coins: int,
    dna: tuple[int, ...],
    threat: int,
    security: int,
    excitement: int,
    visitors: int,
    lawsuits: int,
    dinosaurs: int,
    attractions: int,
    specialists: tuple[int, ...],
) -> pb.Company:
    return pb.Company(
        coins=coins,
        dna=dna,
        threat=threat,
        security=security,
        excitement=excitement,
        visitors=visitors,
        lawsuits=lawsuits,
        dinosaurs=bits(dinosaurs),
        attractions=bits(attractions),
        specialists=specialists,
    )


def _rival(rival: Rival, sheet: Sheet, plan: int) -> pb.Rival:
    return pb.Rival(
        coins=rival.coins,
        basic=rival.basic,
        advanced=rival.advanced,
        excitement=rival.excitement,
        visitors=rival.visitors,
        hand=bits(rival.hand),
        dinosaurs=bits(rival.dinosaurs),
        attractions=bits(rival.attractions),
        sheet=_sheet(sheet),
        plan=plan,
    )


def _sheet(sheet: Sheet) -> pb.Sheet:
    parts = {name: points for name, points in sheet._asdict().items() if name != "herd"}
    return pb.Sheet(**parts, total=sheet.total)


def _due(due: Due) -> pb.Due:
    return pb.Due(seat=due.seat, key=_KEYS[due.key], amount=due.amount)


# What one observer knows besides.


def _private(observation: Observation) -> bytes:
    known, seat = observation.private, observation.player or 0
    message = pb.Observation(
        seat=seat,
        hands=map(_cards, known.hands),
        pools=map(_pool, known.pools),
        candidates=known.specialists,
        chosen=None if known.choice < 0 else known.choice,
        work=known.work and _work(known.work, seat),
    )
    return message.SerializeToString(deterministic=True)


@lru_cache(_KEPT)
def _cards(members: int) -> actions.Cards:
    return actions.Cards(cards=bits(members))


@lru_cache(_RECENT)
def _pool(pool: KnownPool) -> pb.Pool:
    return pb.Pool(cards=bits(pool.cards), deck=pool.deck, hands=pool.hands)


def _work(work: Work, seat: int) -> pb.Work:
    return pb.Work(
        company=_own_company(work.company),
        script=map(_step, work.script),
        used=work.used,
        due=[pb.Due(seat=seat, key=_KEYS[key], amount=amount) for key, amount in work.due],
        thrown=bits(work.thrown),
        done=work.done,
    )


def _own_company(company: Company) -> pb.Company:
    message = _company(*company[:7], company.dinosaurs, company.attractions, company.specialists)
    message.hand = company.hand.bit_count()
    return message


# Actions: by phase, from an observation what gives the message of an id.

Meaning = Callable[[int], bytes]


def _colours(colours: Iterable[int]) -> list[actions.Colour.ValueType]:
    return [_COLOURS[colour] for colour in colours]


def _number(number: int) -> int | None:
    return None if number == NOTHING else number


def _twist(observation: Observation) -> Meaning:
    total = len(observation.public.setting.components.tokens)

    def meaning(action: int) -> bytes:
        keep, drop = divmod(action, total)
        return _bytes(actions.Action(twist=actions.TwistChoice(keep=keep, drop=drop)))

    return meaning


def _setup(observation: Observation) -> Meaning:
    pairs = tuple(permutations(bits(_hand(observation)), 2))
    return lambda action: _bytes(
        actions.Action(
            setup=actions.SetupChoice(dinosaur=pairs[action][0], attraction=pairs[action][1])
        )
    )


def _reset(observation: Observation) -> Meaning:
    return lambda action: _bytes(actions.Action(reset=action == income.DO_RESET))


def _draw(observation: Observation) -> Meaning:
    row = observation.public.row
    deck = observation.public.setting.components.levels.row_size

    def meaning(action: int) -> bytes:
        drawn = actions.Draw() if action == deck else actions.Draw(slot=action, card=row[action])
        return _bytes(actions.Action(draw=drawn))

    return meaning


def _colour(observation: Observation) -> Meaning:
    return lambda action: _bytes(actions.Action(colour=_COLOURS[action]))


def _offer(observation: Observation) -> Meaning:
    seen = observation.private.specialists

    def meaning(action: int) -> bytes:
        kept = [seen[place] for place in bits(action)]
        return _bytes(actions.Action(offer=actions.Specialists(specialists=kept)))

    return meaning


def _reroll(observation: Observation) -> Meaning:
    return lambda action: _bytes(actions.Action(reroll=actions.Dice(dice=bits(action))))


def _place(observation: Observation) -> Meaning:
    orders = preparation.placements(len(observation.public.rolled))
    return lambda action: _bytes(actions.Action(place=actions.Dice(dice=orders[action])))


def _pick(observation: Observation) -> Meaning:
    public = observation.public
    own = public.companies[_seat(observation)].specialists
    picks = draft.all_picks(public.setting, public.tokens, public.slots, public.offer, own)
    return lambda action: _pick_action(picks[action])


@lru_cache(_KEPT)
def _pick_action(pick: draft.Pick) -> bytes:
    message = actions.Pick(
        kind=_PICKS[pick.kind],
        slot=pick.item if pick.kind == draft.DIE else None,
        specialist=None if pick.kind == draft.DIE else pick.item,
        option=_number(pick.option),
        out=_number(pick.out),
        colours=_colours(pick.colours),
    )
    return _bytes(actions.Action(pick=message))


def _build(observation: Observation) -> Meaning:
    work = observation.private.work
    if work is None:
        raise ValueError("only who builds has something to decide")
    legal = steps.steps(observation.public.setting, work)
    return lambda action: _step_action(legal[action])


@lru_cache(_KEPT)
def _step_action(step: Step) -> bytes:
    return _bytes(actions.Action(step=_step(step)))


@lru_cache(_KEPT)
def _step(step: Step) -> actions.Step:
    named = step.kind == steps.COLOUR
    acts = step.kind == steps.ACT
    return actions.Step(
        kind=_STEPS[step.kind],
        card=None if named or acts else _number(step.item),
        specialist=step.item if acts else None,
        cards=step.cards,
        spent=_colours(step.spent),
        made=_colours(step.made),
        colour=_COLOURS[step.item] if named else actions.COLOUR_UNSPECIFIED,
    )


def _ai_tie(observation: Observation) -> Meaning:
    return lambda action: _bytes(actions.Action(ai_card=action))


def _pr(observation: Observation) -> Meaning:
    return lambda action: _bytes(actions.Action(space=action))


def _discard(observation: Observation) -> Meaning:
    cards, public = bits(_hand(observation)), observation.public
    own = public.companies[_seat(observation)]
    excess = len(cards) - abilities.hand_limit(public.setting.components, own)
    choices = tuple(combinations(cards, excess))
    return lambda action: _bytes(actions.Action(discard=actions.Cards(cards=choices[action])))


def _hand(observation: Observation) -> int:
    """Return the cards of the observer's hand."""
    return observation.private.hands[_seat(observation)]


def _seat(observation: Observation) -> int:
    if observation.player is None:
        raise ValueError("a spectator has nothing to decide")
    return observation.player


def _bytes(action: actions.Action) -> bytes:
    return action.SerializeToString(deterministic=True)


_MEANING: Final[dict[str, Callable[[Observation], Meaning]]] = {
    "twist": _twist,
    "setup": _setup,
    "reset": _reset,
    "draw": _draw,
    "colour": _colour,
    "prep_specialists": _offer,
    "reroll": _reroll,
    "prep_dice": _place,
    "pick": _pick,
    "build": _build,
    "ai_tie": _ai_tie,
    "pr": _pr,
    "discard": _discard,
}
