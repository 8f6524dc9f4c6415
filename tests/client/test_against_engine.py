"""Views and example bots in whole matches of the engine, without a server."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import Decision, Match, Strategy, load
from saurodrome.client.games.draftosaurus import Pen, Species
from saurodrome.client.testing import match
from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import State
from saurodrome.engine.games.draftosaurus.knowledge import Observation
from saurodrome.engine.games.draftosaurus.wire import DraftosaurusWire, encode
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as wire

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
GAME = registry.get("draftosaurus")
VARIANTS = ("summer", "winter")


class Table:
    """A match between strategies, decided by the engine, seen through the wire."""

    def __init__(self, variant: str, players: Sequence[Strategy], seed: int) -> None:
        self.players = players
        self.chance = FastChance(seed)
        names = [f"bot-{seat}" for seat in range(len(players))]
        self.matches = [
            match(f"table/{seed}", variant=variant, seat=seat, players=names)
            for seat in range(len(players))
        ]
        self.codec = DraftosaurusWire(variant)
        start = seed % len(players)
        self.state: State = GAME.initial_state(variant, len(players), self.chance, start)

    def decision(self, seat: int) -> Decision:
        """Makes what the bot of a seat is asked, as a server would."""
        state, of = self.state, self.matches[seat]
        return Decision.received(of, self._message(state, seat, of))

    def _message(self, state: State, seat: int, of: Match) -> bot_pb2.Decision:
        observation, legal = state.observation(seat), state.legal_actions(seat)
        assert isinstance(observation, Observation)
        return bot_pb2.Decision(
            match_id=of.id,
            decision_id="any",
            default_action_id=state.default_action(seat),
            legal_actions=[
                bot_pb2.LegalAction(id=action, draftosaurus=wire.Action.FromString(blob))
                for action, blob in zip(legal, self.codec.actions(observation, legal), strict=True)
            ],
            draftosaurus=wire.Observation.FromString(encode(observation)),
        )

    def play(self) -> Iterator[Mapping[int, Decision]]:
        """Plays to the end; gives each turn's decisions before they are answered."""
        while deciders := self.state.deciders():
            asked = {seat: self.decision(seat) for seat in deciders}
            yield asked
            answers = {seat: self.players[seat].answer(d) for seat, d in asked.items()}
            self.state = self.state.apply(answers, self.chance)

    def points(self) -> tuple[int, ...]:
        """Plays to the end and gives the points by seat."""
        for _ in self.play():
            pass
        outcome = self.state.outcome()
        assert outcome is not None
        return outcome.points


@pytest.fixture(scope="module")
def greedy() -> Strategy:
    return load(EXAMPLES / "greedy_bot.py")


@pytest.fixture
def chaotic(monkeypatch: pytest.MonkeyPatch) -> Strategy:
    """The random bot with a seed."""
    monkeypatch.setenv("SAURODROME_SEED", "7")
    return load(EXAMPLES / "random_bot.py")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_actions_read_as_the_engines(chaotic: Strategy, variant: str, players: int) -> None:
    table = Table(variant, [chaotic] * players, seed=players)

    for asked in table.play():
        for seat, decision in asked.items():
            for action in decision.legal_actions:
                assert str(action) == table.state.action_text(seat, action.id)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 4])
def test_views_conserve_dinosaurs(chaotic: Strategy, variant: str, players: int) -> None:
    """What lies in zoos, the own hand, the box and unseen is all that is in the game."""
    for asked in Table(variant, [chaotic] * players, seed=1).play():
        for decision in asked.values():
            state = decision.state
            others = [h.dinosaurs or () for seat, h in enumerate(state.hands) if seat != state.me]
            for species in Species:
                seen = sum(zoo.count(species) for zoo in state.zoos)
                seen += state.hand.count(species) + state.discarded.count(species)
                seen += sum(hand.count(species) for hand in others)
                assert seen + state.unseen[species] == 8  # with 2 and with 4 players


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_own_hand_is_what_may_be_played(chaotic: Strategy, variant: str) -> None:
    for asked in Table(variant, [chaotic] * 3, seed=2).play():
        for decision in asked.values():
            if decision.state.phase == "place":
                playable = {action.species for action in decision.legal_actions}
                assert playable == set(decision.state.hand)
                assert any(action.pen == Pen.RIVER for action in decision.legal_actions)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 4])
def test_greedy_is_clearly_stronger_than_random(
    greedy: Strategy, chaotic: Strategy, variant: str, players: int
) -> None:
    """Best gain averages 28 to 37 points a match, random play 17 to 19."""
    tables = 8
    points: dict[str, list[int]] = {"greedy": [], "random": []}
    wins = 0
    for seed in range(tables):
        own = seed % players
        seats = [greedy if seat == own else chaotic for seat in range(players)]
        result = Table(variant, seats, seed).points()
        points["greedy"].append(result[own])
        points["random"] += result[:own] + result[own + 1 :]
        wins += result[own] == max(result)

    assert sum(points["greedy"]) / len(points["greedy"]) >= 28
    assert 14 <= sum(points["random"]) / len(points["random"]) <= 23
    assert wins >= tables - 1


def test_random_with_a_seed_plays_the_same_again(chaotic: Strategy) -> None:
    first = Table("summer", [chaotic] * 2, seed=3).points()
    again = Table("summer", [chaotic] * 2, seed=3).points()

    assert first == again


def test_random_without_a_seed_takes_every_action_in_time() -> None:
    free = load(EXAMPLES / "random_bot.py")
    decision = Table("summer", [free] * 2, seed=4).decision(0)

    taken = {free.answer(decision) for _ in range(1000)}

    assert taken == {action.id for action in decision.legal_actions}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_bot_stays_dry_where_it_can(variant: str) -> None:
    first = load(EXAMPLES / "first_bot.py")

    for asked in Table(variant, [first] * 2, seed=5).play():
        for decision in asked.values():
            chosen = first.answer(decision)
            dry = [a.id for a in decision.legal_actions if a.pen != "river"]
            assert not dry or chosen in dry


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_examples_are_short_and_import_the_client_and_at_most_the_engine(path: Path) -> None:
    text = path.read_text()

    searches = path.name == "search_bot.py"  # and has to tell the engine what it sees, game by game
    assert len(text.splitlines()) < (250 if searches else 150)
    ours = [line for line in text.splitlines() if "saurodrome." in line and "import" in line]
    allowed = ["saurodrome.client", *["saurodrome.engine"] * searches]
    assert all(any(f"from {name}" in line for name in allowed) for line in ours)
