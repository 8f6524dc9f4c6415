"""What bots see of Duelosaur Island: messages made from observations, and against secrets."""

from collections.abc import Iterable

import pytest

from saurodrome.engine import conformance, game
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import wire
from saurodrome.engine.games.duelosaur.knowledge import Observation
from saurodrome.engine.games.duelosaur.position import bits
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from saurodrome.games.duelosaur.v1 import actions_pb2 as actions
from saurodrome.games.duelosaur.v1 import duelosaur_pb2 as pb
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.players import Player, at_random, greedy
from tests.engine.duelosaur.samples import CARDS, PARTS, TOKENS

WIRE = wire.DuelosaurWire("medium")
LETTERS = dict(enumerate("cpbgky", start=1))
NAMES = {number: name.removeprefix("COLOUR_").lower() for name, number in actions.Colour.items()}
STEPS = {
    n: s.removeprefix("STEP_KIND_").lower().replace("_", " ") for s, n in actions.StepKind.items()
}
PICKS = {n: s.removeprefix("PICK_KIND_").lower() for s, n in actions.PickKind.items()}


def seen(observation: game.Observation) -> pb.Observation:
    """What a bot reads."""
    return pb.Observation.FromString(encode(observation))


def encode(observation: game.Observation) -> bytes:
    """What an observer is sent."""
    assert isinstance(observation, Observation)
    return wire.encode(observation)


def matches(variant: str, *players: Player, seed: int = 1) -> Iterable[DuelosaurState]:
    """All states of one match but the last."""
    chance = FastChance(seed)
    state = GAME.initial_state(variant, len(players), chance)
    while deciders := state.deciders():
        yield state
        state = state.apply({seat: players[seat](state, seat) for seat in deciders}, chance)


# Actions: a reader that knows the messages and the ids of the set alone says the same as the rules.


def ids(numbers: Iterable[int]) -> list[str]:
    return [PARTS.cards[number].id for number in numbers]


def staff(numbers: Iterable[int]) -> list[str]:
    return [PARTS.specialists[number].id for number in numbers]


def letters(colours: Iterable[int]) -> str:
    return "".join(LETTERS[colour] for colour in colours)


def read(action: actions.Action) -> str:
    """The text of an action by its message."""
    chosen = getattr(action, action.WhichOneof("choice") or "")
    match action.WhichOneof("choice"):
        case "twist":
            return f"keep {PARTS.tokens[chosen.keep].id} drop {PARTS.tokens[chosen.drop].id}"
        case "setup":
            dinosaur, attraction = ids((chosen.dinosaur, chosen.attraction))
            return f"dino {dinosaur} attr {attraction}"
        case "reset":
            return "reset row" if chosen else "leave row"
        case "draw":
            return f"slot {chosen.slot}" if chosen.HasField("slot") else "deck"
        case "colour":
            return NAMES[chosen]
        case "offer":
            return " ".join(["keep", *staff(chosen.specialists)])
        case "reroll":
            return " ".join(["reroll", *(map(str, chosen.dice) if chosen.dice else ["none"])])
        case "place":
            return " ".join(["place", *map(str, chosen.dice)])
        case "pick":
            return read_pick(chosen)
        case "step":
            return read_step(chosen)
        case "ai_card":
            return str(PARTS.cards[chosen].id)
        case "space":
            return f"space {chosen}"
        case _:
            return " ".join(["discard", *ids(chosen.cards)])


def read_pick(pick: actions.Pick) -> str:
    words = [PICKS[pick.kind]]
    words += [str(pick.slot)] if pick.HasField("slot") else staff((pick.specialist,))
    words += ["option", str(pick.option)] if pick.HasField("option") else []
    words += ["for", *staff((pick.out,))] if pick.HasField("out") else []
    return " ".join([*words, *(["as", letters(pick.colours)] if pick.colours else [])])


