"""Views of Duelosaur Island and its example bot in matches of the engine, without a server."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import Decision, InputError, Match, Strategy, load
from saurodrome.client.games import duelosaur
from saurodrome.client.games.duelosaur import Colour, Kind, ruleset
from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.knowledge import Observation
from saurodrome.engine.games.duelosaur.position import bits
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from saurodrome.engine.games.duelosaur.wire import DuelosaurWire, encode
from saurodrome.games.duelosaur.v1 import actions_pb2 as acts
from saurodrome.games.duelosaur.v1 import duelosaur_pb2 as wire

EXAMPLES = Path(__file__).parents[3] / "clients" / "examples"
PARTS = GAME.components
WIRE = DuelosaurWire("medium")


def seat_at(variant: str, seat: int) -> Match:
    """A match as a bot of that seat sees it, with a server behind it."""
    message = bot_pb2.MatchStarted(
        match_id="table/1/1/1",
        game="duelosaur",
        variant=variant,
        seat=seat,
        ruleset=GAME.ruleset,
        ruleset_hash=GAME.ruleset_hash,
    )
    return Match(message, lambda game, content: GAME.ruleset_json())


def asked(state: DuelosaurState, match: Match) -> Decision:
    """What a seat is asked, as a server would."""
    seat = match.seat
    observation, legal = state.observation(seat), state.legal_actions(seat)
    assert isinstance(observation, Observation)
    blobs = zip(legal, WIRE.actions(observation, legal), strict=True)
    message = bot_pb2.Decision(
        match_id=match.id,
        decision_id="any",
        default_action_id=state.default_action(seat),
        legal_actions=[
            bot_pb2.LegalAction(id=action, duelosaur=acts.Action.FromString(blob))
            for action, blob in blobs
        ],
        duelosaur=wire.Observation.FromString(encode(observation)),
    )
    return Decision.received(match, message)


class Table:
    """A match between strategies, decided by the engine, seen through the wire."""

    def __init__(self, variant: str, players: Sequence[Strategy], seed: int = 1) -> None:
        self.players = players
        self.chance = FastChance(seed)
        self.matches = [seat_at(variant, seat) for seat in range(len(players))]
        self.state = GAME.initial_state(variant, len(players), self.chance, seed % len(players))

    def play(self) -> Iterator[Mapping[int, Decision]]:
        """Plays to the end; gives each step's decisions before they are answered."""
        while deciders := self.state.deciders():
            decisions = {seat: asked(self.state, self.matches[seat]) for seat in deciders}
            yield decisions
            answers = {seat: self.players[seat].answer(d) for seat, d in decisions.items()}
            self.state = self.state.apply(answers, self.chance)

    def finish(self) -> DuelosaurState:
        """Plays to the end and gives it."""
        for _ in self.play():
            pass
        return self.state


@pytest.fixture(scope="module")
def greedy() -> Strategy:
    return load(EXAMPLES / "duelosaur_greedy_bot.py")


@pytest.fixture
def chaotic() -> Strategy:
    """A bot that plays at random, the same again."""
    source = random.Random(7)
    return Strategy(lambda d: source.choice(d.legal_actions))


def test_every_number_of_the_wire_has_a_name() -> None:
    assert set(duelosaur.PHASES) == set(wire.Phase.values()) - {0}
    named = duelosaur.Kind
    fields = acts.Action.DESCRIPTOR.oneofs_by_name["choice"].fields
    assert {f.name for f in fields} - {"step", "pick"} <= set(named)


@pytest.mark.parametrize(
    ("variant", "players"),
    [("medium-twists", 2), ("short", 2), ("solo-herb-e-vore", 1)],
)
def test_views_say_what_is_on_the_table(chaotic: Strategy, variant: str, players: int) -> None:
    table = Table(variant, [chaotic] * players)
    for decisions in table.play():
        for seat, d in decisions.items():
            state, truth = d.state, table.state
            own = truth.works[seat].company if truth.works else truth.companies[seat]
            assert state.phase == truth.phase
            assert state.round == state.turn == truth.round
            assert list(state.hand) == bits(own.hand)
            assert state.company.coins == own.coins
            assert tuple(state.company.dna.values()) == own.dna
            assert list(state.company.dinosaurs) == bits(own.dinosaurs)
            assert list(state.company.attractions) == bits(own.attractions)
            assert state.company.specialists == own.specialists
            assert state.row == truth.market.row
            faces = tuple(-1 if slot.face is None else slot.face for slot in state.slots)
            assert faces == (truth.draft.slots or (-1,) * 5)
            assert (state.rival is None) == (not truth.rivals)
            assert state.points == tuple(s.total for s in truth.sheets()[:players])


