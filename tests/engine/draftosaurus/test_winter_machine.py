"""Winter step by step beside the second opinion on its rules, by choices that Hypothesis makes."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus.board import FACES, SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.pens import counts_of
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from tests.engine.draftosaurus import reference
from tests.engine.draftosaurus.cases import plain_zoo

ON = ((), (), (), (0, 1), (1, 2), (3, 4))
"""Slots of the pyramid on which each slot stands."""
TOUCHING = ((0, 1), (1, 2), (3, 4), (0, 3), (1, 3), (1, 4), (2, 4), (3, 5), (4, 5))


class Winter(RuleBasedStateMachine):
    """One match in the engine, and its zoos once more in plain words."""

    state: DraftosaurusState
    zoos: list[reference.Zoo]

    @initialize(players=st.integers(2, 5), seed=st.integers(0, 2**32), start=st.integers(0, 4))
    def begin(self, players: int, seed: int, start: int) -> None:
        self.chance = FastChance(seed)
        self.state = GAME.initial_state("winter", players, self.chance, start % players)
        self.zoos = [reference.Zoo("winter") for _ in range(players)]
        self.waiting: list[int] = []

    @precondition(lambda self: self.state.phase == "place")
    @rule(data=st.data(), into_quarantine=st.booleans())
    def place(self, data: st.DataObject, into_quarantine: bool) -> None:
        chosen = {}
        for seat in self.state.deciders():
            legal = self.state.legal_actions(seat)
            zone = [a for a in legal if into_quarantine and "quarantine" in self.text(seat, a)]
            chosen[seat] = data.draw(st.sampled_from(zone or legal))
        self.go(chosen)

    @precondition(lambda self: self.state.phase == "discard")
    @rule(data=st.data())
    def discard(self, data: st.DataObject) -> None:
        legal = {seat: self.state.legal_actions(seat) for seat in self.state.deciders()}
        chosen = {seat: data.draw(st.sampled_from(ids)) for seat, ids in legal.items()}
        self.state = self.state.apply(chosen, self.chance)

    @precondition(lambda self: self.state.phase == "quarantine")
    @rule(data=st.data())
    def leave_quarantine(self, data: st.DataObject) -> None:
        owners = [seat for seat, zoo in enumerate(self.zoos) if zoo.pens["quarantine_zone"]]
        assert list(self.state.deciders()) == owners
        chosen = {}
        for seat in owners:
            species = self.zoos[seat].leave_quarantine()
            goals = self.zoos[seat].moves([species], None)
            legal = self.state.legal_actions(seat)
            assert {self.goal(seat, action) for action in legal} == goals
            assert self.goal(seat, self.state.default_action(seat)) == (species, ("river", None))
            chosen[seat] = data.draw(st.sampled_from(legal))
        self.waiting = owners
        self.go(chosen)

    @precondition(lambda self: self.state.phase == "over")
    @rule()
    def rest(self) -> None:
        assert self.state.deciders() == ()

    def go(self, chosen: dict[int, int]) -> None:
        """Apply what was chosen, here and there."""
        for seat, action in chosen.items():
            self.zoos[seat].put(*self.goal(seat, action))
        self.state = self.state.apply(chosen, self.chance)

    def text(self, seat: int, action: int) -> str:
        return self.state.action_text(seat, action)

    def goal(self, seat: int, action: int) -> tuple[str, reference.Goal]:
        """Read an action off its text."""
        letter, short, *slot = self.text(seat, action).removeprefix("move ").split()
        (pen,) = [pen.name for pen in self.state.board.pens if pen.short == short]
        species = SPECIES_NAMES["RSCBNP".index(letter)]
        return species, (pen, int(slot[0]) if slot else None)

    @invariant()
    def choices_are_those_of_the_second_opinion(self) -> None:
        if self.state.phase != "place":
            return
        for seat, zoo in enumerate(self.zoos):
            counts = zip(SPECIES_NAMES, counts_of(self.state.hands[seat]), strict=True)
            face = None if seat == self.state.roller else FACES[self.state.die]
            moves = zoo.moves([name for name, count in counts if count], face)
            assert {self.goal(seat, a) for a in self.state.legal_actions(seat)} == moves

    @invariant()
    def pens_keep_their_own_rules(self) -> None:
        for seat in range(self.state.players):
            pens = plain_zoo(self.state, seat)
            wood = [species for species in pens["well_ordered_wood"] if species]
            assert not wood or reference.Zoo.alternates(wood)
            assert len(wood) <= 6
            assert max(len(pens["lookout"]), len(pens["quarantine_zone"])) <= 1
            slots = [*pens["pyramid"], *[None] * 6][:6]
            for slot, below in enumerate(ON):
                assert slots[slot] is None or all(slots[other] for other in below)
            for one, other in TOUCHING:
                assert slots[one] is None or slots[one] != slots[other]

    @invariant()
    def the_end_empties_quarantine_and_counts_what_the_second_opinion_counts(self) -> None:
        if self.state.phase != "over":
            return
        outcome = self.state.outcome()
        assert outcome is not None
        points = tuple(reference.score(self.zoos, seat) for seat in range(self.state.players))
        assert outcome.points == points
        for seat in range(self.state.players):
            pens = plain_zoo(self.state, seat)
            assert pens["quarantine_zone"] == []
            assert sum(one is not None for pen in pens.values() for one in pen) == 12
        assert [
            seat for seat, action in enumerate(self.state.reveal) if action >= 78
        ] == self.waiting


Winter.TestCase.settings = settings(max_examples=12, stateful_step_count=28, deadline=None)
TestWinter = Winter.TestCase