def read_step(step: actions.Step) -> str:
    if step.colour:
        return NAMES[step.colour]
    words = [STEPS[step.kind]]
    words += ids((step.card,)) if step.HasField("card") else []
    words += staff((step.specialist,)) if step.HasField("specialist") else []
    free = step.kind in (actions.STEP_KIND_MIX_UP, actions.STEP_KIND_MIX_DOWN) and not step.cards
    words += (["free"] if free else []) + ids(step.cards)
    words += [letters(step.spent)] if step.spent else []
    return " ".join([*words, *(["to", letters(step.made)] if step.made else [])])


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        ("medium-twists-extra", (at_random(1), at_random(2))),
        ("long", (greedy(), at_random(3))),
        ("short", (at_random(4), greedy())),
        ("solo-herb-e-vore", (at_random(5),)),
        ("solo-dnaidan", (greedy(),)),
    ],
)
def test_messages_of_actions_say_what_the_actions_are(
    variant: str, players: tuple[Player, ...]
) -> None:
    phases = set()
    for state in matches(variant, *players):
        phases.add(state.phase)
        for seat in state.deciders():
            legal = state.legal_actions(seat)
            blobs = WIRE.actions(state.observation(seat), legal)
            told = [read(actions.Action.FromString(blob)) for blob in blobs]
            assert told == [state.action_text(seat, action) for action in legal]
    assert {"setup", "draw", "pick", "build"} <= phases


def test_a_slot_to_draw_from_names_its_card() -> None:
    state = next(s for s in matches("medium", greedy(), greedy()) if s.phase == "draw")
    seat = state.deciders()[0]
    blobs = WIRE.actions(state.observation(seat), state.legal_actions(seat))
    drawn = [actions.Action.FromString(blob).draw for blob in blobs]
    assert [draw.card for draw in drawn[:-1]] == list(state.market.row)
    assert not drawn[-1].HasField("card")


# Observations.


def test_every_field_of_a_company_is_told() -> None:
    mine = samples.company(
        coins=4,
        dna=(1, 0, 2, 0, 3, 0),
        threat=5,
        security=3,
        excitement=6,
        visitors=21,
        lawsuits=1,
        seen=samples.cards("P01"),
        hidden=samples.cards("P02", "P03"),
        dinosaurs=samples.cards("P04", "P05"),
        attractions=samples.cards("P06"),
        specialists=samples.specialists("X05", "X02"),
    )
    state = samples.position(companies=(samples.company(), mine))
    got = seen(state.observation(0)).companies[1]
    assert (got.coins, list(got.dna), got.threat, got.security) == (4, [1, 0, 2, 0, 3, 0], 5, 3)
    assert (got.excitement, got.visitors, got.lawsuits, got.hand) == (6, 21, 1, 3)
    assert ids(got.dinosaurs) == ["P04", "P05"]
    assert ids(got.attractions) == ["P06"]
    assert staff(got.specialists) == ["X05", "X02"]
    assert got.sheet.total == state.sheets()[1].total
    assert (got.sheet.visitors, got.sheet.lawsuits) == (21, 5)


def test_a_hand_is_told_to_its_owner_and_what_was_seen_of_it_to_all() -> None:
    hand = samples.company(seen=samples.cards("P01"), hidden=samples.cards("P02"))
    rest = tuple(one for one in CARDS if one not in ("P01", "P02", "P03"))
    layers = samples.market(("P03",), ("P02", *rest))
    state = samples.position(companies=(hand, samples.company()), market=layers)
    owner, other = seen(state.observation(0)), seen(state.observation(1))
    assert ids(owner.hands[0].cards) == ["P01", "P02"]
    assert ids(other.hands[0].cards) == ["P01"]
    assert ids(owner.shown[0].cards) == ids(other.shown[0].cards) == ["P01"]
    assert CARDS["P02"] in other.pools[0].cards
    assert CARDS["P02"] not in owner.pools[0].cards
    assert list(other.pools[0].hands) == [1, 0]
    assert other.deck == other.pools[0].deck == len(rest)
    assert ids(other.row) == ["P03"]