@pytest.mark.parametrize("variant", ["medium-twists", "long"])
def test_actions_name_cards_and_units_by_the_ruleset(greedy: Strategy, variant: str) -> None:
    table = Table(variant, [greedy, greedy], seed=3)
    kinds = set()
    for decisions in table.play():
        for seat, d in decisions.items():
            rules = ruleset(d)
            for action in d.legal_actions:
                text = table.state.action_text(seat, action.id)
                kinds.add(action.kind)
                if action.kind in (Kind.CREATE, Kind.ATTRACTION):
                    assert text == f"{action.kind} {rules.cards[action.card].id}"
                elif action.kind is Kind.DIE:
                    assert text.split()[:2] == ["die", str(action.slot)]
                    assert sum(map(len, text.partition(" as ")[2:])) == len(action.colours)
                elif action.kind in (Kind.KEEP, Kind.SWAP):
                    assert text.split()[1] == rules.specialists[action.specialist].id
                elif action.kind in (Kind.MIX_UP, Kind.SELL):
                    assert len(action.spent) == 2 or text.count(" ") == 1
    assert {Kind.SETUP, Kind.DRAW, Kind.DIE, Kind.CREATE, Kind.DONE, Kind.SPACE} <= kinds


def test_an_action_reads_in_words() -> None:
    pick = acts.Pick(
        kind=acts.PICK_KIND_DIE, slot=2, option=1, colours=[acts.COLOUR_CYAN, acts.COLOUR_GREEN]
    )
    spent, made = [acts.COLOUR_CYAN, acts.COLOUR_BLUE], [acts.COLOUR_PINK]
    mix = acts.Step(kind=acts.STEP_KIND_MIX_UP, cards=[7], spent=spent, made=made)
    for message, text in (
        (acts.Action(pick=pick), "die 2 option 1 as cyan green"),
        (acts.Action(step=mix), "mix_up 7 cyan blue to pink"),
        (acts.Action(step=acts.Step(kind=acts.STEP_KIND_CREATE, card=0)), "create 0"),
        (acts.Action(step=acts.Step(kind=acts.STEP_KIND_DONE)), "done"),
        (acts.Action(draw=acts.Draw()), "draw deck"),
        (acts.Action(draw=acts.Draw(slot=0, card=9)), "draw 0"),
        (acts.Action(space=0), "space 0"),
        (acts.Action(reset=False), "reset no"),
        (acts.Action(colour=acts.COLOUR_BLUE), "colour as blue"),
    ):
        assert str(duelosaur.LegalAction(5, message)) == text


def test_the_ruleset_says_what_the_components_are() -> None:
    rules = ruleset(seat_at("medium", 0))
    assert (rules.id, rules.hash) == ("duelosaur-recon-1", GAME.ruleset_hash)
    assert [card.id for card in rules.cards] == [card.id for card in PARTS.cards]
    for said, card in zip(rules.cards, PARTS.cards, strict=True):
        cost = {Colour(c): n for c, n in zip(Colour, card.dinosaur.cost, strict=True) if n}
        assert said.dinosaur.cost == cost
        assert said.attraction.cost == card.attraction.cost
    assert [one.name for one in rules.specialists] == [one.name for one in PARTS.specialists]
    assert rules.pr_spaces[3] == {"basic": 2, "coins": 1}
    assert rules.note == json.loads(GAME.ruleset_json())["note"]
    assert ruleset(seat_at("medium", 1)) is rules


def test_without_a_server_there_is_no_ruleset() -> None:
    with pytest.raises(InputError, match="no server to ask"):
        ruleset(Match(bot_pb2.MatchStarted(game="duelosaur")))


def test_the_bot_of_the_papers_plays(chaotic: Strategy) -> None:
    paper = (EXAMPLES.parent / "README.md").read_text()
    (block,) = (b for b in re.findall(r"(?s)```python\n(.*?)```", paper) if "duelosaur" in b)
    names: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec", dont_inherit=True), names)
    end = Table("short", [Strategy(names["choose"]), chaotic]).finish()
    assert end.companies[0].dinosaurs.bit_count() > 1


def test_greedy_is_clearly_stronger_than_random(greedy: Strategy, chaotic: Strategy) -> None:
    """A player of its kind won 287 of 300 matches against builders who play at random."""
    won = 0
    for seed in range(6):
        seats = [greedy, chaotic] if seed % 2 else [chaotic, greedy]
        outcome = Table("short", seats, seed).finish().outcome()
        assert outcome is not None
        won += outcome.placements[seats.index(greedy)] == 1
    assert won >= 5