def test_slots_tell_twists_and_dice() -> None:
    tokens = tuple(TOKENS[one] for one in list(TOKENS)[:4])
    faces = samples.draft(slots=(7, -1, 9, -1, 11), offer=(3,), picks=2)
    got = seen(samples.position(tokens=tokens, draft=faces).observation(0))
    assert [slot.twist if slot.HasField("twist") else None for slot in got.slots] == [
        *tokens,
        None,
    ]
    assert [slot.face if slot.HasField("face") else None for slot in got.slots] == [
        7, None, 9, None, 11,
    ]  # fmt: skip
    assert (list(got.offer), got.picks) == ([3], 2)


def test_a_build_shows_its_own_work_and_nothing_of_the_others() -> None:
    state = next(s for s in matches("medium", greedy(), greedy()) if s.phase == "build")
    before = encode(state.observation(1))
    step = next(t for t in samples.texts(state, 0) if t.startswith(("create", "sell", "security")))
    stepped = samples.act(state, step, seat=0)
    mine = seen(stepped.observation(0))
    assert [read_step(one) for one in mine.work.script] == [step]
    assert mine.companies == seen(state.observation(0)).companies
    assert encode(stepped.observation(1)) == before
    done = samples.act(stepped, "done", seat=0)
    assert seen(done.observation(0)).work.done
    assert encode(done.observation(1)) == before


def test_the_rival_of_a_solo_match_lies_open() -> None:
    rival = samples.rival(coins=3, basic=4, advanced=2, hand=samples.cards("P01", "P02"))
    state = samples.position("solo-herb-e-vore", rivals=(rival,), plan=1)
    got = seen(state.observation(0)).rival
    assert (got.coins, got.basic, got.advanced, got.plan) == (3, 4, 2, 1)
    assert ids(got.hand) == ["P01", "P02"]
    assert got.sheet.total == state.sheets()[-1].total
    assert not seen(samples.position().observation(0)).HasField("rival")


@pytest.mark.parametrize("variant", ["short-twists", "medium", "solo-sima-saurus"])
def test_parts_merge_and_all_observers_share_the_public_one(variant: str) -> None:
    seats = GAME.setting(variant).players
    for state in list(matches(variant, *map(at_random, range(seats))))[::7]:
        observations = [state.observation(observer) for observer in (*range(seats), None)]
        public = {WIRE.public(one) for one in observations}
        assert len(public) == 1
        for one in observations:
            assert encode(one) == public.copy().pop() + WIRE.private(one)
        for seat in range(seats):
            known = observations[seat].private.hands[seat]
            assert list(seen(observations[seat]).hands[seat].cards) == bits(known)


@pytest.mark.parametrize("variant", ["medium-twists", "long", "solo-sara-tops"])
def test_positions_that_an_observer_cannot_tell_apart_are_the_same_bytes(variant: str) -> None:
    seats = GAME.setting(variant).players
    chance = FastChance(5)
    for state in list(matches(variant, *map(at_random, range(seats))))[::5]:
        for observer in (*range(seats), None):
            other = state.resample(observer, chance)
            assert encode(other.observation(observer)) == encode(state.observation(observer))
            if observer in state.deciders():
                legal = state.legal_actions(observer or 0)
                assert WIRE.actions(other.observation(observer), legal) == WIRE.actions(
                    state.observation(observer), legal
                )


@pytest.mark.parametrize("variant", ["solo-sima-saurus", "solo-ptera-byte"])
def test_no_byte_of_a_solo_match_depends_on_what_is_hidden(variant: str) -> None:
    conformance.check(GAME, variant, 1, seed=1, games=1, codec=encode)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["short", "long-twists-extra"])
def test_no_byte_depends_on_what_an_observer_cannot_know(variant: str) -> None:
    conformance.check(GAME, variant, 2, seed=1, games=2, codec=encode)
